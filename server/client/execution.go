package client

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns one execution: its request, its tools, its logs and its result.

// grace is how long tools that still run are waited for when the program has ended.
const grace = 250 * time.Millisecond

// execution is one execution that runs on a session.
type execution struct {
	id      string
	session *session
	request *protocol.Request // with resolved limits
	handler pool.ToolHandler
	tools   context.Context // of the tools; done when the execution is over
	stop    context.CancelFunc
	end     context.CancelCauseFunc // ends the execution with a fault
	streams bool                    // logs were asked for
	done    chan *protocol.Result   // capacity 1
	logged  chan struct{}           // capacity 1; there are log entries

	mu        sync.Mutex
	calls     map[int64]context.CancelCauseFunc // guarded by mu; those that have not been answered
	seen      map[int64]struct{}                // guarded by mu; every id so far
	delivered []string                          // guarded by mu; names of calls
	entries   []protocol.LogEntry               // guarded by mu; not given to OnLog yet
	count     int64                             // guarded by mu; of log entries
	bytes     int64                             // guarded by mu; of log entries
	ended     bool                              // guarded by mu; no tool is called any more
	handlers  sync.WaitGroup                    // added to under mu while not ended
}

// execute runs one request on the session.
func (s *session) execute(ctx context.Context, id string, r *executor.Request) *protocol.Result {
	request, fault := r.Prepare(s.welcome.Defaults, s.welcome.Max)
	if fault != nil {
		return &protocol.Result{Fault: fault}
	}
	text, err := protocol.EncodeMessage(&protocol.Execute{Execution: id, Request: *request, StreamLogs: r.OnLog != nil})
	if err != nil {
		return &protocol.Result{Fault: &protocol.InvalidRequest{Field: "request", Reason: err.Error()}}
	}
	if size := int64(len(text)); size > s.welcome.MaxFrame {
		return &protocol.Result{Fault: &protocol.InvalidRequest{
			Field: "request", Reason: fmt.Sprintf("its message has %d bytes, more than the %d of a frame", size, s.welcome.MaxFrame),
		}}
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	x := &execution{
		id: id, session: s, request: request, handler: r.Tools.Handler(request.Limits, end), end: end, streams: r.OnLog != nil,
		done: make(chan *protocol.Result, 1), logged: make(chan struct{}, 1),
		calls: map[int64]context.CancelCauseFunc{}, seen: map[int64]struct{}{},
	}
	// The tools know where they run: what they execute is nested.
	tools := context.WithValue(pool.WithExecutionID(ctx, id), originKey{}, s)
	x.tools, x.stop = context.WithCancel(tools)
	defer x.stop()
	s.add(x)
	defer s.remove(x)
	if err := s.link.SendText(ctx, text, nil); err != nil {
		return &protocol.Result{Fault: x.unsent(ctx)}
	}
	result := x.await(ctx, r.OnLog)
	x.stop()
	x.awaitTools()
	return result
}

// unsent returns the fault of a request that the connection did not take.
func (x *execution) unsent(ctx context.Context) protocol.Fault {
	if ctx.Err() != nil {
		return cancellation(ctx)
	}
	return x.sessionFault()
}

// sessionFault waits until the session has its fault, and returns a copy of it
// that is this execution's.
func (x *execution) sessionFault() protocol.Fault {
	<-x.session.live.Done()
	var fault protocol.Fault
	if errors.As(context.Cause(x.session.live), &fault) {
		return protocol.CopyFault(fault)
	}
	return closedFault()
}

// await returns the result, when it comes, or the one that is composed here when
// it cannot come any more. Meanwhile it hands on logs, and the caller's wish that
// it ends.
func (x *execution) await(ctx context.Context, onLog func(protocol.LogEntry)) *protocol.Result {
	var logs []protocol.LogEntry
	deliver := func() {
		for _, entry := range x.takeLogs() {
			logs = append(logs, entry)
			onLog(entry)
		}
	}
	var decided protocol.Fault
	var timeout <-chan time.Time
	cancelled := ctx.Done()
	for {
		select {
		case <-x.logged:
			deliver()
		case <-cancelled:
			cancelled = nil
			decided = cancellation(ctx)
			timer := time.NewTimer(x.session.client.config.HandshakeTimeout)
			defer timer.Stop()
			timeout = timer.C
			// When it cannot be sent the session ends.
			_ = x.session.link.Send(x.session.live, &protocol.Cancel{Execution: x.id, Reason: "the caller gave up"})
		case result := <-x.done:
			if onLog != nil {
				deliver()
				result.Logs = logs
			}
			if decided != nil {
				x.replace(result, decided)
			}
			return result
		case <-timeout:
			return x.composed(decided, logs)
		case <-x.session.live.Done():
			if onLog != nil {
				deliver()
			}
			select {
			case result := <-x.done: // it came before the end
				result.Logs = append(result.Logs, logs...)
				return result
			default:
			}
			if decided == nil {
				decided = x.sessionFault()
			}
			return x.composed(decided, logs)
		}
	}
}

// replace gives a result the fault that was decided here. How far the program had
// come is known better to the server.
func (x *execution) replace(result *protocol.Result, fault protocol.Fault) {
	reached := protocol.Progress{Started: true}
	if result.Fault != nil {
		reached = *result.Fault.Reached()
	} else {
		for _, call := range result.Calls {
			reached.Delivered = append(reached.Delivered, call.Name)
		}
	}
	*fault.Reached() = reached
	result.Value, result.Fault = nil, fault
}

// composed returns the result of an execution of which the server tells no more.
// The program may have started.
func (x *execution) composed(fault protocol.Fault, logs []protocol.LogEntry) *protocol.Result {
	x.mu.Lock()
	defer x.mu.Unlock()
	*fault.Reached() = protocol.Progress{Started: true, Delivered: x.delivered}
	result := &protocol.Result{Fault: fault, Logs: logs}
	result.Usage.ToolCalls = len(x.delivered)
	for _, name := range x.delivered {
		result.Calls = append(result.Calls, protocol.Call{Name: name, Outcome: protocol.OutcomeAbandoned})
	}
	return result
}

// call takes in one call. The server checks the same bounds; here they protect
// the tools from a server that does not.
func (x *execution) call(m *protocol.ToolCall) error {
	name := m.Namespace + "." + m.Tool
	x.mu.Lock()
	defer x.mu.Unlock()
	limits := &x.request.Limits
	_, repeated := x.seen[m.Call]
	switch {
	case x.ended:
		return nil
	case !x.request.HasTool(m.Namespace, m.Tool):
		return &protocol.ProtocolViolation{What: fmt.Sprintf("a call of the tool %.80q, which the request does not offer", name)}
	case repeated:
		return &protocol.ProtocolViolation{What: fmt.Sprintf("a tool call with the id %d, which is not new", m.Call)}
	case int64(len(x.seen)) >= limits.ToolCalls:
		return &protocol.ProtocolViolation{What: fmt.Sprintf("more than %d tool calls", limits.ToolCalls)}
	case int64(len(x.calls)) >= limits.CallsInFlight:
		return &protocol.ProtocolViolation{What: fmt.Sprintf("more than %d tool calls in flight", limits.CallsInFlight)}
	case int64(len(m.Args)) > limits.Argument:
		return &protocol.ProtocolViolation{What: fmt.Sprintf("a tool call with arguments of %d bytes, the limit is %d", len(m.Args), limits.Argument)}
	}
	ctx, cancel := context.WithCancelCause(x.tools)
	x.seen[m.Call] = struct{}{}
	x.calls[m.Call] = cancel
	x.delivered = append(x.delivered, name)
	x.handlers.Go(func() { x.handle(ctx, m) })
	return nil
}

// handle runs a tool and sends its reply.
func (x *execution) handle(ctx context.Context, m *protocol.ToolCall) {
	envelope, returned := "", false
	// Deferred, so that a tool that ends its goroutine is answered for too.
	defer func() {
		if !returned {
			x.session.client.config.Logger.Error("a tool panicked", "tool", m.Namespace+"."+m.Tool,
				"panic", fmt.Sprint(recover()), "stack", string(debug.Stack()))
			envelope = failure("the tool panicked")
		}
		x.answer(m, envelope)
	}()
	envelope = x.handler(ctx, m.Namespace, m.Tool, m.Args)
	returned = true
}

// answer sends a reply, unless nobody waits for it any more.
func (x *execution) answer(m *protocol.ToolCall, envelope string) {
	x.mu.Lock()
	cancel := x.calls[m.Call]
	delete(x.calls, m.Call)
	x.mu.Unlock()
	if cancel == nil {
		return // the call has ended
	}
	defer cancel(nil)
	if x.tools.Err() != nil {
		return
	}
	text, err := protocol.EncodeMessage(&protocol.ToolReply{Execution: x.id, Call: m.Call, Envelope: envelope})
	if size := int64(len(text)); err == nil && size > x.session.welcome.MaxFrame {
		x.end(&protocol.ReplyTooLarge{Size: protocol.Size{Limit: x.session.welcome.MaxFrame, Actual: size}, Of: m.Namespace + "." + m.Tool})
		return
	}
	if err != nil {
		text, _ = protocol.EncodeMessage(&protocol.ToolReply{Execution: x.id, Call: m.Call, Envelope: failure("the tool's reply cannot be encoded")})
	}
	// It fails when the session has ended, or the execution.
	_ = x.session.link.SendText(x.tools, text, nil)
}

// endCall cancels the tool of a call that took too long.
func (x *execution) endCall(m *protocol.CallEnded) {
	x.mu.Lock()
	cancel := x.calls[m.Call]
	delete(x.calls, m.Call)
	x.mu.Unlock()
	if cancel != nil {
		cancel(&protocol.ToolError{Name: protocol.ToolTimeout, Message: m.Reason})
	}
}

// awaitTools waits for the tools that still run, but not longer than grace.
func (x *execution) awaitTools() {
	x.mu.Lock()
	x.ended = true
	x.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		x.handlers.Wait()
		close(ended)
	}()
	timeout := time.NewTimer(grace)
	defer timeout.Stop()
	select {
	case <-ended:
	case <-timeout.C:
	}
}

