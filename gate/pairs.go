package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/isogate/isogate/bench"
)

// This file owns taking samples from two samplers in turn.

// series is the samples of one benchmark.
type series struct {
	registered bench.Registration
	units      []string
	pairs      int
	// samples are those of the two samplers, first by sampler, then by sample, then
	// by unit.
	samples [2][][]float64
	// unsupported says why the figures cannot be taken on this machine, failure why
	// they were not.
	unsupported *bench.Unsupported
	failure     error
}

func newSeries(r bench.Registration, short bool) *series {
	s := &series{registered: r, units: bench.Units(r.Name), pairs: r.Samples}
	if short {
		s.pairs = r.Short
	}
	return s
}

// open reports whether more samples of the series are of use.
func (s *series) open() bool { return s.failure == nil && s.unsupported == nil }

// turn is one pair of one series.
type turn struct {
	*series
	pair int
}

// turns returns all pairs of the series in the order in which they are taken: round
// by round, so that a slow minute meets all series, and those of few pairs spread
// over the whole time.
func turns(all []*series) []turn {
	rounds := 0
	for _, s := range all {
		rounds = max(rounds, s.pairs)
	}
	var out []turn
	for round := range rounds {
		for _, s := range all {
			// The pairs of the series up to the end of this round, without those before.
			for pair := s.pairs * round / rounds; pair < s.pairs*(round+1)/rounds; pair++ {
				out = append(out, turn{s, pair})
			}
		}
	}
	return out
}

// taker is what takes samples: a [bench.Sampler].
type taker interface {
	Take(ctx context.Context, name string, iterations int) ([]float64, error)
	Close() error
}

// takeAll takes all samples of the series. What goes wrong with one is in its
// failure; the error is about the samplers themselves, or ctx's.
func takeAll(ctx context.Context, all []*series, command []string, p Progress) (err error) {
	todo := turns(all)
	if len(todo) == 0 {
		return nil
	}
	p.Begin("bench", 2*len(todo))
	defer p.End()
	start := func() (taker, error) {
		s, err := bench.StartSampler(ctx, command[0], command[1:]...)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	return takeTurns(ctx, todo, start, p)
}

// takeTurns takes the pairs in order. Who is first alternates, because the second
// may find caches warm or a processor slower. Counts do not depend on time: both
// sides count at once. A sampler that fails a request is replaced.
func takeTurns(ctx context.Context, todo []turn, start func() (taker, error), p Progress) (err error) {
	var samplers [2]taker
	closed := func(i int) error {
		if samplers[i] == nil {
			return nil
		}
		defer func() { samplers[i] = nil }()
		return samplers[i].Close()
	}
	defer func() { err = errors.Join(err, closed(0), closed(1)) }()
	for number, t := range todo {
		order := [2]int{number % 2, 1 - number%2}
		if t.open() && ctx.Err() != nil {
			t.failure = context.Cause(ctx)
		}
		if !t.open() {
			for _, side := range order {
				p.Step(Step{Name: t.name(side), Outcome: "left out", Good: t.failure == nil})
			}
			continue
		}
		for _, side := range order {
			if samplers[side] != nil {
				continue
			}
			started, err := start()
			if err != nil {
				return failAll(todo, fmt.Errorf("starting a sampler: %w", err))
			}
			samplers[side] = started
		}
		var taken [2]sample
		if t.counted() {
			var both sync.WaitGroup
			for _, side := range order {
				both.Go(func() { taken[side] = t.take(ctx, samplers[side]) })
			}
			both.Wait()
		}
		for _, side := range order {
			if !t.counted() && t.open() {
				taken[side] = t.take(ctx, samplers[side])
			}
			t.keep(side, taken[side], p)
			if taken[side].err != nil && t.unsupported == nil {
				_ = closed(side) // how it ends does not matter any more
			}
		}
	}
	return nil
}

// sample is what a sampler gave for one request.
type sample struct {
	values []float64
	took   time.Duration
	err    error
}

// counted reports whether all figures of the series are counts.
func (s *series) counted() bool {
	for _, u := range s.registered.Units {
		if !u.Exact {
			return false
		}
	}
	return len(s.registered.Units) > 0
}

// take takes one sample of the series.
func (s *series) take(ctx context.Context, from taker) sample {
	began := time.Now()
	values, err := from.Take(ctx, s.registered.Name, s.registered.Iterations)
	if err == nil && len(values) != len(s.units) {
		err = fmt.Errorf("the sampler gave %d figures, must be %d", len(values), len(s.units))
	}
	return sample{values, time.Since(began), err}
}

// keep adds a sample to its series, or notes why there is none.
func (t turn) keep(side int, taken sample, p Progress) {
	step := Step{Name: t.name(side), Outcome: "sample", Good: true, Took: taken.took}
	var lacks *bench.Unsupported
	switch {
	case !t.open():
		step.Outcome, step.Good = "left out", t.failure == nil
	case errors.As(taken.err, &lacks):
		t.unsupported = lacks
		step.Outcome, step.Details = "unsupported", []string{lacks.Reason}
	case taken.err != nil:
		t.failure = taken.err
		step.Outcome, step.Good, step.Details = "failed", false, []string{taken.err.Error()}
	default:
		t.samples[side] = append(t.samples[side], taken.values)
	}
	p.Step(step)
}

// failAll gives the series that are not complete a failure, and returns it.
func failAll(todo []turn, failure error) error {
	for _, other := range todo {
		if other.open() && (len(other.samples[0]) < other.pairs || len(other.samples[1]) < other.pairs) {
			other.failure = failure
		}
	}
	return failure
}

// name returns "WarmRun A 3/6".
func (t turn) name(side int) string {
	return fmt.Sprintf("%s %c %d/%d", t.registered.Name, 'A'+rune(side), t.pair+1, t.pairs)
}

// figure returns the samples of one unit from one of the samplers.
func (s *series) figure(side, unit int) []float64 {
	out := make([]float64, len(s.samples[side]))
	for i, values := range s.samples[side] {
		out[i] = values[unit]
	}
	return out
}
