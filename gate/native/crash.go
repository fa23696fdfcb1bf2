package native

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks that end or stop a child.

var crashes = append([]Attack{
	{Name: "killed-while-idle", Source: "K01", Title: "a child killed while idle is replaced; a request that reached it is told to try again", Run: killedIdle},
	{Name: "killed-beside-another", Source: "K01", Title: "the crash of one child does not touch the execution in another", Run: killedBeside},
	{Name: "kill-storm", Source: "K03", Title: "all children killed, twice over: the pool returns to its size", Run: killStorm},
	{Name: "stopped-child", Source: "T41 K02", Title: "a child that is stopped (SIGSTOP) is killed at the deadline", Run: stoppedChild},
}, signalAttacks()...)

// signalAttacks returns one attack for each signal that a child may die of.
func signalAttacks() []Attack {
	var out []Attack
	for _, s := range []struct {
		name   string
		signal syscall.Signal
	}{
		{"sigkill", syscall.SIGKILL}, {"sigsegv", syscall.SIGSEGV}, {"sigabrt", syscall.SIGABRT},
		{"sigill", syscall.SIGILL}, {"sigbus", syscall.SIGBUS}, {"sigtrap", syscall.SIGTRAP},
	} {
		out = append(out, Attack{
			Name: s.name + "-while-running", Source: "K01 N03",
			Title: fmt.Sprintf("a child that gets signal %d in a tool call costs one execution, which says what was delivered", s.signal),
			Run:   func(ctx context.Context, h *Host) error { return killedRunning(ctx, h, s.signal) },
		})
	}
	return out
}

// readyPIDs returns the process ids of the children that wait for work.
func readyPIDs(e *executor.IsolateExecutor) []int {
	var pids []int
	for _, child := range e.Stats().Children {
		// A child that is being started has no number yet, and number 0 would be
		// this process's own group.
		if child.Ready && child.PID > 0 {
			pids = append(pids, child.PID)
		}
	}
	return pids
}

// childPID returns the process id of the only child, once it is ready.
func childPID(ctx context.Context, e *executor.IsolateExecutor) (int, error) {
	pid := 0
	err := eventually(ctx, 10*time.Second, func() error {
		pids := readyPIDs(e)
		if len(pids) != 1 {
			return violated("%d children are ready, must be 1", len(pids))
		}
		pid = pids[0]
		return nil
	})
	return pid, err
}

// killAndSee kills a child and returns when the pool has seen it.
func (h *Host) killAndSee(ctx context.Context, e *executor.IsolateExecutor, pid int) error {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	return eventually(ctx, 10*time.Second, func() error {
		for _, child := range e.Stats().Children {
			if child.PID == pid && (child.Ready || child.Busy) {
				return violated("the killed child %d is still in service", pid)
			}
		}
		return nil
	})
}

// crashInCall runs a program that waits in a tool call for ever, and meanwhile has
// crash deal with its child. An error of crash is returned: nothing was tried then.
func (h *Host) crashInCall(ctx context.Context, e *executor.IsolateExecutor, crash func(pid int) error) (*protocol.Result, error) {
	if err := h.probe(ctx, "before the crash", e); err != nil {
		return nil, err
	}
	pid, err := childPID(ctx, e)
	if err != nil {
		return nil, err
	}
	failed := make(chan error, 1)
	start := time.Now()
	result := h.execute(ctx, e, executor.Request{
		Source: `async () => { await tools.crash("now"); return "survived" }`,
		Tools: executor.Tools{"tools": {"crash": func(ctx context.Context, _ []any) (any, error) {
			if err := crash(pid); err != nil {
				failed <- err
				return nil, err
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}}},
	})
	select {
	case err := <-failed:
		return nil, err
	default:
		h.Note("the fault came after %v: %v", time.Since(start).Round(time.Millisecond), result.Fault)
		return result, nil
	}
}

func killedRunning(ctx context.Context, h *Host, signal syscall.Signal) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	result, err := h.crashInCall(ctx, e, func(pid int) error { return syscall.Kill(pid, signal) })
	if err != nil {
		return err
	}
	if err := wantFault("the execution that crashed", result, protocol.CodeWorkerCrashed); err != nil {
		return err
	}
	crash := result.Fault.(*protocol.WorkerCrashed)
	if len(crash.Delivered) != 1 || crash.Delivered[0] != "tools.crash" || crash.Retryable() || !crash.Started {
		return violated("the fault says delivered %v, started %v, retryable %v; the call tools.crash had been delivered", crash.Delivered, crash.Started, crash.Retryable())
	}
	return h.probe(ctx, "after the crash", e)
}

