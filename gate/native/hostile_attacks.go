package native

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks of a hostile child on its parent.

// hostileCase is one act and what the parent must make of it.
type hostileCase struct {
	act, title, source string
	// codes are the faults that are safe, value the value that is; where both are
	// given either is. A value that ends in "…" is the beginning of it.
	codes []protocol.Code
	value string
	// late says that the child does something wrong after its result. That may
	// cost the next execution in the same child, which is then told to try again.
	late bool
	// check looks further at the result.
	check func(*hostileRun) error
	// limits of the request; some acts need a short clock or a small bound.
	limits protocol.Limits
}

// hostileRun is one case that was carried out.
type hostileRun struct {
	result *protocol.Result
	took   time.Duration
	ran    map[string]*atomic.Int32 // how often each tool really ran
}

// hostileWall is the wall clock of a hostile execution whose case states none.
const hostileWall = 3 * time.Second

var (
	violation   = []protocol.Code{protocol.CodeProtocolViolation}
	endedEarly  = []protocol.Code{protocol.CodeProtocolViolation, protocol.CodeWorkerCrashed}
	shortClock  = protocol.Limits{Wall: 400 * time.Millisecond}
	smallBounds = protocol.Limits{Result: 1000, Argument: 1000, ToolCalls: 5, CallsInFlight: 3, LogBytes: 1000, LogEntries: 100}
)

