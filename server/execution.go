package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns one execution of a connection: its admission, its tool calls,
// which go back to the connection that it came from, and its result.

// execution is one execution that runs, or waits, for a connection.
type execution struct {
	id         string // the client's
	connection *connection
	request    *protocol.Request
	limits     protocol.Limits // resolved
	tenant     string          // for the executor
	stream     bool
	parent     *execution // in whose tool it was made, or nil
	size       int64      // of its message
	begun      bool       // the account knows of it
	live       context.Context
	cancel     context.CancelCauseFunc
	span       *executionSpan

	mu       sync.Mutex
	inner    string                // guarded by mu; the executor's id, once a tool has been called
	lastCall int64                 // guarded by mu; ids of calls count from 1
	calls    map[int64]chan string // guarded by mu; those that await their reply
	unsent   int                   // guarded by mu; log entries too long for the peer
}

// What bounds the executions of one connection, as faults name it.
const (
	quotaOnConnection = "executions in flight on a connection"
	quotaHeld         = "bytes of requests in flight on a connection"
)

// execute takes in one execute message. An error ends the connection; everything
// else that is wrong with it is told by its result.
func (c *connection) execute(m *protocol.Execute, size int64) error {
	x := &execution{
		id: m.Execution, connection: c, request: &m.Request, stream: m.StreamLogs, size: size,
		calls: map[int64]chan string{},
	}
	fault, err := c.admit(x)
	if err != nil {
		return err
	}
	if fault != nil {
		result := protocol.Result{Fault: fault}
		_, span := c.server.tracer.execution(c.live, c.who, x.request, x.id, "")
		span.end(&result)
		c.server.metrics.executed(c.who.Tenant.Name, fault, 0)
		return c.link.Send(c.live, &protocol.ResultMessage{Execution: x.id, Result: result})
	}
	go func() {
		defer c.work.Done()
		x.run()
	}()
	return nil
}

// admit puts an execution among those that run, unless a bound of the connection
// is passed.
func (c *connection) admit(x *execution) (protocol.Fault, error) {
	config := &c.server.config
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[x.id] != nil {
		return nil, &protocol.ProtocolViolation{What: fmt.Sprintf("execute: the execution %.80q runs already", x.id)}
	}
	if id := x.request.Parent; id != "" {
		x.parent = c.running[id]
		if x.parent == nil || !x.parent.inTool() {
			return &protocol.InvalidRequest{Field: "parent", Reason: fmt.Sprintf("no execution %.80q waits for a tool on this connection", id)}, nil
		}
	}
	switch {
	case c.over != nil:
		return protocol.CopyFault(c.over), nil
	case c.draining == errPeerDrained:
		return nil, &protocol.ProtocolViolation{What: "execute: after drain"}
	case c.draining != nil && x.parent == nil:
		return &protocol.Draining{}, nil
	case len(c.running) >= config.MaxExecutions:
		return &protocol.QuotaExceeded{Quota: quotaOnConnection, Limit: int64(config.MaxExecutions)}, nil
	case c.held+x.size > config.MaxHeld:
		return &protocol.QuotaExceeded{Quota: quotaHeld, Limit: config.MaxHeld}, nil
	}
	c.running[x.id] = x
	c.work.Add(1)
	c.held += x.size
	above, parent := c.live, ""
	if x.parent != nil {
		above, parent = x.parent.live, x.parent.id // whose end is this one's
	}
	above, x.span = c.server.tracer.execution(above, c.who, x.request, x.id, parent)
	x.live, x.cancel = context.WithCancelCause(above)
	return nil, nil
}

// inTool reports whether the execution waits for a tool.
func (x *execution) inTool() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.calls) > 0
}

// run runs the execution and sends its result.
func (x *execution) run() {
	c := x.connection
	begun := time.Now()
	result := x.result()
	x.cancel(nil)
	c.server.metrics.executed(c.who.Tenant.Name, result.Fault, time.Since(begun))
	c.server.logExecution(x.live, c.who, x.request, result)
	x.span.end(result)
	// The id, and the place, are free when the result is certain to be sent, and
	// before the peer can have it: a peer that reads nothing gets no further place.
	text, err := x.encode(result)
	if err != nil || c.link.SendText(c.live, text, x.leave) != nil {
		x.leave() // the connection has ended: nobody waits for the result
	}
}

