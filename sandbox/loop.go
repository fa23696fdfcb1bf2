package sandbox

import (
	"time"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns the event loop of one execution: what runs next, and when
// there is nothing left to run.

// entered judges how an entry into the isolate ended and reports whether the
// execution goes on.
func (e *execution) entered(o v8.Outcome) bool {
	// Whatever V8 says of the entry, passing the heap limit ends the execution.
	if e.isolate.HeapExceeded() {
		e.end(nil, &protocol.MemoryExceeded{Kind: protocol.MemoryHeap, Limit: e.req.Limits.Heap})
	}
	if e.hasEnded() {
		return false
	}
	switch o.Status {
	case v8.OK:
		return true
	case v8.Syntax:
		e.end(nil, e.refused(o))
	case v8.ModuleNotFound:
		e.end(nil, e.moduleNotFound(o.Message, o.Resource))
	default:
		// Thrown without a report, terminated by nobody, or an internal error:
		// this process cannot be relied upon. It ends, its supervisor sees that.
		panic("sandbox: the engine broke its contract: " + o.Message)
	}
	return false
}

// loop runs jobs, timers and tool replies until the outcome stands. When
// nothing is left that could ever run, the program is stalled.
func (e *execution) loop() {
	for !e.hasEnded() {
		if ran, outcome := e.isolate.Pump(); !e.entered(outcome) {
			return
		} else if ran {
			continue
		}
		if id, ok := e.timers.due(time.Now()); ok {
			if !e.entered(e.isolate.Fire(id)) {
				return
			}
		}
		if reply, ok := e.nextReply(); ok {
			if !e.settle(reply) {
				return
			}
			continue
		}
		if !e.wait() {
			return
		}
	}
}

// wait blocks until there may be something to do. It reports false when the
// outcome stands.
func (e *execution) wait() bool {
	delay, hasTimer := e.timers.wait(time.Now())
	//gate:protects stalled-at-once
	if !hasTimer && len(e.pending) == 0 {
		e.conclude(nil, &protocol.Stalled{})
		return false
	}
	if len(e.pending) > 0 {
		e.clock.stop()
		defer e.clock.run()
	}
	var due <-chan time.Time
	if hasTimer {
		clock := time.NewTimer(delay)
		defer clock.Stop()
		due = clock.C
	}
	select {
	case <-e.ended:
		return false
	case <-e.replied:
	case <-due:
	}
	return true
}

// reply queues a tool's reply for the loop. Any goroutine may call it.
func (e *execution) reply(call int64, envelope string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.isRunning || e.isEnded {
		return
	}
	e.replies = append(e.replies, toolReply{call, envelope})
	select {
	case e.replied <- struct{}{}:
	default:
	}
}

func (e *execution) nextReply() (toolReply, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.replies) == 0 {
		return toolReply{}, false
	}
	reply := e.replies[0]
	e.replies = e.replies[1:]
	return reply, true
}

// settle gives a reply to the program. It reports whether the execution goes on.
func (e *execution) settle(reply toolReply) bool {
	tool, ok := e.pending[reply.call]
	if !ok {
		return true // answered before, or never asked
	}
	delete(e.pending, reply.call)
	size, limit := int64(len(reply.envelope)), e.req.Limits.Reply
	if size > limit {
		e.end(nil, &protocol.ReplyTooLarge{Size: protocol.Size{Limit: limit, Actual: size}, Of: tool})
		return false
	}
	if e.toolBytes += size; e.toolBytes > e.req.Limits.ToolBytes {
		e.end(nil, &protocol.ReplyTooLarge{Size: protocol.Size{Limit: e.req.Limits.ToolBytes, Actual: e.toolBytes}, Of: "all tool calls"})
		return false
	}
	return e.entered(e.isolate.Settle(reply.call, reply.envelope))
}
