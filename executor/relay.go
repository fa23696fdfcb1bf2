package executor

import (
	"context"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns executions whose tools are not Go functions of this process:
// those that a server has been sent.

// Relay runs a request as it came over the wire and returns its result, never
// nil. tools answers the program's calls with text, exactly as it was given;
// without it every call fails. onLog, if set, is called as [Request.OnLog] is.
//
// The request is checked as Execute checks one, and is not changed. A Parent
// that it states is an id of this executor's, as [ExecutionID] returns it.
func (e *IsolateExecutor) Relay(ctx context.Context, r *protocol.Request, tools pool.ToolHandler, onLog func(protocol.LogEntry)) *protocol.Result {
	request := *r
	var input any
	if len(request.Input) > 0 {
		input, request.Input = request.Input, nil
	}
	fault := complete(&request, input, e.defaults, e.max)
	if fault == nil {
		fault = e.checkProfile(request.Grants)
	}
	if fault != nil {
		return &protocol.Result{Fault: fault}
	}
	return e.pool.Execute(ctx, pool.Job{Request: &request, Tool: tools, OnLog: onLog})
}

// Limits returns the limits of requests that do not state their own, and what
// they may state at most.
func (e *IsolateExecutor) Limits() (defaults, max protocol.Limits) { return e.defaults, e.max }