// leave takes the execution out of those that run.
func (x *execution) leave() {
	c := x.connection
	if x.begun {
		c.account.end(x.parent != nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.running, x.id)
	c.held -= x.size
	c.finishLocked()
}

// result runs the execution.
func (x *execution) result() *protocol.Result {
	c := x.connection
	limits, tenant, fault := c.who.Tenant.permit(x.request)
	if fault != nil {
		return &protocol.Result{Fault: fault}
	}
	x.limits, x.tenant = limits, tenant
	if fault := c.account.begin(x.parent != nil, time.Now()); fault != nil {
		return &protocol.Result{Fault: fault}
	}
	x.begun = true
	request := *x.request
	request.Limits, request.Tenant, request.Parent = limits, tenant, ""
	if x.parent != nil {
		x.parent.mu.Lock()
		request.Parent = x.parent.inner
		x.parent.mu.Unlock()
		if x.request.Tenant == "" {
			request.Tenant = x.parent.tenant
			x.tenant = x.parent.tenant
		}
	}
	var onLog func(protocol.LogEntry)
	if x.stream {
		onLog = x.log
	}
	result := c.server.config.Executor.Relay(x.live, &request, x.call, onLog)
	c.account.charge(result.Usage.CPUMS, time.Now())
	return result
}

// call implements pool.ToolHandler: it asks the peer and waits for its reply.
func (x *execution) call(ctx context.Context, namespace, tool, args string) string {
	c := x.connection
	reply := make(chan string, 1)
	x.mu.Lock()
	x.lastCall++
	id := x.lastCall
	x.calls[id] = reply
	x.inner = executor.ExecutionID(ctx)
	x.mu.Unlock()
	defer x.forget(id)
	end := c.server.tracer.call(x.live, namespace, tool, id)
	envelope, how := x.ask(ctx, &protocol.ToolCall{Execution: x.id, Call: id, Namespace: namespace, Tool: tool, Args: args}, reply)
	end(how)
	return envelope
}

// ask sends a call to the peer. It returns the envelope of the reply that comes, or
// of an error that says why none does.
func (x *execution) ask(ctx context.Context, m *protocol.ToolCall, reply <-chan string) (string, callEnd) {
	c := x.connection
	text, err := protocol.EncodeMessage(m)
	if err != nil {
		return failure(fmt.Sprintf("the call cannot be sent: %v", err)), callUndelivered
	}
	if size := int64(len(text)); size > c.peerMax {
		x.cancel(&protocol.ArgumentsTooLarge{Size: protocol.Size{Limit: c.peerMax, Actual: size}, Of: m.Namespace + "." + m.Tool})
		return failure("the call is too large to be sent"), callTooLarge
	}
	c.server.metrics.count(&c.server.metrics.calls)
	if err := c.link.SendText(ctx, text, nil); err != nil {
		return failure("the call could not be delivered"), callUndelivered
	}
	select {
	case envelope := <-reply:
		return x.checked(envelope)
	case <-ctx.Done():
		return failure("the call has been given up"), x.endCall(ctx, m.Call)
	}
}

// endCall tells the peer that a call is over, unless the result tells it. It
// returns how the call ended.
func (x *execution) endCall(ctx context.Context, id int64) callEnd {
	var late *protocol.ToolError
	if !errors.As(context.Cause(ctx), &late) {
		return callAbandoned
	}
	// It fails when the connection has ended.
	_ = x.connection.link.Send(x.live, &protocol.CallEnded{Execution: x.id, Call: id, Reason: late.Message})
	return callLate
}

// forget ends a call: no reply to it counts any more.
func (x *execution) forget(id int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.calls, id)
}

// reply takes in a reply of the peer. The first to a call counts; one to a call
// that is over is dropped, because it may have crossed with the end.
func (x *execution) reply(m *protocol.ToolReply) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if m.Call > x.lastCall {
		return &protocol.ProtocolViolation{What: fmt.Sprintf("tool_reply: to the call %d of execution %.80q, which has made %d", m.Call, x.id, x.lastCall)}
	}
	waiting := x.calls[m.Call]
	if waiting == nil {
		x.connection.server.metrics.count(&x.connection.server.metrics.lateReplies)
		return nil
	}
	delete(x.calls, m.Call)
	waiting <- m.Envelope // has room for the one reply
	return nil
}

// checked returns a reply as the executor takes it. What is too long for the
// execution's limit is left to the executor, which ends the execution.
func (x *execution) checked(envelope string) (string, callEnd) {
	if int64(len(envelope)) > x.limits.Reply {
		return envelope, callReplyLarge
	}
	read, err := protocol.DecodeEnvelope(envelope, protocol.Bounds{Bytes: x.limits.Reply})
	if err != nil {
		return failure("the tool's reply is malformed: " + err.Error()), callMalformed
	}
	written, err := read.Encode()
	if err != nil {
		return failure("the tool's reply is malformed: " + err.Error()), callMalformed
	}
	if read.Error != nil {
		return written, callFailed
	}
	return written, callAnswered
}

// failure returns the envelope of an error that says no more than the message.
func failure(message string) string {
	text, err := protocol.Envelope{Error: &protocol.ToolError{Name: "Error", Message: message}}.Encode()
	if err != nil {
		return "" // which the executor answers with an error of its own
	}
	return text
}

// log sends one log entry to the peer.
func (x *execution) log(entry protocol.LogEntry) {
	text, err := protocol.EncodeMessage(&protocol.Log{Execution: x.id, Entry: entry})
	if err != nil || int64(len(text)) > x.connection.peerMax {
		x.mu.Lock()
		x.unsent++
		x.mu.Unlock()
		return
	}
	// It fails when the connection has ended, or the execution.
	_ = x.connection.link.SendText(x.live, text, nil)
}

// encode returns the message with the result. One that is too long for the peer
// becomes a fault that says so.
func (x *execution) encode(result *protocol.Result) ([]byte, error) {
	out := *result
	if x.stream {
		out.Logs = nil
		out.Usage.DroppedLogs += x.unsent
	}
	text, err := protocol.EncodeMessage(&protocol.ResultMessage{Execution: x.id, Result: out})
	if err != nil {
		return nil, err
	}
	size := int64(len(text))
	if size <= x.connection.peerMax {
		return text, nil
	}
	fault := &protocol.ResultTooLarge{Size: protocol.Size{Limit: x.connection.peerMax, Actual: size}}
	fault.Started = true
	if result.Fault != nil {
		*fault.Reached() = *result.Fault.Reached()
	}
	return protocol.EncodeMessage(&protocol.ResultMessage{Execution: x.id, Result: protocol.Result{Fault: fault, Usage: out.Usage}})
}

// asFault returns err as the fault that it is, or as an InvalidRequest.
func asFault(err error) protocol.Fault {
	var fault protocol.Fault
	if errors.As(err, &fault) {
		return fault
	}
	return &protocol.InvalidRequest{Field: "request", Reason: err.Error()}
}
