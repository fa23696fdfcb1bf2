package gate

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns controls: which are run, and what their outcomes mean for claims.
// Mutants are built and replayed in mutation_*.go and mutant.go.

// ControlOptions say which controls to run.
type ControlOptions struct {
	Model *threats.Model
	// Root is the module's root, Cache the folder that mutants are kept in.
	Root, Cache string
	// Run selects controls by "claim/control"; nil selects all.
	Run *regexp.Regexp
	// Since, when not empty, is a git revision: only the controls are run that what
	// changed since then may concern, see needed.go.
	Since string
	// Until, when not zero, is when the time is used up: what has not begun to be built
	// alone or replayed then is left out. Controls that the last commit, or what is not
	// committed, may concern come first.
	Until time.Time
	// Fresh replays mutants also where it is known that the same source tripped.
	Fresh bool
	// Seed is handed on to the mutants.
	Seed uint64
	// Parallel is how many mutants are built at once, next to the one that is replayed;
	// 0 means 2. Replays take turns, because programs measure time, but for those of
	// attacks in Go.
	Parallel int
	Progress Progress
}

// ControlOutcomes are what came of controls.
type ControlOutcomes struct {
	// Claims are the outcomes by the id of the claim.
	Claims map[string][]reports.Control
	// LeftOut says what was not run because no change needs it, or for want of time.
	LeftOut []string
}

// controlJob is one control to be run.
type controlJob struct {
	claim   *threats.Claim
	control *threats.Control
	mutant  *mutant
}

// Controls runs the selected controls and returns their outcomes. A control that was
// built and replayed before with the same source, and tripped, is not run again; its
// outcome says so.
func Controls(ctx context.Context, o ControlOptions) (*ControlOutcomes, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("controls need the go command: %w", err)
	}
	jobs := selectControls(o.Model, o.Run)
	if len(jobs) == 0 {
		return nil, fmt.Errorf("no control matches %v", o.Run)
	}
	out := &ControlOutcomes{Claims: map[string][]reports.Control{}}
	if o.Since != "" {
		change, err := changedSince(ctx, o.Root, o.Since)
		if err != nil {
			return nil, fmt.Errorf("--since: %w", err)
		}
		jobs, out.LeftOut = change.needed(jobs)
	} else if !o.Until.IsZero() {
		jobs = changedFirst(ctx, o.Root, jobs)
	}
	w, err := newWorkshop(o.Root, o.Cache)
	if err != nil {
		return nil, err
	}
	if o.Run == nil && o.Since == "" {
		if err := w.prune(); err != nil {
			return nil, err
		}
	}
	byMutant := map[*mutant]*controlJob{}
	var mutants []*mutant
	for _, job := range jobs {
		job.prepare(w)
		byMutant[job.mutant] = job
		mutants = append(mutants, job.mutant)
	}
	o.Progress.Begin("controls", len(jobs))
	run := &mutantRun{w: w, seed: o.Seed, parallel: parallelBuilds(o.Parallel), fresh: o.Fresh, until: o.Until, progress: o.Progress, done: func(m *mutant, took time.Duration) {
		outcome := string(m.outcome)
		if !m.cached.IsZero() {
			outcome += " before"
		}
		o.Progress.Step(Step{Name: m.name, Outcome: outcome, Good: m.outcome == reports.Tripped, Details: nonEmpty(m.reason), Took: took})
	}}
	err = run.run(ctx, mutants)
	o.Progress.End()
	var late []string
	for _, job := range jobs {
		if job.mutant.late {
			late = append(late, job.mutant.name)
			continue
		}
		out.Claims[job.claim.ID] = append(out.Claims[job.claim.ID], job.result())
	}
	if len(late) > 0 {
		out.LeftOut = append(out.LeftOut, fmt.Sprintf("%d of %d controls, for which no time was left: %s", len(late), len(jobs), strings.Join(late, ", ")))
	}
	return out, err
}

// changedFirst puts those controls first that what changed since the commit before the
// last may concern. Where that is not known the order stays.
func changedFirst(ctx context.Context, root string, jobs []*controlJob) []*controlJob {
	change, err := changedSince(ctx, root, "HEAD~1")
	if err != nil {
		return jobs
	}
	first, _ := change.needed(jobs)
	out := slices.Clone(first)
	for _, job := range jobs {
		if !slices.Contains(first, job) {
			out = append(out, job)
		}
	}
	return out
}

// parallelBuilds returns how many builds run at once.
func parallelBuilds(n int) int {
	if n <= 0 {
		return 2
	}
	return n
}

// selectControls returns the controls whose names match, in the order of the model.
func selectControls(m *threats.Model, run *regexp.Regexp) []*controlJob {
	var jobs []*controlJob
	for _, c := range m.Claims {
		for _, control := range c.Controls {
			if run == nil || run.MatchString(c.ID+"/"+control.Name) {
				jobs = append(jobs, &controlJob{claim: c, control: control})
			}
		}
	}
	return jobs
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// prepare makes the control's mutant; one whose edits do not apply is vacuous.
func (j *controlJob) prepare(w *workshop) {
	j.mutant = &mutant{name: j.claim.ID + "/" + j.control.Name}
	for _, name := range j.control.Trips {
		j.mutant.attacks = append(j.mutant.attacks, j.claim.ID+"/"+name)
	}
	var err error
	if j.mutant.mutation, err = w.mutationOf(j.mutant.name, j.control.Edits); err != nil {
		j.mutant.end(reports.ControlVacuous, err.Error())
	}
}

// result returns what the record holds of the control.
func (j *controlJob) result() reports.Control {
	files := make([]string, len(j.control.Edits))
	for i, e := range j.control.Edits {
		files[i] = e.File
	}
	m := j.mutant
	r := reports.Control{
		Name: j.control.Name, File: strings.Join(files, ", "), Place: place(j.control.At), Outcome: m.outcome, Reason: m.reason,
		Combined: m.combined != "", Alone: m.alone, Cached: m.cached, BuildMS: m.buildMS, RunMS: m.runMS,
	}
	if m.outcome == "" {
		r.Outcome, r.Reason = reports.ControlFailed, "the run ended before it was tried"
	}
	for _, id := range m.tripped {
		r.Tripped = append(r.Tripped, strings.TrimPrefix(id, j.claim.ID+"/"))
	}
	return r
}

// applyControls puts the outcomes of controls into the claims: one that is not
// noticed makes its claim vacuous.
func applyControls(claims []reports.Claim, controls map[string][]reports.Control) {
	for i := range claims {
		c := &claims[i]
		c.Controls = controls[c.ID]
		for _, control := range c.Controls {
			if control.Outcome == reports.ControlVacuous && c.Verdict != reports.Violated {
				c.Verdict = reports.Vacuous
				c.Reason = fmt.Sprintf("control %s: %s", control.Name, control.Reason)
				break
			}
		}
	}
}

// ControlledClaims returns the claims whose controls were run, with nothing
// else of them tried.
func ControlledClaims(m *threats.Model, controls map[string][]reports.Control) []reports.Claim {
	var claims []reports.Claim
	for _, c := range m.Claims {
		if controls[c.ID] != nil {
			claims = append(claims, describeClaim(c))
		}
	}
	applyControls(claims, controls)
	return claims
}
