package native

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks that believe nothing a child says of its sealing, and
// ask the kernel instead: see proc(5). What is demanded is in outside_checks.go.

var outside = []Attack{
	{Name: "threads-from-outside", Source: "K12", Title: "every thread of a child is under the filter, and has no capability, no way to gain one and no user but nobody", Run: watching(checkThreads)},
	{Name: "namespaces-from-outside", Source: "K13", Title: "a child is in each namespace that is reported, and in them are no user, interface or process of the host", Run: watching(checkNamespaces)},
	{Name: "root-from-outside", Source: "K10", Title: "a child's file system is empty and cannot be written, and its folder is in it", Run: watching(checkRoot)},
	{Name: "limits-from-outside", Source: "K12", Title: "a child's limits are those that are reported", Run: watching(checkLimits)},
	{Name: "descriptors-from-outside", Source: "K07", Title: "a child has its four descriptors and the two of its runtime that lead nowhere, and no environment", Run: watching(checkDescriptors)},
	{Name: "owner-from-outside", Source: "K10", Title: "a child's memory and files belong to nobody who runs as it does", Run: watching(checkOwner)},
	{Name: "memory-from-outside", Source: "own", Title: "a child has no memory that may be executed but that of its binary and its libraries", Run: watching(checkMemory)},
}

// sight is a child at one moment.
type sight struct {
	pid  int
	when string
	// lacking collects measures that are not in force on this machine, and why.
	lacking map[string]string
	states  map[string]pool.SealingState
}

// inForce reports whether the child says that it has taken the measure. Where it has
// not, there is nothing to check, and the attack says so in the end.
func (s *sight) inForce(measure string) bool {
	state := s.states[measure]
	if !state.InForce {
		s.lacking[measure] = state.Reason
	}
	return state.InForce
}

// violated names the child's moment in a violation.
func (s *sight) violated(format string, args ...any) error {
	return violated("%s: %s", s.when, fmt.Sprintf(format, args...))
}

// path returns a path below the child's folder of /proc.
func (s *sight) path(parts ...string) string {
	return filepath.Join(append([]string{"/proc", strconv.Itoa(s.pid)}, parts...)...)
}

// read returns a file of the child's.
func (s *sight) read(parts ...string) (string, error) {
	text, err := os.ReadFile(s.path(parts...))
	return string(text), unreadable(err)
}

// busyPrograms do what makes a child start threads and take memory.
var busyPrograms = []executor.Request{
	{Source: `() => { let n = 0; for (let i = 0; i < 3e5; i++) n += Math.sqrt(i) | 0; return n > 0 }`},
	{Source: `() => { const text = "x".repeat(1000); return /(x+)+y/.test("xxxxxxxxxxxx") === false && text.replace(/x/g, "yy").length === 2000 }`},
	{Source: `(): boolean => { const all: number[][] = []; for (let i = 0; i < 200; i++) all.push(new Array(1000).fill(i)); return all.length === 200 }`, Language: protocol.TypeScript},
	{Source: `() => { try { return new Function("return true")() } catch { return true } }`, Grants: []protocol.Grant{protocol.GrantEval}},
	{Source: `async () => (await Promise.all(Array.from({length: 50}, () => new Promise(done => setTimeout(() => done(true), 1))))).every(Boolean)`},
	{Source: `() => { const b = new ArrayBuffer(8 << 20); return new Uint8Array(b).fill(1)[0] === 1 }`},
}

// watching returns an attack that has a child looked at: before its first program,
// while one runs, and behind several.
func watching(check func(*sight) error) func(context.Context, *Host) error {
	return func(ctx context.Context, h *Host) error {
		if runtime.GOOS != "linux" {
			return fmt.Errorf("%w: only Linux shows its processes in /proc", ErrUnsupported)
		}
		e, err := h.oneChild(ctx)
		if err != nil {
			return err
		}
		s := &sight{lacking: map[string]string{}, states: map[string]pool.SealingState{}}
		for _, state := range e.Stats().Sealing {
			s.states[state.Measure] = state
		}
		if s.pid, err = childPID(ctx, e); err != nil {
			return err
		}
		look := func(when string) error {
			s.when = when
			return check(s)
		}
		if err := look("before its first program"); err != nil {
			return err
		}
		if err := h.lookInCall(ctx, e, look); err != nil {
			return err
		}
		for _, program := range busyPrograms {
			if err := wantValue("a busy program", h.execute(ctx, e, program), "true"); err != nil {
				return err
			}
		}
		if err := look("behind several programs"); err != nil {
			return err
		}
		if pid, err := childPID(ctx, e); err != nil || pid != s.pid {
			return fmt.Errorf("the child is %d (%v) and was %d, so that not one was looked at", pid, err, s.pid)
		}
		return s.unsupported()
	}
}

// unsupported says which of the measures that were asked for are not in force.
func (s *sight) unsupported() error {
	var reasons []string
	for measure, reason := range s.lacking {
		reasons = append(reasons, measure+": "+reason)
	}
	if len(reasons) == 0 {
		return nil
	}
	slices.Sort(reasons)
	return fmt.Errorf("%w: not in force, and not looked at: %s", ErrUnsupported, strings.Join(reasons, "; "))
}

// lookInCall looks while a program, which has done what an engine would compile for,
// waits for several calls at once.
func (h *Host) lookInCall(ctx context.Context, e *executor.IsolateExecutor, look func(when string) error) error {
	var seen error
	looked := false
	result := h.execute(ctx, e, executor.Request{
		Source: `async () => {
			const hot = n => { let sum = 0; for (let i = 0; i < n; i++) sum = (sum + i * 7) % 1013; return sum };
			for (let i = 0; i < 300; i++) { hot(5000); /(a+)b/.test("aaa" + i) }
			return (await Promise.all([tools.look(), tools.wait(), tools.wait()])).length;
		}`,
		Tools: executor.Tools{"tools": {
			"look": func(context.Context, []any) (any, error) {
				looked, seen = true, look("while a program runs")
				return nil, nil
			},
			"wait": func(context.Context, []any) (any, error) { return nil, nil },
		}},
	})
	if seen != nil {
		return seen
	}
	if !looked {
		return errors.New("the program made no call, so that it was not looked at")
	}
	return wantValue("the program that was looked at", result, "3")
}

// gone reports whether an error says that a thread ended meanwhile.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
}
