package pool

import (
	"slices"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns admission to the queue: who is next, which child it gets, and
// what a caller is told who does not fit in. The order among those that wait is
// in turns.go, the levels of nested executions in levels.go.

// dispatchLocked gives children to waiting executions, the deepest nested ones
// first: those that run wait for them.
func (p *Pool) dispatchLocked() {
	stuck := false
	for i := len(p.levels) - 1; i >= 0; i-- {
		l := &p.levels[i]
		for l.waiting.length > 0 && l.running < p.config.Size {
			x := l.waiting.first()
			c := p.takeIdleLocked(x.request.Tenant)
			if c == nil {
				stuck = true
				break
			}
			l.waiting.remove(x)
			p.giveLocked(x, c)
		}
	}
	if stuck {
		p.makeRoomLocked()
	}
}

// giveLocked gives an execution to an idle child.
func (p *Pool) giveLocked(x *execution, c *childProcess) {
	p.enterLocked(x)
	c.current = x
	c.phase = phaseBusy
	c.uses++
	c.tenant, c.bound = x.request.Tenant, true
	p.counts.executions++
	c.jobs <- x // has room for the one job that an idle child can get
	if c.uses >= p.config.MaxUses {
		p.refillLocked() // its replacement starts while it works for the last time
	}
}

// takeIdleLocked removes and returns the idle child that last worked, among
// those that may work for the tenant; nil when there is none. A child that has
// already worked for the tenant is preferred to a fresh one.
func (p *Pool) takeIdleLocked(tenant string) *childProcess {
	best := -1
	for i, c := range p.idle {
		switch {
		//gate:protects tenants-apart
		//gate:equivalent removed no child is used a second time then, which keeps tenants apart and costs a start
		//gate:equivalent flipped-2 a child is used again by its own tenant only, and only where tenants may share
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
	for len(p.idle) > 0 && p.countLocked(phaseStarting) == 0 {
		p.retireLocked(p.idle[0])
		if p.usableLocked() < p.wantedLocked() {
			p.refillLocked()
			return
		}
	}
}

// enqueueLocked lets an execution wait, or run at once. It returns the fault when
// the queue is full. Nested executions are not refused: those that wait for them
// hold a child each.
func (p *Pool) enqueueLocked(x *execution) protocol.Fault {
	waiting := &p.levels[x.depth-1].waiting
	waiting.push(x)
	p.refillLocked() // a nested one may need a child beyond the pool's size
	p.dispatchLocked()
	//gate:protects queue-bounded
	if x.depth > 1 || waiting.length <= p.config.QueueLength || !waiting.has(x) {
		return nil
	}
	out := waiting.surplus(x)
	waiting.remove(out)
	p.counts.overloaded++
	if out == x {
		return p.overloadedLocked()
	}
	out.finish(&protocol.Result{Fault: p.overloadedLocked()})
	return nil
}

// unqueue removes an execution that still waits and reports whether it did.
func (p *Pool) unqueue(x *execution) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.levels[x.depth-1].waiting.remove(x) {
		return false
	}
	p.trimLocked() // a child that was started for it is not needed any more
	return true
}

// failQueueLocked ends every execution that waits at depth one to the one given.
func (p *Pool) failQueueLocked(depth int, fault func() protocol.Fault) {
	for i := range p.levels[:depth] {
		for _, x := range p.levels[i].waiting.all() {
			p.levels[i].waiting.remove(x)
			x.finish(&protocol.Result{Fault: fault()})
		}
	}
}

// overloadedLocked composes the refusal of an execution that found the queue full.
func (p *Pool) overloadedLocked() protocol.Fault {
	return &protocol.Overloaded{
		Queued:       p.levels[0].waiting.length,
		Capacity:     p.config.QueueLength,
		RetryAfterMS: p.retryAfterLocked().Milliseconds(),
	}
}

// retryAfterLocked estimates when a new execution would find room: the time in
// which the queue, and those that run, are worked off at the observed service
// time; at least 10 ms and at most a minute.
func (p *Pool) retryAfterLocked() time.Duration {
	ahead := time.Duration(p.levels[0].waiting.length + 1)
	estimate := p.service.value * ahead / time.Duration(p.config.Size)
	return min(max(estimate, 10*time.Millisecond), time.Minute)
}

// movingAverage is an exponentially weighted moving average of durations.
type movingAverage struct{ value time.Duration }

// observe takes in one duration, with a weight of one eighth.
func (m *movingAverage) observe(d time.Duration) { m.value += (d - m.value) / 8 }