var hostileCases = []hostileCase{
	{act: "honest", title: "a child that keeps the protocol is served: the other attacks are not refused for being made this way", source: "own",
		value: `{"reply":{"ok":40}}`, check: ranOnce("twice")},

	{act: "frame-too-long", title: "a frame of 4 GiB is refused before memory is taken for it", source: "W01", codes: violation},
	{act: "frame-above-bound", title: "a frame one byte above the bound is refused", source: "W01", codes: violation},
	{act: "frame-empty", title: "a frame of no bytes is refused", source: "W01", codes: violation},
	{act: "frame-truncated", title: "a frame that ends within its payload fails its execution only", source: "W02", codes: endedEarly},
	{act: "frame-half-header", title: "a frame that ends within its length fails its execution only", source: "W02", codes: endedEarly},
	{act: "frame-promised", title: "a length of which no byte follows takes no memory and ends at the deadline", source: "W01 W03",
		codes: []protocol.Code{protocol.CodeDeadlineExceeded}, limits: shortClock, check: soon(2 * time.Second)},
	{act: "frame-slow", title: "a frame sent one byte at a time ends at the deadline", source: "W03",
		codes: []protocol.Code{protocol.CodeDeadlineExceeded}, limits: shortClock, check: soon(2 * time.Second)},

	{act: "message-not-json", title: "a frame that is no JSON is a violation", source: "W04", codes: violation},
	{act: "message-not-utf8", title: "a frame that is no UTF-8 is a violation", source: "W04", codes: violation},
	{act: "message-not-object", title: "a frame that is no object is a violation", source: "W04", codes: violation},
	{act: "message-trailing", title: "bytes behind a message are a violation", source: "W04", codes: violation},
	{act: "message-duplicate-key", title: "a repeated key is a violation: no reader may choose which counts", source: "W04", codes: violation},
	{act: "message-deep", title: "deep nesting is a violation and costs no stack", source: "W04", codes: violation},
	{act: "message-unknown-type", title: "an unknown message type is a violation", source: "W05", codes: violation},
	{act: "message-unknown-field", title: "an unknown field is a violation", source: "W05", codes: violation},
	{act: "message-missing-field", title: "a missing field is a violation", source: "W05", codes: violation},
	{act: "message-wrong-type", title: "a field of another type is a violation", source: "W05", codes: violation},
	{act: "message-for-a-parent", title: "a message that only a parent may send is a violation", source: "W05", codes: violation},
	{act: "message-flood", title: "a flood of log messages is bounded and ends at the deadline or as a violation", source: "M27 W19",
		codes: []protocol.Code{protocol.CodeDeadlineExceeded, protocol.CodeProtocolViolation}, limits: shortClock, check: fewLogs(protocol.DefaultLimits)},

	{act: "result-twice", title: "of two results the first counts", source: "W11", value: `"first"`, late: true},
	{act: "result-then-call", title: "a tool call behind the result is not delivered", source: "W11 W10", value: `"settled"`, late: true, check: ranNothing},
	{act: "result-for-another", title: "a result for another execution settles nothing", source: "W14", codes: violation},
	{act: "result-not-codec", title: "a value that is no codec text is not handed on", source: "W04", codes: violation},
	{act: "result-above-bound", title: "a value above its bound is not handed on", source: "M22",
		codes: []protocol.Code{protocol.CodeResultTooLarge, protocol.CodeProtocolViolation}, limits: smallBounds},
	{act: "logs-flood", title: "log entries above their bound are not kept also when the child sends them", source: "M27",
		codes: violation, value: `"logged"`, limits: smallBounds, check: fewLogs(smallBounds)},
	{act: "result-forged-usage", title: "figures that the parent knows itself are the parent's", source: "I07 W13", value: `"used"`, check: parentFigures},
	{act: "exit-zero", title: "an exit with status 0 without a result is a crash, not a success", source: "N03", codes: []protocol.Code{protocol.CodeWorkerCrashed}},
	{act: "exit-some", title: "an exit with another status is a crash that names it", source: "N03", codes: []protocol.Code{protocol.CodeWorkerCrashed}, check: status(7)},
	{act: "silent", title: "a child that says nothing more is killed at the deadline", source: "T07",
		codes: []protocol.Code{protocol.CodeDeadlineExceeded}, limits: shortClock, check: soon(2 * time.Second)},

	{act: "call-unregistered", title: "a call of a tool that was not offered is refused by the parent", source: "W16", codes: violation, check: ranNothing},
	{act: "call-other-namespace", title: "a call of a tool in another namespace is refused", source: "W16 E30", codes: violation, check: ranNothing},
	{act: "call-unicode-lookup", title: "tool names are compared byte for byte", source: "E30", codes: violation, check: ranNothing},
	{act: "call-id-twice", title: "a repeated call id is refused", source: "W09", codes: violation},
	{act: "call-for-another", title: "a call for another execution is refused", source: "W14", codes: violation, check: ranNothing},
	{act: "call-args-not-codec", title: "arguments that are no codec text reach no tool", source: "W04", codes: violation, value: `{"reply":{"error":…`, check: ranNothing},
	{act: "call-args-not-array", title: "arguments that are no array reach no tool", source: "W05", codes: violation, value: `{"reply":{"error":…`, check: ranNothing},
	{act: "call-args-above-bound", title: "arguments above their bound reach no tool", source: "M29",
		codes: []protocol.Code{protocol.CodeArgumentsTooLarge, protocol.CodeProtocolViolation}, limits: smallBounds, check: ranNothing},
	{act: "calls-above-bound", title: "no more calls are delivered than the bound", source: "M29",
		codes: []protocol.Code{protocol.CodeToolCallsExceeded, protocol.CodeProtocolViolation}, limits: smallBounds, check: ranAtMost("twice", 5)},
	{act: "call-bytes-above-bound", title: "calls whose arguments are together above their bound reach no tool, each being below its own", source: "M29",
		codes:  []protocol.Code{protocol.CodeArgumentsTooLarge, protocol.CodeProtocolViolation},
		limits: protocol.Limits{Argument: 1000, ToolBytes: 4000}, check: ranAtMost("twice", 4)},
	{act: "calls-in-flight-above-bound", title: "no more calls are in flight than the bound", source: "M29",
		codes: []protocol.Code{protocol.CodeConcurrentCallsExceeded, protocol.CodeProtocolViolation}, limits: smallBounds, check: ranAtMost("hang", 3)},
	{act: "deaf", title: "a child that reads no replies holds up nobody and ends at the deadline", source: "W17",
		codes: []protocol.Code{protocol.CodeDeadlineExceeded}, limits: protocol.Limits{Wall: 700 * time.Millisecond}, check: soon(3 * time.Second)},
}

