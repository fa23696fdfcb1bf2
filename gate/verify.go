package gate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns verify: which attacks run, in which order, and what becomes of
// their outcomes.

// VerifyOptions say what to verify.
type VerifyOptions struct {
	Model *threats.Model
	// Run selects attacks by "claim/attack"; nil selects all.
	Run *regexp.Regexp
	// Seed fixes the order of the attacks.
	Seed uint64
	// Repeat is how often each attack is tried; 0 means once.
	Repeat int
	// Target is what is attacked; the zero value means [DefaultTarget].
	Target TargetKind
	// Parallel is how many attacks that are programs run at a time, see [Verify]; 0
	// means 1, which weakens no check.
	Parallel int
	// StopAtFirst ends at the first attack that does not end safely.
	StopAtFirst bool
	Progress    Progress
}

// trial is one attack to be tried.
type trial struct {
	claim  *threats.Claim
	guest  *threats.Attack // nil for an attack in Go
	native native.Attack
	// targets restricts an attack in Go; one in a file knows its own.
	targets *threats.NativeName
}

func (t *trial) id() string { return t.claim.ID + "/" + t.name() }

func (t *trial) name() string {
	if t.guest != nil {
		return t.guest.Name
	}
	return t.native.Name
}

// describe returns the record of the attack before it is tried.
func (t *trial) describe() reports.Attack {
	if a := t.guest; a != nil {
		return reports.Attack{Name: a.Name, Title: a.Title, Source: a.Source, Canary: a.Canary, Outcome: reports.AttackHeld}
	}
	a := t.native
	return reports.Attack{Name: a.Name, Title: a.Title, Source: a.Source, Canary: a.Canary, Outcome: reports.AttackHeld}
}

// unsuited returns why the attack cannot be tried on the target, or "".
func (t *trial) unsuited(kind TargetKind, target Target) string {
	switch {
	case !t.claim.Applies(kind.Name):
		return "the claim is not made for the target " + kind.Name + ", only for " + targetList(t.claim.Targets)
	case t.guest != nil && !t.guest.Applies(kind.Name):
		return "the attack is not for the target " + kind.Name + ", only for " + targetList(t.guest.Targets)
	case t.guest != nil:
		if lacks := target.Lacks(t.guest.Request(new(threats.Toolbox))); lacks != "" {
			return "the target " + kind.Name + " cannot be given it: " + lacks
		}
	case !t.targets.Applies(kind.Name):
		return "the attack is not for the target " + kind.Name + ", only for " + targetList(t.targets.Targets)
	case kind.Profile == "":
		return "attacks in Go drive package executor from inside; the target " + kind.Name + " is another"
	}
	return ""
}

func targetList(targets []threats.TargetName) string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

// Verify tries the selected attacks and returns the claims they belong to, attacks
// and claims in the order of the data whatever ran first. The error says that
// verifying itself could not be done.
//
// With Parallel above 1 that many attacks that are programs run side by side, each on
// a target of its own. What they leave behind is found as before, but can be laid at
// the door of an attack that ran beside the one that left it, and what is left in
// this process (see rest) is looked for only when all have ended. Attacks in Go count
// processes and measure the machine, so they run alone, afterwards.
func Verify(ctx context.Context, o VerifyOptions) ([]reports.Claim, error) {
	trials, err := selectTrials(o.Model, o.Run)
	if err != nil {
		return nil, err
	}
	if o.Target.Start == nil {
		if o.Target, err = FindTarget(DefaultTarget); err != nil {
			return nil, err
		}
	}
	rand.New(rand.NewPCG(o.Seed, 0)).Shuffle(len(trials), func(i, j int) { trials[i], trials[j] = trials[j], trials[i] })
	run, err := newVerifying(o)
	if err != nil {
		return nil, err
	}
	o.Progress.Begin("verify", len(trials))
	if o.Parallel > 1 {
		var programs []trial
		for _, t := range trials {
			if t.guest != nil {
				programs = append(programs, t)
			}
		}
		trials = slices.DeleteFunc(trials, func(t trial) bool { return t.guest != nil })
		err = run.sideBySide(ctx, programs, o.Parallel)
	}
	if err == nil {
		err = run.inTurn(ctx, trials)
	}
	if err != nil {
		return nil, err
	}
	o.Progress.End()
	var claims []reports.Claim
	for _, c := range o.Model.Claims {
		if run.outcomes[c.ID] != nil {
			claims = append(claims, judgeClaim(c, run.outcomes[c.ID]))
		}
	}
	return claims, nil
}

// verifying is one run of Verify.
type verifying struct {
	VerifyOptions
	scene *scene

	mu       sync.Mutex
	outcomes map[string]map[string]reports.Attack // guarded by mu; by claim and name
	stopped  bool                                 // guarded by mu
}

func newVerifying(o VerifyOptions) (*verifying, error) {
	s, err := newScene()
	return &verifying{VerifyOptions: o, scene: s, outcomes: map[string]map[string]reports.Attack{}}, err
}

// sideBySide tries the attacks on so many targets at a time.
func (v *verifying) sideBySide(ctx context.Context, trials []trial, parallel int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan trial, len(trials))
	for _, t := range trials {
		next <- t
	}
	close(next)
	if parallel = min(parallel, len(trials)); parallel == 0 {
		return nil
	}
	before := restNow()
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			if err := v.from(ctx, next, false); err != nil {
				cancel(err)
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if left := before.left(); len(left) > 0 && !v.isStopped() {
		return fmt.Errorf("after %d attacks, %d side by side: %s", len(trials), parallel, strings.Join(left, "; "))
	}
	return nil
}

