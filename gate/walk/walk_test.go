package walk_test

import (
	"testing"

	"github.com/isogate/isogate/gate/walk"
)

// A sample of the walk; all of it is walked by "gate walk".
func TestWalk(t *testing.T) {
	const sample = 200
	summary, err := walk.Run(t.Context(), walk.Options{Seed: 1, Sample: sample})
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range summary.Wrong {
		t.Error(wrong)
	}
	ended := summary.Values + summary.GuestErrors + summary.Interrupted + summary.Killed + summary.Memory + summary.OtherLimits + len(summary.Crashes) + len(summary.Wrong)
	if summary.Cases != sample || ended < sample {
		t.Errorf("of %d cases %d ended: %+v", summary.Cases, ended, summary)
	}
	// The sample is hostile: a walk whose calls all succeed calls nothing.
	if summary.Values == 0 || summary.GuestErrors == 0 || summary.Interrupted+summary.Killed+summary.Memory == 0 {
		t.Errorf("the endings are one-sided: %+v", summary)
	}
	t.Logf("%+v", *summary)
}
