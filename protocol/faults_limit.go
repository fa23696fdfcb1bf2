package protocol

import (
	"fmt"
	"time"
)

// This file owns the faults of class limit: the program passed a bound.

// Codes of the limit faults.
const (
	CodeDeadlineExceeded        Code = "deadline_exceeded"
	CodeMemoryExceeded          Code = "memory_exceeded"
	CodeSourceTooLarge          Code = "source_too_large"
	CodeResultTooLarge          Code = "result_too_large"
	CodeArgumentsTooLarge       Code = "arguments_too_large"
	CodeReplyTooLarge           Code = "reply_too_large"
	CodeToolCallsExceeded       Code = "tool_calls_exceeded"
	CodeConcurrentCallsExceeded Code = "concurrent_calls_exceeded"
)

// limitFault is embedded by the faults of class limit.
type limitFault struct{ Progress }

// Class says whose fault it is.
func (*limitFault) Class() Class { return ClassLimit }

// Retryable reports that the same request passes the same bound again.
func (*limitFault) Retryable() bool { return false }

// The clocks that a [DeadlineExceeded] names.
const (
	ClockWall = "wall"
	ClockCPU  = "cpu"
)

// How a [DeadlineExceeded] ended the program.
const (
	HowInterrupted = "interrupted" // V8 was interrupted and the process lives
	HowKilled      = "killed"      // the process was killed
)

// DeadlineExceeded indicates that the program passed its wall clock or its CPU time.
type DeadlineExceeded struct {
	limitFault
	Kind      string `json:"kind"`
	LimitMS   int64  `json:"limitMs"`
	ElapsedMS int64  `json:"elapsedMs"`
	How       string `json:"how"`
}

// Code returns [CodeDeadlineExceeded].
func (*DeadlineExceeded) Code() Code { return CodeDeadlineExceeded }

func (f *DeadlineExceeded) Error() string {
	clock := "wall-clock"
	if f.Kind == ClockCPU {
		clock = "CPU-time"
	}
	return fmt.Sprintf("deadline exceeded: the %s limit is %v, the program had used %v and was %s",
		clock, time.Duration(f.LimitMS)*time.Millisecond, time.Duration(f.ElapsedMS)*time.Millisecond, f.How)
}

// The memories that a [MemoryExceeded] names.
const (
	MemoryHeap     = "heap"
	MemoryExternal = "external"
	MemoryProcess  = "process"
)

// MemoryExceeded indicates that the program passed a memory bound.
type MemoryExceeded struct {
	limitFault
	Kind string `json:"kind"`
	// Limit is the bound in bytes.
	Limit int64 `json:"limit"`
}

// Code returns [CodeMemoryExceeded].
func (*MemoryExceeded) Code() Code { return CodeMemoryExceeded }

func (f *MemoryExceeded) Error() string {
	return fmt.Sprintf("memory exceeded: the %s limit is %d bytes", f.Kind, f.Limit)
}

// Size is a measured size or count beside its bound; faults embed it.
type Size struct {
	Limit  int64 `json:"limit"`
	Actual int64 `json:"actual"`
	// AtLeast reports that measuring stopped at the bound, so that Actual is
	// the least it can be.
	AtLeast bool `json:"atLeast,omitempty"`
}

func (s Size) text(what, unit string) string {
	least := ""
	if s.AtLeast {
		least = "at least "
	}
	return fmt.Sprintf("%s: the limit is %d %s, the actual is %s%d", what, s.Limit, unit, least, s.Actual)
}

// SourceTooLarge indicates that the program or a module is longer than its bound.
type SourceTooLarge struct {
	limitFault
	Size
	// File is "program" or the module's specifier.
	File string `json:"file,omitempty"`
}

// Code returns [CodeSourceTooLarge].
func (*SourceTooLarge) Code() Code { return CodeSourceTooLarge }

func (f *SourceTooLarge) Error() string {
	return f.text(fmt.Sprintf("source too large (%s)", f.File), "bytes")
}

// ResultTooLarge indicates that the value's codec text is longer than its
// bound. Results are refused whole, never cut.
type ResultTooLarge struct {
	limitFault
	Size
}

// Code returns [CodeResultTooLarge].
func (*ResultTooLarge) Code() Code { return CodeResultTooLarge }

func (f *ResultTooLarge) Error() string { return f.text("result too large", "bytes") }

// ArgumentsTooLarge indicates that the input, or the arguments of a tool call,
// are longer than their bound.
type ArgumentsTooLarge struct {
	limitFault
	Size
	// Of is "input", the tool "namespace.tool", or "all tool calls".
	Of string `json:"of"`
}

// Code returns [CodeArgumentsTooLarge].
func (*ArgumentsTooLarge) Code() Code { return CodeArgumentsTooLarge }

func (f *ArgumentsTooLarge) Error() string {
	return f.text(fmt.Sprintf("arguments too large (%s)", f.Of), "bytes")
}

// ReplyTooLarge indicates that a tool answered with more than its bound.
type ReplyTooLarge struct {
	limitFault
	Size
	// Of is the tool "namespace.tool", or "all tool calls".
	Of string `json:"of"`
}

// Code returns [CodeReplyTooLarge].
func (*ReplyTooLarge) Code() Code { return CodeReplyTooLarge }

func (f *ReplyTooLarge) Error() string {
	return f.text(fmt.Sprintf("reply too large (%s)", f.Of), "bytes")
}

// ToolCallsExceeded indicates more tool calls than allowed in one execution.
type ToolCallsExceeded struct {
	limitFault
	Size
}

// Code returns [CodeToolCallsExceeded].
func (*ToolCallsExceeded) Code() Code { return CodeToolCallsExceeded }

func (f *ToolCallsExceeded) Error() string { return f.text("tool calls exceeded", "calls") }

// ConcurrentCallsExceeded indicates more tool calls in flight than allowed.
type ConcurrentCallsExceeded struct {
	limitFault
	Size
}

// Code returns [CodeConcurrentCallsExceeded].
func (*ConcurrentCallsExceeded) Code() Code { return CodeConcurrentCallsExceeded }

func (f *ConcurrentCallsExceeded) Error() string {
	return f.text("concurrent tool calls exceeded", "calls in flight")
}