// check refuses a value that is none, or longer than the request allows.
func (x *execution) check(r *protocol.Result) error {
	if len(r.Value) == 0 {
		return nil
	}
	if err := protocol.Check(r.Value, protocol.Bounds{Bytes: x.request.Limits.Result}); err != nil {
		return &protocol.ProtocolViolation{What: "the value of a result: " + err.Error()}
	}
	return nil
}

// log takes in one log entry, within the limits on logs.
func (x *execution) log(entry protocol.LogEntry) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.streams {
		return &protocol.ProtocolViolation{What: "a log entry, which nobody asked for"}
	}
	x.count++
	x.bytes += int64(len(entry.Text))
	if x.count > x.request.Limits.LogEntries || x.bytes > x.request.Limits.LogBytes {
		return &protocol.ProtocolViolation{What: "log entries beyond the limits on logs"}
	}
	x.entries = append(x.entries, entry)
	select {
	case x.logged <- struct{}{}:
	default:
	}
	return nil
}

func (x *execution) takeLogs() []protocol.LogEntry {
	x.mu.Lock()
	defer x.mu.Unlock()
	entries := x.entries
	x.entries = nil
	return entries
}

// failure returns the envelope of an error that says no more than the message.
func failure(message string) string {
	text, err := protocol.Envelope{Error: &protocol.ToolError{Name: "Error", Message: message}}.Encode()
	if err != nil {
		return "" // which the server answers with an error of its own
	}
	return text
}
