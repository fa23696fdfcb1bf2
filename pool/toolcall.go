package pool

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the tool calls of one execution: what a child may call, the
// handler that answers, and the record that is left.

// ToolHandler answers one tool call. args is the codec text of the array of
// arguments as the child sent it: bounded, not yet validated. The reply is an
// envelope exactly as [protocol.Envelope.Encode] writes it.
//
// Each call runs in a goroutine of its own. ctx is cancelled when the execution
// ends (see [ExecutionID]), and when [protocol.Limits.ToolTime] has passed: then the program is
// answered with the error [protocol.ToolTimeout], the call is no longer in
// flight, and what the handler returns is dropped. A handler that panics answers
// with an error that says no more than that.
type ToolHandler func(ctx context.Context, namespace, tool string, args string) (envelope string)

// toolName is a tool's full name.
type toolName struct{ namespace, tool string }

func (n toolName) String() string { return n.namespace + "." + n.tool }

// toolCalls is the state of an execution's tool calls. It belongs to the child's
// supervising goroutine, and after the end to the caller's.
type toolCalls struct {
	known   map[toolName]bool
	ctx     context.Context // of the handlers
	cancel  context.CancelFunc
	list    []protocol.Call
	open    map[int64]*openCall // by call id, those not answered yet
	seen    map[int64]struct{}  // every call id so far
	bytes   int64               // arguments and replies so far
	replies replyQueue
	waited  int // handlers whose reply has not been received

	// Calls have the same time each, so they run out in the order of their start.
	order   []*openCall      // answered ones too, until they are first
	clock   *time.Timer      // of the first in order
	timeout <-chan time.Time // of clock; nil without tools
}

// openCall is one call that has not been answered.
type openCall struct {
	id       int64
	name     toolName
	record   int // index in list
	cancel   context.CancelCauseFunc
	deadline time.Time
}

// toolReply is what a handler returned.
type toolReply struct {
	call     int64
	name     toolName
	envelope string
	payload  []byte // the tool_reply message
	overdue  bool   // composed here; the handler's own is still to come
}

// replyQueue holds the replies that have not been looked at. Putting one in never
// blocks, so no handler's goroutine outlives its handler.
type replyQueue struct {
	wake chan struct{} // capacity 1; there are replies

	mu      sync.Mutex
	replies []toolReply // guarded by mu; at most one for each call
}

func (q *replyQueue) put(reply toolReply) {
	q.mu.Lock()
	q.replies = append(q.replies, reply)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *replyQueue) take() []toolReply {
	q.mu.Lock()
	defer q.mu.Unlock()
	replies := q.replies
	q.replies = nil
	return replies
}

// start prepares for an execution's calls.
func (t *toolCalls) start(x *execution) {
	t.ctx, t.cancel = context.WithCancel(context.WithValue(x.ctx, toolOriginKey{}, toolOrigin{x.pool, x.id}))
	t.known = map[toolName]bool{}
	for _, namespace := range x.request.Tools {
		for _, tool := range namespace.Tools {
			t.known[toolName{namespace.Name, tool}] = true
		}
	}
	if len(t.known) > 0 {
		t.open, t.seen = map[int64]*openCall{}, map[int64]struct{}{}
		t.replies.wake = make(chan struct{}, 1)
		t.clock = time.NewTimer(x.request.Limits.ToolTime)
		t.clock.Stop()
		t.timeout = t.clock.C
	}
}

// close cancels the handlers that still run.
func (t *toolCalls) close() {
	t.cancel()
	if t.clock != nil {
		t.clock.Stop()
	}
}

