package protocol

import (
	"fmt"
	"reflect"
	"time"
)

// This file owns the result: what an execution leaves behind.

// Level is the severity of a log entry, as the Console standard names them.
type Level string

// The levels of log entries.
const (
	LevelDebug Level = "debug"
	LevelLog   Level = "log"
	LevelInfo  Level = "info"
	LevelWarn  Level = "warn"
	LevelError Level = "error"
)

// LogEntry is one line that the program logged.
type LogEntry struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
	// MS is when the entry was logged, in milliseconds after the program started.
	MS int64 `json:"ms"`
}

// Outcome says how a tool call ended.
type Outcome string

// The outcomes of a tool call.
const (
	// OutcomeOK: the tool returned a value, and the program was given it.
	OutcomeOK Outcome = "ok"
	// OutcomeError: the tool failed, and the program was given the error.
	OutcomeError Outcome = "error"
	// OutcomeAbandoned: the execution ended before the tool answered.
	OutcomeAbandoned Outcome = "abandoned"
)

// Call records one tool call that was delivered to the caller's tool.
type Call struct {
	// Name is "namespace.tool".
	Name string `json:"name"`
	// StartMS and DurationMS are milliseconds since the execution was dispatched.
	StartMS    int64   `json:"startMs"`
	DurationMS int64   `json:"durationMs"`
	Outcome    Outcome `json:"outcome"`
}

// Usage is what an execution cost. Times are milliseconds, sizes bytes.
type Usage struct {
	WallMS       float64 `json:"wallMs"`
	CPUMS        float64 `json:"cpuMs"`
	PeakHeap     int64   `json:"peakHeap"`
	PeakExternal int64   `json:"peakExternal"`
	// QueueMS is how long the request waited before it was dispatched.
	QueueMS float64 `json:"queueMs"`
	// Child is the number of the process that ran it; 0 when none did.
	Child     int `json:"child,omitempty"`
	ToolCalls int `json:"toolCalls"`
	// DroppedLogs counts the log entries that passed the bounds on logs.
	DroppedLogs int `json:"droppedLogs,omitempty"`
	// PendingCalls and PendingTimers count what the program left unfinished.
	PendingCalls  int `json:"pendingCalls,omitempty"`
	PendingTimers int `json:"pendingTimers,omitempty"`
}

// Result is the outcome of one execution: a value or a fault, and what was seen
// on the way. When Fault is nil and Value is empty, the value is undefined.
type Result struct {
	Value Value      `json:"value,omitempty"`
	Fault Fault      `json:"fault,omitempty"`
	Logs  []LogEntry `json:"logs,omitempty"`
	// Calls are the tool calls that were delivered, in the order of their start.
	Calls []Call `json:"calls,omitempty"`
	Usage Usage  `json:"usage,omitzero"`
}

func (e *LogEntry) check() error {
	switch e.Level {
	case LevelDebug, LevelLog, LevelInfo, LevelWarn, LevelError:
		return nil
	}
	return &fieldError{"level", fmt.Errorf("there is no level %.20q", e.Level)}
}

func (c *Call) check() error {
	switch c.Outcome {
	case OutcomeOK, OutcomeError, OutcomeAbandoned:
		return nil
	}
	return &fieldError{"outcome", fmt.Errorf("there is no outcome %.20q", c.Outcome)}
}

// check reports the first level or outcome that does not exist.
func (r *Result) check() error {
	for i := range r.Logs {
		if err := r.Logs[i].check(); err != nil {
			return inField(fmt.Sprintf("logs[%d]", i), err)
		}
	}
	for i := range r.Calls {
		if err := r.Calls[i].check(); err != nil {
			return inField(fmt.Sprintf("calls[%d]", i), err)
		}
	}
	return nil
}

// appendWire appends the result as the contract has it.
func (r Result) appendWire(out []byte) ([]byte, error) {
	if r.Fault != nil {
		r.Value = nil
	}
	return appendStruct(out, reflect.ValueOf(r))
}

// readResult reads a result, strictly.
func (s *scanner) readResult(r *Result) error {
	s.next()
	start := s.pos
	*r = Result{}
	err := s.readStruct(reflect.ValueOf(r).Elem(), nil)
	if err == nil && r.Fault != nil && len(r.Value) > 0 {
		err = s.fail(start, "a result with a value and a fault")
	}
	return err
}

// MarshalJSON writes the result as the contract has it, absent parts left out.
func (r Result) MarshalJSON() ([]byte, error) { return r.appendWire(nil) }

// UnmarshalJSON reads a result, strictly. One with both a value and a fault is an error.
func (r *Result) UnmarshalJSON(text []byte) error { return unmarshalStrict(text, r) }

// Decode returns the result's value as a Go value (see [Decode]), or its fault
// as the error.
func (r *Result) Decode() (any, error) {
	if r.Fault != nil {
		return nil, r.Fault
	}
	if len(r.Value) == 0 {
		return Undefined{}, nil
	}
	return Decode(r.Value, DefaultBounds)
}

// Milliseconds converts a duration to the float milliseconds that [Usage] holds.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
