package pool

import (
	"slices"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the queue: who is next, which child it gets, and what a caller
// is told who does not fit in.

// dispatchLocked gives children to waiting executions, first come, first served.
func (p *Pool) dispatchLocked() {
	for len(p.queue) > 0 && p.running < p.config.Size {
		x := p.queue[0]
		c := p.takeIdleLocked(x.request.Tenant)
		if c == nil {
			p.makeRoomLocked()
			return
		}
		p.queue = slices.Delete(p.queue, 0, 1)
		p.running++
		c.phase = phaseBusy
		c.uses++
		c.tenant, c.bound = x.request.Tenant, true
		p.counts.executions++
		c.jobs <- x // has room for the one job that an idle child can get
		if c.uses >= p.config.MaxUses {
			p.refillLocked() // its replacement starts while it works for the last time
		}
	}
}

// takeIdleLocked removes and returns the idle child that last worked, among
// those that may work for the tenant; nil when there is none. A child that has
// already worked for the tenant is preferred to a fresh one.
func (p *Pool) takeIdleLocked(tenant string) *childProcess {
	best := -1
	for i, c := range p.idle {
		switch {
		case c.bound && (c.tenant == tenant || p.config.ShareTenants):
			best = i
		case !c.bound && (best < 0 || !p.idle[best].bound):
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	c := p.idle[best]
	p.idle = slices.Delete(p.idle, best, best+1)
	return c
}

// makeRoomLocked retires the longest idle child when all idle ones belong to
// other tenants than the one whose turn it is, so that a fresh child takes its
// place. One at a time is enough: each start looks at the queue again.
func (p *Pool) makeRoomLocked() {
	if len(p.idle) == 0 || p.countLocked(phaseStarting) > 0 {
		return
	}
	p.retireLocked(p.idle[0])
	p.refillLocked()
}

// unqueue removes an execution that still waits and reports whether it did.
func (p *Pool) unqueue(x *execution) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.queue, x)
	if i < 0 {
		return false
	}
	p.queue = slices.Delete(p.queue, i, i+1)
	return true
}

// failQueueLocked ends every waiting execution.
func (p *Pool) failQueueLocked(fault func() protocol.Fault) {
	for _, x := range p.queue {
		x.finish(&protocol.Result{Fault: fault()})
	}
	p.queue = nil
}

// overloadedLocked composes the refusal of an execution that found the queue full.
func (p *Pool) overloadedLocked() protocol.Fault {
	return &protocol.Overloaded{
		Queued:       len(p.queue),
		Capacity:     p.config.QueueLength,
		RetryAfterMS: p.retryAfterLocked().Milliseconds(),
	}
}

// retryAfterLocked estimates when a new execution would find room: the time in
// which the queue, and those that run, are worked off at the observed service
// time; at least 10 ms and at most a minute.
func (p *Pool) retryAfterLocked() time.Duration {
	ahead := time.Duration(len(p.queue) + 1)
	estimate := p.service.value * ahead / time.Duration(p.config.Size)
	return min(max(estimate, 10*time.Millisecond), time.Minute)
}

// movingAverage is an exponentially weighted moving average of durations.
type movingAverage struct{ value time.Duration }

// observe takes in one duration, with a weight of one eighth.
func (m *movingAverage) observe(d time.Duration) { m.value += (d - m.value) / 8 }
