package protocol

import (
	"encoding/json"
	"fmt"
)

// This file owns what all faults share: the interface, classes, the wire form
// and the list of codes. The fault types themselves are in faults_*.go.

// Code names a kind of fault on the wire.
type Code string

// Class says whose fault a fault is.
type Class string

// The classes of faults.
const (
	ClassProgram  Class = "program"  // the program is wrong; running it again will not help
	ClassLimit    Class = "limit"    // the program passed a bound it was given
	ClassHost     Class = "host"     // the request or the caller is at fault
	ClassExecutor Class = "executor" // the executor is at fault or has no room
)

// Progress says how far an execution had come when it failed. Every fault
// embeds it.
type Progress struct {
	// Started reports whether any of the program's code may have run.
	Started bool `json:"started"`
	// Delivered names the tool calls ("namespace.tool") that reached the
	// caller's tools, in order. Their effects may have happened.
	Delivered []string `json:"delivered,omitempty"`
}

// Reached returns the progress for reading and writing.
func (p *Progress) Reached() *Progress { return p }

// Fault is a typed failure of an execution. Each kind is its own Go type, found
// with errors.As also after it crossed a process or a socket, and composes its
// text from its fields.
type Fault interface {
	error
	// Code returns the kind of fault.
	Code() Code
	// Class says whose fault it is.
	Class() Class
	// Retryable reports whether the same request may succeed if sent again
	// and sending it again repeats no tool call.
	Retryable() bool
	// Reached says whether the program started and which tool calls were delivered.
	Reached() *Progress
}

// newFault makes an empty fault of each code.
var newFault = map[Code]func() Fault{
	CodeInvalidRequest:          func() Fault { return new(InvalidRequest) },
	CodeUnsupportedVersion:      func() Fault { return new(UnsupportedVersion) },
	CodeSyntax:                  func() Fault { return new(Syntax) },
	CodeThrown:                  func() Fault { return new(Thrown) },
	CodeStalled:                 func() Fault { return new(Stalled) },
	CodeUnserializable:          func() Fault { return new(Unserializable) },
	CodeModuleNotFound:          func() Fault { return new(ModuleNotFound) },
	CodeDeadlineExceeded:        func() Fault { return new(DeadlineExceeded) },
	CodeMemoryExceeded:          func() Fault { return new(MemoryExceeded) },
	CodeStackExceeded:           func() Fault { return new(StackExceeded) },
	CodeSourceTooLarge:          func() Fault { return new(SourceTooLarge) },
	CodeResultTooLarge:          func() Fault { return new(ResultTooLarge) },
	CodeArgumentsTooLarge:       func() Fault { return new(ArgumentsTooLarge) },
	CodeReplyTooLarge:           func() Fault { return new(ReplyTooLarge) },
	CodeToolCallsExceeded:       func() Fault { return new(ToolCallsExceeded) },
	CodeConcurrentCallsExceeded: func() Fault { return new(ConcurrentCallsExceeded) },
	CodeOverloaded:              func() Fault { return new(Overloaded) },
	CodeQueueDeadline:           func() Fault { return new(QueueDeadline) },
	CodeWorkerCrashed:           func() Fault { return new(WorkerCrashed) },
	CodeProtocolViolation:       func() Fault { return new(ProtocolViolation) },
	CodeCancelled:               func() Fault { return new(Cancelled) },
	CodeDisconnected:            func() Fault { return new(Disconnected) },
	CodeDraining:                func() Fault { return new(Draining) },
	CodeUnavailable:             func() Fault { return new(Unavailable) },
	CodeUnauthorized:            func() Fault { return new(Unauthorized) },
	CodeQuotaExceeded:           func() Fault { return new(QuotaExceeded) },
}

// Codes returns every code, in the order of the contract's table.
func Codes() []Code {
	return []Code{
		CodeInvalidRequest, CodeUnsupportedVersion, CodeSyntax, CodeThrown, CodeStalled, CodeUnserializable,
		CodeModuleNotFound, CodeDeadlineExceeded, CodeMemoryExceeded, CodeStackExceeded, CodeSourceTooLarge,
		CodeResultTooLarge, CodeArgumentsTooLarge, CodeReplyTooLarge, CodeToolCallsExceeded,
		CodeConcurrentCallsExceeded, CodeOverloaded, CodeQueueDeadline, CodeWorkerCrashed, CodeProtocolViolation,
		CodeCancelled, CodeDisconnected, CodeDraining, CodeUnavailable, CodeUnauthorized, CodeQuotaExceeded,
	}
}

// faultHeader is the part of a fault's wire form that is computed, not stored:
// it tells a host in another language what the methods tell a Go host.
type faultHeader struct {
	Code      Code   `json:"code"`
	Class     Class  `json:"class"`
	Retryable bool   `json:"retryable"`
	Message   string `json:"message"`
}

// EncodeFault returns the wire form of a fault: one JSON object with its code,
// class, retryable, message, started, delivered and its own fields.
func EncodeFault(f Fault) ([]byte, error) {
	head, err := marshal(faultHeader{f.Code(), f.Class(), f.Retryable(), f.Error()})
	if err != nil {
		return nil, err
	}
	body, err := marshal(f)
	if err != nil {
		return nil, err
	}
	// Both are objects; body always holds at least "started".
	out := append(head[:len(head)-1], ',')
	return append(out, body[1:]...), nil
}

// DecodeFault reads a fault's wire form into its Go type. Class, retryable and
// message are recomputed, never believed.
func DecodeFault(text []byte) (Fault, error) {
	var head struct {
		Code Code `json:"code"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("fault: %w", err)
	}
	make, ok := newFault[head.Code]
	if !ok {
		return nil, fmt.Errorf("fault: there is no code %q", head.Code)
	}
	f := make()
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("fault %s: %w", head.Code, err)
	}
	return f, nil
}

// FromChild reports whether a fault of this code may be stated by the process
// that runs the program. Every other kind is decided by the side that
// supervises it, whatever the process says.
func (c Code) FromChild() bool {
	switch c {
	case CodeSyntax, CodeThrown, CodeStalled, CodeUnserializable, CodeModuleNotFound, CodeStackExceeded,
		CodeMemoryExceeded, CodeDeadlineExceeded, CodeResultTooLarge, CodeArgumentsTooLarge, CodeSourceTooLarge,
		CodeReplyTooLarge, CodeToolCallsExceeded, CodeConcurrentCallsExceeded:
		return true
	}
	return false
}
