package suite

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of running many tests, of what faults mean, and of
// counting.

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// numbers is a suite whose tests are numbers; each passes unless it is broken.
type numbers struct{ broken string }

var errBroken = errors.New("a file is missing")

func (numbers) Name() string           { return "numbers" }
func (numbers) HasSubtests() bool      { return false }
func (numbers) Tests() ([]Test, error) { return nil, nil }

func (n numbers) Run(ctx context.Context, execute Execute, t Test) (Result, error) {
	if t.Name == n.broken {
		return Result{}, errBroken
	}
	_, err := execute(ctx, executor.Request{Source: t.Name})
	return Result{Test: t, Outcome: Pass}, err
}

func numbered(n int) []Test {
	var out []Test
	for i := range n {
		out = append(out, Test{Name: strconv.Itoa(i)})
	}
	return out
}

func TestRun(t *testing.T) {
	var executed, done atomic.Int64
	execute := func(context.Context, executor.Request) (*protocol.Result, error) {
		executed.Add(1)
		return new(protocol.Result), nil
	}
	tests := numbered(500)
	results, err := Run(t.Context(), numbers{}, execute, tests, 8, func(Result) { done.Add(1) })
	if err != nil || executed.Load() != 500 || done.Load() != 500 {
		t.Fatalf("%d executed, %d done, %v", executed.Load(), done.Load(), err)
	}
	var have []Test
	for _, r := range results {
		have = append(have, r.Test)
	}
	if diff := cmp.Diff(tests, have); diff != "" {
		t.Errorf("the order: -want +got:\n%s", diff)
	}
	if results, err := Run(t.Context(), numbers{}, execute, nil, 8, nil); err != nil || len(results) != 0 {
		t.Errorf("no tests: %v, %v", results, err)
	}
}

func TestRunEndsWithTheFirstError(t *testing.T) {
	execute := func(ctx context.Context, _ executor.Request) (*protocol.Result, error) {
		return new(protocol.Result), ctx.Err()
	}
	if _, err := Run(t.Context(), numbers{broken: "3"}, execute, numbered(1000), 4, nil); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, numbers{}, execute, numbered(10), 4, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// answers is an executor that answers with faults, one after the other.
type answers struct {
	faults []protocol.Fault
	asked  int
}

func (a *answers) Close() error { return nil }
func (a *answers) Execute(context.Context, executor.Request) (*protocol.Result, error) {
	f := a.faults[min(a.asked, len(a.faults)-1)]
	a.asked++
	return &protocol.Result{Fault: f}, f
}

func TestExecuted(t *testing.T) {
	unsent := &protocol.WorkerCrashed{Phase: protocol.PhaseStarting}
	crashed := &protocol.WorkerCrashed{Phase: protocol.PhaseRunning}
	for _, c := range []struct {
		what   string
		faults []protocol.Fault
		asked  int
		fails  bool
	}{
		{"a crash is the test's", []protocol.Fault{crashed}, 1, false},
		{"a process that ended before it was asked", []protocol.Fault{unsent, unsent, &protocol.Thrown{}}, 3, false},
		{"only such processes", []protocol.Fault{unsent}, 3, true},
		{"no room", []protocol.Fault{&protocol.Overloaded{}}, 1, true},
		{"a text that cannot be sent", []protocol.Fault{&protocol.InvalidRequest{Field: "source"}}, 1, false},
		{"cancelled", []protocol.Fault{&protocol.Cancelled{}}, 1, true},
	} {
		a := &answers{faults: c.faults}
		result, err := Executed(a)(t.Context(), executor.Request{})
		if (err != nil) != c.fails || (result == nil) != c.fails || a.asked != c.asked {
			t.Errorf("%s: %v, %v, asked %d times", c.what, result, err, a.asked)
		}
	}
}

func TestOutcomeOf(t *testing.T) {
	for _, c := range []struct {
		fault protocol.Fault
		want  Outcome
	}{
		{&protocol.WorkerCrashed{}, Crash}, {&protocol.ProtocolViolation{}, Crash}, {&protocol.DeadlineExceeded{}, Timeout},
		{&protocol.MemoryExceeded{}, Memory}, {&protocol.Thrown{}, Fail}, {&protocol.Stalled{}, Fail}, {&protocol.ResultTooLarge{}, Fail},
	} {
		if got := OutcomeOf(c.fault); got != c.want {
			t.Errorf("%T: %s, want %s", c.fault, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	passed, failed := Subtest{Outcome: Pass}, Subtest{Outcome: Timeout}
	for _, c := range []struct {
		what        string
		r           Result
		hasSubtests bool
		known       int
		want        Tally
	}{
		{"a test that passed", Result{Outcome: Pass}, false, 0, Tally{1, 1}},
		{"a test that failed", Result{Outcome: Crash}, false, 0, Tally{0, 1}},
		{"a test that was left out", Result{Outcome: Fail, LeftOut: "x"}, false, 0, Tally{}},
		{"subtests", Result{Outcome: Pass, Subtests: []Subtest{passed, failed, passed}}, true, 0, Tally{2, 3}},
		{"subtests that were not reported", Result{Outcome: Crash, Subtests: []Subtest{passed}}, true, 7, Tally{1, 7}},
		{"more subtests than were known", Result{Outcome: Pass, Subtests: []Subtest{passed, passed}}, true, 1, Tally{2, 2}},
		{"a test of which nothing is known", Result{Outcome: Crash}, true, 0, Tally{0, 1}},
	} {
		if got := Count(c.r, c.hasSubtests, c.known); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}
