// Package sandbox runs one program at a time, each in a fresh V8 isolate that
// serves this one execution and is then thrown away.
//
// An execution takes seven steps: the request's bounds are checked and
// TypeScript is stripped (translate.go); the spare isolate is taken, or one is
// restored (spare.go); grants and tools are installed and the program is
// compiled (execution.go); the event loop runs jobs, timers and tool replies
// until the value settles (loop.go), while the watchdog holds the clocks
// (watchdog.go); the value is encoded by the guest library with the clocks still
// armed; the isolate is disposed of.
//
// The package knows nothing of processes and sockets. It runs inside a child
// process because a native function that ignores interruption, or a fatal error
// of the engine, can only be ended together with its process.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox/v8"
)

// Exit statuses with which the engine ends the process when it cannot go on.
const (
	// ExitHeap: V8 ran out of its heap limit.
	ExitHeap = v8.ExitHeap
	// ExitFatal: V8 reported a fatal error that is not about memory.
	ExitFatal = v8.ExitFatal
	// ExitProcess: the operating system refused memory.
	ExitProcess = v8.ExitProcess
	// ExitSignal: this and the number of a signal, in a process that the kernel does
	// not let end itself by one.
	ExitSignal = v8.ExitSignal
)

// The profiles of a process. A host chooses one, a request cannot.
const (
	// ProfileHardened runs V8 without its compilers: no memory is ever executable.
	ProfileHardened = "hardened"
	// ProfileJIT runs V8 with its compilers, for compute-heavy programs.
	ProfileJIT = "jit"
)

// Config configures a Sandbox.
type Config struct {
	// Snapshot is what [BuildSnapshot] made, with the same profile.
	Snapshot []byte
	// Profile is [ProfileHardened] (also when empty) or [ProfileJIT].
	Profile string
}

// Host is what an execution may reach outside its isolate. Its methods are
// called on the engine's thread while guest code waits: they must not block.
type Host interface {
	// CallTool delivers a tool call. The answer is given to [Sandbox.Reply].
	// The call's Execution field is left to the host.
	CallTool(call *protocol.ToolCall)
	// Log delivers a log entry that was within the bounds.
	Log(entry protocol.LogEntry)
}

// EngineVersion returns the version of the linked V8.
func EngineVersion() string { return v8.Version() }

// Sandbox executes programs, one at a time, on a thread of its own. A process
// has at most one.
type Sandbox struct {
	snapshot []byte
	profile  string
	jobs     chan *execution
	stopped  chan struct{}

	mu       sync.Mutex
	current  *execution // guarded by mu; the one that replies go to
	nextCall int64      // guarded by mu; call ids are never used twice
	closed   bool       // guarded by mu
}

// New initialises V8 for the process and restores the first spare isolate. It
// returns an error when the profile is unknown or the snapshot does not load.
func New(c Config) (*Sandbox, error) {
	options, err := engineOptions(c.Profile)
	if err != nil {
		return nil, err
	}
	if len(c.Snapshot) == 0 {
		return nil, errors.New("sandbox: there is no snapshot")
	}
	s := &Sandbox{
		snapshot: c.Snapshot,
		profile:  c.Profile,
		jobs:     make(chan *execution),
		stopped:  make(chan struct{}),
	}
	ready := make(chan error, 1)
	go s.engineThread(options, ready)
	if err := <-ready; err != nil {
		<-s.stopped
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	return s, nil
}

func engineOptions(profile string) (v8.Options, error) {
	switch profile {
	case "", ProfileHardened:
		return v8.Options{}, nil
	case ProfileJIT:
		return v8.Options{JIT: true, Wasm: true}, nil
	}
	return v8.Options{}, fmt.Errorf("sandbox: there is no profile %q (there are %q and %q)", profile, ProfileHardened, ProfileJIT)
}

// engineThread owns the one OS thread that enters V8. It is not the process's
// first thread, whose stack bounds the C library can only find in /proc.
func (s *Sandbox) engineThread(options v8.Options, ready chan<- error) {
	defer close(s.stopped)
	runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
	v8.Init(options)

	// C keeps the snapshot's address for as long as isolates live.
	var pinner runtime.Pinner
	pinner.Pin(&s.snapshot[0])
	defer pinner.Unpin()

	spare := &spareIsolate{snapshot: s.snapshot}
	err := spare.restore(protocol.DefaultLimits.Heap)
	ready <- err
	if err != nil {
		return
	}
	for e := range s.jobs {
		heap := e.req.Limits.Heap
		result := e.run(spare)
		s.mu.Lock()
		s.current = nil
		s.mu.Unlock()
		e.finished <- result
		// After the answer, off its path: the next execution's isolate. Should
		// it fail, take fails too, and says why.
		_ = spare.restore(heap)
	}
	spare.dispose()
}

// Execute runs one request whose limits have been resolved. It returns when the
// program has ended, or not at all when a native function ignores interruption:
// then the process must be killed. Cancelling ctx ends the program with a
// Cancelled fault that carries the cancellation's cause. The result has no
// Calls: those are recorded by the side that has the tools.
//
// Executions wait for each other; Execute may be called from any goroutine.
func (s *Sandbox) Execute(ctx context.Context, req *protocol.Request, host Host) *protocol.Result {
	e := newExecution(ctx, s, req, host)
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return &protocol.Result{Fault: &protocol.Unavailable{Reason: "the sandbox is closed"}}
	}
	s.mu.Unlock()
	select {
	case s.jobs <- e:
		return <-e.finished
	case <-ctx.Done():
		return &protocol.Result{Fault: &protocol.Cancelled{Reason: cancelReason(ctx)}}
	case <-s.stopped:
		return &protocol.Result{Fault: &protocol.Unavailable{Reason: "the sandbox is closed"}}
	}
}

// Reply gives a tool's reply envelope to the running execution. A reply to an
// unknown call, a second reply, and one that comes after the end are dropped.
// It may be called from any goroutine and does not block.
func (s *Sandbox) Reply(call int64, envelope string) {
	s.mu.Lock()
	e := s.current
	s.mu.Unlock()
	if e != nil {
		e.reply(call, envelope)
	}
}

// Close ends the engine's thread after the running execution and frees the
// spare isolate. It may be called once.
func (s *Sandbox) Close() {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if !closed {
		close(s.jobs)
		<-s.stopped
	}
}

func (s *Sandbox) newCallID() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextCall++
	return s.nextCall
}

func cancelReason(ctx context.Context) string {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause.Error()
	}
	return ""
}
