package kernel

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFeaturesNamesEachOnceAndSaysWhy(t *testing.T) {
	got := Features()
	var names, want []string
	for _, f := range got {
		names = append(names, f.Name)
		if f.Detail == "" || f.Purpose == "" {
			t.Errorf("%s: detail %q, purpose %q; neither may be empty", f.Name, f.Detail, f.Purpose)
		}
	}
	for _, p := range purposes {
		want = append(want, p.name)
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
}

func TestFeaturesLeavesNoDescriptorBehind(t *testing.T) {
	const descriptors = "/proc/self/fd"
	count := func() int {
		entries, err := os.ReadDir(descriptors)
		if err != nil {
			t.Skipf("%s cannot be read here: %v", descriptors, err)
		}
		return len(entries)
	}
	Features()
	before := count()
	Features()
	if after := count(); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
