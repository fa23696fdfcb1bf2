package native

import (
	"errors"
	"os"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
)

// This file tests that what is demanded of a child is found wanting in a process that
// is not sealed: this one.

// unsealedSight is a look at this process, which is said to have taken the measures.
func unsealedSight(measures ...string) *sight {
	s := &sight{pid: os.Getpid(), when: "in a test", lacking: map[string]string{}, states: map[string]pool.SealingState{}}
	for _, m := range child.Measures() {
		state := pool.SealingState{Measure: m.Name, InForce: slices.Contains(measures, m.Name)}
		if !state.InForce {
			state.Reason = "this is a test"
		}
		s.states[m.Name] = state
	}
	return s
}

func TestChecksOfUnsealedProcess(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, test := range map[string]struct {
		check    func(*sight) error
		measures []string // each of which must be found missing
	}{
		"threads":     {checkThreads, []string{child.SystemCalls, child.NoNewPrivileges, child.Identity}},
		"namespaces":  {checkNamespaces, []string{child.UserNamespace, child.MountNamespace, child.PIDNamespace, child.NetworkNamespace, child.IPCNamespace}},
		"root":        {checkRoot, []string{child.Directory, child.EmptyRoot}},
		"limits":      {checkLimits, []string{child.OpenFiles, child.FileSize}},
		"environment": {checkDescriptors, []string{child.Environment}},
	} {
		for _, measure := range test.measures {
			t.Run(name+"/"+measure, func(t *testing.T) {
				var violation *Violation
				if err := test.check(unsealedSight(measure)); !errors.As(err, &violation) {
					t.Errorf("the check says %v, must be a violation", err)
				}
			})
		}
		t.Run(name+"/nothing in force", func(t *testing.T) {
			s := unsealedSight()
			if err := test.check(s); err != nil {
				t.Errorf("the check says %v, and nothing is said to be in force", err)
			}
			if err := s.unsupported(); !errors.Is(err, ErrUnsupported) {
				t.Errorf("what is not in force is told as %v, want %v", err, ErrUnsupported)
			}
		})
	}
	t.Run("descriptors", func(t *testing.T) {
		var violation *Violation
		if err := checkDescriptors(unsealedSight(child.Descriptors, child.RuntimeFiles)); !errors.As(err, &violation) {
			t.Errorf("the check says %v, must be a violation", err)
		}
	})
}

// TestCheckMemory maps memory that may be executed, and sees it found.
func TestCheckMemory(t *testing.T) {
	if err := checkMemory(unsealedSight()); err != nil {
		t.Fatalf("the check says %v of a process without such memory", err)
	}
	for name, protection := range map[string]int{
		"to execute": unix.PROT_READ | unix.PROT_EXEC, "to execute only": unix.PROT_EXEC, "to write and execute": unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC,
	} {
		t.Run(name, func(t *testing.T) {
			memory, err := unix.Mmap(-1, 0, os.Getpagesize(), protection, unix.MAP_PRIVATE|unix.MAP_ANON)
			if err != nil {
				t.Skip("this machine gives no such memory: ", err)
			}
			defer unix.Munmap(memory)
			var violation *Violation
			if err := checkMemory(unsealedSight()); !errors.As(err, &violation) {
				t.Errorf("the check says %v, must be a violation", err)
			}
		})
	}
}
