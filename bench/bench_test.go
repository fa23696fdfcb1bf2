package bench

import (
	"math"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// This file tests the method, and takes the same measurements as ordinary Go
// benchmarks: go test -bench . ./bench

func TestThresholds(t *testing.T) {
	good := string(registered)
	if _, err := Registered(); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, old, new, want string }{
		{"not JSON", "{", "[", "thresholds: "},
		{"another schema", `"schema": 1`, `"schema": 2`, "the schema is 2, this build reads 1"},
		{"an unknown field", `"short": 6`, `"shorter": 6`, `unknown field "shorter"`},
		{"an unknown benchmark", "ColdStart", "HotStart", `there is no benchmark "HotStart"`},
		{"one twice", "ColdStart", "WarmRun", "WarmRun has the units"},
		{"one missing", `    {"name": "Recovery", "samples": 10, "short": 6, "iterations": 3, "units": {"ns/op": {"better": "lower", "tolerance": 0.20}}}` + "\n", "", "thresholds: "},
		{"no samples", `"samples": 10`, `"samples": 0`, "ColdStart: samples, short and iterations must be above zero"},
		{"another unit", `"ns/op"`, `"ms/op"`, `ColdStart: the unit "ns/op" is missing`},
		{"another direction", `"lower"`, `"down"`, `better is "down", must be lower or higher`},
		{"no tolerance", `0.15`, `1.5`, "the tolerance 1.5 is outside 0 to 1"},
		{"an unknown comparison", "SealedStart", "SealedStop", `there is no comparison "SealedStop"`},
		{"a comparison twice", "SealedStart", "SealedWarmRun", "SealedWarmRun is registered twice"},
		{"a comparison is missing", `{"name": "SealedStart", "iterations": 1, "ratio": {"least": 0, "most": 1.25}},`, "", "SealedStart is not registered"},
		{"too few pairs", `"first": 24`, `"first": 9`, "sealing: first must be at least 10"},
		{"fewer pairs than the first", `"most": 80`, `"most": 23`, "sealing: first must be at least 10, and most not below it"},
		{"several starts", `"SealedStart", "iterations": 1`, `"SealedStart", "iterations": 2`, "SealedStart: iterations must be above zero, and 1 of a start"},
		{"bounds without 1", `"most": 1.25`, `"most": 0.9`, "SealedStart: the bounds of the ratio, 0 and 0.9, must have 1 between them"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if !strings.Contains(good, tc.old) {
				t.Fatalf("the thresholds lack %q", tc.old)
			}
			_, err := ReadThresholds([]byte(strings.Replace(good, tc.old, tc.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("the error is %v, must contain %q", err, tc.want)
			}
		})
	}
	a, _ := ReadThresholds([]byte(good))
	b, _ := ReadThresholds([]byte(good + "\n"))
	if a.Digest == b.Digest || !strings.HasPrefix(a.Digest, "sha256:") {
		t.Errorf("digests %s and %s", a.Digest, b.Digest)
	}
}

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

func TestSpread(t *testing.T) {
	tests := []struct {
		samples []float64
		want    float64
		known   bool
	}{
		{[]float64{10, 10, 10, 10, 10, 10}, 0, true},
		{[]float64{10, 12, 10, 12, 10, 12}, 0.2, true},
		{[]float64{12, 10, 12, 10, 12, 10}, 0.2, true},
		{[]float64{10, 20}, 0, false},
	}
	for _, tc := range tests {
		got, known := (&Measurement{Samples: tc.samples}).Spread()
		if math.Abs(got-tc.want) > 1e-9 || known != tc.known {
			t.Errorf("the spread of %v is %v, %v", tc.samples, got, known)
		}
	}
}

// Every registered benchmark runs and yields its figures.
func TestRunAll(t *testing.T) {
	defer goleak.VerifyNone(t)
	thresholds, err := Registered()
	if err != nil {
		t.Fatal(err)
	}
	units := 0
	for i := range thresholds.Benchmarks {
		thresholds.Benchmarks[i].Short, thresholds.Benchmarks[i].Iterations = 2, 2
		units += len(thresholds.Benchmarks[i].Units)
	}
	samples := 0
	measured, err := Run(t.Context(), thresholds, Options{Short: true, Progress: func(string, int, int) { samples++ }})
	if err != nil {
		t.Fatal(err)
	}
	if len(measured) != units || samples != 2*len(Benchmarks) {
		t.Errorf("%d figures and %d samples, must be %d and %d", len(measured), samples, units, 2*len(Benchmarks))
	}
	for _, m := range measured {
		if len(m.Samples) != 2 || m.Samples[0] <= 0 || m.Threshold.Tolerance == 0 {
			t.Errorf("%+v", m)
		}
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

func BenchmarkColdStart(b *testing.B)   { benchmark(b, coldStart, 1) }
func BenchmarkWarmRun(b *testing.B)     { benchmark(b, warmRun, 20) }
func BenchmarkToolCall(b *testing.B)    { benchmark(b, toolCall, 100) }
func BenchmarkPayload1MiB(b *testing.B) { benchmark(b, payload, 1) }
func BenchmarkChildMemory(b *testing.B) { benchmark(b, childMemory, 1) }
func BenchmarkRecovery(b *testing.B)    { benchmark(b, recovery, 1) }
