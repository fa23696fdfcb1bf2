package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns memory: what a child needs, what executions leave behind in it and
// in the host, and how far a hostile program gets.

var (
	memory     = &Benchmark{Name: "Memory", Units: []string{"B/child", "B/child-after-runs", "B/host-after-runs"}, open: pooled(oneChild, (*workload).memory)}
	peakMemory = &Benchmark{Name: "PeakMemory", Units: []string{"B/peak"}, open: pooled(oneChild, (*workload).peakMemory)}
)

// memory reads the private memory of an idle child that has served a few
// executions, and after n more of them what the child and this process keep. What
// is left of each execution makes n times as much, so a leak shows as a large ratio
// of figures that are never near zero.
func (w *workload) memory(ctx context.Context, n int) ([]float64, error) {
	before, err := w.private(ctx)
	if err != nil {
		return nil, err
	}
	for range n {
		if err := w.run(ctx); err != nil {
			return nil, err
		}
	}
	after, err := w.private(ctx)
	if err != nil {
		return nil, err
	}
	return []float64{float64(before), float64(after), float64(heapInUse())}, nil
}

// private returns the private memory in bytes of the one child, which is idle.
func (w *workload) private(ctx context.Context) (int64, error) {
	if err := w.whole(ctx, 0); err != nil {
		return 0, err
	}
	pid := w.ready()[0]
	bytes, err := procfs.Anonymous(pid)
	if errors.Is(err, procfs.ErrUnsupported) {
		return 0, &Unsupported{err.Error()}
	}
	if err != nil {
		return 0, fmt.Errorf("memory of child %d: %w", pid, err)
	}
	return bytes, nil
}

// heapInUse returns how many bytes of this process's heap are reachable.
func heapInUse() uint64 {
	// The first collection may leave what has a finaliser, or what a pool of
	// package sync keeps for one more.
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// heapLimit is the heap limit in bytes that a hostile program hits.
const heapLimit = 32 << 20

// peakMemory lets n programs allocate until they hit the heap limit, and returns
// the most memory that was ever resident in a child, in the mean over them.
func (w *workload) peakMemory(ctx context.Context, n int) ([]float64, error) {
	total := int64(0)
	for range n {
		if err := w.whole(ctx, 0); err != nil {
			return nil, err
		}
		pid := w.ready()[0]
		fault := w.fault(ctx, executor.Request{
			Source: "() => { const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length)) }",
			Limits: protocol.Limits{Heap: heapLimit},
		})
		if _, ok := fault.(*protocol.MemoryExceeded); !ok {
			return nil, fmt.Errorf("a program that allocates without end ended with %v", fault)
		}
		peak, err := procfs.PeakResident(pid)
		if errors.Is(err, procfs.ErrUnsupported) {
			return nil, &Unsupported{err.Error()}
		}
		if err != nil {
			return nil, fmt.Errorf("memory of child %d: %w", pid, err)
		}
		total += peak
	}
	return []float64{float64(total) / float64(n)}, nil
}
