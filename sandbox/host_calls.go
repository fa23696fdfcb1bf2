package sandbox

import (
	"time"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns the answers to host calls: all that guest code can make
// happen outside its isolate, by way of the guest library.

// undefinedText is how the guest library says that the value is undefined.
const undefinedText = `{"$":"undefined"}`

// answer is called on the engine's thread while guest code waits. After the
// outcome stands, nothing is answered any more.
func (e *execution) answer(c v8.HostCall) int64 {
	//gate:protects settled-is-over
	//gate:equivalent removed whoever ends the execution also terminates the isolate, so nothing calls any more
	if e.hasEnded() {
		return 0
	}
	switch c.Op {
	case v8.OpCall:
		return e.callTool(c.Texts[0], c.Texts[1], c.Texts[2])
	case v8.OpLog:
		text := c.Texts[1]
		if c.Texts[2] != "" {
			text = e.withHint(text, c.Texts[2])
		}
		if entry, ok := e.logs.add(protocol.Level(c.Texts[0]), text, time.Since(e.started)); ok {
			e.host.Log(entry)
		}
	case v8.OpTimerStart:
		//gate:protects timers-bounded
		if int64(e.timers.pending()) >= e.req.Limits.Timers {
			return 0
		}
		return e.timers.start(time.Now(), delayOf(c.Numbers[0]), c.Numbers[1] != 0)
	case v8.OpTimerClear:
		e.timers.clear(int64(c.Numbers[0]))
	case v8.OpResult:
		e.succeed(c.Texts[0])
	case v8.OpFault:
		e.fail(e.guestFault(c.Texts[0]))
	case v8.OpNow:
		return guestNow(e.started, time.Since(e.started))
	case v8.OpTimeOrigin:
		return timeOrigin(e.started)
	case v8.OpPosition:
		return e.program.packedPosition(c.Texts[0], int(c.Numbers[0]), int(c.Numbers[1]))
	case v8.OpSuspends:
		if awaitsAtTop(e.program.modules[c.Texts[0]]) {
			return 1
		}
	case v8.OpLower:
		return e.lowerModule(v8.Outcome{
			Status: v8.Syntax, Resource: c.Texts[0], Message: c.Texts[1], Line: int(c.Numbers[0]), Column: int(c.Numbers[1]),
		})
	}
	return 0
}

// callTool checks a tool call against its bounds and delivers it. It returns
// the call's id, or 0 when the execution is over instead.
func (e *execution) callTool(namespace, tool, args string) int64 {
	limits, name, size := e.req.Limits, namespace+"."+tool, int64(len(args))
	switch {
	case !e.req.HasTool(namespace, tool):
		// The guest library offers only what was granted.
		panic("sandbox: the guest library called a tool that was not granted")
	case size > limits.Argument:
		e.end(nil, &protocol.ArgumentsTooLarge{Size: protocol.Size{Limit: limits.Argument, Actual: size}, Of: name})
	case e.toolBytes+size > limits.ToolBytes:
		e.end(nil, &protocol.ArgumentsTooLarge{Size: protocol.Size{Limit: limits.ToolBytes, Actual: e.toolBytes + size}, Of: "all tool calls"})
	//gate:protects tool-bounds
	//gate:equivalent removed the parent counts the same calls
	case int64(len(e.delivered)) >= limits.ToolCalls:
		e.end(nil, &protocol.ToolCallsExceeded{Size: protocol.Size{Limit: limits.ToolCalls, Actual: int64(len(e.delivered)) + 1}})
	case int64(len(e.pending)) >= limits.CallsInFlight:
		e.end(nil, &protocol.ConcurrentCallsExceeded{Size: protocol.Size{Limit: limits.CallsInFlight, Actual: int64(len(e.pending)) + 1}})
	default:
		id := e.sandbox.newCallID()
		e.toolBytes += size
		e.pending[id] = name
		e.delivered = append(e.delivered, name)
		e.host.CallTool(&protocol.ToolCall{Call: id, Namespace: namespace, Tool: tool, Args: args})
		return id
	}
	return 0
}

// succeed ends the execution with a value, unless a bound says otherwise.
func (e *execution) succeed(text string) {
	size, limit := int64(len(text)), e.req.Limits.Result
	switch {
	case e.isolate.HeapExceeded():
		e.end(nil, &protocol.MemoryExceeded{Kind: protocol.MemoryHeap, Limit: e.req.Limits.Heap})
	//gate:protects result-bound
	//gate:equivalent removed the encoder of the program's side and the parent have the same bound
	case size > limit:
		e.end(nil, &protocol.ResultTooLarge{Size: protocol.Size{Limit: limit, Actual: size}})
	case text == undefinedText:
		e.conclude(nil, nil)
	default:
		e.conclude(protocol.Value(text), nil)
	}
}

// fail ends the execution with a fault that the guest library reported.
func (e *execution) fail(fault protocol.Fault) {
	if fault.Class() == protocol.ClassProgram {
		e.conclude(nil, fault)
	} else {
		e.end(nil, fault)
	}
}

// conclude ends the execution with what the program came to, unless its time
// was up by then.
func (e *execution) conclude(value protocol.Value, fault protocol.Fault) {
	if late := e.late(); late != nil {
		value, fault = nil, late
	}
	e.end(value, fault)
}
