package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/isogate/isogate/pool/child"
)

func TestDoctor(t *testing.T) {
	got := isogate(t, invocation{args: []string{"doctor"}})
	got.wantStatus(t, statusValue)
	for _, part := range []string{"V8 10.9.194.9", "landlock", "memfd", "sealing measure", "system_calls         required  yes", "snapshot", "KiB", "programs         run"} {
		if !strings.Contains(got.stdout, part) {
			t.Errorf("%q does not hold %q", got.stdout, part)
		}
	}
	if got.stderr != "" {
		t.Errorf("standard error %q, want none", got.stderr)
	}
}

func TestDoctorAsJSON(t *testing.T) {
	for _, profile := range []string{"hardened", "jit"} {
		got := isogate(t, invocation{args: []string{"doctor", "--json", "--profile", profile}})
		got.wantStatus(t, statusValue)
		var d diagnosis
		if err := json.Unmarshal([]byte(got.stdout), &d); err != nil {
			t.Fatalf("%v in %s", err, got.stdout)
		}
		if d.Profile != profile || d.Problem != "" || d.SnapshotBytes <= 0 || d.StartMS <= 0 || d.RunMS <= 0 || len(d.Kernel) == 0 {
			t.Errorf("diagnosis %+v", d)
		}
		sealed := slices.ContainsFunc(d.Sealing, func(m measure) bool { return m.Name == "no_new_privileges" && m.InForce })
		if !sealed || len(d.Sealing) != len(child.Measures()) {
			t.Errorf("sealed by %v", d.Sealing)
		}
	}
}

// With --snapshot the cost of the library is measured, part by part.
func TestDoctorSnapshot(t *testing.T) {
	got := isogate(t, invocation{args: []string{"doctor", "--snapshot", "--json"}})
	got.wantStatus(t, statusValue)
	var d diagnosis
	if err := json.Unmarshal([]byte(got.stdout), &d); err != nil {
		t.Fatalf("%v in %s", err, got.stdout)
	}
	c := d.Library
	if c == nil || c.Bytes <= 0 || c.Isolate <= 0 || c.Context <= 0 || c.Whole <= c.Isolate || c.Plain.Whole <= 0 || c.Ratio <= 0 {
		t.Fatalf("the library's cost is %+v", c)
	}
	total := 0
	names := map[string]bool{}
	for _, p := range c.Parts {
		total += p.Bytes
		names[p.Name] = true
		if p.Bytes <= 0 {
			t.Errorf("part %s adds %d bytes", p.Name, p.Bytes)
		}
		if p.UsedBy != "" && (p.FirstUse != 0 || p.Name != "deferred_namespace") {
			t.Errorf("the first use of part %s took %v, but nothing can be measured that uses it: %q", p.Name, p.FirstUse, p.UsedBy)
		}
	}
	if !names["iterators"] || !names["url"] || total >= c.Bytes {
		t.Errorf("parts of %d bytes in a snapshot of %d: %v", total, c.Bytes, names)
	}
	text := isogate(t, invocation{args: []string{"doctor", "--snapshot"}})
	text.wantStatus(t, statusValue)
	for _, part := range []string{"without it", "times as long", "first use", "URLSearchParams", "only the declaration import defer uses it"} {
		if !strings.Contains(text.stdout, part) {
			t.Errorf("%q does not hold %q", text.stdout, part)
		}
	}
}

// TestDoctorWhereNothingRuns takes the address space from the command that V8
// needs, so that no child can start.
func TestDoctorWhereNothingRuns(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	limited := func(args ...string) outcome {
		return isogate(t, invocation{
			binary: shell,
			args:   append([]string{"-c", `ulimit -v 4000000 && exec "$0" "$@"`, built(t)}, args...),
			stdin:  "() => 1",
		})
	}
	got := limited("doctor")
	got.wantStatus(t, statusExecutor)
	if !strings.Contains(got.stdout, "programs         cannot be run: ") {
		t.Errorf("standard output %q", got.stdout)
	}
	got.wantStderr(t, "isogate: programs cannot be run here: ")

	got = limited("doctor", "--json")
	got.wantStatus(t, statusExecutor)
	var d diagnosis
	if err := json.Unmarshal([]byte(got.stdout), &d); err != nil || d.Problem == "" {
		t.Errorf("%v in %s", err, got.stdout)
	}

	limited("run", "-").wantFailure(t, statusExecutor, "snapshot")
}
