package protocol

import (
	"fmt"
	"reflect"
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

// CopyFault returns a fault like f, whose progress can be set without changing f:
// one fault may be the reason why several executions end.
func CopyFault(f Fault) Fault {
	copied := reflect.New(reflect.TypeOf(f).Elem())
	copied.Elem().Set(reflect.ValueOf(f).Elem())
	return copied.Interface().(Fault)
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
	if v := reflect.ValueOf(f); !v.IsValid() || v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, fmt.Errorf("fault: a nil %T cannot be sent", f)
	}
	out, err := appendMembers([]byte{'{'}, reflect.ValueOf(faultHeader{f.Code(), f.Class(), f.Retryable(), f.Error()}))
	if err == nil {
		out, err = appendMembers(out, reflect.ValueOf(f).Elem())
	}
	if err != nil {
		return nil, fmt.Errorf("fault %s: %w", f.Code(), err)
	}
	return append(out, '}'), nil
}

// DecodeFault reads a fault's wire form into its Go type, strictly. Class,
// retryable and message are computed anew, never believed.
func DecodeFault(text []byte) (Fault, error) {
	s := scanner{text: text}
	f, err := s.readFault()
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return nil, fmt.Errorf("fault: %w", err)
	}
	return f, nil
}

// readFault reads a fault's wire form.
func (s *scanner) readFault() (Fault, error) {
	code, err := s.find("code")
	if err != nil {
		return nil, err
	}
	create, ok := newFault[Code(code)]
	if !ok {
		return nil, inField("code", s.fail(s.pos, "there is no code %.60q, in the object", code))
	}
	f := create()
	if err := s.readStruct(reflect.ValueOf(f).Elem(), []string{"code", "class", "retryable", "message"}); err != nil {
		return nil, inField(code, err)
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
