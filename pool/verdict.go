package pool

import (
	"fmt"
	"strconv"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns what is believed of a child's result. The program's own faults
// are the child's to state. Whatever speaks of the host, the pool or the clock
// is decided or checked here.

// faultOverhead bounds what a fault may hold besides the program's own texts and
// the value it threw.
const faultOverhead = 256 << 10

// judge checks the child's result. It returns the fault the execution ends with,
// nil for a value, or the violation that makes the result worthless.
func (x *execution) judge(r *protocol.Result, watch *watchdog, when arrival) (protocol.Fault, *protocol.ProtocolViolation) {
	if x.decided != nil {
		// The child did stop. How it puts that is of no interest.
		return x.decided, nil
	}
	if r.Fault != nil {
		fault, violation := x.judgeFault(r.Fault, watch)
		if violation == nil && fault.Class() == protocol.ClassProgram {
			return orLate(fault, watch.late(when)), nil
		}
		return fault, violation
	}
	limits := &x.request.Limits
	//gate:protects child-results-checked
	//gate:equivalent removed the check of the codec text has the same bound, and ends as a protocol violation
	//gate:equivalent dropped the check of the codec text has the same bound, and ends as a protocol violation
	if size := int64(len(r.Value)); size > limits.Result {
		return &protocol.ResultTooLarge{Size: protocol.Size{Limit: limits.Result, Actual: size}}, nil
	}
	//gate:protects child-results-checked
	if len(r.Value) > 0 {
		if err := protocol.Check(r.Value, protocol.Bounds{Bytes: limits.Result}); err != nil {
			return nil, &protocol.ProtocolViolation{What: "the result's value is not codec text: " + cut(err.Error())}
		}
	}
	return orLate(nil, watch.late(when)), nil
}

// orLate returns the fault of a result that came too late, else the one stated.
// A program that outlives its time gets no credit for what it then came to: V8
// has native functions that run past an interruption and report success. A limit
// that the child says was passed stands, whenever it says so.
func orLate(stated protocol.Fault, late *protocol.DeadlineExceeded) protocol.Fault {
	if late != nil {
		return late
	}
	return stated
}

func (x *execution) judgeFault(fault protocol.Fault, watch *watchdog) (protocol.Fault, *protocol.ProtocolViolation) {
	//gate:protects fault-kind-unforgeable
	if !fault.Code().FromChild() {
		return nil, &protocol.ProtocolViolation{What: fmt.Sprintf("a child may not state the fault %s", fault.Code())}
	}
	limits := &x.request.Limits
	text, err := protocol.EncodeFault(fault)
	if err != nil {
		return nil, &protocol.ProtocolViolation{What: "the fault cannot be encoded: " + cut(err.Error())}
	}
	// In JSON a character of a text takes six bytes at most. Each text is bounded
	// by ErrorText, and a cause chain as a whole too.
	if size, bound := int64(len(text)), limits.Result+12*limits.ErrorText+faultOverhead; size > bound {
		return nil, &protocol.ProtocolViolation{What: fmt.Sprintf("a fault of %d bytes, the limit is %d", size, bound)}
	}
	switch f := fault.(type) {
	case *protocol.DeadlineExceeded:
		return x.judgeDeadline(f, watch)
	case *protocol.MemoryExceeded:
		switch f.Kind {
		case protocol.MemoryHeap:
			f.Limit = limits.Heap
		case protocol.MemoryExternal:
			f.Limit = limits.External
		default:
			return nil, &protocol.ProtocolViolation{What: "memory_exceeded of the kind " + cut(strconv.Quote(f.Kind))}
		}
	}
	return fault, nil
}

// judgeDeadline believes an interruption only when this side's clock agrees that
// the time is up. The parent's clocks start before the child's and are read
// after it, so they cannot be behind, but for rounding.
func (x *execution) judgeDeadline(f *protocol.DeadlineExceeded, watch *watchdog) (protocol.Fault, *protocol.ProtocolViolation) {
	const rounding = 20 * time.Millisecond
	limits := &x.request.Limits
	out := &protocol.DeadlineExceeded{Kind: f.Kind, How: protocol.HowInterrupted}
	out.Started = true
	var limit, counted, used time.Duration // used is the most that can have counted
	known := true
	switch f.Kind {
	case protocol.ClockWall:
		now := time.Now()
		// The child's clock runs on when the program works while a tool call is open.
		limit, counted, used = limits.Wall, watch.wall(now), now.Sub(watch.begun)
	case protocol.ClockCPU:
		limit = limits.CPU
		used, known = watch.cpu()
		counted = used
	default:
		return nil, &protocol.ProtocolViolation{What: "deadline_exceeded of the kind " + cut(strconv.Quote(f.Kind))}
	}
	//gate:protects fault-kind-unforgeable
	if known && used < limit-rounding {
		return nil, &protocol.ProtocolViolation{What: fmt.Sprintf("deadline_exceeded (%s) after %v of %v", f.Kind, used.Round(time.Millisecond), limit)}
	}
	out.LimitMS = limit.Milliseconds()
	out.ElapsedMS = max(counted, limit).Milliseconds()
	return out, nil
}
