package pool

import (
	"cmp"
	"slices"
	"time"
)

// This file owns what can be observed of a pool.

// Stats is the state of a pool at one moment.
type Stats struct {
	// Size is Config.Size. Ready children wait for work, Busy ones run an
	// execution, Starting ones have not answered yet.
	Size, Ready, Busy, Starting int
	// Queued executions wait for a child. Nested counts those of them, and of
	// those that run, that a tool of another one made.
	Queued, Nested int
	// Executions were given to a child since New. Overloaded were refused.
	Executions, Overloaded int64
	// Crashes counts children that ended by themselves, Kills those that had to
	// be killed, Retired those that were replaced as planned.
	Crashes, Kills, Retired int64
	// Outgrown counts the children that were replaced because they kept too much
	// memory; they are among Retired when they have ended.
	Outgrown int64
	// Service is the moving average of how long executions occupy a child.
	Service time.Duration
	// Engine is the engine's version, Sealing the state of every sealing measure, in
	// the order of [child.Measures], both of the last child that started.
	Engine  string
	Sealing []SealingState
	// Cgroup is the path of the control group in which children have theirs, see
	// [Config.Cgroup]. CgroupReason says why the last child that was started has none.
	Cgroup, CgroupReason string
	// SnapshotSize is the size of the startup snapshot in bytes.
	SnapshotSize int64
	// Children are all children that have not been reaped, by ID.
	Children []ChildStats
}

// ChildStats is the state of one child.
type ChildStats struct {
	// ID counts children from 1; PID is zero while the process is being started.
	ID, PID int
	// Uses is how many executions it was given.
	Uses int
	// Resident is its memory in bytes after the last of them; 0 before the first,
	// and where it cannot be measured.
	Resident int64
	// Busy: it runs one. Ready: it waits for one. Neither: it starts or ends.
	Busy, Ready bool
	// Age is how long ago it was started.
	Age time.Duration
	// Tenant is whom it works for, once it has worked.
	Tenant string
}

// counters are the figures of Stats that only grow.
type counters struct {
	executions, overloaded, crashes, kills, retired, outgrown int64
}

// Stats returns the state of the pool.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := Stats{
		Size:         p.config.Size,
		Ready:        p.countLocked(phaseIdle),
		Busy:         p.countLocked(phaseBusy),
		Starting:     p.countLocked(phaseStarting),
		Executions:   p.counts.executions,
		Overloaded:   p.counts.overloaded,
		Crashes:      p.counts.crashes,
		Kills:        p.counts.kills,
		Retired:      p.counts.retired,
		Outgrown:     p.counts.outgrown,
		Service:      p.service.value,
		Engine:       p.engine,
		Sealing:      slices.Clone(p.sealed),
		SnapshotSize: p.snapshot.size,
	}
	s.Cgroup, s.CgroupReason = p.groups.state()
	for i := range p.levels {
		l := &p.levels[i]
		s.Queued += l.waiting.length
		if i > 0 {
			s.Nested += l.running + l.waiting.length
		}
	}
	for _, c := range p.members {
		s.Children = append(s.Children, ChildStats{
			ID: c.id, PID: int(c.pid.Load()), Uses: c.uses, Resident: c.resident,
			Busy: c.phase == phaseBusy, Ready: c.phase == phaseIdle,
			Age: time.Since(c.startedAt), Tenant: c.tenant,
		})
	}
	slices.SortFunc(s.Children, func(a, b ChildStats) int { return cmp.Compare(a.ID, b.ID) })
	return s
}
