package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/isogate/isogate/reports"
)

// This file owns having a mutant replay attacks, and judging what it says.

// replayTimeout bounds the replay of one mutant, baselineTimeout that of a combined
// build with no mutation chosen, which tries many attacks.
const (
	replayTimeout   = 5 * time.Minute
	baselineTimeout = 15 * time.Minute
)

// replay has the mutant replay its attacks and judges it. A replay in which no attack
// noticed and one could not be carried out is made once more.
func (m *mutant) replay(ctx context.Context, root string, seed uint64) {
	start := time.Now()
	for attempt := 1; ; attempt++ {
		record, err := replay(ctx, root, m.binary, m.attacks, replayTimeout, "--seed", fmt.Sprint(seed), "--stop-at-first")
		if err != nil {
			m.end(reports.ControlFailed, err.Error())
		} else {
			m.judge(record)
		}
		if m.outcome != reports.ControlFailed || attempt == 2 || ctx.Err() != nil || errors.Is(err, errEndless) {
			break
		}
	}
	m.runMS += time.Since(start).Milliseconds()
}

// judge decides from the mutant's record whether an attack noticed. When none did and
// one could not be carried out, it is not known whether that would have.
func (m *mutant) judge(record *reports.Record) {
	var seen, failed []string
	m.tripped = nil
	for i := range record.Claims {
		for _, a := range record.Claims[i].Attacks {
			id := record.Claims[i].ID + "/" + a.Name
			if !slices.Contains(m.attacks, id) {
				continue
			}
			switch a.Outcome {
			case reports.AttackViolated:
				m.tripped = append(m.tripped, id)
			case reports.AttackFailed:
				failed = append(failed, fmt.Sprintf("%s: %s", a.Name, strings.Join(a.Wrong, "; ")))
			}
			seen = append(seen, fmt.Sprintf("%s %s", a.Name, a.Outcome))
		}
	}
	switch {
	case len(m.tripped) > 0:
		m.end(reports.Tripped, "")
	case len(failed) > 0:
		m.end(reports.ControlFailed, "no attack noticed, and some could not be carried out: "+strings.Join(failed, ", "))
	case len(seen) == 0:
		m.end(reports.ControlFailed, "the mutant tried none of the attacks that ought to notice")
	default:
		m.end(reports.ControlVacuous, "without the protection no attack that ought to notice does: "+strings.Join(seen, ", "))
	}
}

// errEndless indicates that a replay did not come to an end.
var errEndless = errors.New("the mutant did not end")

// replay has a binary try the named attacks, with further flags of gate verify, and
// returns its record.
func replay(ctx context.Context, root, binary string, attacks []string, timeout time.Duration, flags ...string) (*reports.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	quoted := make([]string, len(attacks))
	for i, name := range attacks {
		quoted[i] = regexp.QuoteMeta(name)
	}
	args := append([]string{"verify", "--run", "^(" + strings.Join(quoted, "|") + ")$", "--json", "-", "--source-checks=false"}, flags...)
	mutant := exec.CommandContext(ctx, binary, args...)
	mutant.Dir = root
	// Whatever a mutant leaves running may hold its pipes open.
	mutant.WaitDelay = stopTimeout
	var stdout, stderr bytes.Buffer
	mutant.Stdout, mutant.Stderr = &stdout, &stderr
	err := mutant.Run()
	record := new(reports.Record)
	if ctx.Err() != nil && len(stdout.Bytes()) == 0 {
		return nil, fmt.Errorf("%w within %v: %s", errEndless, timeout, tail(stderr.String()))
	}
	if decodeErr := json.Unmarshal(stdout.Bytes(), record); decodeErr != nil {
		return nil, fmt.Errorf("the mutant gave no record (%v): %s", errors.Join(err, decodeErr), tail(stderr.String()))
	}
	return record, nil
}

// notHeld returns which attacks a build with no mutation chosen does not pass. Those
// prove nothing about its mutations.
func notHeld(record *reports.Record, attacks []string) map[string]bool {
	bad := map[string]bool{}
	for _, id := range attacks {
		bad[id] = true
	}
	for i := range record.Claims {
		for _, a := range record.Claims[i].Attacks {
			if a.Outcome == reports.AttackHeld {
				delete(bad, record.Claims[i].ID+"/"+a.Name)
			}
		}
	}
	return bad
}
