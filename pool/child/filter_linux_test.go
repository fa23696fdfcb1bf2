//go:build amd64

package child_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the tests of the system-call filter: what it lets through works,
// what it does not ends the process, and it is in force on every thread. The cases
// are in filter_cases_linux_test.go and filter_refused_linux_test.go.

var profiles = []string{sandbox.ProfileHardened, sandbox.ProfileJIT}

// filterPatience is how long a helper process may take.
const filterPatience = 30 * time.Second

// helperCommand returns a command that starts a helper process.
func helperCommand(ctx context.Context, profile, action, name string) *exec.Cmd {
	c := exec.CommandContext(ctx, os.Args[0])
	c.Args = []string{filterHelper, profile, action, name}
	return c
}

// runHelper runs a helper process and returns what it wrote and how it ended.
func runHelper(t *testing.T, profile, action, name string) (string, syscall.WaitStatus) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), filterPatience)
	defer cancel()
	c := helperCommand(ctx, profile, action, name)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("it did not end within %v; it wrote %q", filterPatience, stdout.String())
	}
	if stderr.Len() > 0 {
		t.Errorf("its standard error: %s", stderr.String())
	}
	return stdout.String(), c.ProcessState.Sys().(syscall.WaitStatus)
}

// outcomes returns what a helper wrote of each case.
func outcomes(text string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(text) {
		name, came, _ := strings.Cut(line, "\t")
		found[name] = strings.TrimSpace(came)
	}
	return found
}

// lockedScene is the scene of this process, for the names and arguments of cases.
func lockedScene(t *testing.T) *scene {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	s, err := newScene()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s
}

// TestFilterAllows makes every call that the filter lets through, or answers
// itself, in one process under the filter.
func TestFilterAllows(t *testing.T) {
	for _, profile := range profiles {
		t.Run(profile, func(t *testing.T) {
			text, status := runHelper(t, profile, makeAllowed, "")
			want := map[string]string{}
			for _, c := range allCases(profile, lockedScene(t)) {
				switch {
				case c.want == killed:
				case c.ends:
					want[c.name()] = ""
				case c.errno == 0:
					want[c.name()] = "done"
				default:
					want[c.name()] = unix.ErrnoName(c.errno)
				}
			}
			if d := cmp.Diff(want, outcomes(text)); d != "" {
				t.Error(d)
			}
			if status.ExitStatus() != ended {
				t.Errorf("it ended with %v, want the status %d", describeStatus(status), ended)
			}
		})
	}
}

// TestFilterKills makes every call that the filter must not let through, each in a
// process of its own.
func TestFilterKills(t *testing.T) {
	for _, profile := range profiles {
		for _, c := range allCases(profile, lockedScene(t)) {
			if c.want != killed {
				continue
			}
			// Of what the profiles have in common one is enough.
			if profile == sandbox.ProfileJIT && c.call != "mmap" && c.call != "mprotect" {
				continue
			}
			t.Run(profile+"/"+c.name(), func(t *testing.T) {
				t.Parallel()
				text, status := runHelper(t, profile, makeOne, c.name())
				if d := cmp.Diff(map[string]string{c.name(): ""}, outcomes(text)); d != "" {
					t.Error(d)
				}
				if status.Signal() != unix.SIGSYS {
					t.Errorf("it ended with %v, want the signal SIGSYS", describeStatus(status))
				}
			})
		}
	}
}

// TestUnfiltered makes the calls that the filter does not let through without a
// filter: none of them ends the process by itself, and none is answered as the
// filter answers. So what the other tests see comes from the filter.
func TestUnfiltered(t *testing.T) {
	text, status := runHelper(t, sandbox.ProfileHardened, makeOpen, "")
	if status.ExitStatus() != 0 {
		t.Errorf("it ended with %v", describeStatus(status))
	}
	found := outcomes(text)
	for _, c := range allCases(sandbox.ProfileHardened, lockedScene(t)) {
		came, made := found[c.name()]
		switch {
		case c.want == performed || c.duplicates:
		case !made || came == "":
			t.Errorf("%s was not made", c.name())
		case c.want == answered && came == unix.ErrnoName(c.errno):
			t.Errorf("%s is answered with %s without a filter too", c.name(), came)
		}
	}
}

