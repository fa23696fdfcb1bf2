package pool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the tests of control groups. They use the real hierarchy of this
// machine, in a group of their own. Those that need its memory controller are
// skipped where cgroup v2 does not have it.

// testGroup makes a group below the top of the hierarchy, and checks at the end of
// the test that nothing is left in it.
func testGroup(t *testing.T) string {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	memberships, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	_, top, err := locateGroup(string(mounts), string(memberships))
	if err != nil {
		t.Skip("this machine has no cgroup v2: ", err)
	}
	path := filepath.Join(top, fmt.Sprintf("isogate-test-%d", os.Getpid()))
	if err := unix.Mkdir(path, 0o755); err != nil {
		t.Skipf("no group can be made in %s: %v", top, err)
	}
	t.Cleanup(func() {
		if left := groupsIn(t, path); len(left) > 0 {
			t.Errorf("groups are left: %v", left)
		}
		if err := unix.Rmdir(path); err != nil {
			t.Errorf("removing %s: %v", path, err)
		}
	})
	return path
}

// groupsIn returns the names of the groups in a group.
func groupsIn(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, entry := range entries {
		if entry.IsDir() {
			out = append(out, entry.Name())
		}
	}
	return out
}

// memberOf returns the line of cgroup v2 in /proc/pid/cgroup.
func memberOf(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "0::"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// eventually polls until the condition holds, for at most ten seconds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(10 * time.Second); !condition(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// TestChildStartsInItsGroup starts a real child in a group and removes the group
// after its end.
func TestChildStartsInItsGroup(t *testing.T) {
	t.Run("without namespaces", func(t *testing.T) { startInGroup(t, nil) })
	t.Run("with namespaces", func(t *testing.T) { startInGroup(t, newSeals(nil).taken) })
}

func startInGroup(t *testing.T, measures []string) {
	parent := testGroup(t)
	group, err := newGroup(filepath.Join(parent, "child"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newGroup(group.path); !errors.Is(err, unix.EEXIST) {
		t.Errorf("making it twice: %v", err)
	}
	if err := group.tryStart(); err != nil {
		t.Errorf("the attempt to start something in it: %v", err)
	}
	empty, err := newMemoryFile("empty")
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	s := newSpawner()
	defer s.stop()
	// Before it looks at its snapshot it waits to be greeted.
	p, err := s.spawn(spawnSpec{
		path: selfOnLinux, role: child.RoleServe, profile: sandbox.ProfileHardened, digest: child.Digest(nil), measures: measures, channel: true, snapshot: empty, group: group,
	})
	if err != nil {
		if removed := group.remove(); removed != nil {
			t.Error(removed)
		}
		group.close()
		if measures != nil && refusesNamespaces(err) {
			t.Skip("this machine does not give all namespaces: ", err)
		}
		t.Fatal(err)
	}
	if got := memberOf(t, p.os.Pid); !strings.HasSuffix(got, "/"+filepath.Base(parent)+"/child") {
		t.Errorf("the child is in the group %q", got)
	}
	members, err := os.ReadFile(filepath.Join(group.path, "cgroup.procs"))
	if err != nil || strings.TrimSpace(string(members)) != strconv.Itoa(p.os.Pid) {
		t.Errorf("in the group are %q, %v; the child is %d", members, err, p.os.Pid)
	}
	if err := unix.Rmdir(group.path); !errors.Is(err, unix.EBUSY) {
		t.Errorf("the group of a child that lives was removed: %v", err)
	}
	p.kill()
	if _, err := p.wait(); err != nil {
		t.Error(err)
	}
	if err := group.remove(); err != nil {
		t.Error(err)
	}
	p.close()
}

// TestRemoveKillsWhatIsLeft leaves a process in a group.
func TestRemoveKillsWhatIsLeft(t *testing.T) {
	group, err := newGroup(filepath.Join(testGroup(t), "child"))
	if err != nil {
		t.Fatal(err)
	}
	defer group.close()
	attributes := &syscall.SysProcAttr{}
	group.join(attributes)
	left := exec.Command("sleep", "60")
	left.SysProcAttr = attributes
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	if err := group.remove(); err != nil {
		t.Error(err)
		left.Process.Kill()
	}
	err = left.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Errorf("what was left in the group ended with %v", err)
	}
	if err := group.remove(); !errors.Is(err, unix.ENOENT) {
		t.Errorf("removing it twice: %v", err)
	}
}

// TestSweep checks which groups of other pools are removed.
func TestSweep(t *testing.T) {
	parent := testGroup(t)
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	dead, live := fmt.Sprintf("%s%d-1-7", groupPrefix, ended.Process.Pid), fmt.Sprintf("%s%d-1-7", groupPrefix, os.Getpid())
	keep := []string{live, groupPrefix + "x-1-7", groupPrefix, "other-" + strconv.Itoa(ended.Process.Pid)}
	for _, name := range append(slices.Clone(keep), dead) {
		if err := unix.Mkdir(filepath.Join(parent, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sweep(parent)
	left := groupsIn(t, parent)
	slices.Sort(keep)
	slices.Sort(left)
	if d := cmp.Diff(keep, left); d != "" {
		t.Errorf("groups after the sweep (-want +got):\n%s", d)
	}
	for _, name := range left {
		if err := unix.Rmdir(filepath.Join(parent, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestCgroupThatCannotBeUsed checks what New says of wrong paths.
func TestCgroupThatCannotBeUsed(t *testing.T) {
	group := testGroup(t)
	used, err := newGroup(filepath.Join(group, "used"))
	if err != nil {
		t.Fatal(err)
	}
	attributes := &syscall.SysProcAttr{}
	used.join(attributes)
	inside := exec.Command("sleep", "60")
	inside.SysProcAttr = attributes
	if err := inside.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		inside.Process.Kill()
		inside.Wait()
		if err := used.remove(); err != nil {
			t.Error(err)
		}
		used.close()
	}()
	// It has a process in it and, where the groups above give it none, no memory controller.
	reason := "a process is in the group itself"
	if have, err := (parentGroup{path: used.path}).controllers("cgroup.controllers"); err != nil || !slices.Contains(have, "memory") {
		reason = fmt.Sprintf("it has no memory controller: its cgroup.controllers is %q", strings.Join(have, " "))
	}
	for path, want := range map[string]string{
		"/no/such/folder":      "no such file or directory",
		t.TempDir():            "it is not a group of cgroup v2",
		"/proc":                "it is not a group of cgroup v2",
		used.path:              reason,
		group + "/cgroup.stat": "not a directory",
	} {
		p, err := New(t.Context(), Config{Size: 1, Cgroup: path})
		if err == nil {
			p.Close()
			t.Fatalf("%s was taken", path)
		}
		if !strings.HasPrefix(err.Error(), "pool: Config.Cgroup "+path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestCgroupIsOptional checks that a pool works without groups and says why.
func TestCgroupIsOptional(t *testing.T) {
	for _, configured := range []string{"", NoCgroup} {
		p, err := New(t.Context(), Config{Size: 1, Cgroup: configured})
		if err != nil {
			t.Fatal(err)
		}
		s := p.Stats()
		if (s.Cgroup == "") != (s.CgroupReason != "") {
			t.Errorf("%q: the groups are in %q, the reason is %q", configured, s.Cgroup, s.CgroupReason)
		}
		if configured == NoCgroup && s.Cgroup != "" {
			t.Errorf("the groups are in %q, although there are to be none", s.Cgroup)
		}
		if r := p.Execute(t.Context(), Job{Request: &protocol.Request{Source: "() => 1"}}); string(r.Value) != "1" {
			t.Errorf("%q: %+v", configured, r)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// memoryGroup makes a group that has the memory controller.
func memoryGroup(t *testing.T) string {
	t.Helper()
	path := testGroup(t)
	have, err := os.ReadFile(filepath.Join(path, "cgroup.controllers"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Fields(string(have)), "memory") {
		t.Skipf("cgroup v2 has no memory controller here: %s has the controllers %q", path, strings.TrimSpace(string(have)))
	}
	return path
}

// numberIn reads one number from a file of a group.
func numberIn(t *testing.T, elements ...string) int64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKernelKillsForMemory has the kernel kill a child at the limit of its group.
func TestKernelKillsForMemory(t *testing.T) {
	parent := memoryGroup(t)
	p, err := New(t.Context(), Config{Size: 2, Cgroup: parent})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if s := p.Stats(); s.Cgroup != parent || s.CgroupReason != "" || len(groupsIn(t, parent)) != 2 {
		t.Errorf("the groups are in %q (%s): %v", s.Cgroup, s.CgroupReason, groupsIn(t, parent))
	}
	for _, c := range p.Stats().Children {
		if got := memberOf(t, c.PID); !strings.Contains(got, "/"+filepath.Base(parent)+"/"+groupPrefix) {
			t.Errorf("child %d is in the group %q", c.ID, got)
		}
	}
	var limit int64
	tools := func(context.Context, string, string, string) string {
		for _, c := range p.Stats().Children {
			if !c.Busy {
				continue
			}
			group := filepath.Join(parent, filepath.Base(memberOf(t, c.PID)))
			limit = numberIn(t, group, "memory.max")
			if numberIn(t, group, "memory.oom.group") != 1 {
				t.Error("the kernel would kill a part of the group")
			}
			// What the limit of the data segment would end first is ended here by the kernel.
			used := numberIn(t, group, "memory.current")
			if err := os.WriteFile(filepath.Join(group, "memory.max"), strconv.AppendInt(nil, used+4<<20, 10), 0); err != nil {
				t.Error(err)
			}
		}
		return `{"ok":1}`
	}
	request := &protocol.Request{
		Source: `async () => { await tools.lower(); const all = []; for (let i = 0; i < 48; i++) all.push(new Uint8Array(1 << 20).fill(1)); return all.length }`,
		Tools:  []protocol.Namespace{{Name: "tools", Tools: []string{"lower"}}},
	}
	r := p.Execute(t.Context(), Job{Request: request, Tool: tools})
	var exceeded *protocol.MemoryExceeded
	if !errors.As(r.Fault, &exceeded) || exceeded.Kind != protocol.MemoryProcess || exceeded.Limit != limit {
		t.Errorf("the fault is %v, want memory_exceeded of the process at %d", r.Fault, limit)
	}
	if least := protocol.DefaultLimits.Heap + protocol.DefaultLimits.External + groupSlack; limit < least {
		t.Errorf("the limit is %d, must be at least %d", limit, least)
	}
	r = p.Execute(t.Context(), Job{Request: &protocol.Request{Source: "() => 'fine'"}})
	if string(r.Value) != `"fine"` {
		t.Errorf("the next execution: %+v", r)
	}
	eventually(t, "the group of the child that was killed to be removed", func() bool { return len(groupsIn(t, parent)) == 2 })
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if left := groupsIn(t, parent); len(left) > 0 {
		t.Errorf("groups are left after Close: %v", left)
	}
}

// TestBound checks what is written to the files of a group, which are ordinary ones
// here. What the kernel makes of them is the matter of TestKernelKillsForMemory.
func TestBound(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		name       string
		data       int64
		used, want string
	}{
		{"the data segment and what is beside it", 450 * mib, fmt.Sprintln(20 * mib), fmt.Sprint(450*mib + groupSlack)},
		{"more is in use from before", 450 * mib, fmt.Sprintln(900 * mib), fmt.Sprint(900*mib + groupSlack)},
	} {
		t.Run(c.name, func(t *testing.T) {
			group, err := newGroup(filepath.Join(t.TempDir(), "child"))
			if err != nil {
				t.Fatal(err)
			}
			defer group.close()
			file := func(name string) string { return filepath.Join(group.path, name) }
			for name, text := range map[string]string{"memory.max": "", "memory.oom.group": "", "memory.swap.max": "", "memory.current": c.used} {
				if err := os.WriteFile(file(name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := group.openMemory(); err != nil {
				t.Fatal(err)
			}
			if err := group.bound(c.data); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{"memory.max": c.want, "memory.oom.group": "1", "memory.swap.max": "0"} {
				if got, err := os.ReadFile(file(name)); err != nil || string(got) != want {
					t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
				}
			}
			if at := group.killedAt(); at != 0 {
				t.Errorf("without events it was killed at %d", at)
			}
			if err := os.WriteFile(file("memory.events"), []byte("max 3\noom 1\noom_kill 2\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if at := group.killedAt(); fmt.Sprint(at) != c.want {
				t.Errorf("it was killed at %d, want %s", at, c.want)
			}
		})
	}
	// A group without the controller has no such files, and no child is started in it.
	group, err := newGroup(filepath.Join(t.TempDir(), "child"))
	if err != nil {
		t.Fatal(err)
	}
	defer group.close()
	if err := group.openMemory(); !errors.Is(err, unix.ENOENT) {
		t.Errorf("a group without memory.max: %v", err)
	}
	var none *childGroup
	if err := errors.Join(none.bound(1), none.remove()); err != nil || none.killedAt() != 0 {
		t.Errorf("no group: %v, killed at %d", err, none.killedAt())
	}
}

func TestRanOut(t *testing.T) {
	for _, c := range []struct {
		events string
		want   bool
	}{
		{"low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n", true},
		{"low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\noom_group_kill 0\n", false},
		{"low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\noom_group_kill 1\n", false}, // the machine had no memory left
		{"low 0\nhigh 0\nmax 9\noom 2\noom_kill 0\n", false},                   // an allocation failed instead
		{"oom one\noom_kill -\n", false},
		{"", false},
	} {
		if got := ranOut(c.events); got != c.want {
			t.Errorf("%q: %v", c.events, got)
		}
	}
}