// inTurn tries the attacks one after the other on one target.
func (v *verifying) inTurn(ctx context.Context, trials []trial) error {
	if len(trials) == 0 {
		return nil
	}
	next := make(chan trial, len(trials))
	for _, t := range trials {
		next <- t
	}
	close(next)
	return v.from(ctx, next, true)
}

// from tries attacks on one target until there are none left. alone says that
// nothing else runs in this process.
func (v *verifying) from(ctx context.Context, trials <-chan trial, alone bool) error {
	s, err := v.scene.open(ctx, v.Target, max(v.Repeat, 1), alone)
	if err != nil {
		return err
	}
	var last *trial
	for t := range trials {
		if v.isStopped() {
			break
		}
		if err := ctx.Err(); err != nil {
			return errors.Join(err, s.close())
		}
		start := time.Now()
		attack, err := s.try(ctx, t)
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", t.id(), err), s.close())
		}
		last = &t
		v.Progress.Step(Step{Name: t.id(), Outcome: string(attack.Outcome), Good: attack.Outcome == reports.AttackHeld || attack.Outcome == reports.AttackUnsupported,
			Details: attack.Wrong, Took: time.Since(start)})
		v.record(t, attack)
	}
	// To close the target is the last that is asked of it, after its last attack. A
	// mutant, which stops at the first, is asked for what its attacks notice alone.
	if err := s.close(); err != nil && last != nil && !v.StopAtFirst {
		v.Progress.Note("after %s: %v", last.id(), err)
		v.blame(*last, "closing the target after this attack, the last: "+err.Error())
	}
	return nil
}

// record keeps the outcome of an attack.
func (v *verifying) record(t trial, attack reports.Attack) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.outcomes[t.claim.ID] == nil {
		v.outcomes[t.claim.ID] = map[string]reports.Attack{}
	}
	v.outcomes[t.claim.ID][attack.Name] = attack
	if v.StopAtFirst && attack.Outcome == reports.AttackViolated {
		v.stopped = true
	}
}

// blame adds to what is wrong with an attack that was tried.
func (v *verifying) blame(t trial, wrong string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	attack := v.outcomes[t.claim.ID][t.name()]
	attack.Outcome, attack.Wrong = reports.AttackViolated, append(attack.Wrong, wrong)
	v.outcomes[t.claim.ID][t.name()] = attack
}

func (v *verifying) isStopped() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.stopped
}

// selectTrials returns the attacks that the expression selects.
func selectTrials(m *threats.Model, run *regexp.Regexp) ([]trial, error) {
	var trials []trial
	for _, c := range m.Claims {
		for _, a := range c.Attacks {
			trials = append(trials, trial{claim: c, guest: a})
		}
		for i, n := range c.Native {
			a, ok := native.Find(n.Name)
			if !ok {
				return nil, fmt.Errorf("%s: there is no attack in Go named %q", c.ID, n.Name)
			}
			trials = append(trials, trial{claim: c, native: a, targets: &c.Native[i]})
		}
	}
	if run != nil {
		var selected []trial
		for _, t := range trials {
			if run.MatchString(t.id()) {
				selected = append(selected, t)
			}
		}
		trials = selected
	}
	if len(trials) == 0 {
		return nil, fmt.Errorf("no attack matches %v", run)
	}
	return trials, nil
}

// judgeClaim puts the outcomes of a claim's attacks together, in the order of
// the data.
func judgeClaim(c *threats.Claim, outcomes map[string]reports.Attack) reports.Claim {
	claim := describeClaim(c)
	claim.Verdict = reports.Held
	places := map[string]threats.Position{}
	for _, a := range c.Attacks {
		places[a.Name] = a.At
	}
	for _, n := range c.Native {
		places[n.Name] = n.At
	}
	wrong, unsupported := "", ""
	for _, name := range c.AttackNames() {
		a, ok := outcomes[name]
		if !ok {
			continue
		}
		a.Place = place(places[name])
		claim.Attacks = append(claim.Attacks, a)
		reason := a.Name
		if len(a.Wrong) > 0 {
			reason += ": " + a.Wrong[0]
		}
		switch a.Outcome {
		case reports.AttackViolated, reports.AttackFailed:
			if wrong == "" {
				wrong = reason
			}
		case reports.AttackUnsupported:
			unsupported = reason
		}
	}
	switch {
	case c.Status == threats.StatusOpen:
		claim.Verdict, claim.Reason = reports.Open, c.Reason
	case wrong != "":
		claim.Verdict, claim.Reason = reports.Violated, wrong
	case unsupported != "":
		claim.Verdict, claim.Reason = reports.Unsupported, unsupported
	}
	return claim
}

// describeClaim returns the record of a claim of which nothing was tried yet.
func describeClaim(c *threats.Claim) reports.Claim {
	claim := reports.Claim{
		ID: c.ID, Title: c.Title, Statement: c.Statement, Boundary: string(c.Boundary), Severity: string(c.Severity), Verdict: reports.NotRun,
		Place: place(c.At),
	}
	for _, o := range c.Owners {
		claim.Owners = append(claim.Owners, o.File)
	}
	return claim
}

// place returns a position in the threat model for the record.
func place(at threats.Position) reports.Place { return reports.Place{File: at.File, Line: at.Line} }
