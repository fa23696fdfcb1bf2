package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks on levels: children that do not reach what is required
// of them, and configurations that ask for what does not exist. Machines that lack a
// measure are in lacking.go.

var failingClosed = []Attack{
	{Name: "unknown-measures-refused", Source: "own", Title: "a configuration that names no measure, or no level, is refused", Run: unknownMeasuresRefused},
	{Name: "unreached-measure-refused", Source: "K13", Title: "an executor does not start when a child cannot reach a measure that is required", Run: unreachedMeasureRefused},
	{Name: "unreported-measures-refused", Source: "K13", Title: "a child that does not report a measure that is required is not used, of whatever kind it is", Run: unreportedMeasuresRefused},
	{Name: "measure-lost-later", Source: "K13", Title: "children that are started later and lack a required measure are not used either", Run: measureLostLater},
	{Name: "wanted-measure-reported", Source: "K13", Title: "a measure that is only wanted and cannot be reached is reported, with the reason", Run: wantedMeasureReported},
}

// refusal is what must be said of a measure that is required and not reached.
type refusal struct{ measure, reason string }

// mustNotStart demands that an executor of this configuration does not start, that
// the error says so and what an operator can do, and that nothing of it is left.
func mustNotStart(ctx context.Context, h *Host, what string, c pool.Config, r refusal) error {
	before, err := possessions()
	if err != nil {
		return err
	}
	c.Size = 1
	e, err := executor.New(ctx, h.configured(executor.Config{Pool: c}))
	if err == nil {
		return errors.Join(violated("%s: the executor starts", what), closeWithin(e))
	}
	h.Note("%s: %s", what, brief(err.Error()))
	var unavailable *protocol.Unavailable
	if !errors.As(err, &unavailable) {
		return violated("%s: the error is %v, must be the fault unavailable", what, err)
	}
	if err := saysWhy(what, unavailable.Reason, r); err != nil {
		return err
	}
	after, err := possessions()
	if err == nil && after != before {
		err = violated("%s: there were %+v before and are %+v", what, before, after)
	}
	return err
}

// saysWhy demands that a text names the measure, the reason and the remedy.
func saysWhy(what, text string, r refusal) error {
	m, ok := child.FindMeasure(r.measure)
	if !ok {
		return fmt.Errorf("there is no measure %q", r.measure)
	}
	for _, want := range []string{fmt.Sprintf("%q", r.measure), r.reason, m.Remedy} {
		if !strings.Contains(text, want) {
			return violated("%s: the reason is %q, must say %q", what, text, want)
		}
	}
	return nil
}

// held is how much of some things this process has.
type held struct{ Children, Snapshots int }

// possessions counts the children and the snapshots of this process.
func possessions() (held, error) {
	processes, err := procfs.Descendants(os.Getpid())
	if err != nil {
		return held{}, unreadable(err)
	}
	snapshots, err := snapshotFiles()
	return held{len(processes), snapshots}, err
}

func unknownMeasuresRefused(ctx context.Context, h *Host) error {
	for name, levels := range map[string]map[string]child.Level{
		"a measure that does not exist": {"firewall": child.Required},
		"a measure in other letters":    {"Landlock": child.Wanted},
		"a level that does not exist":   {child.Landlock: "enforced"},
		"no level":                      {child.SystemCalls: ""},
	} {
		e, err := executor.New(ctx, h.configured(executor.Config{Pool: pool.Config{Size: 1, Sealing: levels}}))
		if err == nil {
			return errors.Join(violated("%s: the executor starts", name), closeWithin(e))
		}
		h.Note("%s: %v", name, err)
		for measure := range levels {
			if !strings.Contains(err.Error(), measure) {
				return violated("%s: the error is %q, must name %q", name, err, measure)
			}
		}
	}
	return nil
}

func unreachedMeasureRefused(ctx context.Context, h *Host) error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("%w: measures are Linux's", ErrUnsupported)
	}
	return errors.Join(
		mustNotStart(ctx, h, "a bound on threads without a user namespace", pool.Config{Sealing: map[string]child.Level{
			child.Processes: child.Required, child.UserNamespace: child.Off,
		}}, refusal{child.Processes, "counts all processes of the user"}),
		mustNotStart(ctx, h, "a root of its own without mounts of its own", pool.Config{Sealing: map[string]child.Level{
			child.EmptyRoot: child.Required, child.MountNamespace: child.Off, child.PIDNamespace: child.Off,
		}}, refusal{child.EmptyRoot, "it needs " + child.MountNamespace}),
	)
}

// report is what a child that is played claims of its sealing.
type report struct {
	Sealed   []string
	Unsealed []protocol.Unsealed
}

// reportFile is the file beside a played child's script that holds its report.
const reportFile = "report.json"

