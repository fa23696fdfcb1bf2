package child

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/isogate/isogate/protocol"
)

// This file owns what a running execution sends: tool calls, logs and the
// result.

// execution is one execution seen by the child. It is the [sandbox.Host] of the
// run.
type execution struct {
	id     string
	cancel context.CancelCauseFunc
	out    *outlet
	stream bool // the parent wants each log entry as it is made

	// tooLarge is the fault that takes the place of the result when a message
	// of the program did not fit a frame.
	tooLarge atomic.Pointer[protocol.ArgumentsTooLarge]
}

// CallTool sends a tool call to the parent. One that does not fit a frame
// cannot be made, and ends the execution.
func (e *execution) CallTool(call *protocol.ToolCall) {
	call.Execution = e.id
	err := e.out.send(call)
	var long *frameTooLong
	if errors.As(err, &long) {
		fault := &protocol.ArgumentsTooLarge{
			Size: protocol.Size{Limit: e.out.max, Actual: long.length},
			Of:   call.Namespace + "." + call.Tool,
		}
		if e.tooLarge.CompareAndSwap(nil, fault) {
			e.cancel(fault)
		}
	}
}

// Log streams a log entry, if the parent asked for that.
func (e *execution) Log(entry protocol.LogEntry) {
	if e.stream {
		e.out.send(&protocol.Log{Execution: e.id, Entry: entry})
	}
}

// conclude returns the result to send. Entries that were streamed are not sent again.
func (e *execution) conclude(result *protocol.Result) *protocol.Result {
	if e.stream {
		result.Logs = nil
	}
	if fault := e.tooLarge.Load(); fault != nil {
		fault.Started = true
		result.Value, result.Fault = nil, fault
	}
	return result
}

// outlet sends messages. It may be used from several goroutines.
type outlet struct {
	frames *protocol.FrameWriter
	max    int64
}

func newOutlet(w io.Writer, max int64) *outlet {
	return &outlet{frames: protocol.NewFrameWriter(w, max), max: max}
}

// frameTooLong indicates a message that was not sent because it fits no frame.
type frameTooLong struct{ length int64 }

func (e *frameTooLong) Error() string { return "the message does not fit a frame" }

// send sends one message. A channel that cannot be written means that the
// parent is gone, and ends the process.
func (o *outlet) send(message protocol.Message) error {
	payload, err := protocol.EncodeMessage(message)
	if err != nil {
		exit(fail(ExitProtocol, "encoding a message: "+err.Error()))
	}
	if int64(len(payload)) > o.max {
		return &frameTooLong{int64(len(payload))}
	}
	if err := o.frames.Write(payload); err != nil {
		exit(fail(ExitProtocol, "writing to the channel: "+err.Error()))
	}
	return nil
}

// sendResult ends an execution. A result that does not fit a frame is replaced
// by the fault that says so, and keeps its usage.
func (o *outlet) sendResult(id string, result *protocol.Result, limit int64) {
	var long *frameTooLong
	err := o.send(&protocol.ResultMessage{Execution: id, Result: *result})
	if !errors.As(err, &long) {
		return
	}
	fault := &protocol.ResultTooLarge{Size: protocol.Size{Limit: min(limit, o.max), Actual: long.length}}
	fault.Started = true
	o.send(&protocol.ResultMessage{Execution: id, Result: protocol.Result{Fault: fault, Usage: result.Usage}})
}
