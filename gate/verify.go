package gate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
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
	// StopAtFirst ends at the first attack that does not end safely.
	StopAtFirst bool
	Progress    Progress
}

// trial is one attack to be tried.
type trial struct {
	claim  *threats.Claim
	guest  *threats.Attack // nil for an attack in Go
	native native.Attack
}

func (t *trial) id() string {
	if t.guest != nil {
		return t.guest.ID
	}
	return t.claim.ID + "/" + t.native.Name
}

// Verify tries the selected attacks and returns the claims they belong to. The
// error says that verifying itself could not be done.
func Verify(ctx context.Context, o VerifyOptions) ([]reports.Claim, error) {
	trials, err := selectTrials(o.Model, o.Run)
	if err != nil {
		return nil, err
	}
	rand.New(rand.NewPCG(o.Seed, 0)).Shuffle(len(trials), func(i, j int) { trials[i], trials[j] = trials[j], trials[i] })
	s, err := newStage(ctx, max(o.Repeat, 1))
	if err != nil {
		return nil, err
	}
	defer s.close()
	outcomes := map[string]map[string]reports.Attack{}
	o.Progress.Begin("verify", len(trials))
	for _, t := range trials {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := time.Now()
		attack, err := s.try(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.id(), err)
		}
		if outcomes[t.claim.ID] == nil {
			outcomes[t.claim.ID] = map[string]reports.Attack{}
		}
		outcomes[t.claim.ID][attack.Name] = attack
		o.Progress.Step(Step{Name: t.id(), Outcome: string(attack.Outcome), Good: attack.Outcome == reports.AttackHeld || attack.Outcome == reports.AttackUnsupported,
			Details: attack.Wrong, Took: time.Since(start)})
		if o.StopAtFirst && attack.Outcome == reports.AttackViolated {
			break
		}
	}
	o.Progress.End()
	var claims []reports.Claim
	for _, c := range o.Model.Claims {
		if outcomes[c.ID] != nil {
			claims = append(claims, judgeClaim(c, outcomes[c.ID]))
		}
	}
	return claims, nil
}

// selectTrials returns the attacks that the expression selects.
func selectTrials(m *threats.Model, run *regexp.Regexp) ([]trial, error) {
	var trials []trial
	for _, c := range m.Claims {
		for _, a := range c.Attacks {
			trials = append(trials, trial{claim: c, guest: a})
		}
		for _, n := range c.Native {
			a, ok := native.Find(n.Name)
			if !ok {
				return nil, fmt.Errorf("%s: there is no attack in Go named %q", c.ID, n.Name)
			}
			trials = append(trials, trial{claim: c, native: a})
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

// stage is what all attacks of one run share.
type stage struct {
	target       *target
	surroundings *surroundings
	binary       string
	repeat       int
}

func newStage(ctx context.Context, repeat int) (*stage, error) {
	s := &stage{repeat: repeat}
	var err error
	if s.binary, err = os.Executable(); err != nil {
		return nil, err
	}
	if err := adoptOrphans(); err != nil {
		return nil, err
	}
	// The canary must be in the environment before any child is started.
	if s.surroundings, err = newSurroundings(); err != nil {
		return nil, err
	}
	s.target, err = newTarget(ctx)
	return s, err
}

func (s *stage) close() {
	if s.target != nil {
		// An executor that does not close was found violated when it did not answer.
		_ = s.target.close()
		killStrays(func() map[int]bool { return nil })
	}
}

// renew replaces an executor that does not answer any more.
func (s *stage) renew(ctx context.Context) error {
	s.close()
	var err error
	s.target, err = newTarget(ctx)
	return err
}

// try tries one attack as often as it is to be repeated.
func (s *stage) try(ctx context.Context, t trial) (reports.Attack, error) {
	if t.guest != nil {
		return s.tryGuest(ctx, t.guest)
	}
	return s.tryNative(ctx, t.native)
}