// call takes in one tool call of the child. The child checks the same bounds;
// here they are checked against a child that does not.
func (x *execution) call(m *protocol.ToolCall) protocol.Fault {
	t, limits := &x.calls, &x.request.Limits
	name := toolName{m.Namespace, m.Tool}
	//gate:protects child-calls-checked
	if !t.known[name] {
		return &protocol.ProtocolViolation{What: "a call of the tool " + cut(strconv.Quote(name.String())) + ", which the request does not offer"}
	}
	//gate:protects child-calls-checked
	if _, repeated := t.seen[m.Call]; repeated {
		return &protocol.ProtocolViolation{What: fmt.Sprintf("a tool call with the id %d, which is not new", m.Call)}
	}
	size := int64(len(m.Args))
	switch {
	//gate:protects child-calls-checked tool-bounds
	case int64(len(t.list)) >= limits.ToolCalls:
		return &protocol.ToolCallsExceeded{Size: protocol.Size{Limit: limits.ToolCalls, Actual: int64(len(t.list)) + 1, AtLeast: true}}
	//gate:protects child-calls-checked tool-bounds
	case int64(len(t.open)) >= limits.CallsInFlight:
		return &protocol.ConcurrentCallsExceeded{Size: protocol.Size{Limit: limits.CallsInFlight, Actual: int64(len(t.open)) + 1}}
	//gate:protects child-calls-checked tool-bounds
	case size > limits.Argument:
		return &protocol.ArgumentsTooLarge{Size: protocol.Size{Limit: limits.Argument, Actual: size}, Of: name.String()}
	//gate:protects child-calls-checked tool-bounds
	case t.bytes+size > limits.ToolBytes:
		return &protocol.ArgumentsTooLarge{Size: protocol.Size{Limit: limits.ToolBytes, Actual: t.bytes + size}, Of: allCalls}
	}
	t.bytes += size
	t.seen[m.Call] = struct{}{}
	t.waited++
	ctx, cancel := context.WithCancelCause(t.ctx)
	call := &openCall{id: m.Call, name: name, record: len(t.list), cancel: cancel, deadline: time.Now().Add(limits.ToolTime)}
	t.open[m.Call] = call
	if t.order = append(t.order, call); len(t.order) == 1 {
		t.clock.Reset(limits.ToolTime)
	}
	t.list = append(t.list, protocol.Call{
		Name: name.String(), StartMS: time.Since(x.begun).Milliseconds(), Outcome: protocol.OutcomeAbandoned,
	})
	go x.handle(ctx, call, m)
	return nil
}

// overdue ends the calls whose time is up and returns what the program is told
// instead of their replies. It sets the clock for the next.
func (x *execution) overdue(now time.Time) []toolReply {
	t := &x.calls
	var replies []toolReply
	for len(t.order) > 0 {
		call := t.order[0]
		if t.open[call.id] == call {
			if left := call.deadline.Sub(now); left > 0 {
				t.clock.Reset(left)
				break
			}
			timeout := &protocol.ToolError{
				Name:    protocol.ToolTimeout,
				Message: fmt.Sprintf("the tool %s did not answer within %v", call.name, x.request.Limits.ToolTime),
			}
			call.cancel(timeout)
			reply := toolReply{call: call.id, name: call.name, envelope: errorEnvelope(timeout), overdue: true}
			x.encodeReply(&reply)
			replies = append(replies, reply)
		}
		t.order = t.order[1:]
	}
	return replies
}

// allCalls is what a bound on all calls together is called in faults.
const allCalls = "all tool calls"

// handle runs the handler and hands over its reply.
func (x *execution) handle(ctx context.Context, call *openCall, m *protocol.ToolCall) {
	defer call.cancel(nil)
	reply := toolReply{call: call.id, name: call.name}
	// Deferred, so that a handler that ends its goroutine is answered for too.
	returned := false
	defer func() {
		if !returned {
			x.report(call.name, recover())
			reply.envelope = failure("the tool panicked")
		}
		x.encodeReply(&reply)
		x.calls.replies.put(reply)
	}()
	switch {
	case ctx.Err() != nil:
		// It is over before the handler has begun: nothing may be called any more.
	case x.handler == nil:
		reply.envelope = failure("the host answers no tool calls")
	default:
		reply.envelope = x.handler(ctx, m.Namespace, m.Tool, m.Args)
	}
	returned = true
}