func killedIdle(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	lost := 0
	for i := range 3 {
		pid, err := childPID(ctx, e)
		if err != nil {
			return err
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			return err
		}
		// Whether the program had begun cannot be known when the request had just
		// been handed over; then the fault must say that it may be sent again.
		result := h.execute(ctx, e, executor.Request{Source: "() => 1"})
		if result.Fault != nil {
			if err := wantFault("an execution at once after a kill", result, protocol.CodeWorkerCrashed); err != nil {
				return err
			}
			if !result.Fault.Retryable() || len(result.Fault.Reached().Delivered) != 0 {
				return violated("the fault of an execution that reached a dead child says retryable %v, delivered %v", result.Fault.Retryable(), result.Fault.Reached().Delivered)
			}
			lost++
		}
		if err := h.probe(ctx, fmt.Sprintf("after kill %d", i+1), e); err != nil {
			return err
		}
		if now, err := childPID(ctx, e); err != nil || now == pid {
			return violated("after kill %d the child is %d again (%v)", i+1, now, err)
		}
	}
	h.Note("%d of 3 executions reached the dying child and were told to try again", lost)
	return nil
}

func killedBeside(ctx context.Context, h *Host) error {
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 2}})
	if err != nil {
		return err
	}
	inside := make(chan struct{})
	release := make(chan struct{})
	waiting := make(chan *protocol.Result, 1)
	go func() {
		waiting <- h.execute(ctx, e, executor.Request{
			Source: `async () => [await tools.wait(), 1]`,
			Tools: executor.Tools{"tools": {"wait": func(ctx context.Context, _ []any) (any, error) {
				close(inside)
				select {
				case <-release:
				case <-ctx.Done():
				}
				return "answered", nil
			}}},
		})
	}()
	select {
	case <-inside:
	case result := <-waiting:
		return violated("the waiting execution ended early: %v", result.Fault)
	}
	idle, err := childPID(ctx, e)
	if err == nil {
		err = h.killAndSee(ctx, e, idle)
	}
	if err != nil {
		close(release)
		return err
	}
	// The other slot must work again while the first execution still waits.
	err = h.probe(ctx, "beside the waiting execution", e)
	close(release)
	if err != nil {
		return err
	}
	return wantValue("the waiting execution", <-waiting, `["answered",1]`)
}

func killStorm(ctx context.Context, h *Host) error {
	const size = 3
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: size}})
	if err != nil {
		return err
	}
	for round := range 2 {
		killed := map[int]bool{}
		for _, pid := range readyPIDs(e) {
			killed[pid] = true
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				return err
			}
		}
		if len(killed) != size {
			return violated("round %d: %d of %d children were ready", round+1, len(killed), size)
		}
		err := eventually(ctx, 20*time.Second, func() error {
			stats := e.Stats()
			for _, child := range stats.Children {
				if killed[child.PID] {
					return violated("round %d: the killed child %d is still in the pool", round+1, child.PID)
				}
			}
			if stats.Ready != size {
				return violated("round %d: %d of %d children are ready", round+1, stats.Ready, size)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return h.probe(ctx, "after the storm", e)
}

func stoppedChild(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	pid, err := childPID(ctx, e)
	if err != nil {
		return err
	}
	start := time.Now()
	result := h.execute(ctx, e, executor.Request{
		Source: `async () => { await tools.stop(); return "went on" }`,
		Limits: protocol.Limits{Wall: 500 * time.Millisecond},
		Tools: executor.Tools{"tools": {"stop": func(context.Context, []any) (any, error) {
			return "stopped", syscall.Kill(pid, syscall.SIGSTOP)
		}}},
	})
	took := time.Since(start)
	h.Note("the fault came after %v: %v", took.Round(time.Millisecond), result.Fault)
	if err := wantFault("the stopped execution", result, protocol.CodeDeadlineExceeded); err != nil {
		return err
	}
	if how := result.Fault.(*protocol.DeadlineExceeded).How; how != protocol.HowKilled {
		return violated("the fault says %q, a stopped process can only be killed", how)
	}
	if limit := 3 * time.Second; took > limit {
		return violated("the fault came after %v, must come within %v", took, limit)
	}
	return h.probe(ctx, "after the kill", e)
}
