package suite

import (
	"context"
	"sync"
	"sync/atomic"
)

// This file owns running many tests: several at a time, results in order.

// Run runs the tests, so many at a time, and returns their results in the order
// of the tests. done, if not nil, is called after each, from several goroutines,
// with its result. The first error of the suite ends the run; so does ctx.
func Run(ctx context.Context, s Suite, execute Execute, tests []Test, parallel int, done func(Result)) ([]Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]Result, len(tests))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range max(1, min(parallel, len(tests))) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(tests) {
					return
				}
				result, err := s.Run(ctx, execute, tests[i])
				if err != nil {
					cancel(err)
					return
				}
				results[i] = result
				if done != nil {
					done(result)
				}
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return results, nil
}
