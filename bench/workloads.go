package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
)

// This file owns what the workloads share: an executor that is warm, the trivial
// program, waiting for children. Every operation checks the value it is given, so
// that a broken executor yields an error and never a fast figure.

const (
	warmUps = 5
	// stepTimeout bounds one operation, so that a hang is an error.
	stepTimeout = 30 * time.Second
	trivial     = "({n}) => n + 1"
	// callsProgram makes n tool calls one after another.
	callsProgram = "async ({n}) => { let s = 0; for (let i = 0; i < n; i++) s = await tools.next(s); return s }"
)

// manyUses keeps a pool from replacing children, and so from measuring that.
const manyUses = 1 << 20

// oneChild is a pool of one child that stays.
func oneChild() pool.Config { return pool.Config{Size: 1, MaxUses: manyUses, MaxResident: 1 << 40} }

// workload is an executor and one way of sampling it.
type workload struct {
	executor *executor.IsolateExecutor
	size     int
	next     float64
	measure  func(w *workload, ctx context.Context, n int) ([]float64, error)
}

// pooled returns what opens a workload on a pool.
func pooled(c func() pool.Config, measure func(*workload, context.Context, int) ([]float64, error)) func(context.Context, surroundings) (session, error) {
	return func(ctx context.Context, _ surroundings) (session, error) {
		w, err := begin(ctx, c(), measure)
		if err != nil {
			return nil, err
		}
		return w, nil
	}
}

// begin starts an executor and warms it up.
func begin(ctx context.Context, c pool.Config, measure func(*workload, context.Context, int) ([]float64, error)) (*workload, error) {
	e, err := executor.New(ctx, executor.Config{Pool: c})
	if err != nil {
		return nil, err
	}
	w := &workload{executor: e, size: c.Size, measure: measure}
	for range warmUps {
		if err := w.run(ctx); err != nil {
			return nil, errors.Join(fmt.Errorf("warm-up: %w", err), e.Close())
		}
	}
	return w, nil
}

func (w *workload) sample(ctx context.Context, n int) ([]float64, error) { return w.measure(w, ctx, n) }

func (w *workload) close() error { return w.executor.Close() }

// execute runs a request and returns its value.
func (w *workload) execute(ctx context.Context, r executor.Request) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	result, err := w.executor.Execute(ctx, r)
	if err != nil {
		return nil, err
	}
	return result.Decode()
}

// run executes the trivial program once.
func (w *workload) run(ctx context.Context) error {
	w.next++
	v, err := w.execute(ctx, executor.Request{Source: trivial, Input: map[string]any{"n": w.next}})
	if err != nil {
		return err
	}
	if v != w.next+1 {
		return fmt.Errorf("the value is %v, must be %v", v, w.next+1)
	}
	return nil
}

// noticed waits until the pool knows that a child is gone.
func (w *workload) noticed(ctx context.Context, pid int) error {
	return w.until(ctx, func() bool { return !slices.Contains(w.ready(), pid) })
}

// ready returns the process ids of the children that wait for work.
func (w *workload) ready() []int {
	var pids []int
	for _, child := range w.executor.Stats().Children {
		// A child that is being started has no number yet, and number 0 would be
		// this process's own group.
		if child.Ready && child.PID > 0 {
			pids = append(pids, child.PID)
		}
	}
	return pids
}

// whole waits until the pool has its size of ready children, none of them gone.
func (w *workload) whole(ctx context.Context, gone int) error {
	return w.until(ctx, func() bool {
		ready := w.ready()
		return len(ready) == w.size && !slices.Contains(ready, gone)
	})
}

// until waits until the children are as they have to be.
func (w *workload) until(ctx context.Context, done func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	tick := time.NewTicker(200 * time.Microsecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the pool has %d of %d children ready: %w", len(w.ready()), w.size, ctx.Err())
		}
	}
	return nil
}