// TestFilterNumbers tries all numbers without a rule, the numbers of the x32
// interface, and every way to break one condition of a rule.
func TestFilterNumbers(t *testing.T) {
	for _, profile := range profiles {
		t.Run(profile, func(t *testing.T) {
			broken := len(brokenCases(profile, lockedScene(t)))
			if broken < 250 {
				t.Errorf("there are %d ways to break a condition", broken)
			}
			made := 2*afterNumber - len(unfiltered) - len(ruledCalls(profile)) + broken
			text, status := runHelper(t, profile, makeNumbers, "")
			if want := fmt.Sprintf("made %d\n", made); text != want || status.ExitStatus() != 0 {
				t.Errorf("it ended with %v and wrote %q, want %q only", describeStatus(status), text, want)
			}
		})
	}
}

// TestFilterCases checks that every rule has its cases: one that it lets through,
// and for each condition one that breaks only that.
func TestFilterCases(t *testing.T) {
	for _, profile := range profiles {
		cases := allCases(profile, lockedScene(t))
		count := map[string]map[outcome]int{}
		names := map[string]bool{}
		for _, c := range cases {
			if names[c.name()] {
				t.Errorf("two cases are named %q", c.name())
			}
			names[c.name()] = true
			if count[c.call] == nil {
				count[c.call] = map[outcome]int{}
			}
			count[c.call][c.want]++
			if _, ok := callNumbersByName()[c.call]; !ok {
				t.Errorf("there is no call %q", c.call)
			}
		}
		for _, name := range child.Needed() {
			if count[name][performed] == 0 || count[name][killed] > 0 {
				t.Errorf("%s is allowed, and its cases are %v", name, count[name])
			}
		}
		for name, errno := range child.Answered() {
			if count[name][answered] == 0 || len(count[name]) != 1 {
				t.Errorf("%s is answered with %v, and its cases are %v", name, errno, count[name])
			}
		}
		for i, rule := range child.Narrowed(profile) {
			allowed := false
			refused := make([]bool, len(rule.Conditions))
			for _, c := range cases {
				if c.call != rule.Name || c.do != nil {
					continue
				}
				broken := violated(rule, &c)
				if c.want == performed && len(broken) == 0 {
					allowed = true
				}
				if c.want == killed && len(broken) == 1 {
					refused[broken[0]] = true
				}
				if c.want == killed && len(broken) == 0 {
					t.Errorf("%s: rule %d, %s, lets %q through", profile, i, rule.Name, c.name())
				}
			}
			if !allowed {
				t.Errorf("%s: rule %d, %s, has no case that it lets through", profile, i, rule.Name)
			}
			for j, condition := range rule.Conditions {
				if !refused[j] {
					t.Errorf("%s: rule %d, %s: no case breaks the condition %+v alone", profile, i, rule.Name, condition)
				}
			}
		}
		for _, c := range refusedCases(lockedScene(t)) {
			for _, name := range ruledCalls(profile) {
				if c.call == name {
					t.Errorf("%s is refused whatever its arguments, and has a rule", name)
				}
			}
		}
	}
}

// TestFilterThreads checks from outside that the filter is in force on every thread
// of a process that had several before.
func TestFilterThreads(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), filterPatience)
	defer cancel()
	c := helperCommand(ctx, sandbox.ProfileHardened, startThreads, "")
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	if line != "filtered\n" {
		t.Errorf("it wrote %q (%v)", line, err)
	}
	statuses, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", c.Process.Pid))
	if err != nil || len(statuses) < threadsBefore {
		t.Errorf("it has %d threads (%v), want at least %d", len(statuses), err, threadsBefore)
	}
	for _, path := range statuses {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		for _, want := range []string{"Seccomp:\t2\n", "NoNewPrivs:\t1\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not say %q:\n%s", path, want, text)
			}
		}
	}
	if err := stdin.Close(); err != nil {
		t.Error(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil || len(rest) > 0 {
		t.Errorf("it wrote %q further (%v)", rest, err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// TestFilterDivergence checks that the filter is not said to be in force when one
// thread cannot be brought under it.
func TestFilterDivergence(t *testing.T) {
	text, status := runHelper(t, sandbox.ProfileHardened, filterThreads, "")
	if !strings.HasPrefix(text, "thread ") || !strings.HasSuffix(text, " has a filter of its own\n") || status.ExitStatus() != 0 {
		t.Errorf("it ended with %v and wrote %q", describeStatus(status), text)
	}
}

// describeStatus returns how a process ended.
func describeStatus(status syscall.WaitStatus) string {
	if status.Signaled() {
		return "the signal " + unix.SignalName(status.Signal())
	}
	return fmt.Sprintf("the status %d", status.ExitStatus())
}
