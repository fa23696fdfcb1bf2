package protocol

import (
	"encoding/json"
	"fmt"
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

// Usage is what an execution cost.
type Usage struct {
	WallMS        float64 `json:"wallMs"`
	CPUMS         float64 `json:"cpuMs"`
	PeakHeap      int64   `json:"peakHeap"`
	PeakExternal  int64   `json:"peakExternal"`
	QueueMS       float64 `json:"queueMs"`
	Child         int     `json:"child,omitempty"`
	ToolCalls     int     `json:"toolCalls"`
	DroppedLogs   int     `json:"droppedLogs,omitempty"`
	PendingCalls  int     `json:"pendingCalls,omitempty"`
	PendingTimers int     `json:"pendingTimers,omitempty"`
}

// Result is the outcome of one execution: a value or a fault, and what was seen
// on the way. When Fault is nil and Value is empty, the value is undefined.
type Result struct {
	Value Value
	Fault Fault
	Logs  []LogEntry
	Calls []Call
	Usage Usage
}

type wireResult struct {
	Value Value           `json:"value,omitempty"`
	Fault json.RawMessage `json:"fault,omitempty"`
	Logs  []LogEntry      `json:"logs,omitempty"`
	Calls []Call          `json:"calls,omitempty"`
	Usage *Usage          `json:"usage,omitempty"`
}

// MarshalJSON writes the result as the contract has it, absent parts left out.
func (r Result) MarshalJSON() ([]byte, error) {
	w := wireResult{Value: r.Value, Logs: r.Logs, Calls: r.Calls}
	if r.Usage != (Usage{}) {
		w.Usage = &r.Usage
	}
	if r.Fault != nil {
		text, err := EncodeFault(r.Fault)
		if err != nil {
			return nil, err
		}
		w.Fault, w.Value = text, nil
	}
	return marshal(w)
}

// UnmarshalJSON reads a result. A result with both a value and a fault is an error.
func (r *Result) UnmarshalJSON(text []byte) error {
	var w wireResult
	if err := unmarshalStrict(text, &w); err != nil {
		return err
	}
	if len(w.Fault) > 0 && len(w.Value) > 0 {
		return fmt.Errorf("a result has a value or a fault, not both")
	}
	*r = Result{Value: w.Value, Logs: w.Logs, Calls: w.Calls}
	if w.Usage != nil {
		r.Usage = *w.Usage
	}
	if len(w.Fault) > 0 {
		fault, err := DecodeFault(w.Fault)
		if err != nil {
			return err
		}
		r.Fault = fault
	}
	return nil
}

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