// without returns a report of everything but one measure.
func without(measure string) report {
	var r report
	for _, name := range measures() {
		if name != measure {
			r.Sealed = append(r.Sealed, name)
		}
	}
	return r
}

// reporter makes a child that is played and reports what a file says; write sets it.
func (h *Host) reporter() (path string, write func(report) error, err error) {
	if path, err = h.script(reportingArgument); err != nil {
		return "", nil, err
	}
	write = func(r report) error {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(filepath.Dir(path), reportFile), text, 0o600)
	}
	return path, write, nil
}

// lackedMeasures are some of each kind: those that the parent takes, the first and
// the last, and some between.
var lackedMeasures = []string{child.UserNamespace, child.ParentDeathSignal, child.Environment, child.Capabilities, child.Landlock, child.SystemCalls}

func unreportedMeasuresRefused(ctx context.Context, h *Host) error {
	path, write, err := h.reporter()
	if err != nil {
		return err
	}
	for i, name := range lackedMeasures {
		told := without(name)
		reason := "the child does not report it"
		if i%2 == 1 { // or it says itself that it could not
			told.Unsealed = []protocol.Unsealed{{Measure: name, Reason: "this child would not"}}
			reason = "this child would not"
		}
		if err := write(told); err != nil {
			return err
		}
		config := pool.Config{ChildPath: path, Sealing: map[string]child.Level{name: child.Required}}
		if err := mustNotStart(ctx, h, "a child without "+name, config, refusal{name, reason}); err != nil {
			return err
		}
	}
	// The same child is used when it reports everything, so that it was refused for
	// what it lacked.
	if err := write(without("")); err != nil {
		return err
	}
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, ChildPath: path}})
	if err != nil {
		return err
	}
	return wantValue("an honest execution", h.act(ctx, e, "honest", protocol.Limits{}).result, honestValue)
}

// honestValue is what the act honest returns.
const honestValue = `{"reply":{"ok":40}}`

func measureLostLater(ctx context.Context, h *Host) error {
	path, write, err := h.reporter()
	if err != nil {
		return err
	}
	if err := write(without("")); err != nil {
		return err
	}
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, ChildPath: path}})
	if err != nil {
		return err
	}
	if err := wantValue("an execution in the first child", h.act(ctx, e, "honest", protocol.Limits{}).result, honestValue); err != nil {
		return err
	}
	pid, err := childPID(ctx, e)
	if err != nil {
		return err
	}
	if err := write(without(child.SystemCalls)); err != nil {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	// The pool tries a few times before it says that no child can be had. Until then
	// an execution waits, or meets the dying child.
	err = eventually(ctx, 15*time.Second, func() error {
		short, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		result := h.act(short, e, "honest", protocol.Limits{}).result
		return wantFault("an execution when no child has a filter", result, protocol.CodeUnavailable)
	})
	if err != nil {
		return err
	}
	result := h.act(ctx, e, "honest", protocol.Limits{}).result
	if err := wantFault("the next execution", result, protocol.CodeUnavailable); err != nil {
		return err
	}
	h.Note("%v", result.Fault)
	if err := saysWhy("an execution when no child has a filter", result.Fault.Error(), refusal{child.SystemCalls, "the child does not report it"}); err != nil {
		return err
	}
	for _, seen := range h.Observed()[1:] {
		if seen.Fault == nil {
			return violated("an execution ran in a child that reports no filter: %s", seen.Value)
		}
	}
	// And when children have it again, they are used again.
	if err := write(without("")); err != nil {
		return err
	}
	return eventually(ctx, 10*time.Second, func() error {
		return wantValue("an execution when children have a filter again", h.act(ctx, e, "honest", protocol.Limits{}).result, honestValue)
	})
}

func wantedMeasureReported(ctx context.Context, h *Host) error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("%w: measures are Linux's", ErrUnsupported)
	}
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, Sealing: map[string]child.Level{child.UserNamespace: child.Off}}})
	if err != nil {
		return err
	}
	if err := h.probe(ctx, "without a user namespace", e); err != nil {
		return err
	}
	states := map[string]pool.SealingState{}
	for _, state := range e.Stats().Sealing {
		states[state.Measure] = state
	}
	if err := wantMissing(states, child.UserNamespace, child.Off, "the configuration turns it off"); err != nil {
		return err
	}
	return wantMissing(states, child.Processes, child.Wanted, "counts all processes of the user")
}

// wantMissing demands that a measure is said not to be in force, and why.
func wantMissing(states map[string]pool.SealingState, measure string, level child.Level, reason string) error {
	state, ok := states[measure]
	if !ok || state.InForce || state.Level != level || !strings.Contains(state.Reason, reason) || state.Reason == "" {
		return violated("the state of %s is %+v, must be %s, not in force, because of %q", measure, state, level, reason)
	}
	return nil
}
