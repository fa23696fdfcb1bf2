package reports

import (
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/perf/benchfmt"
)

// This file owns the record's measurements as Go benchmark text
// (https://go.dev/design/14313-benchmark-format), which benchstat reads as it is.

// BenchText writes the record's measurements as Go benchmark text, one line for
// each sample of a benchmark with all its units. Only facts that do not change
// between two builds on one machine are configuration, because benchstat
// compares nothing across different configurations; the others are comments.
func BenchText(r *Record, w io.Writer) error {
	if r.Bench == nil {
		return errors.New("the record holds no measurements")
	}
	for _, fact := range [][2]string{
		{"recorded", r.Started.UTC().Format(time.RFC3339)}, {"commit", r.Build.Revision}, {"engine", r.Build.Engine},
		{"kernel", r.Host.Kernel}, {"load", fmt.Sprintf("%.2f", r.Host.Load)}, {"thresholds", r.Bench.Thresholds},
	} {
		if _, err := fmt.Fprintf(w, "# %s %s\n", fact[0], fact[1]); err != nil {
			return err
		}
	}
	writer := benchfmt.NewWriter(w)
	if err := writeUnits(writer, r.Bench); err != nil {
		return err
	}
	var config []benchfmt.Config
	for _, fact := range [][2]string{
		{"goos", r.Host.OS}, {"goarch", r.Host.Arch}, {"pkg", r.Build.Module + "/bench"}, {"cpu", r.Host.CPU},
	} {
		if fact[1] != "" {
			config = append(config, benchfmt.Config{Key: fact[0], Value: []byte(fact[1]), File: true})
		}
	}
	if err := writeSealingText(writer, r.Bench.comparisons(), config, r.Host.CPUs); err != nil {
		return err
	}
	for _, group := range byName(r.Bench.Measurements) {
		for i := range group[0].Samples {
			result := &benchfmt.Result{
				Config: config, Name: benchfmt.Name(fmt.Sprintf("%s-%d", group[0].Name, r.Host.CPUs)), Iters: group[0].Iterations,
			}
			for _, m := range group {
				if i < len(m.Samples) {
					result.Values = append(result.Values, benchfmt.Value{Value: m.Samples[i], Unit: m.Unit})
				}
			}
			if err := writer.Write(result); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeUnits writes which direction of each unit is better.
func writeUnits(w *benchfmt.Writer, bench *Bench) error {
	described := map[string]bool{}
	describe := func(unit, better string) error {
		if described[unit] {
			return nil
		}
		described[unit] = true
		return w.Write(&benchfmt.UnitMetadata{
			UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}, OrigUnit: unit, Value: better,
		})
	}
	for _, m := range bench.Measurements {
		if err := describe(m.Unit, m.Better); err != nil {
			return err
		}
	}
	for _, c := range bench.comparisons() {
		if err := describe(c.Unit, "lower"); err != nil {
			return err
		}
	}
	return nil
}

// byName groups the measurements of the same benchmark, in order of appearance.
func byName(measurements []Measurement) [][]*Measurement {
	var groups [][]*Measurement
	at := map[string]int{}
	for i := range measurements {
		m := &measurements[i]
		where, ok := at[m.Name]
		if !ok {
			where = len(groups)
			at[m.Name] = where
			groups = append(groups, nil)
		}
		groups[where] = append(groups[where], m)
	}
	return groups
}
