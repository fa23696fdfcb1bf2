package reports

import (
	"fmt"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// This file owns the record of comparisons, sealed children against unsealed ones
// (see package bench), its section of the Markdown report and its lines of the
// benchmark text.

// Sealing compares children that are sealed with children that are not.
type Sealing struct {
	// InForce is how many of the sealing Measures the sealed children reached.
	InForce     int          `json:"inForce"`
	Measures    int          `json:"measures"`
	Comparisons []Comparison `json:"comparisons"`
}

// comparisons returns those that were made.
func (b *Bench) comparisons() []Comparison {
	if b.Sealing == nil {
		return nil
	}
	return b.Sealing.Comparisons
}

// Comparison is one workload measured in pairs.
type Comparison struct {
	// Name is the comparison's name, Unit that of its samples, as in Go benchmark
	// text.
	Name       string `json:"name"`
	Unit       string `json:"unit"`
	Iterations int    `json:"iterations"`
	// Sealed and Unsealed are the samples of each pair.
	Sealed   []float64 `json:"sealed"`
	Unsealed []float64 `json:"unsealed"`
	// Ratio is the median over all pairs of sealed to unsealed. With Confidence it
	// is between Low and High.
	Ratio      float64 `json:"ratio"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"`
	// Least and Most are the registered bounds of the ratio.
	Least   float64 `json:"least"`
	Most    float64 `json:"most"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
}

// Interval returns "0.98 to 1.03, at 98.3 %".
func (c *Comparison) Interval() string {
	return fmt.Sprintf("%.3f to %.3f, at %.1f %%", c.Low, c.High, 100*c.Confidence)
}

// Bounds returns what the ratio must be.
func (c *Comparison) Bounds() string {
	if c.Least <= 0 {
		return fmt.Sprintf("at most %.2f", c.Most)
	}
	return fmt.Sprintf("%.2f to %.2f", c.Least, c.Most)
}

// text says what was compared.
func (s *Sealing) text() string {
	return fmt.Sprintf("Children sealed as by default (%d of %d measures in force) against children with no measure, in pairs of new processes that alternate.", s.InForce, s.Measures)
}

func sealingTable(bench *Bench) string {
	if bench == nil || bench.Sealing == nil {
		return ""
	}
	s := bench.Sealing
	var b strings.Builder
	b.WriteString(s.text() + "\n\n| comparison | sealed | unsealed | ratio | interval | must be | pairs | verdict |\n|---|---|---|---|---|---|---|---|\n")
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %.3f | %s | %s | %d | %s |\n", escape(oneLine(c.Name, 80)), escape(median(c.Sealed, c.Unit)), escape(median(c.Unsealed, c.Unit)),
			c.Ratio, c.Interval(), c.Bounds(), min(len(c.Sealed), len(c.Unsealed)), escape(oneLine(withReason(c.Verdict, c.Reason), lineLength)))
	}
	return folded("What sealing costs", b.String())
}

// writeSealingText writes each side as a benchmark of its own, so that benchstat
// compares them within one file: benchstat -col /sealing bench.txt.
func writeSealingText(w *benchfmt.Writer, comparisons []Comparison, config []benchfmt.Config, cpus int) error {
	for i := range comparisons {
		c := &comparisons[i]
		for pair := range min(len(c.Sealed), len(c.Unsealed)) {
			for _, side := range []struct {
				sealing string
				value   float64
			}{{"default", c.Sealed[pair]}, {"off", c.Unsealed[pair]}} {
				err := w.Write(&benchfmt.Result{
					Config: config, Name: benchfmt.Name(fmt.Sprintf("%s/sealing=%s-%d", benchmarkName(c.Name), side.sealing, cpus)), Iters: max(c.Iterations, 1),
					Values: []benchfmt.Value{{Value: side.value, Unit: word(c.Unit)}},
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}
