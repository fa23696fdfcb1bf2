package protocol

import (
	"fmt"
	"time"
)

// This file owns the faults of classes host and executor.

// Codes of the host and executor faults.
const (
	CodeInvalidRequest     Code = "invalid_request"
	CodeUnsupportedVersion Code = "unsupported_version"
	CodeOverloaded         Code = "overloaded"
	CodeQueueDeadline      Code = "queue_deadline"
	CodeWorkerCrashed      Code = "worker_crashed"
	CodeProtocolViolation  Code = "protocol_violation"
	CodeCancelled          Code = "cancelled"
	CodeDisconnected       Code = "disconnected"
	CodeDraining           Code = "draining"
	CodeUnavailable        Code = "unavailable"
	CodeUnauthorized       Code = "unauthorized"
	CodeQuotaExceeded      Code = "quota_exceeded"
)

// hostFault is embedded by faults of class host, which no retry mends.
type hostFault struct{ Progress }

// Class says whose fault it is.
func (*hostFault) Class() Class { return ClassHost }

// Retryable reports that the same request is refused again.
func (*hostFault) Retryable() bool { return false }

// executorFault is embedded by faults of class executor. They may be retried as
// long as no tool call was delivered.
type executorFault struct{ Progress }

// Class says whose fault it is.
func (*executorFault) Class() Class { return ClassExecutor }

// Retryable reports whether no tool call was delivered.
func (f *executorFault) Retryable() bool { return len(f.Delivered) == 0 }

