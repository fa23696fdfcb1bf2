package reports

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

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
		if r.Against != nil {
			return errors.New("the record holds a comparison and no measurements of its own: its two sides are bench-old and bench-new")
		}
		return errors.New("the record holds no measurements")
	}
	if err := writeComments(r, r.Build.Revision, r.Bench.Thresholds, w); err != nil {
		return err
	}
	writer := benchfmt.NewWriter(w)
	series := make([]series, 0, len(r.Bench.Measurements))
	for _, m := range r.Bench.Measurements {
		series = append(series, seriesOf(m.Name, m.Unit, m.Better, m.Exact, m.Iterations, m.Samples))
	}
	units := series
	for _, c := range r.Bench.comparisons() {
		units = append(units, seriesOf(c.Name, c.Unit, "lower", false, c.Iterations, nil))
	}
	if err := writeUnits(writer, units); err != nil {
		return err
	}
	if err := writeSealingText(writer, r.Bench.comparisons(), r.config(), r.Host.CPUs); err != nil {
		return err
	}
	if err := writeSeries(writer, series, r.config(), r.Host.CPUs); err != nil {
		return err
	}
	return writeEnd(w)
}

// BenchTextOld writes the reference's side of a comparison as Go benchmark text.
func BenchTextOld(r *Record, w io.Writer) error {
	return writeSide(r, w, func(c *Change) []float64 { return c.Old }, func(a *Against) string { return a.Revision })
}

// BenchTextNew writes the new side of a comparison as Go benchmark text; benchstat
// compares it with that of [BenchTextOld].
func BenchTextNew(r *Record, w io.Writer) error {
	return writeSide(r, w, func(c *Change) []float64 { return c.New }, func(*Against) string { return r.Build.Revision })
}

func writeSide(r *Record, w io.Writer, side func(*Change) []float64, revision func(*Against) string) error {
	if r.Against == nil || len(r.Against.Changes) == 0 {
		return errors.New("the record holds no comparison of measurements with a reference")
	}
	thresholds := ""
	if r.Bench != nil {
		thresholds = r.Bench.Thresholds
	}
	if err := writeComments(r, revision(r.Against), thresholds, w); err != nil {
		return err
	}
	var series []series
	for i := range r.Against.Changes {
		c := &r.Against.Changes[i]
		series = append(series, seriesOf(c.Name, c.Unit, c.Better, c.Exact, c.Iterations, side(c)))
	}
	writer := benchfmt.NewWriter(w)
	if err := writeUnits(writer, series); err != nil {
		return err
	}
	if err := writeSeries(writer, series, r.config(), r.Host.CPUs); err != nil {
		return err
	}
	return writeEnd(w)
}

func writeComments(r *Record, revision, thresholds string, w io.Writer) error {
	for _, fact := range [][2]string{
		{"recorded", r.Started.UTC().Format(time.RFC3339)}, {"commit", revision}, {"engine", r.Build.Engine},
		{"kernel", r.Host.Kernel}, {"load", fmt.Sprintf("%.2f", r.Host.Load)}, {"thresholds", thresholds},
	} {
		if fact[1] == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "# %s %s\n", fact[0], oneLine(fact[1], lineLength)); err != nil {
			return err
		}
	}
	return nil
}

// config returns the configuration of every line.
func (r *Record) config() []benchfmt.Config {
	var config []benchfmt.Config
	for _, fact := range [][2]string{
		{"goos", r.Host.OS}, {"goarch", r.Host.Arch}, {"pkg", r.Build.Module + "/bench"}, {"cpu", r.Host.CPU},
	} {
		if value := oneLine(fact[1], lineLength); value != "" {
			config = append(config, benchfmt.Config{Key: fact[0], Value: []byte(value), File: true})
		}
	}
	return config
}

// series is the samples of one unit of one benchmark, with names that are words.
type series struct {
	name, unit, better string
	exact              bool
	iterations         int
	samples            []float64
}

func seriesOf(name, unit, better string, exact bool, iterations int, samples []float64) series {
	return series{benchmarkName(name), word(unit), word(better), exact, max(iterations, 1), samples}
}

// word makes a text one word, as the form needs where it separates by spaces.
func word(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '=' {
			return '_'
		}
		return r
	}, oneLine(text, 100))
	if text == "" {
		return "_"
	}
	return text
}

// benchmarkName makes a text a benchmark's name, which begins with no small letter.
func benchmarkName(text string) string {
	text = word(text)
	if first := []rune(text)[0]; unicode.IsLower(first) {
		return "_" + text
	}
	return text
}

// writeUnits writes which direction of each unit is better, and which units are counted.
func writeUnits(w *benchfmt.Writer, all []series) error {
	described := map[string]bool{}
	for _, s := range all {
		if described[s.unit] || s.better != "lower" && s.better != "higher" {
			continue
		}
		described[s.unit] = true
		facts := [][2]string{{"better", s.better}}
		if s.exact {
			facts = append(facts, [2]string{"assume", "exact"})
		}
		for _, fact := range facts {
			err := w.Write(&benchfmt.UnitMetadata{
				UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: s.unit, Key: fact[0]}, OrigUnit: s.unit, Value: fact[1],
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeEnd writes the last line, without which a reader knows that the end is missing.
func writeEnd(w io.Writer) error {
	_, err := fmt.Fprintln(w, "# end")
	return err
}

// writeSeries writes one line for each sample of a benchmark, with all its units.
func writeSeries(w *benchfmt.Writer, all []series, config []benchfmt.Config, cpus int) error {
	for _, group := range byName(all) {
		longest := 0
		for _, s := range group {
			longest = max(longest, len(s.samples))
		}
		for i := range longest {
			result := &benchfmt.Result{
				Config: config, Name: benchfmt.Name(fmt.Sprintf("%s-%d", group[0].name, cpus)), Iters: group[0].iterations,
			}
			for _, s := range group {
				if i < len(s.samples) {
					result.Values = append(result.Values, benchfmt.Value{Value: s.samples[i], Unit: s.unit})
				}
			}
			if err := w.Write(result); err != nil {
				return err
			}
		}
	}
	return nil
}

// byName groups the series of the same benchmark, in order of appearance.
func byName(all []series) [][]*series {
	var groups [][]*series
	at := map[string]int{}
	for i := range all {
		s := &all[i]
		where, ok := at[s.name]
		if !ok {
			where = len(groups)
			at[s.name] = where
			groups = append(groups, nil)
		}
		groups[where] = append(groups[where], s)
	}
	return groups
}
