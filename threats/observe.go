package threats

import (
	"fmt"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns the way from an attack to a request, and from what was
// observed to what is wrong with it.

// Request returns the request that the attack is, with the toolbox's tools.
func (a *Attack) Request(b *Toolbox) executor.Request {
	r := executor.Request{
		Source: a.Program, Language: a.Language, Form: a.Form,
		Tools: b.Offer(a.Tools...), Modules: a.Modules, Grants: a.Grants, Limits: a.Limits, WallClock: a.WallClock,
	}
	if len(a.Input) > 0 {
		r.Input = a.Input
	}
	return r
}

// Observation is what was seen of one execution of an attack.
type Observation struct {
	Result *protocol.Result
	// Wall is the time to the result as the caller saw it.
	Wall time.Duration
	// Resident is the child's peak resident memory in bytes, 0 when not known.
	Resident int64
	Toolbox  *Toolbox
}

// Judge returns what is wrong with an observation apart from its lateness;
// nothing is wrong when it is empty.
func (a *Attack) Judge(o Observation) []string {
	wrong := a.Expect.Match(o.Result)
	if a.Calls != nil {
		if what := a.Calls.Match(float64(len(o.Result.Calls)), true); what != "" {
			wrong = append(wrong, "the number of calls in the result "+what)
		}
	}
	for _, name := range sortedKeys(a.Invoked) {
		if what := a.Invoked[name].Match(float64(o.Toolbox.Invoked(name)), true); what != "" {
			wrong = append(wrong, "the number of times that "+name+" ran "+what)
		}
	}
	if a.Logs != nil {
		wrong = append(wrong, a.Logs.Match(o.Result)...)
	}
	wrong = append(wrong, MatchUsage(a.Usage, o.Result)...)
	if a.Resident > 0 && o.Resident > a.Resident {
		wrong = append(wrong, fmt.Sprintf("the child's peak resident memory is %d bytes, must be at most %d", o.Resident, a.Resident))
	}
	return wrong
}
