package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/isogate/isogate/gate/mutation"
	"github.com/isogate/isogate/gate/sweep"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns the sweep: every marked protection is mutated mechanically, and the
// attacks of its claims are tried on each mutation.

// SweepOptions say what to sweep.
type SweepOptions struct {
	Model *threats.Model
	// Root is the module's root, Cache the folder that mutants are kept in.
	Root, Cache string
	// Run selects mutations by "claim/file:line/mutation"; nil selects all.
	Run *regexp.Regexp
	// Fresh, Seed and Parallel are those of [ControlOptions].
	Fresh    bool
	Seed     uint64
	Parallel int
	Progress Progress
}

// FindMarks returns the marked protections of the source and their mutations. The
// error joins every mistake in a mark.
func FindMarks(m *threats.Model, root string) ([]*sweep.Mark, []*sweep.Mutant, error) {
	marks, mutants, errs := sweep.Find(os.DirFS(root), func(id string) bool { return m.Claim(id) != nil })
	return marks, mutants, errors.Join(errs...)
}

// Sweep runs the selected mutations. The error says that something could not be done,
// mistakes in marks among it; survivors are in the outcome.
func Sweep(ctx context.Context, o SweepOptions) (*reports.Sweep, error) {
	marks, found, err := FindMarks(o.Model, o.Root)
	if err != nil {
		return nil, err
	}
	w, err := newWorkshop(o.Root, o.Cache)
	if err != nil {
		return nil, err
	}
	out := &reports.Sweep{Marks: len(marks), Mutations: len(found)}
	var mutants []*mutant
	of := map[*mutant]*sweep.Mutant{}
	for _, one := range found {
		m := sweepMutant(o.Model, one)
		if o.Run != nil && !o.Run.MatchString(m.name) {
			continue
		}
		mutants = append(mutants, m)
		of[m] = one
	}
	if len(mutants) == 0 {
		return nil, fmt.Errorf("no mutation of a marked protection matches %v", o.Run)
	}
	o.Progress.Begin("sweep", len(mutants))
	run := &mutantRun{w: w, seed: o.Seed, parallel: parallelBuilds(o.Parallel), fresh: o.Fresh, progress: o.Progress, done: func(m *mutant, took time.Duration) {
		r := swept(m, of[m])
		var details []string
		if r.Outcome != reports.SweepKilled {
			details = nonEmpty(r.What + ": " + r.Reason)
		}
		o.Progress.Step(Step{Name: m.name, Outcome: string(r.Outcome), Good: r.Outcome == reports.SweepKilled || r.Outcome == reports.SweepEquivalent, Details: details, Took: took})
	}}
	err = run.run(ctx, mutants)
	o.Progress.End()
	for _, m := range mutants {
		out.Mutants = append(out.Mutants, swept(m, of[m]))
	}
	return out, err
}

// sweepMutant returns the mutant that all attacks of its claims are tried on.
func sweepMutant(model *threats.Model, one *sweep.Mutant) *mutant {
	name := fmt.Sprintf("%s:%d/%s", one.Mark.File, one.Mark.Target, one.Name)
	m := &mutant{name: one.Mark.Claims[0] + "/" + name, mutation: mutation.Mutation{Name: name, Files: map[string][]byte{one.Mark.File: one.Text}}}
	for _, claim := range one.Mark.Claims {
		for _, attack := range model.Claim(claim).AttackNames() {
			m.attacks = append(m.attacks, claim+"/"+attack)
		}
	}
	return m
}

// swept returns what the record holds of a mutation.
func swept(m *mutant, one *sweep.Mutant) reports.SweepMutant {
	r := reports.SweepMutant{
		File: one.Mark.File, Line: one.Mark.Target, Mutation: one.Name, What: one.What, Claims: one.Mark.Claims,
		KilledBy: m.tripped, Reason: m.reason, RunMS: m.runMS,
	}
	switch m.outcome {
	case reports.Tripped:
		r.Outcome = reports.SweepKilled
	case reports.ControlVacuous:
		r.Outcome = reports.SweepSurvived
		if why := one.Mark.Equivalent[one.Name]; why != "" {
			r.Outcome, r.Reason = reports.SweepEquivalent, why
		}
	default:
		r.Outcome = reports.SweepBroken
	}
	return r
}