// hostOnly are the faults that no child may state: whatever it says about them
// is itself a violation.
func hostOnly() []protocol.Code {
	var codes []protocol.Code
	for _, code := range protocol.Codes() {
		switch code {
		case protocol.CodeInvalidRequest, protocol.CodeUnsupportedVersion, protocol.CodeOverloaded, protocol.CodeQueueDeadline,
			protocol.CodeWorkerCrashed, protocol.CodeCancelled, protocol.CodeDisconnected, protocol.CodeDraining,
			protocol.CodeUnavailable, protocol.CodeUnauthorized, protocol.CodeQuotaExceeded:
			codes = append(codes, code)
		}
	}
	return codes
}

// hostileAttacks returns one attack for each case, and one that claims every
// fault that a child may not.
func hostileAttacks() []Attack {
	var out []Attack
	for _, c := range hostileCases {
		out = append(out, Attack{Name: "child-" + c.act, Title: c.title, Source: c.source, Canary: c.act == "honest",
			Run: func(ctx context.Context, h *Host) error { return runHostile(ctx, h, c) }})
	}
	return append(out, Attack{
		Name: "child-claims-host-faults", Source: "W13 P10",
		Title: "a child that states a fault of the host (overloaded, cancelled, …) is a violation each time",
		Run: func(ctx context.Context, h *Host) error {
			e, err := h.startHostile(ctx)
			if err != nil {
				return err
			}
			for _, code := range hostOnly() {
				run := h.act(ctx, e, "claim-"+string(code), protocol.Limits{})
				if err := wantFault("the claim of "+string(code), run.result, protocol.CodeProtocolViolation); err != nil {
					return err
				}
				if text := run.result.Fault.Error(); strings.Contains(text, "forged") {
					return violated("the fault carries the child's text: %s", brief(text))
				}
			}
			h.Note("%d codes claimed", len(hostOnly()))
			return nil
		},
	}, Attack{
		Name: "child-claims-deadline", Source: "W13 P11",
		Title: "a child that states a deadline that has not passed is not believed",
		Run: func(ctx context.Context, h *Host) error {
			e, err := h.startHostile(ctx)
			if err != nil {
				return err
			}
			run := h.act(ctx, e, "claim-early-deadline", protocol.Limits{Wall: 20 * time.Second})
			h.Note("after %v: %v", run.took.Round(time.Millisecond), run.result.Fault)
			return wantFault("the claim of a deadline of 20 s", run.result, protocol.CodeProtocolViolation)
		},
	})
}

// startHostile makes an executor with one hostile child.
func (h *Host) startHostile(ctx context.Context) (*executor.IsolateExecutor, error) {
	script, err := h.script(hostileArgument)
	if err != nil {
		return nil, err
	}
	return h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, ChildPath: script}})
}

// act asks the hostile child for one act.
func (h *Host) act(ctx context.Context, e *executor.IsolateExecutor, act string, limits protocol.Limits) *hostileRun {
	if limits.Wall == 0 {
		limits.Wall = hostileWall // a child that is let go on must not hold up the gate
	}
	run := &hostileRun{ran: map[string]*atomic.Int32{"twice": {}, "hang": {}, "large": {}}}
	count := func(name string, t executor.Tool) executor.Tool {
		return func(ctx context.Context, args []any) (any, error) { run.ran[name].Add(1); return t(ctx, args) }
	}
	start := time.Now()
	run.result = h.execute(ctx, e, executor.Request{
		Source: act, Limits: limits,
		Tools: executor.Tools{"tools": {
			"twice": count("twice", func(_ context.Context, args []any) (any, error) {
				n, ok := args[0].(float64)
				if !ok {
					return nil, fmt.Errorf("not a number")
				}
				return 2 * n, nil
			}),
			"hang":  count("hang", func(ctx context.Context, _ []any) (any, error) { <-ctx.Done(); return nil, ctx.Err() }),
			"large": count("large", func(context.Context, []any) (any, error) { return strings.Repeat("x", 4<<20), nil }),
		}},
	})
	run.took = time.Since(start)
	return run
}

