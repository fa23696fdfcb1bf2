package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
)

// This file owns the workloads. Every operation checks the value it is given,
// so that a broken executor yields an error and never a fast figure.

const (
	warmUps = 5
	// stepTimeout bounds one operation, so that a hang is an error.
	stepTimeout = 30 * time.Second
	trivial     = "({n}) => n + 1"
)

var (
	coldStart = &Benchmark{Name: "ColdStart", Units: []string{"ns/op"}, open: func(ctx context.Context, _ surroundings) (session, error) {
		return open(ctx, pool.Config{Size: 1, MaxUses: 1}, (*workload).cold)
	}}
	warmRun = &Benchmark{Name: "WarmRun", Units: []string{"ns/op", "p95-ns/op"}, open: func(ctx context.Context, _ surroundings) (session, error) {
		return open(ctx, pool.Config{Size: 1, MaxUses: 1 << 20}, (*workload).warm)
	}}
	toolCall = &Benchmark{Name: "ToolCall", Units: []string{"ns/op"}, open: func(ctx context.Context, _ surroundings) (session, error) {
		return open(ctx, pool.Config{Size: 1, MaxUses: 1 << 20}, (*workload).toolCalls)
	}}
	payload = &Benchmark{Name: "Payload1MiB", Units: []string{"ns/op", "MB/s"}, open: func(ctx context.Context, _ surroundings) (session, error) {
		return open(ctx, pool.Config{Size: 1, MaxUses: 1 << 20}, (*workload).payload)
	}}
	childMemory = &Benchmark{Name: "ChildMemory", Units: []string{"B/child"}, open: func(ctx context.Context, _ surroundings) (session, error) {
		return open(ctx, pool.Config{Size: 2, MaxUses: 1 << 20}, (*workload).memory)
	}}
	recovery = &Benchmark{Name: "Recovery", Units: []string{"ns/op"}, open: func(ctx context.Context, _ surroundings) (session, error) {
		return open(ctx, pool.Config{Size: 2, MaxUses: 1 << 20}, (*workload).recover)
	}}
)

// workload is an executor and one way of sampling it.
type workload struct {
	executor *executor.IsolateExecutor
	size     int
	next     float64
	measure  func(w *workload, ctx context.Context, n int) ([]float64, error)
}

// open makes a workload a session.
func open(ctx context.Context, c pool.Config, measure func(*workload, context.Context, int) ([]float64, error)) (session, error) {
	w, err := begin(ctx, c, measure)
	if err != nil {
		return nil, err
	}
	return w, nil
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

// cold times executions each of which needs a new process.
func (w *workload) cold(ctx context.Context, n int) ([]float64, error) {
	start := time.Now()
	for range n {
		if err := w.run(ctx); err != nil {
			return nil, err
		}
	}
	return []float64{float64(time.Since(start).Nanoseconds()) / float64(n)}, nil
}

// warm times executions on a ready child, one by one.
func (w *workload) warm(ctx context.Context, n int) ([]float64, error) {
	took := make([]time.Duration, n)
	for i := range took {
		start := time.Now()
		if err := w.run(ctx); err != nil {
			return nil, err
		}
		took[i] = time.Since(start)
	}
	return []float64{float64(percentile(took, 50)), float64(percentile(took, 95))}, nil
}

// toolCalls times one program that makes n tool calls one after another.
func (w *workload) toolCalls(ctx context.Context, n int) ([]float64, error) {
	r := executor.Request{
		Source: "async ({n}) => { let s = 0; for (let i = 0; i < n; i++) s = await tools.next(s); return s }",
		Input:  map[string]any{"n": n},
		Tools: executor.Tools{"tools": {"next": func(_ context.Context, args []any) (any, error) {
			return args[0].(float64) + 1, nil
		}}},
	}
	start := time.Now()
	v, err := w.execute(ctx, r)
	took := time.Since(start)
	if err != nil {
		return nil, err
	}
	if v != float64(n) {
		return nil, fmt.Errorf("the value is %v, must be %d", v, n)
	}
	return []float64{float64(took.Nanoseconds()) / float64(n)}, nil
}

// text is 1 MiB of ASCII, with characters that JSON escapes.
var text = strings.Repeat("All work and no play makes\t\"Jack\" a dull boy. 0123456789.....\n", 1<<14)

// payload times executions that are given 1 MiB and return it.
func (w *workload) payload(ctx context.Context, n int) ([]float64, error) {
	input, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	for range n {
		v, err := w.execute(ctx, executor.Request{Source: "(text) => text", Input: json.RawMessage(input)})
		if err != nil {
			return nil, err
		}
		if v != text {
			return nil, errors.New("the text came back changed")
		}
	}
	perOp := time.Since(start) / time.Duration(n)
	return []float64{float64(perOp.Nanoseconds()), float64(len(text)) / 1e6 / perOp.Seconds()}, nil
}

// memory runs n executions and reads the memory of the children, which are
// then idle.
func (w *workload) memory(ctx context.Context, n int) ([]float64, error) {
	for range n {
		if err := w.run(ctx); err != nil {
			return nil, err
		}
	}
	if err := w.whole(ctx, 0); err != nil {
		return nil, err
	}
	children := w.ready()
	total := int64(0)
	for _, pid := range children {
		bytes, err := procfs.Proportional(pid)
		if err != nil {
			return nil, fmt.Errorf("memory of child %d: %w", pid, err)
		}
		total += bytes
	}
	return []float64{float64(total) / float64(len(children))}, nil
}

// recover kills an idle child and times how long the pool needs to be whole.
func (w *workload) recover(ctx context.Context, n int) ([]float64, error) {
	total := time.Duration(0)
	for range n {
		if err := w.whole(ctx, 0); err != nil {
			return nil, err
		}
		pid := w.ready()[0]
		start := time.Now()
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			return nil, fmt.Errorf("kill child %d: %w", pid, err)
		}
		if err := w.whole(ctx, pid); err != nil {
			return nil, err
		}
		if err := w.run(ctx); err != nil {
			return nil, fmt.Errorf("probe after the kill: %w", err)
		}
		total += time.Since(start)
	}
	return []float64{float64(total.Nanoseconds()) / float64(n)}, nil
}

// start kills the idle child and returns how long its successor needed from the
// moment that the pool decided to start it to the result of its first program.
func (w *workload) start(ctx context.Context) (time.Duration, error) {
	if err := w.whole(ctx, 0); err != nil {
		return 0, err
	}
	pid := w.ready()[0]
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return 0, fmt.Errorf("kill child %d: %w", pid, err)
	}
	if err := w.noticed(ctx, pid); err != nil {
		return 0, err
	}
	if err := w.run(ctx); err != nil {
		return 0, fmt.Errorf("first program of a child: %w", err)
	}
	return w.firstUse(pid)
}

// firstUse returns the age of the one child, which must not be the old one and
// have run one program.
func (w *workload) firstUse(old int) (time.Duration, error) {
	for _, c := range w.executor.Stats().Children {
		if c.Ready && c.PID != old && c.Uses == 1 {
			return c.Age, nil
		}
	}
	return 0, errors.New("the program did not run in a new child")
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
