// Package threats is the threat model as data: what is claimed about containing
// programs, the attacks that try each claim, the controls that show that the
// attacks can fail, and what is not claimed.
//
// # Claims
//
// Each folder threats/<claim-id> is one claim. Its claim.yaml says:
//
//	id:        the folder's name
//	title:     one line for people
//	statement: what holds, so that it can be wrong
//	boundary:  isolate | process | message | network | adapter
//	severity:  critical | high | medium | low
//	status:    claimed, or open: a known gap, never counted as held
//	reason:    why it is open
//	owners:    files that enforce the claim, relative to the module's root
//	native:    names of attacks written in Go (package gate/native); one that is for
//	           some executors only is written {name: N, targets: [T]}
//	targets:   the executors that the claim is made for, by name; all when left out
//	draft:     true: not finished, which makes the model incomplete
//	controls:  edits of the source that remove one protection, see [Control]
//
// # Attacks
//
// Every .js or .ts file in a claim's folder is one attack. The whole file is
// the program that is sent, so positions in its faults are positions in the
// file. It opens with a comment that holds YAML:
//
//	/*---
//	title: an endless loop ends at the deadline
//	source: T01
//	limits: {wallMs: 300}
//	expect: {fault: deadline_exceeded, kind: wall}
//	within: 1s
//	---*/
//	() => { for (;;) {} }
//
// Required are title, source (the id in a catalogue, an advisory, or "own") and
// expect. An expectation is a value, a fault with its fields, or a list of them
// under any, see [Expectation]. The rest describes the request (form, input,
// tools, modules, grants, limits, wallClock) and further bounds on what is observed
// (within, logs, calls, invoked, usage, resident, forbid); [Attack] has each.
// canary: true marks a harmless program that must work, so that refusing
// everything does not pass for safety. draft: true marks what is not finished.
//
// # Targets
//
// A claim or an attack that is not for every executor says which it is for, in the
// field targets: a claim on memory that is never executable is not made for an
// executor whose engine compiles. On another executor it is reported as
// unsupported, with that reason, and never as held. The names are those of
// gate.Targets; one that does not exist is a mistake.
//
// # What is not claimed
//
// The file non-claims.yaml lists what somebody might expect and does not get, each
// entry with id, title, statement, and mitigation: what an operator can do about it.
//
// Ids of claims and names of attacks and controls are small letters, digits and
// hyphens. Every mistake in the data is an [Error] with file, line and column; all
// are found at once. Of a text that is no YAML the parser tells the line only.
package threats
