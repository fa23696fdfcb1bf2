package sandbox

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns one execution from its isolate to its result, and the rule
// that it has exactly one outcome.

// execution is one run of one program. Fields without a note belong to the
// engine's thread.
type execution struct {
	ctx      context.Context
	sandbox  *Sandbox
	req      *protocol.Request
	host     Host
	finished chan *protocol.Result

	isolate   *v8.Isolate
	program   *program
	started   time.Time
	clock     *wallClock
	cpuBefore time.Duration
	timers    *timers
	logs      *logs
	pending   map[int64]string // calls that await their reply: id → "ns.tool"
	delivered []string
	toolBytes int64

	ended chan struct{} // closed when the outcome stands

	mu        sync.Mutex
	isEnded   bool           // guarded by mu
	value     protocol.Value // guarded by mu
	fault     protocol.Fault // guarded by mu
	isRunning bool           // guarded by mu; replies are taken
	replies   []toolReply    // guarded by mu
	replied   chan struct{}  // capacity 1: a reply may be waiting
}

type toolReply struct {
	call     int64
	envelope string
}

func newExecution(ctx context.Context, s *Sandbox, req *protocol.Request, host Host) *execution {
	return &execution{
		ctx: ctx, sandbox: s, req: req, host: host,
		finished: make(chan *protocol.Result, 1),
		timers:   newTimers(), logs: newLogs(req.Limits),
		pending: map[int64]string{},
		ended:   make(chan struct{}),
		replied: make(chan struct{}, 1),
	}
}

// end settles the outcome: the first one stands, whoever states it, and every
// later one is dropped. The isolate is terminated, because after the outcome
// nothing of the program may run. Any goroutine may call it.
func (e *execution) end(value protocol.Value, fault protocol.Fault) {
	e.mu.Lock()
	if e.isEnded {
		e.mu.Unlock()
		return
	}
	e.isEnded, e.value, e.fault = true, value, fault
	isolate := e.isolate
	e.mu.Unlock()
	close(e.ended)
	if isolate != nil {
		isolate.Terminate()
	}
}

func (e *execution) hasEnded() bool {
	select {
	case <-e.ended:
		return true
	default:
		return false
	}
}

// run takes the execution through its steps, on the engine's thread.
func (e *execution) run(spare *spareIsolate) *protocol.Result {
	if fault := e.req.CheckSizes(e.req.Limits); fault != nil {
		return &protocol.Result{Fault: fault}
	}
	isolate, err := spare.take(e.req.Limits.Heap)
	if err != nil {
		// The process is of no use any more: the supervisor replaces it.
		panic(err)
	}
	//gate:protects children-renewed
	defer isolate.Dispose()
	e.started, e.cpuBefore = time.Now(), processCPU()
	e.clock = newWallClock(e.started, e.req.WallClock == protocol.WallClockProgram)
	e.mu.Lock()
	e.isolate, e.isRunning = isolate, true
	e.mu.Unlock()
	e.sandbox.mu.Lock()
	e.sandbox.current = e
	e.sandbox.mu.Unlock()
	isolate.SetHost(e.answer)
	isolate.SetNative(answerNative)

	stop := e.startWatchdog()
	started := e.start()
	if started {
		e.loop()
	}
	stop()
	return e.result(started)
}

// start compiles and starts the program. It reports whether any of it may have run.
func (e *execution) start() bool {
	translated, fault := translate(e.req)
	if fault != nil {
		e.end(nil, fault)
		return false
	}
	e.program = translated
	zone := e.req.TimeZone
	if zone == "" {
		zone = "UTC"
	}
	e.isolate.SetTimeZone(zone)
	allow := v8.Allowed{Eval: e.req.HasGrant(protocol.GrantEval), Wasm: e.req.HasGrant(protocol.GrantWasm)}
	if !e.entered(e.isolate.Begin(e.req.Limits.External, allow, e.config())) {
		return false
	}
	e.offerRealms()
	for specifier, source := range translated.modules {
		e.isolate.AddModule(specifier, source)
	}
	if ran, ok := e.runScripts(); !ok {
		return ran
	}
	module, ok := e.form()
	if !ok {
		return false
	}
	outcome := e.runProgram(module)
	if outcome.Status == v8.Syntax && e.req.Form != "" {
		// Nothing of it has run. With no form in the request it was compiled already.
		sent := e.program.source
		if _, o := e.compiled(!module, module); o.Status != v8.OK {
			outcome = o
		} else if e.program.source != sent {
			outcome = e.runProgram(module)
		}
	}
	e.entered(outcome)
	return true
}

// runProgram compiles the program and starts it.
func (e *execution) runProgram(module bool) v8.Outcome {
	return e.isolate.Run(e.program.source, programName, module, string(e.req.Input))
}

// form decides whether the program is run as a module. Without a form in the
// request a text that parses as a script is one, otherwise it is a module.
func (e *execution) form() (module, ok bool) {
	switch e.req.Form {
	case protocol.FormFunction:
		return false, true
	case protocol.FormModule:
		return true, true
	}
	module, o := e.compiled(true, true)
	return module, e.entered(o)
}

// guestConfig is what the guest library is told at the start, see entry.js.
type guestConfig struct {
	Tools  []protocol.Namespace `json:"tools"`
	Limits map[string]int64     `json:"limits"`
}

func (e *execution) config() string {
	l := e.req.Limits
	text, err := json.Marshal(guestConfig{
		Tools: append([]protocol.Namespace{}, e.req.Tools...), // never null
		Limits: map[string]int64{
			"result": l.Result, "argument": l.Argument, "timers": l.Timers,
			"logBytes": l.LogBytes, "logEntries": l.LogEntries, "errorText": l.ErrorText,
			"depth": int64(protocol.DefaultBounds.Depth), "nodes": int64(protocol.DefaultBounds.Nodes),
		},
	})
	if err != nil {
		panic(err) // strings and integers always encode
	}
	return string(text)
}

// result composes what the execution leaves behind.
func (e *execution) result(started bool) *protocol.Result {
	e.mu.Lock()
	e.isRunning = false
	r := &protocol.Result{Value: e.value, Fault: e.fault}
	e.mu.Unlock()
	if r.Fault != nil {
		progress := r.Fault.Reached()
		progress.Started, progress.Delivered = started, e.delivered
	}
	stats := e.isolate.Stats()
	r.Logs = e.logs.kept
	r.Usage = protocol.Usage{
		WallMS:        protocol.Milliseconds(time.Since(e.started)),
		CPUMS:         protocol.Milliseconds(processCPU() - e.cpuBefore),
		PeakHeap:      stats.PeakHeap,
		PeakExternal:  stats.PeakExternal,
		ToolCalls:     len(e.delivered),
		DroppedLogs:   e.logs.dropped,
		PendingCalls:  len(e.pending),
		PendingTimers: e.timers.pending(),
	}
	return r
}
