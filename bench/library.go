package bench

import (
	"context"
	"time"

	"github.com/isogate/isogate/sandbox"
)

// This file owns what the guest library costs an execution.

// libraryRun compares a trivial execution with the same in an isolate that was restored
// from V8's own default snapshot, in the sampler itself and without a pool. Both are
// measured in turns, from the making of the isolate to its disposal.
var libraryRun = &Benchmark{Name: "LibraryRun", Units: []string{"ns/op", "times-plain"}, open: func(context.Context, surroundings) (session, error) {
	return library{}, nil
}}

type library struct{}

func (library) close() error { return nil }

// sample takes n pairs; the first ones, which warm up, do not count. The ratio is the
// median of the ratios of the pairs.
func (library) sample(_ context.Context, n int) ([]float64, error) {
	with, without, err := sandbox.LibraryPairs("", settling+n)
	if err != nil {
		return nil, err
	}
	with, without = with[settling:], without[settling:]
	ratios := make([]float64, n)
	for i := range ratios {
		ratios[i] = float64(with[i]) / float64(without[i])
	}
	return []float64{float64(percentile(append([]time.Duration(nil), with...), 50)), median(ratios)}, nil
}
