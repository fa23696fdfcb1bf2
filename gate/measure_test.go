package gate

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isogate/isogate/reports"
)

// This file tests what the record says of measurements that could not be taken.

func TestMissingMeasurementFails(t *testing.T) {
	bench, err := Measure(t.Context(), MeasureOptions{Short: true, Run: regexp.MustCompile("^(Overload|Frames)$"), Sampler: []string{"false"}, Progress: NoProgress()})
	if err == nil || !strings.Contains(err.Error(), "benchmark Overload: Overload: sampler: it") {
		t.Errorf("%v", err)
	}
	if bench == nil || !slices.Equal(bench.Missing, []string{"Overload", "Frames"}) || len(bench.Measurements) > 0 {
		t.Fatalf("%+v", bench)
	}
	record := &reports.Record{Schema: reports.Schema, Bench: bench}
	if failures := record.Failures(); len(failures) != 2 {
		t.Errorf("failures: %q", failures)
	}
}

func TestNoSuchSampler(t *testing.T) {
	bench, err := Measure(t.Context(), MeasureOptions{Short: true, Run: regexp.MustCompile("^Overload$"), Sampler: []string{t.TempDir() + "/none"}, Progress: NoProgress()})
	if err == nil || !strings.Contains(err.Error(), "starting a sampler") || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("%v", err)
	}
	if bench == nil || !slices.Equal(bench.Missing, []string{"Overload"}) {
		t.Errorf("%+v", bench)
	}
}

func TestNothingIsSelected(t *testing.T) {
	bench, err := Measure(t.Context(), MeasureOptions{Run: regexp.MustCompile("^Nothing$"), Progress: NoProgress()})
	if bench != nil || err == nil || err.Error() != "no benchmark matches ^Nothing$" {
		t.Errorf("%v, %v", bench, err)
	}
}
