package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns replaying one attack file for a person who reads along.

// Replay tries the attack in the text of a file once on a target of this kind and writes
// what is seen. An attack that is not for the target is an error.
func Replay(ctx context.Context, kind TargetKind, file, claim string, text []byte, w io.Writer) (reports.Attack, error) {
	a, mistakes := threats.ReadAttack(file, claim, text)
	if len(mistakes) > 0 {
		return reports.Attack{}, errors.Join(mistakes...)
	}
	shared, err := newScene()
	if err != nil {
		return reports.Attack{}, err
	}
	s, err := shared.open(ctx, kind, 1, true)
	if err != nil {
		return reports.Attack{}, err
	}
	defer func() { _ = s.close() }() // what the attack did to it is known already
	if why := (&trial{claim: &threats.Claim{ID: claim}, guest: a}).unsuited(kind, s.subject.target); why != "" {
		return reports.Attack{}, fmt.Errorf("%s: %s", file, why)
	}
	attempts, err := s.punctually(ctx, a)
	if err != nil {
		return reports.Attack{}, err
	}
	out := (&trial{guest: a}).describe()
	out.Evidence.WithinMS = milliseconds(a.Within)
	keepEvidence(&out.Evidence, a, attempts)
	last := attempts[len(attempts)-1]
	if out.Wrong = append(last.wrong, lateness(a, attempts)...); len(out.Wrong) > 0 {
		out.Outcome = reports.AttackViolated
	}
	result, err := json.MarshalIndent(last.Result, "  ", "  ")
	if err != nil {
		return out, err
	}
	fmt.Fprintf(w, "%s: %s\n", a.ID, a.Title)
	fmt.Fprintf(w, "result after %.1f ms", out.Evidence.WallMS)
	if a.Within > 0 {
		fmt.Fprintf(w, " (bound %v, %d of %d attempts late)", a.Within, out.Evidence.Late, out.Evidence.Attempts)
	}
	fmt.Fprintf(w, ", peak resident memory %d MiB:\n  %s\n", out.Evidence.PeakResident>>20, cut(string(result)))
	if last.Result.Fault != nil {
		fmt.Fprintf(w, "fault as text:\n  %s\n", cut(last.Result.Fault.Error()))
	}
	for _, wrong := range out.Wrong {
		fmt.Fprintf(w, "wrong: %s\n", wrong)
	}
	_, err = fmt.Fprintf(w, "%s\n", out.Outcome)
	return out, err
}
