package against

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/gate/statistics"
	"github.com/isogate/isogate/reports"
)

// This file owns the comparison of figures: how many rounds there are, and what is
// made of the samples.

// looks are the numbers of rounds after which the figures are judged; whatever is
// decided is sampled no more. Counted figures take one round, and where that does not
// say that they are the same countedRounds.
var looks = []int{10, 20, 30}

const countedRounds = 3

// compareFigures samples both sides and judges every figure.
func (c *comparison) compareFigures(ctx context.Context, registered []bench.Registration, oldSampler, newSampler string) error {
	s := &sampling{identical: c.against.Identical, binaries: [sides]string{oldSampler, newSampler, newSampler}}
	if c.Time > 0 {
		s.deadline = time.Now().Add(c.Time)
	}
	return c.sampleAndJudge(ctx, s, registered)
}

// sampleAndJudge takes rounds until every figure is decided, there are enough, or the
// time is up.
func (c *comparison) sampleAndJudge(ctx context.Context, s *sampling, registered []bench.Registration) error {
	done := 0
	step := func() { done++; c.Progress.Count(done) }
	c.Progress.Begin("warm-up", len(registered))
	err := s.prepare(ctx, registered, step)
	c.Progress.End()
	if err != nil {
		return err
	}
	var changes []reports.Change
	for look, upTo := range looks {
		open := openWorkloads(s.workloads, changes, look == 0)
		if len(open) == 0 {
			break
		}
		if look > 0 {
			c.Progress.Note("not decided after %d pairs: %s", looks[look-1], names(open))
		}
		done = 0
		c.Progress.Begin("pairs", roundsLeft(open, look))
		for range upTo {
			due := slices.DeleteFunc(slices.Clone(open), func(w *workload) bool {
				return w.stopped != nil || w.untimed || w.rounds() >= w.most(look)
			})
			if len(due) == 0 {
				break
			}
			if err := s.take(ctx, due, step); err != nil {
				c.Progress.End()
				return err
			}
		}
		c.Progress.End()
		changes = c.judge(s.workloads)
	}
	c.against.Changes = changes
	c.tellMissing(s.workloads)
	return nil
}

// most returns how many rounds the benchmark may have taken at a look.
func (w *workload) most(look int) int {
	switch {
	case !w.counted():
		return looks[look]
	case look == 0:
		return 1
	}
	return countedRounds
}

// roundsLeft is how many rounds the benchmarks are to take, all together.
func roundsLeft(workloads []*workload, look int) int {
	n := 0
	for _, w := range workloads {
		n += max(0, w.most(look)-w.rounds())
	}
	return n
}

// openWorkloads returns the benchmarks that more rounds could decide.
func openWorkloads(workloads []*workload, changes []reports.Change, all bool) []*workload {
	var open []*workload
	for _, w := range workloads {
		if w.stopped != nil || w.untimed || w.counted() && w.rounds() >= countedRounds {
			continue
		}
		undecided := slices.ContainsFunc(changes, func(c reports.Change) bool {
			open := c.Verdict == reports.Unknown || c.Verdict == reports.Unfit || c.Exact && w.counted() && c.Verdict != reports.Same
			return c.Name == w.registered.Name && open
		})
		if all || undecided {
			open = append(open, w)
		}
	}
	return open
}

func names(workloads []*workload) string {
	var text string
	for i, w := range workloads {
		if i > 0 {
			text += ", "
		}
		text += w.registered.Name
	}
	return text
}

// judge returns every figure that both sides gave, with its verdict.
func (c *comparison) judge(workloads []*workload) []reports.Change {
	var changes []reports.Change
	var figures []statistics.Figure
	var of []*workload
	for _, w := range workloads {
		for _, unit := range w.units[now] {
			threshold, registered := w.registered.Units[unit]
			samplesBefore, samplesNow := w.samples[before][unit], w.samples[now][unit]
			if !registered || len(samplesBefore) == 0 {
				continue
			}
			figures = append(figures, statistics.Figure{
				Old: samplesBefore, New: samplesNow, Again: w.samples[again][unit], Tolerance: threshold.Tolerance, Better: threshold.Better, Exact: threshold.Exact,
			})
			changes = append(changes, reports.Change{
				Name: w.registered.Name, Unit: unit, Better: threshold.Better, Exact: threshold.Exact, Iterations: w.registered.Iterations,
				Old: samplesBefore, New: samplesNow, Tolerance: threshold.Tolerance, Outliers: farPairs(samplesBefore, samplesNow),
			})
			of = append(of, w)
		}
	}
	for i, found := range statistics.Judge(figures, len(looks), c.Seed) {
		change, w := &changes[i], of[i]
		change.Ratio, change.P, change.Calibration = found.Ratio, found.P, found.Calibration
		change.Verdict, change.Reason = found.Verdict, found.Reason
		c.explain(change, w)
	}
	return changes
}

