package pool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns one execution as the parent sees it, from the caller's job to
// its one outcome.

// execution is one execution. It belongs to the caller's goroutine until a child
// takes it, then to the goroutine that supervises the child, until done.
type execution struct {
	id       string
	request  *protocol.Request // with resolved limits
	payload  []byte            // the execute message, until it is sent
	handler  ToolHandler
	ctx      context.Context // the caller's
	pool     *Pool
	logger   *slog.Logger
	maxFrame int64
	admitted time.Time

	depth int  // of nesting, from 1; set before it waits
	nests bool // guarded by pool.mu; one of its tools has made an execution

	done     chan struct{}    // closed when result is set
	result   *protocol.Result // the outcome
	requeued chan struct{}    // capacity 1; it is back in the queue
	feed     logFeed

	child   int       // id of the child that took it
	number  int64     // of the execute message on the child's channel
	unsent  bool      // the child died before it can have read that message
	begun   time.Time // when it was sent to the child
	decided protocol.Fault
	calls   toolCalls
	logs    logBook
}

// newExecution checks what the pool itself relies on, and encodes the request.
func newExecution(ctx context.Context, id int64, job Job, p *Pool) (*execution, protocol.Fault) {
	c := &p.config
	request := *job.Request
	limits, err := request.Limits.Resolve(protocol.DefaultLimits, protocol.MaxLimits)
	if err != nil {
		return nil, asFault(err)
	}
	request.Limits = limits
	x := &execution{
		id:       strconv.FormatInt(id, 10),
		request:  &request,
		handler:  job.Tool,
		ctx:      ctx,
		pool:     p,
		logger:   c.Logger,
		maxFrame: c.MaxFrame,
		admitted: time.Now(),
		done:     make(chan struct{}),
		requeued: make(chan struct{}, 1),
		feed:     logFeed{wake: make(chan struct{}, 1), wanted: job.OnLog != nil},
		logs:     logBook{bytes: limits.LogBytes, entries: limits.LogEntries},
	}
	// What a child does not need does not reach it.
	sent := request
	sent.Tenant, sent.Parent, sent.Trace = "", "", nil
	x.payload, err = protocol.EncodeMessage(&protocol.Execute{Execution: x.id, Request: sent, StreamLogs: true})
	if err != nil {
		return nil, asFault(err)
	}
	if size := int64(len(x.payload)); size > c.MaxFrame {
		return nil, &protocol.InvalidRequest{
			Field:  "request",
			Reason: fmt.Sprintf("its message has %d bytes, more than the %d of a frame", size, c.MaxFrame),
		}
	}
	return x, nil
}

// asFault returns err as the fault that it is, or as an InvalidRequest.
func asFault(err error) protocol.Fault {
	var fault protocol.Fault
	if errors.As(err, &fault) {
		return fault
	}
	return &protocol.InvalidRequest{Field: "request", Reason: err.Error()}
}

// cancellation returns the fault for a context that is done.
func cancellation(ctx context.Context) protocol.Fault {
	cause := context.Cause(ctx)
	var fault protocol.Fault
	if errors.As(cause, &fault) {
		return protocol.CopyFault(fault) // the context may be that of other executions too
	}
	if errors.Is(cause, context.Canceled) {
		return &protocol.Cancelled{}
	}
	return &protocol.Cancelled{Reason: cause.Error()}
}

// finish sets the result. It is called exactly once.
func (x *execution) finish(r *protocol.Result) {
	x.result = r
	close(x.done)
}

