package threats

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the types of the threat model.

// Boundary names the boundary that a claim is about.
type Boundary string

// The boundaries, from the program outwards.
const (
	BoundaryIsolate Boundary = "isolate"
	BoundaryProcess Boundary = "process"
	BoundaryMessage Boundary = "message"
	BoundaryNetwork Boundary = "network"
	BoundaryAdapter Boundary = "adapter"
)

// Boundaries lists every boundary in the order of reports.
var Boundaries = []Boundary{BoundaryIsolate, BoundaryProcess, BoundaryMessage, BoundaryNetwork, BoundaryAdapter}

// Severity says how much a broken claim costs.
type Severity string

// The severities.
const (
	SeverityCritical Severity = "critical"
	SeverityHigh     Severity = "high"
	SeverityMedium   Severity = "medium"
	SeverityLow      Severity = "low"
)

// Severities lists every severity, the worst first.
var Severities = []Severity{SeverityCritical, SeverityHigh, SeverityMedium, SeverityLow}

// Status says whether a claim is made.
type Status string

// The statuses.
const (
	// StatusClaimed: the claim is made, and a violation fails the gate.
	StatusClaimed Status = "claimed"
	// StatusOpen: a known gap. It is attacked and reported, and never held.
	StatusOpen Status = "open"
)

// Model is the whole threat model: the claims in order of their ids, and what is
// not claimed in the order of its file.
type Model struct {
	Claims    []*Claim
	NonClaims []*NonClaim
}

// Claim returns the claim with the given id, or nil.
func (m *Model) Claim(id string) *Claim {
	for _, c := range m.Claims {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Position is a place in one of the model's files; line and column count from 1.
type Position struct {
	File         string
	Line, Column int
}

// Claim is one statement about containment.
type Claim struct {
	ID, Title, Statement string
	Boundary             Boundary
	Severity             Severity
	Status               Status
	Reason               string
	Owners               []Owner
	Attacks              []*Attack
	Native               []NativeName
	Controls             []*Control
	// Targets are the executors that the claim is made for, by name; none means all.
	Targets []TargetName
	// Draft is where the claim is marked as not finished; zero when it is not.
	Draft Position
	At    Position
}

// Applies reports whether the claim is made for the target of this name.
func (c *Claim) Applies(target string) bool { return applies(c.Targets, target) }

// TargetName names an executor that attacks are tried on.
type TargetName struct {
	Name string
	At   Position
}

func applies(targets []TargetName, name string) bool {
	return len(targets) == 0 || slices.ContainsFunc(targets, func(t TargetName) bool { return t.Name == name })
}

// AttackNames returns the short names of all attacks, guest ones first.
func (c *Claim) AttackNames() []string {
	var names []string
	for _, a := range c.Attacks {
		names = append(names, a.Name)
	}
	for _, n := range c.Native {
		names = append(names, n.Name)
	}
	return names
}

// Owner is a file that enforces a claim, relative to the module's root.
type Owner struct {
	File string
	At   Position
}

// NativeName names an attack written in Go.
type NativeName struct {
	Name string
	// Targets are the executors that the attack is for, by name; none means all.
	Targets []TargetName
	At      Position
}

// Applies reports whether the attack is for the target of this name.
func (n *NativeName) Applies(target string) bool { return applies(n.Targets, target) }

// Control is a mutation of the source that removes exactly one protection. A
// gate built with it must report the claim violated by one of the attacks in
// Trips; otherwise the claim's attacks prove nothing.
type Control struct {
	Name string
	// Edits are applied together: more than one where the same protection is
	// enforced on two sides.
	Edits []Edit
	// Trips are the names of attacks of this claim.
	Trips []string
	At    Position
}

// Edit replaces the one occurrence of Find in File by Replace.
type Edit struct {
	File, Find, Replace string
	At                  Position
}

// Attack is one program with the outcome that is safe.
type Attack struct {
	// ID is "claim/name", Name the file's name without its extension.
	ID, Name string
	Title    string
	// Source is where the idea comes from: a catalogue id, an advisory, "own".
	Source string
	Canary bool

	// The request.
	Program  string
	Language protocol.Language
	Form     protocol.Form
	Input    protocol.Value
	Tools    []ToolName
	Modules  map[string]protocol.Module
	Grants   []protocol.Grant
	Limits   protocol.Limits
	// WallClock says which time counts against the wall clock.
	WallClock protocol.WallClock

	// What must be observed.
	Expect *Expectation
	// Within bounds the time to the result as the caller sees it; 0 is no bound.
	Within time.Duration
	// Calls matches the number of calls in the result, Invoked how often the
	// caller's tools really ran, by "namespace.tool".
	Calls   *Matcher
	Invoked map[string]*Matcher
	Logs    *LogExpectation
	// Usage matches fields of the result's usage, by their name on the wire.
	Usage map[string]*Matcher
	// Resident bounds the peak resident memory of the child, in bytes; 0 is no bound.
	Resident int64
	// Forbid are texts that may stand nowhere in the result.
	Forbid []string

	// Targets are the executors that the attack is for, by name; none means all.
	Targets []TargetName
	// Draft is where the attack is marked as not finished; zero when it is not.
	Draft Position
	At    Position
}

// Applies reports whether the attack is for the target of this name.
func (a *Attack) Applies(target string) bool { return applies(a.Targets, target) }

// ToolName is one tool of the library under the namespace that it is offered in.
type ToolName struct{ Namespace, Name string }

// String returns "namespace.name".
func (t ToolName) String() string { return t.Namespace + "." + t.Name }

// LogExpectation is what the logs of a result must be.
type LogExpectation struct {
	// Count matches the number of entries kept, Dropped those cut.
	Count, Dropped *Matcher
	// Contains are texts each of which stands in some entry.
	Contains []string
	// Exact, when not nil, is every entry as "level: text".
	Exact []string
}

// Expectation is the outcome that is safe. Exactly one of Value, Fault and Any
// is set.
type Expectation struct {
	// Value is the codec text that the result must equal, compared as JSON.
	Value json.RawMessage
	// Fault is the code that the fault must have, Fields match fields of its
	// wire form by name.
	Fault  protocol.Code
	Fields map[string]*Matcher
	// Any is met when one of its members is.
	Any []*Expectation
}