// InvalidRequest indicates that a request breaks the contract. Nothing ran.
type InvalidRequest struct {
	hostFault
	// Field is the path of the offending field, as in limits.heap.
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

// Code returns [CodeInvalidRequest].
func (*InvalidRequest) Code() Code { return CodeInvalidRequest }

func (f *InvalidRequest) Error() string {
	return fmt.Sprintf("invalid request: %s: %s", f.Field, f.Reason)
}

// UnsupportedVersion indicates that the peers speak different protocol versions.
type UnsupportedVersion struct {
	hostFault
	Version   int `json:"version"`
	Supported int `json:"supported"`
}

// Code returns [CodeUnsupportedVersion].
func (*UnsupportedVersion) Code() Code { return CodeUnsupportedVersion }

func (f *UnsupportedVersion) Error() string {
	return fmt.Sprintf("unsupported version: the peer speaks protocol version %d, this side speaks %d", f.Version, f.Supported)
}

// Overloaded indicates that the queue was full. Nothing ran.
type Overloaded struct {
	executorFault
	Queued       int   `json:"queued"`
	Capacity     int   `json:"capacity"`
	RetryAfterMS int64 `json:"retryAfterMs"`
}

// Code returns [CodeOverloaded].
func (*Overloaded) Code() Code { return CodeOverloaded }

func (f *Overloaded) Error() string {
	return fmt.Sprintf("overloaded: %d requests wait in a queue of %d; retry after %v",
		f.Queued, f.Capacity, time.Duration(f.RetryAfterMS)*time.Millisecond)
}

// QueueDeadline indicates that the request waited in the queue too long. Nothing ran.
type QueueDeadline struct {
	executorFault
	WaitedMS int64 `json:"waitedMs"`
	LimitMS  int64 `json:"limitMs"`
}

// Code returns [CodeQueueDeadline].
func (*QueueDeadline) Code() Code { return CodeQueueDeadline }

func (f *QueueDeadline) Error() string {
	return fmt.Sprintf("queue deadline: the request waited %v for a free worker, the limit is %v",
		time.Duration(f.WaitedMS)*time.Millisecond, time.Duration(f.LimitMS)*time.Millisecond)
}

// The phases that a [WorkerCrashed] names.
const (
	PhaseStarting = "starting" // the process had not been given the whole request; nothing ran
	PhaseRunning  = "running"  // the program may have run; also while its value was encoded, if that was not told
	PhaseEncoding = "encoding" // the process had said that the program had ended and its value was being encoded
)

// WorkerCrashed indicates that the child process ended without a result.
type WorkerCrashed struct {
	executorFault
	// Status is the exit status, when the process exited; Signal the name of
	// the signal, when one killed it.
	Status int    `json:"status"`
	Signal string `json:"signal,omitempty"`
	Phase  string `json:"phase"`
}

// Code returns [CodeWorkerCrashed].
func (*WorkerCrashed) Code() Code { return CodeWorkerCrashed }

func (f *WorkerCrashed) Error() string {
	how := fmt.Sprintf("exit status %d", f.Status)
	if f.Signal != "" {
		how = "signal " + f.Signal
	}
	return fmt.Sprintf("worker crashed while %s: %s; tool calls delivered before: %d", f.Phase, how, len(f.Delivered))
}

// ProtocolViolation indicates that the peer sent something it may not.
type ProtocolViolation struct {
	executorFault
	What string `json:"what"`
}

// Code returns [CodeProtocolViolation].
func (*ProtocolViolation) Code() Code { return CodeProtocolViolation }

func (f *ProtocolViolation) Error() string { return "protocol violation: " + f.What }

// Cancelled indicates that the caller gave up.
type Cancelled struct {
	hostFault
	Reason string `json:"reason,omitempty"`
}

// Code returns [CodeCancelled].
func (*Cancelled) Code() Code { return CodeCancelled }

func (f *Cancelled) Error() string {
	if f.Reason == "" {
		return "cancelled by the caller"
	}
	return "cancelled by the caller: " + f.Reason
}

// Disconnected indicates that the connection to the executor was lost.
type Disconnected struct {
	executorFault
	Reason string `json:"reason,omitempty"`
}

// Code returns [CodeDisconnected].
func (*Disconnected) Code() Code { return CodeDisconnected }

func (f *Disconnected) Error() string {
	if f.Reason == "" {
		return "disconnected from the executor"
	}
	return "disconnected from the executor: " + f.Reason
}

// Draining indicates that the executor finishes what runs and takes nothing new.
type Draining struct{ executorFault }

// Code returns [CodeDraining].
func (*Draining) Code() Code { return CodeDraining }

func (f *Draining) Error() string {
	return "draining: the executor is shutting down and takes no new work"
}

// Unavailable indicates that the executor has no working child process, or was stopped.
type Unavailable struct {
	executorFault
	Reason       string `json:"reason"`
	RetryAfterMS int64  `json:"retryAfterMs,omitempty"`
}

// Code returns [CodeUnavailable].
func (*Unavailable) Code() Code { return CodeUnavailable }

func (f *Unavailable) Error() string {
	text := "unavailable: " + f.Reason
	if f.RetryAfterMS > 0 {
		text += fmt.Sprintf("; retry after %v", time.Duration(f.RetryAfterMS)*time.Millisecond)
	}
	return text
}

// Unauthorized indicates that the caller may not use the executor.
type Unauthorized struct {
	hostFault
	Reason string `json:"reason"`
}

// Code returns [CodeUnauthorized].
func (*Unauthorized) Code() Code { return CodeUnauthorized }

func (f *Unauthorized) Error() string { return "unauthorized: " + f.Reason }

// QuotaExceeded indicates that the tenant has used up what it was given.
type QuotaExceeded struct {
	hostFault
	// Quota names what is counted, "executions a minute" for example.
	Quota        string `json:"quota"`
	Limit        int64  `json:"limit"`
	RetryAfterMS int64  `json:"retryAfterMs,omitempty"`
}

// Code returns [CodeQuotaExceeded].
func (*QuotaExceeded) Code() Code { return CodeQuotaExceeded }

// Retryable reports whether no tool call was delivered: a later attempt may
// find quota again.
func (f *QuotaExceeded) Retryable() bool { return len(f.Delivered) == 0 }

func (f *QuotaExceeded) Error() string {
	text := fmt.Sprintf("quota exceeded: %s is limited to %d", f.Quota, f.Limit)
	if f.RetryAfterMS > 0 {
		text += fmt.Sprintf("; retry after %v", time.Duration(f.RetryAfterMS)*time.Millisecond)
	}
	return text
}
