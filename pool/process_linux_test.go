package pool_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
)

// This file owns the tests of what a child process is given and what it leaves.

// TestInheritance opens a pipe without close-on-exec, as code that is not Go's
// may, and checks that no child holds it.
func TestInheritance(t *testing.T) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil { // without O_CLOEXEC
		t.Fatal(err)
	}
	read := os.NewFile(uintptr(ends[0]), "canary")
	defer read.Close()
	p := newPool(t, pool.Config{Size: 2})
	syscall.Close(ends[1])
	// The end of the pipe shows when its last writer is gone. Were it open in a
	// child, this would wait until the pool is closed.
	end := make(chan error, 1)
	go func() {
		_, err := read.Read(make([]byte, 1))
		end <- err
	}()
	select {
	case err := <-end:
		if err != io.EOF {
			t.Fatal(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("a child holds a descriptor that it was not given")
	}
	for _, c := range p.Stats().Children {
		environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", c.PID))
		if err == nil && len(environment) > 0 {
			t.Errorf("the environment of child %d is %q", c.ID, environment)
		}
	}
}

// TestGiven checks what a child finds at its start, before it seals itself.
func TestGiven(t *testing.T) {
	t.Setenv("ISOGATE_TEST_CANARY", "1")
	// What this process itself inherited is no concern of this test.
	for fd := 3; fd < 1024; fd++ {
		syscall.CloseOnExec(fd)
	}
	p := newHostilePool(t, "obeys", pool.Config{Size: 1})
	r := execute(t, p, "look")
	value, err := r.Decode()
	if err != nil {
		t.Fatal(err)
	}
	// Its digest is that of the text which the hostile helper writes for a snapshot.
	digest := child.Digest([]byte("no snapshot is needed here"))
	want := map[string]any{
		"arguments": []any{child.Arg0, child.RoleServe, "hardened", "", digest}, "environment": []any{}, "directory": "/",
		"descriptors": []any{"0 /dev/null", "1 /dev/null", "2 pipe", "3 socket", "4 /memfd:isogate-snapshot (deleted)"},
		// The snapshot is final, for whoever has it open.
		"write": "operation not permitted", "truncate": "operation not permitted", "unseal": "operation not permitted",
	}
	if d := cmp.Diff(want, value); d != "" {
		t.Error(d)
	}
}

// TestSealed checks the measures that children report, and what /proc says.
func TestSealed(t *testing.T) {
	p := sharedPool(t)
	s := p.Stats()
	if len(s.Sealing) != len(child.Measures()) {
		t.Errorf("there are %d states for %d measures", len(s.Sealing), len(child.Measures()))
	}
	for i, m := range child.Measures() {
		state := s.Sealing[i]
		if state.Measure != m.Name || state.Level != m.Default || state.InForce == (state.Reason != "") {
			t.Errorf("measure %d is %+v, want %s at level %s, in force or with a reason", i, state, m.Name, m.Default)
		}
		if m.Default == child.Required && !state.InForce {
			t.Errorf("%s is required and not in force: %s", m.Name, state.Reason)
		}
	}
	if !strings.HasPrefix(s.Engine, "10.9.194.9") || s.SnapshotSize < 1000 {
		t.Errorf("the engine is %q, the snapshot has %d bytes", s.Engine, s.SnapshotSize)
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", s.Children[0].PID))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Max core file size": "0", "Max file size": "0", "Max open files": "32", "Max data size": ""} {
		found := false
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, name); ok {
				hard := strings.Fields(rest)[1]
				if found = hard == want || want == "" && hard != "unlimited"; !found {
					t.Errorf("%s is %s", name, hard)
				}
				found = true
			}
		}
		if !found {
			t.Errorf("/proc says nothing of %s", name)
		}
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Children[0].PID))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"Name:\tisogate-child\n", "NoNewPrivs:\t1\n"} {
		if !strings.Contains(string(status), line) {
			t.Errorf("/proc does not say %q:\n%s", line, status)
		}
	}
}

// TestOrphans kills the parent of a pool and checks that its children end, the
// one in an endless loop too.
func TestOrphans(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentVariable+"=1")
	parent.Stderr = os.Stderr
	stdin, err := parent.StdinPipe() // held open: the parent waits on it
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var children []int
	lines := bufio.NewScanner(stdout)
	for lines.Scan() && lines.Text() != "ready" {
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatalf("the parent wrote %q", lines.Text())
		}
		children = append(children, pid)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := parent.Wait(); err == nil {
		t.Error("the parent ended by itself")
	}
	if len(children) != 2 {
		t.Fatalf("the parent had the children %v", children)
	}
	for _, pid := range children {
		waitFor(t, fmt.Sprintf("child %d to end", pid), func() bool { return !alive(pid) })
	}
}

// alive reports whether a process exists and is no zombie.
func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	rest := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	return rest[0] != "Z"
}
