package gate

import (
	"context"
	"fmt"
	"sort"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns trying an attack that is a program.

const (
	// unboundedPatience is how long an attack without a bound on time may take.
	unboundedPatience = 30 * time.Second
	// extraPatience is how long after its bound an attack is given up.
	extraPatience = 5 * time.Second
	// lateTrials is how often an attack is tried that ends right but late.
	lateTrials = 3
	// evidenceBytes bounds what is kept of a value or a log.
	evidenceBytes = 2000
	// evidenceLogs bounds the log entries that are kept.
	evidenceLogs = 20
)

// attempt is one attempt at an attack.
type attempt struct {
	threats.Observation
	wrong []string
}

// tryGuest tries an attack, each time with the postcondition, and judges it.
func (s *stage) tryGuest(ctx context.Context, a *threats.Attack) (reports.Attack, error) {
	out := (&trial{guest: a}).describe()
	out.Evidence.WithinMS = milliseconds(a.Within)
	for range s.repeat {
		attempts, err := s.punctually(ctx, a)
		if err != nil {
			return out, err
		}
		keepEvidence(&out.Evidence, a, attempts)
		wrong := append(attempts[len(attempts)-1].wrong, lateness(a, attempts)...)
		if len(wrong) > 0 {
			out.Outcome, out.Wrong = reports.AttackViolated, wrong
			return out, nil
		}
	}
	return out, nil
}

// lateness returns what is wrong with the time that the attempts took.
func lateness(a *threats.Attack, attempts []attempt) []string {
	if a.Within == 0 {
		return nil
	}
	median := medianWall(attempts)
	if median <= a.Within {
		return nil
	}
	return []string{fmt.Sprintf("the outcome came after %v (median of %d), must come within %v", median.Round(time.Millisecond), len(attempts), a.Within)}
}

// punctually tries an attack once, and again when it ended right but late. All
// attempts but the last ended right.
func (s *stage) punctually(ctx context.Context, a *threats.Attack) ([]attempt, error) {
	var attempts []attempt
	for {
		one, err := s.once(ctx, a)
		if err != nil {
			return nil, err
		}
		attempts = append(attempts, one)
		late := 0
		for _, o := range attempts {
			if a.Within > 0 && o.Wall > a.Within {
				late++
			}
		}
		onTime := len(attempts) - late
		// Enough is known when the median of lateTrials can no longer change sides.
		if len(one.wrong) > 0 || len(attempts) == lateTrials || late == 0 || onTime > lateTrials/2 || late > lateTrials/2 {
			return attempts, nil
		}
	}
}

// once runs a neighbour that holds a secret, the attack, and the postcondition.
func (s *stage) once(ctx context.Context, a *threats.Attack) (attempt, error) {
	hidden := secret()
	o := attempt{Observation: threats.Observation{Toolbox: new(threats.Toolbox)}}
	if result, wrong := s.neighbour(ctx, hidden); wrong != "" {
		o.Result, o.wrong = result, []string{wrong}
		return o, nil
	}
	patience := unboundedPatience
	if a.Within > 0 {
		patience = a.Within + extraPatience
	}
	watch := watchResident(s.subject.pids, residentInterval)
	start := time.Now()
	result, answered := s.subject.execute(ctx, a.Request(o.Toolbox), patience)
	o.Wall = time.Since(start)
	o.Resident = watch.end()
	if !answered {
		o.Result = &protocol.Result{}
		o.wrong = []string{fmt.Sprintf("no outcome within %v, although the caller gave up after %v", o.Wall.Round(time.Second), patience)}
		return o, s.renew(ctx)
	}
	o.Result = result
	o.wrong = a.Judge(o.Observation)
	if result.Fault != nil && result.Fault.Code() == protocol.CodeCancelled {
		o.wrong = append(o.wrong, fmt.Sprintf("there was no outcome after %v, and the gate cancelled it", patience))
	}
	o.wrong = append(o.wrong, s.surroundings.leaks(a.Program, forbidden(a, hidden), everything(result)...)...)
	for _, leak := range s.surroundings.leaks(a.Program, forbidden(a, hidden), o.Toolbox.Received()) {
		o.wrong = append(o.wrong, "what the caller's tools were given: "+leak)
	}
	ran := o.Toolbox.Total()
	after, err := s.postcondition(ctx, hidden)
	o.wrong = append(o.wrong, after...)
	if late := o.Toolbox.Total() - ran; late > 0 {
		o.wrong = append(o.wrong, fmt.Sprintf("tools of the attack ran %d times after its outcome", late))
	}
	return o, err
}

// forbidden returns the texts that may not come out of this attack.
func forbidden(a *threats.Attack, hidden string) map[string]string {
	texts := map[string]string{hidden: "a secret of another execution"}
	for _, text := range a.Forbid {
		texts[text] = "a forbidden text"
	}
	return texts
}

// neighbour runs an execution that holds a secret in every way a program can:
// as input, as a tool's reply, in globals, strings and buffers. It returns what
// is wrong with it, if anything is: then there is nothing to attack.
func (s *stage) neighbour(ctx context.Context, hidden string) (*protocol.Result, string) {
	result, answered := s.subject.execute(ctx, executor.Request{
		Source: `async (secret) => {
			globalThis.secret = secret;
			globalThis.replied = await tools.secret(secret);
			Object.prototype.secret = [secret, secret + secret];
			globalThis.bytes = Uint8Array.from({length: 4096}, (_, i) => secret.charCodeAt(i % secret.length));
			/(.*)/.exec(secret);
			setTimeout(() => console.log(secret), 0);
			return "held " + bytes.length;
		}`,
		Input: hidden,
		Tools: executor.Tools{"tools": {"secret": func(_ context.Context, args []any) (any, error) { return args, nil }}},
	}, unboundedPatience)
	switch {
	case !answered:
		return &protocol.Result{}, "the harmless execution before the attack did not answer"
	case result.Fault != nil:
		return result, "the harmless execution before the attack failed: " + result.Fault.Error()
	case string(result.Value) != `"held 4096"`:
		return result, "the harmless execution before the attack returned " + cut(string(result.Value))
	}
	return result, ""
}

// keepEvidence adds what was seen to the evidence.
func keepEvidence(e *reports.Evidence, a *threats.Attack, attempts []attempt) {
	for _, o := range attempts {
		e.Attempts++
		e.WallMS = max(e.WallMS, milliseconds(o.Wall))
		keepUsage(e, o.Result)
		e.PeakResident = max(e.PeakResident, o.Resident)
		if a.Within > 0 && o.Wall > a.Within {
			e.Late++
		}
	}
	keepOutcome(e, attempts[len(attempts)-1].Result)
}

// keepUsage adds what an execution cost to the most that was seen.
func keepUsage(e *reports.Evidence, result *protocol.Result) {
	e.CPUMS = max(e.CPUMS, result.Usage.CPUMS)
	e.PeakHeap = max(e.PeakHeap, result.Usage.PeakHeap)
	e.PeakExternal = max(e.PeakExternal, result.Usage.PeakExternal)
}

// keepOutcome keeps how an execution ended: the start of its value or its fault, and
// its first logs.
func keepOutcome(e *reports.Evidence, result *protocol.Result) {
	e.Value, e.Fault, e.Logs = cut(string(result.Value)), nil, nil
	if result.Fault != nil {
		text, err := protocol.EncodeFault(result.Fault)
		if err == nil && len(text) <= evidenceBytes {
			e.Fault = text
		} else {
			e.Value = cut(result.Fault.Error())
		}
	}
	for i, entry := range result.Logs {
		if i == evidenceLogs {
			e.Logs = append(e.Logs, fmt.Sprintf("and %d more entries", len(result.Logs)-i))
			break
		}
		e.Logs = append(e.Logs, cut(string(entry.Level)+": "+entry.Text))
	}
}

func medianWall(attempts []attempt) time.Duration {
	walls := make([]time.Duration, len(attempts))
	for i, o := range attempts {
		walls[i] = o.Wall
	}
	sort.Slice(walls, func(i, j int) bool { return walls[i] < walls[j] })
	return walls[len(walls)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func cut(text string) string {
	if len(text) > evidenceBytes {
		return fmt.Sprintf("%s… (%d bytes)", text[:evidenceBytes], len(text))
	}
	return text
}
