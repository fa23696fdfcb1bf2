package native

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks on the ends of executions, children and executors.

var lifecycle = []Attack{
	{Name: "cancel-while-running", Source: "W18", Title: "a caller that gives up ends the program, also a busy one, within the grace period", Run: cancelWhileRunning},
	{Name: "cancel-while-waiting", Source: "W18", Title: "a caller that gives up while waiting is answered at once and nothing of it runs", Run: cancelWhileWaiting},
	{Name: "execute-after-close", Source: "own", Title: "a closed executor refuses with a fault", Run: executeAfterClose},
	{Name: "execute-while-draining", Source: "own", Title: "a draining executor finishes what runs and refuses the rest", Run: executeWhileDraining},
	{Name: "deadline-races-result", Source: "T37", Title: "programs that end about when their deadline does end in exactly one outcome", Run: deadlineRacesResult},
	{Name: "uses-bounded", Source: "M35", Title: "a child is replaced after its number of uses, and no execution is lost", Run: usesBounded},
	{Name: "memory-creep", Source: "M35", Title: "a child that served 1,000 executions holds no more memory than one that served 100", Run: memoryCreep},
}

// enter returns tools with one, enter, that reports that the program runs.
func enter(inside chan<- struct{}) executor.Tools {
	return executor.Tools{"tools": {"enter": func(context.Context, []any) (any, error) { inside <- struct{}{}; return nil, nil }}}
}

func cancelWhileRunning(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	for name, source := range map[string]string{
		"a busy loop":               `async () => { await tools.enter(); for (;;) {} }`,
		"a native that cannot stop": `async () => { await tools.enter(); Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1) }`,
		"an idle wait":              `async () => { await tools.enter(); await new Promise(done => setTimeout(done, 60_000)) }`,
	} {
		inside := make(chan struct{}, 1)
		cancellable, cancel := context.WithCancel(ctx)
		outcome := make(chan *protocol.Result, 1)
		go func() {
			outcome <- h.execute(cancellable, e, executor.Request{Source: source, Tools: enter(inside), Limits: protocol.Limits{Wall: 6 * time.Second}})
		}()
		select {
		case <-inside:
		case result := <-outcome:
			cancel()
			return violated("%s ended early: %v", name, result.Fault)
		}
		start := time.Now()
		cancel()
		result := <-outcome
		took := time.Since(start)
		h.Note("%s was cancelled in %v", name, took.Round(time.Millisecond))
		if err := wantFault(name, result, protocol.CodeCancelled); err != nil {
			return err
		}
		if most := 2 * time.Second; took > most {
			return violated("%s was cancelled in %v, must take at most %v", name, took, most)
		}
		if err := h.probe(ctx, "after "+name, e); err != nil {
			return err
		}
	}
	return nil
}

func cancelWhileWaiting(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	inside, release := make(chan struct{}), make(chan struct{})
	first := make(chan *protocol.Result, 1)
	go func() {
		first <- h.execute(ctx, e, executor.Request{Source: `() => tools.hold()`, Tools: executor.Tools{"tools": {
			"hold": func(context.Context, []any) (any, error) { close(inside); <-release; return "held", nil },
		}}})
	}()
	select {
	case <-inside:
	case result := <-first:
		return violated("the first execution ended early: %v", result.Fault)
	}
	ran := make(chan struct{}, 1)
	waiting, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	second := h.execute(waiting, e, executor.Request{Source: `() => tools.enter()`, Tools: enter(ran)})
	close(release)
	if err := wantValue("the first execution", <-first, `"held"`); err != nil {
		return err
	}
	if err := wantFault("the waiting execution", second, protocol.CodeCancelled); err != nil {
		return err
	}
	if len(ran) != 0 || second.Fault.Reached().Started {
		return violated("the cancelled execution ran: %v, says started: %v", len(ran) != 0, second.Fault.Reached().Started)
	}
	return h.probe(ctx, "after the cancellation", e)
}

func executeAfterClose(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	if err := h.probe(ctx, "before Close", e); err != nil {
		return err
	}
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		return violated("closing twice failed: %v", err)
	}
	result := h.execute(ctx, e, executor.Request{Source: "() => 1"})
	return wantFault("an execution after Close", result, protocol.CodeUnavailable)
}

