package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/pool"
)

// This file owns what the start and the death of a child cost.

var (
	recovery = &Benchmark{Name: "Recovery", Units: []string{"ns/op"}, open: pooled(func() pool.Config {
		return pool.Config{Size: 2, MaxUses: manyUses}
	}, (*workload).recover)}
	processes = &Benchmark{Name: "Processes", Units: []string{"processes/child"}, open: pooled(func() pool.Config {
		return pool.Config{Size: 2, MaxUses: manyUses}
	}, (*workload).processes)}
)

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

// processes counts the processes that there are for each child of a pool at rest,
// after n executions.
func (w *workload) processes(ctx context.Context, n int) ([]float64, error) {
	for range n {
		if err := w.run(ctx); err != nil {
			return nil, err
		}
	}
	if err := w.whole(ctx, 0); err != nil {
		return nil, err
	}
	all, err := procfs.Descendants(os.Getpid())
	if errors.Is(err, procfs.ErrUnsupported) {
		return nil, &Unsupported{err.Error()}
	}
	if err != nil {
		return nil, err
	}
	return []float64{float64(len(all)) / float64(w.size)}, nil
}
