package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns memory: what a child needs, what executions leave behind in it and
// in the host, and how far a hostile program gets.

var memory = &Benchmark{
	Name: "Memory", Units: []string{"B/child", "B/child-after-runs", "B/host-after-runs", "B/child-peak"}, open: pooled(oneChild, (*workload).memory),
}

// memory reads the private memory of an idle child that has served a few
// executions, and after n more of them what the child and this process keep. What
// is left of each execution makes n times as much, so a leak shows as a large ratio
// of figures that are never near zero. Last comes the most that is ever resident in
// the child, which one more program makes it reach that allocates until it hits its
// heap limit.
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
	kept := heapInUse()
	peak, err := w.peak(ctx)
	if err != nil {
		return nil, err
	}
	return []float64{float64(before), float64(after), float64(kept), float64(peak)}, nil
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

const (
	// heapLimit is the heap limit in bytes that a hostile program hits.
	heapLimit = 16 << 20
	hoarder   = "() => { const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length)) }"
)

// peak lets a program allocate until it hits its heap limit, and returns the most
// memory in bytes that was ever resident in the child.
func (w *workload) peak(ctx context.Context) (int64, error) {
	if err := w.whole(ctx, 0); err != nil {
		return 0, err
	}
	pid := w.ready()[0]
	// The kernel keeps the peak of a process for as long as it lives, which with a
	// full heap may not be long.
	peak, stop := make(chan int64, 1), make(chan struct{})
	go func() {
		tick := time.NewTicker(peakInterval)
		defer tick.Stop()
		most := int64(0)
		for {
			now, err := procfs.PeakResident(pid)
			if err == nil {
				most = now // it never falls
			}
			select {
			case <-stop:
				peak <- most
				return
			case <-tick.C:
			}
		}
	}()
	fault := w.fault(ctx, executor.Request{Source: hoarder, Limits: protocol.Limits{Heap: heapLimit}})
	last, err := procfs.PeakResident(pid)
	close(stop)
	most := <-peak
	if _, ok := fault.(*protocol.MemoryExceeded); !ok {
		return 0, fmt.Errorf("a program that allocates without end ended with %v", fault)
	}
	if err == nil {
		return last, nil
	}
	return most, nil
}

// peakInterval is how often the peak is looked at.
const peakInterval = 5 * time.Millisecond
