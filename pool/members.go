package pool

import (
	"fmt"
	"slices"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the number of children: that it returns to Config.Size whatever
// happens to them, and what happens when it cannot.

// phase is what a child is doing.
type phase int

const (
	phaseStarting phase = iota
	phaseIdle
	phaseBusy
	phaseEnding // killed or told to end; not reaped yet
)

// Bounds on replacing children that die young.
const (
	// youngAge is how old an unused child must be for its death to count as
	// accident and not as failure to start.
	youngAge = 2 * time.Second
	// A failed start delays the next one, twice as long each time.
	firstDelay, longestDelay = 50 * time.Millisecond, 5 * time.Second
	// unavailableAfter is how many starts in a row must fail, with no child left
	// that works, before callers are refused.
	unavailableAfter = 3
)

// backoff paces the replacement of children that die young.
type backoff struct {
	failures int       // in a row
	next     time.Time // no start before
	reason   string    // of the last failure
	timer    *time.Timer
}

func (b *backoff) failed(reason string) {
	delay := longestDelay
	if b.failures < 7 {
		delay = min(firstDelay<<b.failures, longestDelay)
	}
	b.failures++
	b.next = time.Now().Add(delay)
	b.reason = reason
}

func (b *backoff) stop() {
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
}

// departure is why a child leaves the pool.
type departure struct {
	how howDeparted
	why string
}

type howDeparted int

const (
	departRetired howDeparted = iota // used up, too old, or in another tenant's way
	departCrashed                    // it ended by itself
	departKilled                     // it did not stop when it had to, or broke the protocol
	departFailed                     // it never became ready
	departClosed                     // the pool was closed
)

// countLocked returns how many children are in a phase.
func (p *Pool) countLocked(want phase) int {
	n := 0
	for _, c := range p.members {
		if c.phase == want {
			n++
		}
	}
	return n
}

// usableLocked returns how many children serve, or will serve, further executions.
func (p *Pool) usableLocked() int {
	n := 0
	for _, c := range p.members {
		if c.phase != phaseEnding && !c.expiring && (c.phase != phaseBusy || c.uses < p.config.MaxUses) {
			n++
		}
	}
	return n
}

// refillLocked starts children until there are enough, or sees to it that this
// is tried again. While starts fail it tries one at a time.
func (p *Pool) refillLocked() {
	if p.stage == stageClosed {
		return
	}
	for p.usableLocked() < p.wantedLocked() {
		if p.retry.failures > 0 {
			if p.countLocked(phaseStarting) > 0 {
				return
			}
			if wait := time.Until(p.retry.next); wait > 0 {
				p.refillLaterLocked(wait)
				return
			}
		}
		p.lastID++
		c := newChildProcess(p, p.lastID)
		p.members[c.id] = c
		p.live.Add(1)
		go c.supervise()
	}
}

func (p *Pool) refillLaterLocked(wait time.Duration) {
	if p.retry.timer != nil {
		return
	}
	p.retry.timer = time.AfterFunc(wait, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.retry.timer = nil
		p.refillLocked()
	})
}

// ready takes a started child into service.
func (p *Pool) ready(c *childProcess, welcome *protocol.Welcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.phase = phaseIdle
	p.idle = append(p.idle, c)
	p.engine, p.sealed = welcome.Engine, p.seals.states(welcome)
	p.retireExpiringLocked()
	p.refillLocked()
	p.dispatchLocked()
	p.trimLocked()
	if p.started != nil && p.countLocked(phaseIdle) >= p.config.Size {
		p.started <- nil
		p.started = nil
	}
}

// release takes a child back after an execution and reports whether it goes on.
func (p *Pool) release(c *childProcess, took time.Duration, resident int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exitLocked(c.current)
	c.current = nil
	p.service.observe(took)
	p.retry.failures = 0
	keep := c.uses < p.config.MaxUses
	if keep {
		c.phase = phaseIdle
		c.resident = resident
		c.expiring = c.expiring || time.Since(c.startedAt) >= p.config.MaxAge
		if !c.expiring && resident > p.config.MaxResident {
			c.expiring = true
			p.counts.outgrown++
		}
		p.idle = append(p.idle, c)
		p.retireExpiringLocked()
	} else {
		c.phase = phaseEnding
		p.counts.retired++
	}
	p.refillLocked()
	p.dispatchLocked()
	p.trimLocked()
	p.checkDrainedLocked()
	return keep
}

