package probe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// This file owns the tests of the probes themselves: each is carried out in a
// process of its own that is not sealed, and must succeed there.

// probedArgument makes this test binary carry a probe out: argument 2 is its name,
// 3 the target. The answer goes to standard output.
const probedArgument = "isogate-probed"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == probedArgument {
		// os.Exit of an instrumented build waits for a second.
		unix.Exit(probed(os.Args[2], os.Args[3]))
	}
	goleak.VerifyTestMain(m)
}

func probed(name, target string) int {
	var t Target
	if err := json.Unmarshal([]byte(target), &t); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := json.NewEncoder(os.Stdout).Encode(Run(name, t)); err != nil {
		return 1
	}
	return 0
}

func TestEveryProbeHasAFunction(t *testing.T) {
	all := acts()
	for _, p := range All() {
		if all[p.Name] == nil {
			t.Errorf("%q has no function", p.Name)
		}
		delete(all, p.Name)
	}
	for name := range all {
		t.Errorf("the function %q has no probe", name)
	}
}

// TestUnsealed carries every probe out without any sealing.
func TestUnsealed(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	scene, err := NewScene(t.TempDir(), binary)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := scene.Close(); err != nil {
			t.Error(err)
		}
	}()
	target, err := json.Marshal(scene.Target)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range All() {
		t.Run(p.Name, func(t *testing.T) {
			if err := scene.Prepare(); err != nil {
				t.Fatal(err)
			}
			answer, status := runProbed(t, binary, p.Name, string(target))
			t.Logf("%s; exit status %d", answer, status)
			switch {
			case p.Executes && status == ExitExecuted, p.Dumps && dumped(t, scene):
			case answer.Lacking():
				t.Skipf("this kernel lacks it: %s", answer)
			case p.Needs != 0 && !Capable(p.Needs), p.Needs == 0 && os.Geteuid() != 0 && (answer.Errno == "EPERM" || answer.Errno == "EACCES"):
				t.Skipf("this user may not do it on this machine: %s", answer)
			case !answer.Reached():
				t.Errorf("in a process that is not sealed it must succeed: %s", answer)
			default:
				wantEffect(t, p.Name, scene)
			}
		})
	}
}

// wantEffect looks for the traces of probes that leave some: that the kernel says yes
// is not all.
func wantEffect(t *testing.T, name string, scene *Scene) {
	t.Helper()
	exists := func(file string) bool {
		_, err := os.Lstat(scene.Target.in(file))
		return err == nil
	}
	existing, _ := os.ReadFile(scene.Target.in(Existing)) // empty when it is gone
	effects := map[string]bool{
		"create-file":          exists("created"),
		"delete-file":          !exists(Existing),
		"rename-file":          exists("renamed") && !exists(Existing),
		"make-folder":          exists("folder"),
		"link-file":            exists("linked"),
		"make-symbolic-link":   exists("symbolic"),
		"make-pipe-file":       exists("pipe"),
		"truncate-file":        exists(Existing) && len(existing) == 0,
		"write-existing":       strings.HasPrefix(string(existing), "changed"),
		"write-parents-memory": string(scene.spare[:]) == scene.Target.Marker,
	}
	if seen, leaves := effects[name]; leaves && !seen {
		t.Error("it left no trace")
	}
}

// runProbed runs one probe in a process of its own, which has a socket as its
// descriptor 3, and returns the answer, if any, and the exit status.
func runProbed(t *testing.T, binary, name, target string) (Answer, int) {
	t.Helper()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(ends[0])
	channel := os.NewFile(uintptr(ends[1]), "channel")
	defer channel.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var stdout bytes.Buffer
	command := exec.CommandContext(t.Context(), binary, probedArgument, name, target)
	command.Stdin, command.Stdout, command.ExtraFiles = null, &stdout, []*os.File{channel}
	_ = command.Run() // the answer says what came of it
	var answer Answer
	if stdout.Len() > 0 {
		if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
			t.Fatalf("%q: %v", stdout.String(), err)
		}
	}
	return answer, command.ProcessState.ExitCode()
}

func dumped(t *testing.T, scene *Scene) bool {
	t.Helper()
	cores, err := filepath.Glob(scene.Target.in("core*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(cores) > 0
}
