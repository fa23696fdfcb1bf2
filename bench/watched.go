package bench

import (
	"context"
	"fmt"
	"syscall"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
)

// This file owns the workload that a sampler does while another one watches its
// system calls.

// The marks that divide the watched system calls. Each is the lookup of a file that
// does not exist.
const (
	markPrefix = "/isogate-bench/"
	markRun    = markPrefix + "run"  // before each execution
	markCall   = markPrefix + "call" // in each tool call
	markEnd    = markPrefix + "end"  // after the last of a kind
)

// watched does n executions of the trivial program, then one program that makes n
// tool calls. The child is not sealed: a sealed one cannot be watched.
var watched = &Benchmark{Name: "watched", Units: []string{"operations"}, open: pooled(func() pool.Config {
	c := oneChild()
	c.Sealing = child.Levels(child.Off)
	return c
}, (*workload).watched)}

func (w *workload) watched(ctx context.Context, n int) ([]float64, error) {
	for range n {
		mark(markRun)
		if err := w.run(ctx); err != nil {
			return nil, err
		}
	}
	mark(markEnd)
	// In the first call of the kind some things happen for the first time.
	if err := w.callTools(ctx, warmUps, func() {}); err != nil {
		return nil, err
	}
	if err := w.callTools(ctx, n, func() { mark(markCall) }); err != nil {
		return nil, err
	}
	mark(markEnd)
	return []float64{float64(n)}, nil
}

// mark makes a system call that names the place.
func mark(name string) {
	if syscall.Access(name, 0) == nil {
		panic(fmt.Sprintf("there is a file %s", name))
	}
}