// requeueLocked takes an execution back from a child that died before it was
// given anything. It keeps its place and its age.
func (p *Pool) requeueLocked(x *execution) {
	p.counts.executions--
	switch {
	case p.stage == stageClosed:
		x.finish(&protocol.Result{Fault: poolClosed()})
	case p.stage == stageDraining && x.depth == 1:
		x.finish(&protocol.Result{Fault: &protocol.Draining{}})
	default:
		p.levels[x.depth-1].waiting.pushBack(x)
		select {
		case x.requeued <- struct{}{}:
		default:
		}
	}
}

// leave takes a child out of service and starts its replacement. Only the first
// call for a child has an effect.
func (p *Pool) leave(c *childProcess, d departure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.phase == phaseEnding {
		return
	}
	if c.phase == phaseBusy {
		p.exitLocked(c.current)
		c.current = nil
		select {
		case x := <-c.jobs: // which it never looked at
			c.uses--
			p.requeueLocked(x)
		default:
			p.service.observe(time.Since(c.jobAt))
		}
	}
	p.idle = slices.DeleteFunc(p.idle, func(other *childProcess) bool { return other == c })
	c.phase = phaseEnding
	switch d.how {
	case departRetired:
		p.counts.retired++
	case departCrashed:
		p.counts.crashes++
	case departKilled:
		p.counts.kills++
	}
	if d.how == departFailed || d.how != departClosed && d.how != departRetired && c.uses == 0 && time.Since(c.startedAt) < youngAge {
		p.retry.failed(d.why)
		if p.started != nil {
			p.started <- fmt.Errorf("pool: %w", &protocol.Unavailable{Reason: "a child process did not start: " + d.why})
			p.started = nil
		}
	}
	if p.unavailableLocked() != nil {
		p.failQueueLocked(len(p.levels), func() protocol.Fault { return p.unavailableLocked() })
	}
	p.refillLocked()
	p.dispatchLocked()
	p.trimLocked()
	p.checkDrainedLocked()
}

// forget drops a child that has been reaped.
func (p *Pool) forget(c *childProcess) {
	p.mu.Lock()
	delete(p.members, c.id)
	p.mu.Unlock()
}

// unavailableLocked returns the fault for callers while no child can be had.
func (p *Pool) unavailableLocked() *protocol.Unavailable {
	if p.retry.failures < unavailableAfter || p.countLocked(phaseIdle)+p.countLocked(phaseBusy) > 0 {
		return nil
	}
	return &protocol.Unavailable{
		Reason:       fmt.Sprintf("no child process can be started: %d attempts in a row failed, the last one with: %s", p.retry.failures, p.retry.reason),
		RetryAfterMS: max(time.Until(p.retry.next), firstDelay).Milliseconds(),
	}
}

// expire marks an idle child that has become too old. It serves on until its
// replacement is ready.
func (p *Pool) expire(c *childProcess) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.expiring = true
	p.retireExpiringLocked()
	p.refillLocked()
}

// retireExpiringLocked retires idle children that are too old or too large as
// far as others can take their work.
func (p *Pool) retireExpiringLocked() {
	able := 0
	for _, c := range p.members {
		if (c.phase == phaseIdle || c.phase == phaseBusy) && !c.expiring {
			able++
		}
	}
	for _, c := range slices.Clone(p.idle) {
		if c.expiring && able >= p.config.Size {
			p.retireLocked(c)
		}
	}
}

// retireLocked tells an idle child to end.
func (p *Pool) retireLocked(c *childProcess) {
	p.idle = slices.DeleteFunc(p.idle, func(other *childProcess) bool { return other == c })
	c.phase = phaseEnding
	p.counts.retired++
	close(c.retire)
}