func executeWhileDraining(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	inside, release := make(chan struct{}), make(chan struct{})
	running := make(chan *protocol.Result, 1)
	go func() {
		running <- h.execute(ctx, e, executor.Request{Source: `() => tools.hold()`, Tools: executor.Tools{"tools": {
			"hold": func(context.Context, []any) (any, error) { close(inside); <-release; return "finished", nil },
		}}})
	}()
	select {
	case <-inside:
	case result := <-running:
		return violated("the first execution ended early: %v", result.Fault)
	}
	drained := make(chan error, 1)
	go func() { drained <- e.Drain(ctx) }()
	var refused *protocol.Result
	err = eventually(ctx, 5*time.Second, func() error {
		short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		refused = h.execute(short, e, executor.Request{Source: "() => 1"})
		return wantFault("an execution while draining", refused, protocol.CodeDraining)
	})
	if err == nil {
		// The first may have been waiting already when draining began.
		short, cancel := context.WithTimeout(ctx, time.Second)
		err = wantFault("an execution after draining began", h.execute(short, e, executor.Request{Source: "() => 1"}), protocol.CodeDraining)
		cancel()
	}
	close(release)
	if err != nil {
		return err
	}
	if err := wantValue("the execution that was running", <-running, `"finished"`); err != nil {
		return err
	}
	select {
	case err := <-drained:
		if err != nil {
			return violated("Drain failed: %v", err)
		}
	case <-time.After(5 * time.Second):
		return violated("Drain did not return within 5 s after the last execution")
	}
	return nil
}

func deadlineRacesResult(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	values, deadlines := 0, 0
	for i := range 40 {
		// From well before the deadline to well behind it, in small steps.
		spin := 30 + i
		result := h.execute(ctx, e, executor.Request{
			Source: `async ({ms}) => { const end = Date.now() + ms; while (Date.now() < end) await null; return ms }`,
			Input:  map[string]any{"ms": spin}, Limits: protocol.Limits{Wall: 50 * time.Millisecond},
		})
		switch {
		case result.Fault == nil && string(result.Value) == fmt.Sprint(spin):
			values++
		case result.Fault != nil && result.Fault.Code() == protocol.CodeDeadlineExceeded:
			deadlines++
		default:
			return violated("a program of %d ms under a deadline of 50 ms ended in the value %s, the fault %v", spin, result.Value, result.Fault)
		}
	}
	h.Note("%d values, %d deadlines", values, deadlines)
	if deadlines == 0 {
		return violated("no program of up to 69 ms passed a deadline of 50 ms")
	}
	return h.probe(ctx, "after the races", e)
}

func usesBounded(ctx context.Context, h *Host) error {
	const uses = 3
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, MaxUses: uses}})
	if err != nil {
		return err
	}
	served := map[int]int{}
	for i := range 4 * uses {
		result := h.execute(ctx, e, executor.Request{Source: "(n) => n", Input: i})
		if err := wantValue("an execution", result, fmt.Sprint(i)); err != nil {
			return err
		}
		served[result.Usage.Child]++
		if served[result.Usage.Child] > uses {
			return violated("child %d served %d executions, must serve at most %d", result.Usage.Child, served[result.Usage.Child], uses)
		}
	}
	h.Note("executions by child %v", served)
	return nil
}

func memoryCreep(ctx context.Context, h *Host) error {
	const early, late = 100, 1000
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, MaxUses: 2 * late}})
	if err != nil {
		return err
	}
	first, err := childPID(ctx, e)
	if err != nil {
		return err
	}
	run := func(n int) (int64, error) {
		for range n {
			// Leaves something of each kind behind that an isolate may own.
			result := h.execute(ctx, e, executor.Request{
				Source: `async () => {
					globalThis.kept = [new ArrayBuffer(1 << 20), new Map([[{}, "x".repeat(1000)]]), new Promise(() => {})];
					setTimeout(() => {}, 10_000);
					console.log(await import("kept"));
					tools.never().then(() => {});
					return tools.one();
				}`,
				Modules: map[string]protocol.Module{"kept": {Source: "export const text = 'x'.repeat(1000)"}},
				Tools: executor.Tools{"tools": {
					"one":   func(context.Context, []any) (any, error) { return 1, nil },
					"never": func(ctx context.Context, _ []any) (any, error) { <-ctx.Done(); return nil, ctx.Err() },
				}},
			})
			if err := wantValue("an execution", result, "1"); err != nil {
				return 0, err
			}
		}
		if pid, err := childPID(ctx, e); err != nil || pid != first {
			return 0, violated("the child is %d (%v), must be %d still", pid, err, first)
		}
		bytes, err := procfs.Proportional(first)
		return bytes, unreadable(err)
	}
	before, err := run(early)
	if err != nil {
		return err
	}
	after, err := run(late - early)
	if err != nil {
		return err
	}
	h.Note("%d KiB after %d executions, %d KiB after %d", before>>10, early, after>>10, late)
	// 36 KiB left behind by each of the 900 between would be as much.
	if most := before + 32<<20; after > most {
		return violated("the child holds %d bytes after %d executions and held %d after %d; must be at most %d", after, late, before, early, most)
	}
	return nil
}
