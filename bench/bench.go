package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sort"
	"time"
)

// This file owns the method: how the samples of a benchmark are taken.

// Benchmark is one workload and the figures that a sample of it has.
type Benchmark struct {
	Name  string
	Units []string
	// open makes the workload ready, with warm-up done.
	open func(ctx context.Context, s surroundings) (session, error)
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
var Benchmarks = []*Benchmark{coldStart, warmRun, toolCall, payload, childMemory, recovery}

// inner are the benchmarks that a sampler takes of itself when another one watches
// it. They are not registered and give no figure of their own.
var inner []*Benchmark

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

// Measurement is the samples of one figure of one benchmark.
type Measurement struct {
	Name, Unit string
	Iterations int
	Samples    []float64
	Threshold  Threshold
}

// Options say how to run the benchmarks.
type Options struct {
	// Short takes the smaller registered number of samples.
	Short bool
	// Only, when not nil, says which benchmarks to run.
	Only func(name string) bool
	// Progress, when not nil, is told of every sample taken.
	Progress func(name string, sample, of int)
}

// Run takes the measurements. Those that could be taken are returned also when
// the error is not nil; the error joins one for each benchmark that failed.
func Run(ctx context.Context, t *Thresholds, o Options) ([]Measurement, error) {
	var out []Measurement
	var errs []error
	for _, r := range t.Benchmarks {
		if o.Only != nil && !o.Only(r.Name) {
			continue
		}
		samples := r.Samples
		if o.Short {
			samples = r.Short
		}
		measured, err := run(ctx, find(r.Name), r, samples, o.Progress)
		if err != nil {
			errs = append(errs, fmt.Errorf("benchmark %s: %w", r.Name, err))
			continue
		}
		out = append(out, measured...)
	}
	return out, errors.Join(errs...)
}

func run(ctx context.Context, b *Benchmark, r Registration, samples int, progress func(string, int, int)) (out []Measurement, err error) {
	s, err := b.open(ctx, surroundings{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	for _, unit := range b.Units {
		out = append(out, Measurement{Name: b.Name, Unit: unit, Iterations: r.Iterations, Threshold: r.Units[unit]})
	}
	for i := range samples {
		values, err := s.sample(ctx, r.Iterations)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i+1, err)
		}
		for u, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) || v <= 0 {
				return nil, fmt.Errorf("sample %d: %v %s is no measurement", i+1, v, b.Units[u])
			}
			out[u].Samples = append(out[u].Samples, v)
		}
		if progress != nil {
			progress(b.Name, i+1, samples)
		}
	}
	return out, nil
}

// percentile returns the p-th percentile by nearest rank of durations, which it sorts.
func percentile(d []time.Duration, p float64) time.Duration {
	sort.Slice(d, func(i, j int) bool { return d[i] < d[j] })
	rank := int(math.Ceil(p / 100 * float64(len(d))))
	return d[max(rank, 1)-1]
}

// Spread returns how far apart two halves of the samples are, taken alternately:
// the ratio of their medians less one, positive. It is what the machine's noise
// alone makes of no change. With fewer than six samples it is 0 and false.
func (m *Measurement) Spread() (float64, bool) {
	if len(m.Samples) < 6 {
		return 0, false
	}
	var halves [2][]float64
	for i, v := range m.Samples {
		halves[i%2] = append(halves[i%2], v)
	}
	a, b := median(halves[0]), median(halves[1])
	return max(a/b, b/a) - 1, true
}

func median(values []float64) float64 {
	v := append([]float64(nil), values...)
	sort.Float64s(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}
