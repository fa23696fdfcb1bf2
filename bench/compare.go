package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
)

// This file owns the comparisons: the same work on two pools that differ in their
// sealing only, measured alternately on the same machine in the same minute.

// Comparison is one figure of a child's life, taken of children that are sealed as
// by default and of children with no measure in force.
type Comparison struct {
	Name, Unit string
	// take takes the figure from n operations, in a child that has served a few.
	// Without it the figure is the start of the child itself.
	take func(w *workload, ctx context.Context, n int) ([]float64, error)
}

// Comparisons lists every comparison, in the order in which a child's life has them.
var Comparisons = []*Comparison{
	{Name: "SealedStart", Unit: "ns/op"},
	{Name: "SealedWarmRun", Unit: "ns/op", take: (*workload).warm},
	{Name: "SealedToolCall", Unit: "ns/op", take: (*workload).toolCalls},
}

// Paired is what a comparison has measured.
type Paired struct {
	Name, Unit string
	Registered Pairing
	// Sealed and Unsealed are the two samples of each pair, in the unit.
	Sealed, Unsealed []float64
}

// Ratios returns for each pair how much the sealed sample is of the unsealed one.
func (p *Paired) Ratios() []float64 {
	ratios := make([]float64, len(p.Sealed))
	for i := range ratios {
		ratios[i] = p.Sealed[i] / p.Unsealed[i]
	}
	return ratios
}

// Compared is what all comparisons have measured.
type Compared struct {
	Pairs []*Paired
	// InForce is how many of the Measures there are the sealed children reached.
	InForce, Measures int
}

// CompareOptions say how comparisons are made.
type CompareOptions struct {
	// Only, when not nil, says which comparisons to make.
	Only func(name string) bool
	// Decided, when not nil, is asked after the first pairs, and again whenever
	// their number has doubled, whether they suffice. See [Sealing.Looks].
	Decided func(*Compared) bool
	// Progress, when not nil, is told of every pair taken.
	Progress func(pair, of int)
}

// side is one of the two pools.
type side struct{ *workload }

// Compare makes the comparisons. It returns nil when none is selected.
//
// Each pair is taken from two new children, because two processes differ from each
// other in more than their sealing: where their memory lies, which processor they
// were started on. Within the life of one child that is no noise, and no number of
// samples would average it away.
func Compare(ctx context.Context, t *Thresholds, o CompareOptions) (c *Compared, err error) {
	c = &Compared{Measures: len(child.Measures())}
	for _, r := range t.Sealing.Comparisons {
		if o.Only == nil || o.Only(r.Name) {
			c.Pairs = append(c.Pairs, &Paired{Name: r.Name, Unit: findComparison(r.Name).Unit, Registered: r})
		}
	}
	if len(c.Pairs) == 0 {
		return nil, nil
	}
	var sides [2]side
	for i, sealing := range []map[string]child.Level{nil, child.Levels(child.Off)} {
		w, err := begin(ctx, pool.Config{Size: 1, MaxUses: 1 << 20, Sealing: sealing}, nil)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, w.close()) }()
		sides[i] = side{w}
	}
	if n := sides[1].sealed(); n > 0 {
		return nil, fmt.Errorf("%d measures are in force in the child that is to have none", n)
	}
	if c.InForce = sides[0].sealed(); c.InForce == 0 {
		return nil, errors.New("no measure is in force in the child that is to be sealed: there is nothing to compare")
	}
	taken := 0
	for _, look := range t.Sealing.Looks() {
		for taken < look {
			if err := c.pair(ctx, sides, taken); err != nil {
				return nil, fmt.Errorf("pair %d: %w", taken+1, err)
			}
			taken++
			if o.Progress != nil {
				o.Progress(taken, look)
			}
		}
		if o.Decided == nil || o.Decided(c) {
			break
		}
	}
	return c, nil
}

// pair takes one more pair of each figure. Who is first alternates, because the
// second may find caches warm or a processor slower.
func (c *Compared) pair(ctx context.Context, sides [2]side, taken int) error {
	order := []int{0, 1}
	if taken%2 == 1 {
		slices.Reverse(order)
	}
	var lives [2][]float64
	for _, i := range order {
		figures, err := sides[i].life(ctx, c.Pairs)
		if err != nil {
			return err
		}
		lives[i] = figures
	}
	for i, p := range c.Pairs {
		p.Sealed, p.Unsealed = append(p.Sealed, lives[0][i]), append(p.Unsealed, lives[1][i])
	}
	return nil
}

// settlingRuns are executions of a new child that belong to no figure.
const settlingRuns = 3

// life starts a new child and takes the figures of it.
func (s side) life(ctx context.Context, pairs []*Paired) ([]float64, error) {
	start, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	for range settlingRuns {
		if err := s.run(ctx); err != nil {
			return nil, err
		}
	}
	var figures []float64
	for _, p := range pairs {
		value := float64(start.Nanoseconds())
		if take := findComparison(p.Name).take; take != nil {
			values, err := take(s.workload, ctx, p.Registered.Iterations)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			value = values[0]
		}
		if math.IsNaN(value) || math.IsInf(value, 0) || value <= 0 {
			return nil, fmt.Errorf("%s: %v %s is no measurement", p.Name, value, p.Unit)
		}
		figures = append(figures, value)
	}
	return figures, nil
}

// findComparison returns the comparison with that name, or nil.
func findComparison(name string) *Comparison {
	for _, c := range Comparisons {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// sealed returns how many measures are in force in the children.
func (s side) sealed() int {
	n := 0
	for _, state := range s.executor.Stats().Sealing {
		if state.InForce {
			n++
		}
	}
	return n
}