// execute runs x in this child. If gone is true the child cannot be used again.
func (c *childProcess) execute(x *execution) (result *protocol.Result, d departure, gone bool) {
	if x.ctx.Err() != nil {
		return &protocol.Result{Fault: cancellation(x.ctx)}, departure{}, false
	}
	x.child, x.begun = c.id, time.Now()
	x.calls.start(x)
	defer x.calls.close()
	dataLimit := c.boundMemory(x)
	watch := newWatchdog(x.request, c.pool.config.Grace, c.cpuTime)
	defer watch.stop()
	x.number = c.channel.send(x.payload)
	x.payload = nil // it may be large, and is not needed again

	// decide sets the outcome, if there is none yet, and asks the child to stop.
	decide := func(fault protocol.Fault) {
		if x.decided != nil {
			return
		}
		x.decided = fault
		watch.stopWithinGrace()
		// A cancel message cannot fail to encode; should it, the watchdog kills.
		_ = c.channel.sendMessage(&protocol.Cancel{Execution: x.id})
	}
	kill := func(fault protocol.Fault, why string) (*protocol.Result, departure, bool) {
		c.process.kill()
		if x.decided != nil {
			fault = x.decided
		}
		return x.conclude(nil, fault, watch), departure{departKilled, why}, true
	}
	answer := func(replies []toolReply) {
		for _, reply := range replies {
			if payload, fault := x.answer(reply); fault != nil {
				decide(fault)
			} else if payload != nil {
				c.channel.send(payload)
			}
		}
	}
	cancelled := x.ctx.Done()
	var latest time.Time // when the last message arrived
	for {
		watch.waitsForTools(len(x.calls.open) > 0, latest)
		select {
		case in := <-c.channel.incoming:
			if in.err != nil {
				return c.lostDuring(x, in.err, watch, dataLimit)
			}
			latest = in.arrival.at
			final, fault := x.receive(in.message)
			if violation, ok := fault.(*protocol.ProtocolViolation); ok {
				return kill(violation, violation.What)
			}
			if final != nil {
				fault, violation := x.judge(final, watch, in.arrival)
				if violation != nil {
					return kill(violation, violation.What)
				}
				return x.conclude(final, fault, watch), departure{}, false
			}
			if fault != nil {
				decide(fault)
			}
		case <-x.calls.replies.wake:
			answer(x.calls.replies.take())
		case <-x.calls.timeout:
			answer(x.overdue(time.Now()))
		case <-cancelled:
			cancelled = nil
			decide(cancellation(x.ctx))
		case <-watch.timer.C:
			if fault, late := watch.check(time.Now()); late {
				return kill(fault, "it did not stop in time")
			}
		case <-c.pool.closing:
			return x.conclude(nil, poolClosed(), watch), departure{departClosed, "the pool was closed"}, true
		}
	}
}

// lostDuring returns the outcome when the child's stream ends, or breaks, before
// the result.
func (c *childProcess) lostDuring(x *execution, err error, watch *watchdog, dataLimit int64) (*protocol.Result, departure, bool) {
	fault, d := protocol.Fault(nil), departure{}
	if violation := c.channel.lost(err); violation != nil {
		fault, d = violation, departure{departKilled, violation.What}
	} else if c.awaitEnd(deathTime) {
		x.unsent = !c.channel.handedOver(x.number)
		fault = deathFault(c.state, c.stderr, x.unsent, &x.request.Limits, dataLimit, c.killedAt)
		d = departure{departCrashed, describeExit(c.state)}
	} else {
		const what = "it closed its channel and ran on"
		fault, d = &protocol.ProtocolViolation{What: what}, departure{departKilled, what}
	}
	if x.decided != nil {
		fault = x.decided
	}
	return x.conclude(nil, fault, watch), d, true
}

// receive takes in one message of the child. It returns the result, when the
// message is that; a ProtocolViolation for what no child may send; or another
// fault, when the program has passed a bound.
func (x *execution) receive(m protocol.Message) (*protocol.Result, protocol.Fault) {
	var id string
	switch m := m.(type) {
	case *protocol.ToolCall:
		id = m.Execution
	case *protocol.Log:
		id = m.Execution
	case *protocol.ResultMessage:
		id = m.Execution
	default:
		return nil, &protocol.ProtocolViolation{What: fmt.Sprintf("a child may not send %s messages", m.MessageType())}
	}
	//gate:protects child-results-checked
	if id != x.id {
		return nil, &protocol.ProtocolViolation{
			What: fmt.Sprintf("a %s message for execution %s, while %s runs", m.MessageType(), cut(strconv.Quote(id)), x.id),
		}
	}
	switch m := m.(type) {
	case *protocol.ResultMessage:
		return &m.Result, nil
	case *protocol.ToolCall:
		if x.decided == nil {
			return nil, x.call(m)
		}
	case *protocol.Log:
		if x.decided == nil {
			if violation := x.log(m.Entry); violation != nil {
				return nil, violation
			}
		}
	}
	return nil, nil // late, and dropped
}

// conclude composes the result: the child's, or nil when there is none, under
// the fault that was decided, if one was.
func (x *execution) conclude(from *protocol.Result, fault protocol.Fault, watch *watchdog) *protocol.Result {
	out := &protocol.Result{Logs: x.logs.kept, Calls: x.calls.records(time.Since(x.begun))}
	out.Usage = watch.usage(from)
	out.Usage.QueueMS = protocol.Milliseconds(x.begun.Sub(x.admitted))
	out.Usage.Child = x.child
	out.Usage.ToolCalls = len(out.Calls)
	out.Usage.DroppedLogs = max(out.Usage.DroppedLogs, x.logs.dropped)
	if fault == nil {
		out.Value = from.Value
		return out
	}
	out.Fault = fault
	reached := fault.Reached()
	reached.Delivered = x.calls.delivered()
	// What the child says of itself about having started is believed as far as
	// nothing contradicts it; when it says nothing, the program may have started,
	// if it had been sent.
	reached.Started = reached.Started || from == nil && !x.unsent || x.decided != nil || len(reached.Delivered) > 0
	return out
}
