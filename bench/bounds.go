package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns how fast the executor says no: to one execution too many, and to
// one that takes too long.

// grace is how long a program may run on after its deadline until its process is
// killed.
const grace = 50 * time.Millisecond

var (
	overload = &Benchmark{Name: "Overload", Units: []string{"ns/op"}, open: pooled(func() pool.Config {
		return pool.Config{Size: 1, MaxUses: manyUses, QueueLength: 1, QueueTimeout: stepTimeout}
	}, (*workload).overload)}
	deadline = &Benchmark{Name: "DeadlineOvershoot", Units: []string{"interrupt-ns/op", "kill-ns/op"}, open: pooled(func() pool.Config {
		return pool.Config{Size: 1, MaxUses: manyUses, Grace: grace}
	}, (*workload).deadline)}
)

const (
	endless = "() => { for (;;); }"
	// uninterruptible is busy in a native function that looks at nothing else for
	// hours.
	uninterruptible = "() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"
	// wallLimit is the wall limit of programs that pass it.
	wallLimit = 20 * time.Millisecond
)

// fault runs a request and returns the fault that it ends with, nil for a value.
func (w *workload) fault(ctx context.Context, r executor.Request) protocol.Fault {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	result, _ := w.executor.Execute(ctx, r) // the error is the fault
	return result.Fault
}

// overload fills the pool and its queue and times n executions more, each of which
// must be refused. The figure is their median.
func (w *workload) overload(ctx context.Context, n int) ([]float64, error) {
	ctx, cancel := context.WithCancel(ctx)
	var occupying sync.WaitGroup
	defer occupying.Wait()
	defer cancel()
	for range 2 { // one runs, one waits
		occupying.Go(func() {
			// It ends when it is cancelled, with a fault that means nothing.
			_ = w.fault(ctx, executor.Request{Source: endless, Limits: protocol.Limits{Wall: stepTimeout, CPU: stepTimeout}})
		})
	}
	full := func() bool {
		s := w.executor.Stats()
		return s.Busy == 1 && s.Queued == 1
	}
	if err := w.until(ctx, full); err != nil {
		return nil, fmt.Errorf("filling the pool: %w", err)
	}
	took := make([]time.Duration, n)
	for i := range took {
		start := time.Now()
		fault := w.fault(ctx, executor.Request{Source: trivial, Input: map[string]any{"n": 1}})
		took[i] = time.Since(start)
		if _, ok := fault.(*protocol.Overloaded); !ok {
			return nil, fmt.Errorf("an execution beyond the queue ended with %v", fault)
		}
	}
	return []float64{float64(percentile(took, 50))}, nil
}

// deadline times n programs that must be interrupted and n that must be killed: how
// long after the moment at which it was due each fault came. Killing is due the
// grace period after the deadline. The figures are medians.
func (w *workload) deadline(ctx context.Context, n int) ([]float64, error) {
	figures := make([]float64, 2)
	for i, kind := range []struct {
		source string
		due    time.Duration
	}{{endless, wallLimit}, {uninterruptible, wallLimit + grace}} {
		late := make([]time.Duration, n)
		for j := range late {
			if err := w.whole(ctx, 0); err != nil {
				return nil, err
			}
			start := time.Now()
			fault := w.fault(ctx, executor.Request{Source: kind.source, Limits: protocol.Limits{Wall: wallLimit}})
			took := time.Since(start)
			if _, ok := fault.(*protocol.DeadlineExceeded); !ok {
				return nil, fmt.Errorf("a program without end ended with %v", fault)
			}
			if late[j] = took - kind.due; late[j] <= 0 {
				return nil, errors.New("a program was ended before its time")
			}
		}
		figures[i] = float64(percentile(late, 50))
	}
	return figures, nil
}
