package pool

import (
	"context"
	"sync"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the pool's life and the way of an execution through it:
// admission, waiting, the result.

// Job is one execution to be run.
type Job struct {
	// Request is the request, validated; it must not be nil. Limits left at zero
	// take [protocol.DefaultLimits].
	Request *protocol.Request
	// Tool answers the program's tool calls. Without it every call fails.
	Tool ToolHandler
	// OnLog, if set, is called with each log entry as it arrives, in order, by the
	// goroutine that called Execute, which therefore waits for it to return.
	OnLog func(protocol.LogEntry)
}

// Pool runs executions in child processes. Its methods may be called from any
// goroutine.
type Pool struct {
	config   Config
	snapshot *Snapshot
	seals    seals
	groups   *groups
	spawner  *spawner
	closing  chan struct{}  // closed by Close
	drained  chan struct{}  // closed when nothing runs and nothing more will
	live     sync.WaitGroup // one for each child that has not been reaped

	mu      sync.Mutex
	members map[int]*childProcess // guarded by mu; every child that has not been reaped
	idle    []*childProcess       // guarded by mu; least recently used first
	levels  []level               // guarded by mu; Config.MaxDepth of them, the outermost executions first
	active  map[string]*execution // guarded by mu; executions that have a child, by id
	stage   stage                 // guarded by mu
	lastID  int                   // guarded by mu; of children
	nextRun int64                 // guarded by mu; id of the last execution
	retry   backoff               // guarded by mu
	counts  counters              // guarded by mu
	service movingAverage         // guarded by mu; observed service time
	engine  string                // guarded by mu; what the last welcome said
	sealed  []SealingState        // guarded by mu; of the last child that started
	started chan error            // guarded by mu; New waits on it; nil afterwards
}

// stage is how far the pool's life has come.
type stage int

const (
	stageOpen stage = iota
	stageDraining
	stageClosed
)

// New makes the snapshot, or takes the one that it is given, and starts the children. It returns when all of them
// are ready, or with the first error, or when ctx is done. ctx does not bound
// the pool's life.
func New(ctx context.Context, c Config) (*Pool, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	groups, err := openGroups(c.Cgroup, c.Logger)
	if err != nil {
		return nil, err
	}
	p := &Pool{
		config:  c,
		groups:  groups,
		spawner: newSpawner(),
		closing: make(chan struct{}),
		drained: make(chan struct{}),
		members: map[int]*childProcess{},
		levels:  make([]level, c.MaxDepth),
		active:  map[string]*execution{},
		service: movingAverage{value: 100 * time.Millisecond},
		started: make(chan error, 1),
	}
	p.seals = newSeals(c.Sealing)
	if c.Snapshot != nil {
		err = p.takeSnapshot(c.Snapshot)
	} else {
		err = p.buildSnapshot(ctx)
	}
	if err != nil {
		p.spawner.stop()
		return nil, err
	}
	started := p.started
	p.mu.Lock()
	p.refillLocked()
	p.mu.Unlock()
	select {
	case err = <-started:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	p.mu.Lock()
	p.started = nil
	p.mu.Unlock()
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Execute runs one job and returns its result, never nil. It returns when the
// outcome is known; when ctx is done the execution is cancelled, wherever it is.
// When ctx is that of a tool of this pool, or descends from one, the execution is
// nested in that tool's: without a Parent of its own the request takes the tool's
// execution, and without a Tenant its tenant.
// If the cause of that (see [context.Cause]) is a [protocol.Fault], this fault
// is the outcome, otherwise it is [protocol.Cancelled].
//
// Tool handlers that run when the outcome is known have their context cancelled
// and are waited for, but not longer than the grace period: a handler that
// ignores its context outlives the execution, and what it returns is dropped.
func (p *Pool) Execute(ctx context.Context, job Job) *protocol.Result {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil) // also ends the execution when OnLog panics
	p.mu.Lock()
	p.nextRun++
	id := p.nextRun
	p.mu.Unlock()
	x, fault := newExecution(ctx, id, job, p)
	if fault != nil {
		return &protocol.Result{Fault: fault}
	}
	if fault := p.admit(x); fault != nil {
		return &protocol.Result{Fault: fault}
	}
	p.await(ctx, x, job.OnLog)
	x.awaitTools(p.config.Grace)
	return x.result
}

// admit puts the execution in the queue, or gives it to a child at once.
func (p *Pool) admit(x *execution) protocol.Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.stage {
	case stageClosed:
		return &protocol.Unavailable{Reason: "the pool is closed"}
	}
	if fault := p.placeLocked(x); fault != nil {
		return fault
	}
	//gate:protects caller-in-control
	if p.stage == stageDraining && x.depth == 1 {
		return &protocol.Draining{}
	}
	if fault := p.unavailableLocked(); fault != nil {
		return fault
	}
	return p.enqueueLocked(x)
}

// await returns when x has its result. Meanwhile it watches what nobody else
// does while x waits in the queue: its age and the caller.
func (p *Pool) await(ctx context.Context, x *execution, onLog func(protocol.LogEntry)) {
	waiting := time.NewTimer(p.config.QueueTimeout)
	defer waiting.Stop()
	cancelled := ctx.Done()
	for {
		select {
		case <-x.done:
			x.feed.deliver(onLog)
			return
		case <-x.feed.wake:
			x.feed.deliver(onLog)
		case <-cancelled:
			if p.unqueue(x) {
				x.finish(&protocol.Result{Fault: cancellation(ctx)})
			}
			cancelled = nil // a running execution is cancelled by its child's supervisor
		case <-waiting.C:
			if p.unqueue(x) {
				x.finish(&protocol.Result{Fault: &protocol.QueueDeadline{
					WaitedMS: time.Since(x.admitted).Milliseconds(),
					LimitMS:  p.config.QueueTimeout.Milliseconds(),
				}})
			}
		case <-x.requeued:
			cancelled = ctx.Done()
			waiting.Reset(max(0, p.config.QueueTimeout-time.Since(x.admitted)))
		}
	}
}

// Drain refuses new executions and those that wait with [protocol.Draining], and
// returns when those that run have ended, or with ctx's error. What runs can
// still make nested executions: it could not end otherwise. The pool cannot
// be opened again; Close is still to be called.
func (p *Pool) Drain(ctx context.Context) error {
	p.mu.Lock()
	if p.stage == stageOpen {
		p.stage = stageDraining
		p.failQueueLocked(1, func() protocol.Fault { return &protocol.Draining{} })
		p.checkDrainedLocked()
	}
	p.mu.Unlock()
	select {
	case <-p.drained:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// checkDrainedLocked announces that nothing runs and nothing more will.
func (p *Pool) checkDrainedLocked() {
	if p.stage == stageOpen || len(p.active) > 0 {
		return
	}
	select {
	case <-p.drained:
	default:
		close(p.drained)
	}
}

// Close kills every child, whatever it runs, and returns when all have been
// reaped. Executions that run or wait fail with [protocol.Unavailable]. Nothing
// of the pool is left: no process, no goroutine, no descriptor. It may be called
// more than once and returns nil.
func (p *Pool) Close() error {
	p.mu.Lock()
	first := p.stage != stageClosed
	if first {
		p.stage = stageClosed
		p.retry.stop()
		close(p.closing)
		p.failQueueLocked(len(p.levels), poolClosed)
		p.checkDrainedLocked()
	}
	p.mu.Unlock()
	p.live.Wait()
	if first {
		p.spawner.stop()
		p.snapshot.file.Close()
	}
	return nil
}

func poolClosed() protocol.Fault { return &protocol.Unavailable{Reason: "the pool was closed"} }