// runHostile carries out one case, and an honest execution behind it.
func runHostile(ctx context.Context, h *Host, c hostileCase) error {
	e, err := h.startHostile(ctx)
	if err != nil {
		return err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run := h.act(ctx, e, c.act, c.limits)
	runtime.ReadMemStats(&after)
	allocated := int64(after.TotalAlloc - before.TotalAlloc)
	h.Note("after %v, %d KiB allocated: %v", run.took.Round(time.Millisecond), allocated>>10, run.result.Fault)
	if err := c.judge(run.result); err != nil {
		return err
	}
	// Frames are bounded before memory is taken: a child that sends next to
	// nothing makes its parent take next to nothing.
	if strings.HasPrefix(c.act, "frame-") && allocated > 8<<20 {
		return violated("%s made the parent allocate %d bytes", c.act, allocated)
	}
	if c.check != nil {
		if err := c.check(run); err != nil {
			return err
		}
	}
	honest := h.act(ctx, e, "honest", protocol.Limits{})
	if c.late && honest.result.Fault != nil && honest.result.Fault.Code() == protocol.CodeProtocolViolation && honest.result.Fault.Retryable() {
		h.Note("what came late ended the child during the next execution, which may be retried")
		honest = h.act(ctx, e, "honest", protocol.Limits{})
	}
	if err := wantValue("an honest execution afterwards", honest.result, `{"reply":{"ok":40}}`); err != nil {
		return err
	}
	// Also what arrived late may not have had an effect.
	if c.check != nil {
		return c.check(run)
	}
	return nil
}

// judge compares a result with what is safe.
func (c *hostileCase) judge(result *protocol.Result) error {
	prefix, isPrefix := strings.CutSuffix(c.value, "…")
	switch {
	case c.value == "" || c.codes != nil && result.Fault != nil:
		return wantFault(c.act, result, c.codes...)
	case isPrefix && result.Fault == nil && strings.HasPrefix(string(result.Value), prefix):
		return nil
	}
	return wantValue(c.act, result, c.value)
}

func ranOnce(tool string) func(*hostileRun) error {
	return func(r *hostileRun) error {
		if n := r.ran[tool].Load(); n != 1 {
			return violated("the tool %s ran %d times, must run once", tool, n)
		}
		return nil
	}
}

func ranAtMost(tool string, most int32) func(*hostileRun) error {
	return func(r *hostileRun) error {
		n := r.ran[tool].Load()
		if n < 1 || n > most {
			return violated("the tool %s ran %d times, must run 1 to %d times", tool, n, most)
		}
		return nil
	}
}

func ranNothing(r *hostileRun) error {
	for name, n := range r.ran {
		if n.Load() != 0 {
			return violated("the tool %s ran %d times, must not run", name, n.Load())
		}
	}
	return nil
}

func soon(within time.Duration) func(*hostileRun) error {
	return func(r *hostileRun) error {
		if r.took > within {
			return violated("the outcome came after %v, must come within %v", r.took, within)
		}
		return nil
	}
}

func fewLogs(limits protocol.Limits) func(*hostileRun) error {
	return func(r *hostileRun) error {
		bytes := 0
		for _, entry := range r.result.Logs {
			bytes += len(entry.Text)
		}
		if int64(len(r.result.Logs)) > limits.LogEntries || int64(bytes) > limits.LogBytes {
			return violated("%d log entries of %d bytes were kept, the bounds are %d and %d", len(r.result.Logs), bytes, limits.LogEntries, limits.LogBytes)
		}
		if r.result.Fault == nil && r.result.Usage.DroppedLogs == 0 {
			return violated("log entries were cut and none is said to be dropped")
		}
		return nil
	}
}

func parentFigures(r *hostileRun) error {
	u := r.result.Usage
	if u.Child == 4242 || u.ToolCalls == 77 || u.QueueMS == 99999 || len(r.result.Calls) != 0 {
		return violated("the child's figures were handed on: %+v, calls %v", u, r.result.Calls)
	}
	return nil
}

func status(want int) func(*hostileRun) error {
	return func(r *hostileRun) error {
		if crash := r.result.Fault.(*protocol.WorkerCrashed); crash.Status != want || crash.Signal != "" {
			return violated("the fault says status %d, signal %q, must say status %d", crash.Status, crash.Signal, want)
		}
		return nil
	}
}