// report logs what a handler panicked with (nil: it ended its goroutine), which
// no program and no caller sees.
func (x *execution) report(name toolName, cause any) {
	x.logger.Error("a tool panicked", "tool", name.String(), "execution", x.id, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
}

// encodeReply makes the message, unless the reply is refused anyway.
func (x *execution) encodeReply(reply *toolReply) {
	if int64(len(reply.envelope)) > x.request.Limits.Reply {
		return
	}
	if outcomeOf(reply.envelope) == "" {
		reply.envelope = failure("the tool's reply is malformed")
	}
	payload, err := protocol.EncodeMessage(&protocol.ToolReply{Execution: x.id, Call: reply.call, Envelope: reply.envelope})
	if err != nil {
		reply.envelope = failure("the tool's reply cannot be encoded")
		payload, _ = protocol.EncodeMessage(&protocol.ToolReply{Execution: x.id, Call: reply.call, Envelope: reply.envelope})
	}
	reply.payload = payload
}

// answer takes in a handler's reply and returns the message for the child, or
// the fault when a bound has been passed. Replies after the outcome, or after
// the call was ended, are dropped.
func (x *execution) answer(reply toolReply) ([]byte, protocol.Fault) {
	t, limits := &x.calls, &x.request.Limits
	if !reply.overdue {
		t.waited--
	}
	call, open := t.open[reply.call]
	if !open || x.decided != nil {
		return nil, nil
	}
	size := int64(len(reply.envelope))
	frame := int64(len(reply.payload))
	var tooLarge *protocol.ReplyTooLarge
	switch {
	case size > limits.Reply:
		tooLarge = &protocol.ReplyTooLarge{Size: protocol.Size{Limit: limits.Reply, Actual: size}, Of: reply.name.String()}
	case t.bytes+size > limits.ToolBytes:
		tooLarge = &protocol.ReplyTooLarge{Size: protocol.Size{Limit: limits.ToolBytes, Actual: t.bytes + size}, Of: allCalls}
	case frame > x.maxFrame:
		tooLarge = &protocol.ReplyTooLarge{Size: protocol.Size{Limit: x.maxFrame, Actual: frame}, Of: reply.name.String()}
	}
	t.bytes += size
	record := &t.list[call.record]
	record.DurationMS = time.Since(x.begun).Milliseconds() - record.StartMS
	delete(t.open, reply.call)
	if tooLarge != nil {
		record.Outcome = protocol.OutcomeError
		return nil, tooLarge
	}
	record.Outcome = outcomeOf(reply.envelope)
	return reply.payload, nil
}

// records returns the calls, with those that were not answered as abandoned
// after the whole time.
func (t *toolCalls) records(elapsed time.Duration) []protocol.Call {
	for _, call := range t.open {
		record := &t.list[call.record]
		record.DurationMS = elapsed.Milliseconds() - record.StartMS
	}
	return t.list
}

// delivered returns the names of the calls that reached the caller's tools.
func (t *toolCalls) delivered() []string {
	var names []string
	for _, call := range t.list {
		names = append(names, call.Name)
	}
	return names
}

// awaitTools waits for the handlers that still run when the execution is over,
// but not longer than limit.
func (x *execution) awaitTools(limit time.Duration) {
	if x.calls.waited == 0 {
		return
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	for {
		for _, reply := range x.calls.replies.take() {
			if !reply.overdue {
				x.calls.waited--
			}
		}
		if x.calls.waited == 0 {
			return
		}
		select {
		case <-x.calls.replies.wake:
		case <-timeout.C:
			return
		}
	}
}

// outcomeOf returns the outcome that an envelope states, or "" when it does not
// begin like one.
func outcomeOf(envelope string) protocol.Outcome {
	switch {
	case strings.HasPrefix(envelope, `{"ok":`):
		return protocol.OutcomeOK
	case strings.HasPrefix(envelope, `{"error":`):
		return protocol.OutcomeError
	}
	return ""
}

// failure returns the envelope of an error that says no more than the message.
func failure(message string) string {
	return errorEnvelope(&protocol.ToolError{Name: "Error", Message: message})
}

// errorEnvelope returns the envelope of an error that the pool itself composes.
func errorEnvelope(failed *protocol.ToolError) string {
	text, err := protocol.Envelope{Error: failed}.Encode()
	if err != nil {
		// The texts are this package's own and always encode.
		return `{"error":{"name":"Error","message":"the tool failed"}}`
	}
	return text
}
