package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"sort"
	"time"
)

// This file owns what a benchmark is, and the list of them.

// Benchmark is one workload and the figures that a sample of it has.
type Benchmark struct {
	Name  string
	Units []string
	// least is how many operations a sample must be made of, 0 for one.
	least int
	// open makes the workload ready, with warm-up done.
	open func(ctx context.Context, s surroundings) (session, error)
}

// check returns an error unless there is one figure for each unit, and each is a
// positive number.
func (b *Benchmark) check(values []float64) error {
	if len(values) != len(b.Units) {
		return fmt.Errorf("%s gave %d figures, must be %d", b.Name, len(values), len(b.Units))
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || v <= 0 {
			return fmt.Errorf("%s: %v %s is no measurement", b.Name, v, b.Units[i])
		}
	}
	return nil
}

// surroundings is what a benchmark may use beside this process.
type surroundings struct {
	// self is the command that starts another sampler like this one; empty when this
	// process is none.
	self []string
}

// selfPath is the running binary, also when its file has been replaced since.
func selfPath() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

// session is a workload that is ready to be sampled.
type session interface {
	// sample performs n operations and returns one figure for each unit.
	sample(ctx context.Context, n int) ([]float64, error)
	close() error
}

// Benchmarks lists every benchmark.
var Benchmarks = []*Benchmark{
	coldStart, warmRun, libraryRun, toolCall, payload, overload, deadline, recovery, memory, processes,
	frames, systemCalls, instructions,
}

// inner are the benchmarks that a sampler takes of itself when another one watches
// it. They are not registered and give no figure of their own.
var inner = []*Benchmark{inProcess, watched}

func findInner(name string) *Benchmark {
	for _, b := range inner {
		if b.Name == name {
			return b
		}
	}
	return nil
}

func find(name string) *Benchmark {
	for _, b := range Benchmarks {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// Units returns the units of a benchmark's figures in their order, nil when there is
// no such benchmark.
func Units(name string) []string {
	if b := find(name); b != nil {
		return b.Units
	}
	return nil
}

// percentile returns the p-th percentile by nearest rank of durations, which it sorts.
func percentile(d []time.Duration, p float64) time.Duration {
	sort.Slice(d, func(i, j int) bool { return d[i] < d[j] })
	rank := int(math.Ceil(p / 100 * float64(len(d))))
	return d[max(rank, 1)-1]
}

// median returns the median of values, which is no number when there are none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	v := append([]float64(nil), values...)
	sort.Float64s(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}
