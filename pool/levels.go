package pool

import (
	"context"
	"fmt"
	"strconv"

	"github.com/isogate/isogate/protocol"
)

// This file owns nested executions: those that a tool of a running execution
// makes. The outer one keeps its child while it waits for the inner one, so with
// one common number of places a pool could fill up with executions that all wait
// for a place. Instead there are levels, one for each depth, with Config.Size
// places each. An execution waits for deeper ones only, and those of the last
// level for none, so there is always one that can go on.

// level is what runs and waits at one depth of nesting.
type level struct {
	waiting turns
	running int
	// hosts is how many executions of the level above run that have made one of
	// this level. A child is kept for each, because there is often a next one.
	hosts int
}

// demand returns how many children the level needs.
func (l *level) demand(size int) int { return min(size, max(l.running+l.waiting.length, l.hosts)) }

// toolOrigin is what the context of a tool says of where it runs.
type toolOrigin struct {
	pool *Pool
	id   string
}

type toolOriginKey struct{}

// ExecutionID returns the id of the execution whose tool was given ctx, or a
// context that descends from such a one; "" for any other. It is what
// [protocol.Request.Parent] takes, and Execute takes it from its context by itself.
func ExecutionID(ctx context.Context) string {
	origin, _ := ctx.Value(toolOriginKey{}).(toolOrigin)
	return origin.id
}

// WithExecutionID returns a context from which [ExecutionID] returns id. It is for
// those that give contexts to tools of executions elsewhere; to the pools of this
// process it means nothing.
func WithExecutionID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, toolOriginKey{}, toolOrigin{id: id})
}

// placeLocked finds the depth of an execution: one more than its parent's.
func (p *Pool) placeLocked(x *execution) protocol.Fault {
	x.depth = 1
	id, stated := x.request.Parent, x.request.Parent != ""
	if origin, ok := x.ctx.Value(toolOriginKey{}).(toolOrigin); ok && !stated && origin.pool == p {
		id = origin.id
	}
	if id == "" {
		return nil
	}
	refuse := func(format string, args ...any) protocol.Fault {
		return &protocol.InvalidRequest{Field: "parent", Reason: fmt.Sprintf(format, args...)}
	}
	parent := p.active[id]
	switch {
	case parent == nil && stated:
		return refuse("no execution %s is running", cut(strconv.Quote(id)))
	case parent == nil:
		return nil // something that outlived its execution; nobody waits for it
	case !stated && x.request.Tenant == "":
		x.request.Tenant = parent.request.Tenant
	case x.request.Tenant != parent.request.Tenant:
		// The id of another tenant's execution is not to be told from one that
		// does not exist, unless the context proves that the caller knows it.
		if stated {
			return refuse("no execution %s is running", cut(strconv.Quote(id)))
		}
		return refuse("the execution in whose tool this request was made belongs to another tenant")
	}
	//gate:protects nesting-bounded
	if parent.depth >= p.config.MaxDepth {
		// Not Overloaded: the same request would be refused again at any time.
		return refuse("executions may be nested %d deep, this one would be at depth %d", p.config.MaxDepth, parent.depth+1)
	}
	x.depth = parent.depth + 1
	if !parent.nests {
		parent.nests = true
		p.levels[x.depth-1].hosts++
	}
	return nil
}

// enterLocked counts an execution that begins to run.
func (p *Pool) enterLocked(x *execution) {
	p.active[x.id] = x
	p.levels[x.depth-1].running++
}

// exitLocked counts one that runs no more, or not yet.
func (p *Pool) exitLocked(x *execution) {
	delete(p.active, x.id)
	p.levels[x.depth-1].running--
	if x.nests {
		p.levels[x.depth].hosts--
		x.nests = false
	}
}

// wantedLocked returns how many children are to serve further executions: the
// pool's size, and more only while nested executions need them.
func (p *Pool) wantedLocked() int {
	needed := 0
	for i := range p.levels {
		needed += p.levels[i].demand(p.config.Size)
	}
	for _, c := range p.members {
		if c.phase == phaseBusy && c.uses >= p.config.MaxUses {
			needed-- // it serves one of them, but no further one
		}
	}
	if p.stage != stageOpen {
		return needed
	}
	return max(needed, p.config.Size)
}

// trimLocked retires idle children that are no longer needed.
func (p *Pool) trimLocked() {
	if p.stage != stageOpen {
		return
	}
	for len(p.idle) > 0 && p.usableLocked() > p.wantedLocked() {
		p.retireLocked(p.idle[0])
	}
}