// explain puts into a verdict what is known beside the samples.
func (c *comparison) explain(change *reports.Change, w *workload) {
	also := func(text string) {
		if change.Reason != "" {
			change.Reason += "; "
		}
		change.Reason += text
	}
	if c.against.Identical && (change.Verdict == reports.Better || change.Verdict == reports.Worse) {
		change.Verdict = reports.Unfit
		also("yet both sides are the same to the byte, so the difference is the machine's")
	}
	if w.untimed && (change.Verdict == reports.Unknown || change.Verdict == reports.Unfit) {
		also(fmt.Sprintf("there was no time for more within %v", c.Time))
	}
	if n := len(w.again); n > 0 {
		also(fmt.Sprintf("samples were taken again %d times, the last because: %s", n, w.again[n-1]))
	}
}

// farPairs returns the pairs of which either sample lies far from its side's others.
func farPairs(old, new []float64) []int {
	far := append(statistics.Outliers(old), statistics.Outliers(new)...)
	slices.Sort(far)
	return slices.Compact(far)
}

// tellMissing puts into the record which registered figures were not compared. What
// this machine lacks the means for is left out. A benchmark that the new side alone
// cannot carry out any more is worse.
func (c *comparison) tellMissing(workloads []*workload) {
	for _, w := range workloads {
		name := w.registered.Name
		switch {
		case w.stopped != nil && unsupported(w.stopped) && len(w.lacking) == len(w.turns(0)):
			c.record.LeftOut = append(c.record.LeftOut, fmt.Sprintf("%s: %v", name, w.stopped))
			continue
		case w.stopped != nil && !c.against.Identical && !slices.Contains(w.lacking, before) && !unsupported(w.stopped) && w.units[now] != nil:
			c.breakDown(w)
			continue
		case w.stopped != nil:
			c.against.Missing = append(c.against.Missing, fmt.Sprintf("%s: %v", name, w.stopped))
			continue
		case w.rounds() == 0:
			c.against.Missing = append(c.against.Missing, fmt.Sprintf("%s: there was no time for it within %v", name, c.Time))
			continue
		}
		for unit := range w.registered.Units {
			for side := range sides {
				if w.samples[side][unit] == nil && slices.Contains(w.turns(0), side) {
					c.against.Missing = append(c.against.Missing, fmt.Sprintf("%s %s: %s does not give it", name, unit, sideNames[side]))
					break
				}
			}
		}
	}
}

// breakDown makes the figures of a benchmark worse that the new side fails to carry
// out, and the reference does not.
func (c *comparison) breakDown(w *workload) {
	reason := fmt.Sprintf("it can be measured at the reference, and not any more: %v", w.stopped)
	for _, unit := range w.units[now] {
		threshold, registered := w.registered.Units[unit]
		if !registered {
			continue
		}
		i := slices.IndexFunc(c.against.Changes, func(change reports.Change) bool {
			return change.Name == w.registered.Name && change.Unit == unit
		})
		if i < 0 {
			i = len(c.against.Changes)
			c.against.Changes = append(c.against.Changes, reports.Change{
				Name: w.registered.Name, Unit: unit, Better: threshold.Better, Exact: threshold.Exact, Iterations: w.registered.Iterations,
				Tolerance: threshold.Tolerance, Ratio: statistics.PairedRatio(nil, nil, 0, c.Seed), P: 1,
			})
		}
		c.against.Changes[i].Verdict, c.against.Changes[i].Reason = reports.Worse, reason
	}
}
