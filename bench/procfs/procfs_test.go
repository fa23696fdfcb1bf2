//go:build linux

package procfs

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file tests reading /proc with this process and one child of it.

func TestParseStat(t *testing.T) {
	const rest = " S 7 1 1 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4242 100 200"
	tests := []struct {
		name, text string
		want       Process
		fails      bool
	}{
		{name: "plain", text: "12 (cat)" + rest, want: Process{PID: 12, Parent: 7, State: 'S', Name: "cat", Start: 4242}},
		{name: "a name with parentheses and spaces", text: "12 (a) Z (b)" + rest, want: Process{PID: 12, Parent: 7, State: 'S', Name: "a) Z (b", Start: 4242}},
		{name: "no name", text: "12 cat S 7", fails: true},
		{name: "too few fields", text: "12 (cat) S 7", fails: true},
		{name: "empty", text: "", fails: true},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := parseStat([]byte(tc.text))
			if (err != nil) != tc.fails {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChildProcess(t *testing.T) {
	cmd := exec.Command("cat")
	cmd.Env = []string{"CANARY=1"}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	descendants, err := Descendants(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(descendants, func(p Process) bool { return p.PID == pid }) {
		t.Errorf("the child %d is not among %v", pid, descendants)
	}
	environment, err := Environment(pid)
	if err != nil || !slices.Equal(environment, []string{"CANARY=1"}) {
		t.Errorf("environment %q, %v", environment, err)
	}
	for name, read := range map[string]func(int) (int64, error){"peak": PeakResident, "resident": Resident, "proportional": Proportional, "anonymous": Anonymous} {
		if n, err := read(pid); err != nil || n < 1<<12 || n > 1<<30 {
			t.Errorf("%s memory %d, %v", name, n, err)
		}
	}
	descriptors, err := Descriptors(pid)
	if err != nil || descriptors[0] == "" {
		t.Errorf("descriptors %v, %v", descriptors, err)
	}
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(pid); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading an ended process: %v", err)
	}
}
