package against

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/isogate/isogate/bench"
)

// This file owns taking samples in rounds.

// The sides. again is the new side in another process.
const (
	before = iota
	now
	again
	sides
)

// orders are the orders in which the sides take turns, round by round. In two rounds
// one after the other each of the two sides is first once, and in six everyone has had
// every place twice.
var orders = [][]int{{before, now, again}, {now, before, again}, {again, before, now}, {again, now, before}, {before, again, now}, {now, again, before}}

// workload is one benchmark while it is sampled.
type workload struct {
	registered bench.Registration
	// uncalibrated says that the new side is not sampled again, because the two sides
	// are the same to the byte: they calibrate themselves.
	uncalibrated bool
	// units are those of the values of a sample, for each side.
	units [sides][]string
	// samples are those of each side by unit, round by round.
	samples [sides]map[string][]float64
	// stopped says why it is sampled no more, nil while it is. lacking are the sides for
	// whose sake.
	stopped error
	lacking []int
	// again says of each sample that had to be taken again why.
	again []string
	// untimed says that the time did not suffice for another round.
	untimed bool
	// longest is how long a round of it took at most.
	longest time.Duration
}

// counted reports whether every figure of the benchmark is counted. Then few rounds
// suffice, and there is no noise to calibrate.
func (w *workload) counted() bool {
	for _, threshold := range w.registered.Units {
		if !threshold.Exact {
			return false
		}
	}
	return true
}

// turns returns which sides take a sample in a round, in order.
func (w *workload) turns(round int) []int {
	order := slices.Clone(orders[round%len(orders)])
	if w.uncalibrated || w.counted() {
		order = slices.DeleteFunc(order, func(side int) bool { return side == again })
	}
	return order
}

// rounds is how many rounds it was sampled.
func (w *workload) rounds() int {
	for _, samples := range w.samples[now] {
		return len(samples)
	}
	return 0
}

// sampling takes the samples.
type sampling struct {
	// binaries are the samplers of the sides, with args before their own.
	binaries  [sides]string
	args      [sides][]string
	workloads []*workload
	// identical says that the sides are the same to the byte.
	identical bool
	// deadline is when no more samples are begun, zero for never.
	deadline time.Time
}

// prepare asks both sides which benchmarks they have, and takes a round that does not
// count of each that is timed: whatever the machine does the first time is done then.
func (s *sampling) prepare(ctx context.Context, registered []bench.Registration, step func()) error {
	running, err := s.start(ctx)
	if err != nil {
		return err
	}
	defer func() { running.close() }()
	var listed [sides][]bench.Listed
	for side, sampler := range running.samplers {
		if listed[side], err = sampler.List(ctx); err != nil {
			return fmt.Errorf("%s: %w", sideNames[side], err)
		}
	}
	for _, r := range registered {
		w := &workload{registered: r, uncalibrated: s.identical}
		s.workloads = append(s.workloads, w)
		for side := range sides {
			w.samples[side] = map[string][]float64{}
			i := slices.IndexFunc(listed[side], func(l bench.Listed) bool { return l.Name == r.Name })
			if i < 0 {
				w.stop(fmt.Errorf("%s has no such benchmark", sideNames[side]), side)
				continue
			}
			w.units[side] = listed[side][i].Units
		}
	}
	for _, w := range s.workloads {
		if w.stopped == nil && !w.counted() {
			if err := s.round(ctx, running, w, 0, false); err != nil {
				return err
			}
		}
		step()
	}
	return nil
}

// sideNames are the sides in errors.
var sideNames = [sides]string{before: "the reference", now: "this state", again: "this state"}

// stop ends the sampling of a benchmark for the sake of a side.
func (w *workload) stop(why error, side int) {
	if w.stopped == nil {
		w.stopped = why
	}
	if !slices.Contains(w.lacking, side) {
		w.lacking = append(w.lacking, side)
	}
}

// take takes a round of each of the benchmarks, with new processes. step is called
// after each.
func (s *sampling) take(ctx context.Context, workloads []*workload, step func()) error {
	running, err := s.start(ctx)
	if err != nil {
		return err
	}
	defer func() { running.close() }()
	for _, w := range workloads {
		switch {
		case w.stopped != nil:
		case !s.deadline.IsZero() && time.Now().Add(w.longest).After(s.deadline):
			w.untimed = true
		default:
			if err := s.round(ctx, running, w, w.rounds(), true); err != nil {
				return err
			}
		}
		step()
	}
	return nil
}

// round takes one sample of each side. What a benchmark cannot do stops that
// benchmark; the error is that of ctx, or that a sampler cannot be started.
func (s *sampling) round(ctx context.Context, r *running, w *workload, round int, counts bool) error {
	began := time.Now()
	var values [sides][]float64
	for _, side := range w.turns(round) {
		var err error
		if values[side], err = s.sample(ctx, r, w, side); err != nil {
			return err
		}
	}
	w.longest = max(w.longest, time.Since(began))
	if w.stopped != nil || !counts {
		return nil
	}
	for _, side := range w.turns(round) {
		for i, unit := range w.units[side] {
			w.samples[side][unit] = append(w.samples[side][unit], values[side][i])
		}
	}
	return nil
}

// attempts is how often a sample is tried. A sample that fails now and then is told; a
// benchmark that fails each time cannot be carried out.
const attempts = 3

// sample takes one sample of a side, nil when the benchmark is stopped because of it.
func (s *sampling) sample(ctx context.Context, r *running, w *workload, side int) ([]float64, error) {
	for attempt := 1; ; attempt++ {
		taken, err := r.samplers[side].Take(ctx, w.registered.Name, w.registered.Iterations)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err == nil && len(taken) != len(w.units[side]) {
			err = fmt.Errorf("%s: the sampler gave %d figures of %d", w.registered.Name, len(taken), len(w.units[side]))
		}
		if err == nil {
			return taken, nil
		}
		// The sampler may be gone, and whatever comes next needs one.
		if err := s.restart(ctx, r, side); err != nil {
			return nil, err
		}
		if unsupported(err) || attempt == attempts {
			w.stop(err, side)
			return nil, nil
		}
		w.again = append(w.again, fmt.Sprintf("%s: %v", sideNames[side], err))
	}
}

// running is the processes of a round.
type running struct {
	samplers [sides]*bench.Sampler
}

// start starts a sampler of each side.
func (s *sampling) start(ctx context.Context) (*running, error) {
	r := &running{}
	for side := range sides {
		if err := s.restart(ctx, r, side); err != nil {
			r.close()
			return nil, err
		}
	}
	return r, nil
}

// restart puts a new process in the place of a side's, if there is one.
func (s *sampling) restart(ctx context.Context, r *running, side int) error {
	if r.samplers[side] != nil {
		_ = r.samplers[side].Close() // it has said what is wrong with it
		r.samplers[side] = nil
	}
	sampler, err := bench.StartSampler(ctx, s.binaries[side], s.args[side]...)
	if err != nil {
		return fmt.Errorf("%s: %w", sideNames[side], err)
	}
	r.samplers[side] = sampler
	return nil
}

// close ends the processes. How they end has no bearing on the samples that they gave.
func (r *running) close() {
	for _, sampler := range r.samplers {
		if sampler != nil {
			_ = sampler.Close()
		}
	}
}

// unsupported reports whether the error says that the machine lacks something.
func unsupported(err error) bool {
	var lacks *bench.Unsupported
	return errors.As(err, &lacks)
}
