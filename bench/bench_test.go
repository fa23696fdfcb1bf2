package bench

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// This file tests the list of benchmarks by taking a sample of each, and takes the
// same measurements as ordinary Go benchmarks: go test -bench . ./bench

func TestPercentile(t *testing.T) {
	var d []time.Duration
	for i := 20; i >= 1; i-- {
		d = append(d, time.Duration(i))
	}
	for p, want := range map[float64]time.Duration{50: 10, 95: 19, 99: 20, 100: 20, 1: 1} {
		if got := percentile(d, p); got != want {
			t.Errorf("percentile %v is %d, must be %d", p, got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	for want, values := range map[float64][]float64{3: {9, 1, 3}, 2.5: {4, 1, 2, 3}, 7: {7}} {
		if got := median(values); got != want {
			t.Errorf("the median of %v is %v", values, got)
		}
	}
}

// Each benchmark gives its figures, taken by a sampler as gate bench takes them,
// with as few operations as a sample may have.
func TestEveryBenchmark(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := startSampler(t, "good")
	figures := map[string]float64{}
	for _, b := range Benchmarks {
		values, err := s.Take(t.Context(), b.Name, max(b.least, 2))
		var lacks *Unsupported
		if errors.As(err, &lacks) {
			t.Logf("%s is not supported here: %s", b.Name, lacks.Reason)
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		if err := b.check(values); err != nil {
			t.Error(err)
		}
		for i, v := range values {
			figures[b.Name+" "+b.Units[i]] = v
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	demandGone(t, s)
	// What must be so on every machine that can count it.
	ordered := []struct{ less, more string }{
		{"WarmRun ns/op", "WarmRun p95-ns/op"}, {"WarmRun p95-ns/op", "WarmRun p99-ns/op"}, {"ToolCall ns/op", "ToolCall p95-ns/op"},
		{"Memory B/child", "Memory B/child-peak"}, {"SystemCalls syscalls/call", "SystemCalls syscalls/run"},
		{"Instructions instructions/call", "Instructions instructions/run"},
	}
	for _, o := range ordered {
		less, ok := figures[o.less]
		more, too := figures[o.more]
		if ok && too && less > more {
			t.Errorf("%s is %v and %s is %v", o.less, less, o.more, more)
		}
	}
	exact := map[string][2]float64{ // the least and the most that it can be
		"Processes processes/child": {1, 1},
		"Frames frames/call":        {2, 2}, // a call and its reply
		"Frames B/call":             {50, 500},
		"SystemCalls syscalls/call": {4, 40}, // each frame is written and read
		"SystemCalls syscalls/run":  {4, 400},
		"Memory B/child-peak":       {heapLimit, 10 * heapLimit},
	}
	for name, bounds := range exact {
		if v, ok := figures[name]; ok && (v < bounds[0] || v > bounds[1]) {
			t.Errorf("%s is %v, must be %v to %v", name, v, bounds[0], bounds[1])
		}
	}
	if t.Failed() {
		t.Log(figures)
	}
}

// A benchmark refuses a sample that is too small for its figures.
func TestTooFewOperations(t *testing.T) {
	_, err := warmRun.take(t.Context(), surroundings{}, 99)
	if err == nil || !strings.Contains(err.Error(), "99 operations are too few for a sample, it must be 100") {
		t.Error(err)
	}
}

// What another process must watch is not supported in a process that is no sampler.
func TestUnsupported(t *testing.T) {
	for _, b := range []*Benchmark{frames, systemCalls, instructions} {
		_, err := b.take(t.Context(), surroundings{}, 2)
		var lacks *Unsupported
		if !errors.As(err, &lacks) || !strings.Contains(err.Error(), "not supported here: only a sampler") {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	for b, want := range map[*Benchmark]string{frames: "there is no strace", systemCalls: "there is no strace", instructions: "there is no valgrind"} {
		_, err := b.take(t.Context(), surroundings{self: []string{selfPath()}}, 2)
		var lacks *Unsupported
		if !errors.As(err, &lacks) || !strings.Contains(lacks.Reason, want) {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}

func TestUnits(t *testing.T) {
	if units := Units("ToolCall"); len(units) != 2 || units[0] != "ns/op" {
		t.Errorf("%v", units)
	}
	if units := Units("None"); units != nil {
		t.Errorf("%v", units)
	}
}

// Figures that are no measurement are refused.
func TestCheck(t *testing.T) {
	for want, values := range map[string][]float64{
		"gave 1 figures, must be 2": {1}, "0 MB/s is no measurement": {1, 0}, "-1 ns/op is no measurement": {-1, 1},
		"NaN ns/op is no measurement": {math.NaN(), 1}, "+Inf MB/s is no measurement": {1, math.Inf(1)},
	} {
		if err := payload.check(values); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", values, err)
		}
	}
	if err := payload.check([]float64{1, 2}); err != nil {
		t.Error(err)
	}
}

// benchmark runs one registered workload as a Go benchmark; an operation of it
// is what the registered one is made of.
func benchmark(b *testing.B, which *Benchmark, perSample int) {
	s, err := which.open(b.Context(), surroundings{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.close()
	sums := make([]float64, len(which.Units))
	n := 0
	for b.Loop() {
		values, err := s.sample(b.Context(), perSample)
		if err != nil {
			b.Fatal(err)
		}
		for i, v := range values {
			sums[i] += v
		}
		n++
	}
	for i, unit := range which.Units {
		b.ReportMetric(sums[i]/float64(n), unit)
	}
}

func BenchmarkColdStart(b *testing.B)         { benchmark(b, coldStart, 1) }
func BenchmarkWarmRun(b *testing.B)           { benchmark(b, warmRun, 100) }
func BenchmarkToolCall(b *testing.B)          { benchmark(b, toolCall, 100) }
func BenchmarkPayload1MiB(b *testing.B)       { benchmark(b, payload, 1) }
func BenchmarkOverload(b *testing.B)          { benchmark(b, overload, 100) }
func BenchmarkDeadlineOvershoot(b *testing.B) { benchmark(b, deadline, 1) }
func BenchmarkRecovery(b *testing.B)          { benchmark(b, recovery, 1) }
func BenchmarkMemory(b *testing.B)            { benchmark(b, memory, 1) }
