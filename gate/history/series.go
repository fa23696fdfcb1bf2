package history

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/isogate/isogate/reports"
)

// This file owns a figure over the runs.

// Point is a figure in one run.
type Point struct {
	Started time.Time
	// Revision is the commit, "" when not known; with Modified the source had changes.
	Revision string
	Modified bool
	// Median, Lower and Upper are the quartiles of the samples.
	Lower, Median, Upper float64
	// Unfit says that the machine could not judge the figure then.
	Unfit bool
}

// Label returns "1a2b3c4d" or "1a2b3c4d+" for a commit, the date where there is none.
func (p *Point) Label() string {
	if p.Revision == "" {
		return p.Started.UTC().Format("2006-01-02")
	}
	label := p.Revision[:min(8, len(p.Revision))]
	if p.Modified {
		label += "+"
	}
	return label
}

// Series is a figure over the runs that have it, in their order.
type Series struct {
	Name, Unit string
	// Better is "lower" or "higher".
	Better string
	Points []Point
}

// Metric returns "WarmRun/ns/op".
func (s *Series) Metric() string { return s.Name + "/" + s.Unit }

// Read reads records and folders of records, and returns the series of every figure
// whose [Series.Metric] matches, all for nil, and the number of runs. The error joins
// what could not be read, by name, or says that nothing matches; what could be read is
// returned with it.
func Read(paths []string, metric *regexp.Regexp) (all []*Series, runs int, err error) {
	loaded, err := load(paths)
	index := map[string]*Series{}
	for _, r := range loaded {
		if r.bench == nil {
			continue
		}
		for _, m := range r.bench.Measurements {
			name := m.Name + "/" + m.Unit
			if len(m.Samples) == 0 || metric != nil && !metric.MatchString(name) {
				continue
			}
			s := index[name]
			if s == nil {
				s = &Series{Name: m.Name, Unit: m.Unit, Better: m.Better}
				index[name] = s
				all = append(all, s)
			}
			s.Points = append(s.Points, pointOf(&r, &m))
		}
	}
	if len(all) == 0 && err == nil {
		err = errors.New("no run has any measurement")
		if metric != nil {
			err = fmt.Errorf("no measurement of any run matches %v", metric)
		}
	}
	return all, len(loaded), err
}

func pointOf(r *run, m *reports.Measurement) Point {
	sorted := slices.Clone(m.Samples)
	slices.Sort(sorted)
	quantile := func(p float64) float64 { return stat.Quantile(p, stat.LinInterp, sorted, nil) }
	p := Point{Started: r.started, Revision: r.revision, Modified: r.modified, Unfit: m.Verdict == reports.Unfit}
	p.Lower, p.Median, p.Upper = quantile(0.25), middle(sorted), quantile(0.75)
	p.Lower, p.Upper = min(p.Lower, p.Median), max(p.Upper, p.Median)
	return p
}

// middle returns the median of sorted values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Medians returns the medians of all points.
func (s *Series) Medians() []float64 {
	out := make([]float64, len(s.Points))
	for i, p := range s.Points {
		out[i] = p.Median
	}
	return out
}
