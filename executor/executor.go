// Package executor runs programs in process of a Go host: it is what a service
// embeds. It checks a request before anything runs, hands it to a pool of sealed
// child processes (package pool), and answers the program's tool calls with the
// host's Go functions.
//
// A binary that links this package is its own child process: nothing else has to
// be installed, and main needs no code for it. See package pool/child.
package executor

import (
	"context"
	"errors"
	"fmt"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the executor and the way of a request through it.

// Interface is what can execute programs: [IsolateExecutor] in this process, or
// a client of one elsewhere.
type Interface interface {
	// Execute runs one program. The result is never nil. The error is the
	// result's fault, nil when there is a value.
	Execute(ctx context.Context, r Request) (*protocol.Result, error)
	// Close ends everything that runs and frees what the executor holds.
	Close() error
}

// Request is one program to be executed, see [protocol.Request].
type Request struct {
	// Source is the program's text.
	Source   string
	Language protocol.Language
	Form     protocol.Form
	// Input is the value the program is called with, as [protocol.Encode] takes
	// it. Nil means that there is none, undefined to the program; null is
	// protocol.Value("null").
	Input any
	// Tools are what the program may call.
	Tools Tools
	// Modules are what it may import.
	Modules map[string]protocol.Module
	// Scripts run before it, in their order, and what they declare is in its scope.
	Scripts []protocol.Script
	Grants  []protocol.Grant
	// Limits left at zero are the executor's defaults.
	Limits protocol.Limits
	// TimeZone is the program's local time zone, see [protocol.Request].
	TimeZone string
	// WallClock says which time counts against Limits.Wall.
	WallClock protocol.WallClock
	// Tenant keeps executions of different tenants in different processes.
	Tenant string
	// Parent is the id of the execution whose tool makes this request, see
	// [ExecutionID]. It need not be stated where the context says it.
	Parent string
	// Trace carries W3C trace context.
	Trace map[string]string
	// OnLog, if set, is called with each log entry as it arrives, by the goroutine
	// that called Execute.
	OnLog func(protocol.LogEntry)
}

// Config configures an executor. Zero fields take the defaults of packages pool
// and protocol.
type Config struct {
	Pool pool.Config
	// Defaults are the limits of requests that do not state their own, Max is
	// what they may state at most. A default that is not stated is lowered to Max.
	Defaults, Max protocol.Limits
}

// IsolateExecutor executes programs in V8 isolates in child processes of this
// one. Its methods may be called from any goroutine.
type IsolateExecutor struct {
	pool          *pool.Pool
	profile       string
	defaults, max protocol.Limits
}

var _ Interface = (*IsolateExecutor)(nil)

// New starts an executor and returns it when all its child processes are ready.
// ctx bounds the start only.
func New(ctx context.Context, c Config) (*IsolateExecutor, error) {
	defaults, max, err := resolveLimits(c)
	if err != nil {
		return nil, err
	}
	if c.Pool.Profile == "" {
		c.Pool.Profile = sandbox.ProfileHardened
	}
	if c.Pool.MaxHeap == 0 {
		c.Pool.MaxHeap = max.Heap
	}
	if c.Pool.MaxExternal == 0 {
		c.Pool.MaxExternal = max.External
	}
	p, err := pool.New(ctx, c.Pool)
	if err != nil {
		return nil, err
	}
	return &IsolateExecutor{pool: p, profile: c.Pool.Profile, defaults: defaults, max: max}, nil
}

// Execute runs one program and returns its result, never nil, with the fault, if
// there is one, as the error too. When ctx is done the program is stopped and the
// fault is [protocol.Cancelled], unless ctx was cancelled with a
// [protocol.Fault] as its cause, which is then the result's.
//
// A tool may execute programs of its own. Given the tool's context, or one that
// descends from it, the execution is nested: it takes the tool's execution as its
// Parent and, unless it states one, its Tenant, and finds a place also when the
// executor is full, up to [pool.Config.MaxDepth]. It is cancelled with the tool.
//
// Tools that still run when the program has ended have their context cancelled.
// Execute waits for them a moment (the pool's grace period) and no longer.
func (e *IsolateExecutor) Execute(ctx context.Context, r Request) (*protocol.Result, error) {
	result := e.execute(ctx, &r)
	if result.Fault != nil {
		return result, result.Fault
	}
	return result, nil
}

func (e *IsolateExecutor) execute(ctx context.Context, r *Request) *protocol.Result {
	request, fault := e.prepare(r)
	if fault != nil {
		return &protocol.Result{Fault: fault}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return e.pool.Execute(ctx, pool.Job{Request: request, Tool: r.Tools.Handler(request.Limits, cancel), OnLog: r.OnLog})
}

// Snapshot returns what other executors of this process can start from, in
// [pool.Config.Snapshot], while this one is open.
func (e *IsolateExecutor) Snapshot() *pool.Snapshot { return e.pool.Snapshot() }

// ExecutionID returns the id of the execution whose tool was given ctx, or a
// context that descends from such a one; "" for any other.
func ExecutionID(ctx context.Context) string { return pool.ExecutionID(ctx) }

// prepare turns the request into the one that is sent, or says what is wrong
// with it. Nothing has run when it fails.
func (e *IsolateExecutor) prepare(r *Request) (*protocol.Request, protocol.Fault) {
	request, fault := r.Prepare(e.defaults, e.max)
	if fault != nil {
		return nil, fault
	}
	return request, e.checkProfile(request.Grants)
}

// checkProfile refuses grants that this executor's profile has no room for.
func (e *IsolateExecutor) checkProfile(grants []protocol.Grant) protocol.Fault {
	for i, grant := range grants {
		if grant == protocol.GrantWasm && e.profile != sandbox.ProfileJIT {
			return &protocol.InvalidRequest{
				Field:  fmt.Sprintf("grants[%d]", i),
				Reason: fmt.Sprintf("%q needs an executor with the profile %q, this one has %q", grant, sandbox.ProfileJIT, e.profile),
			}
		}
	}
	return nil
}

// Prepare returns the request as it is sent, with its limits resolved, or the
// fault that says what is wrong with it. An executor does this by itself; it is
// for those that carry requests to one elsewhere.
func (r *Request) Prepare(defaults, max protocol.Limits) (*protocol.Request, protocol.Fault) {
	namespaces, fault := r.Tools.namespaces()
	if fault != nil {
		return nil, fault
	}
	request := &protocol.Request{
		Source: r.Source, Language: r.Language, Form: r.Form, Tools: namespaces, Modules: r.Modules, Scripts: r.Scripts,
		Grants: r.Grants, TimeZone: r.TimeZone, WallClock: r.WallClock, Tenant: r.Tenant, Parent: r.Parent, Trace: r.Trace, Limits: r.Limits,
	}
	if fault := complete(request, r.Input, defaults, max); fault != nil {
		return nil, fault
	}
	return request, nil
}

// complete checks a request, resolves its limits and encodes its input.
func complete(request *protocol.Request, input any, defaults, max protocol.Limits) (fault protocol.Fault) {
	if err := request.Validate(); err != nil {
		return asFault("request", err)
	}
	limits, err := request.Limits.Resolve(defaults, max)
	if err != nil {
		return asFault("limits", err)
	}
	request.Limits = limits
	if input != nil {
		if request.Input, fault = encodeInput(input, limits.Input); fault != nil {
			return fault
		}
	}
	//gate:protects source-bound
	//gate:equivalent removed the child checks the same sizes when it is given the request
	//gate:equivalent dropped the child checks the same sizes when it is given the request
	if fault := request.CheckSizes(limits); fault != nil {
		return fault
	}
	return nil
}

// encodeInput returns the input's codec text.
func encodeInput(input any, limit int64) (protocol.Value, protocol.Fault) {
	text, err := protocol.Encode(input, protocol.Bounds{Bytes: limit})
	var bound *protocol.BoundError
	if errors.As(err, &bound) && bound.What == protocol.BoundBytes {
		return nil, &protocol.ArgumentsTooLarge{
			Size: protocol.Size{Limit: limit, Actual: bound.Actual, AtLeast: true}, Of: "input",
		}
	}
	if err != nil {
		return nil, &protocol.InvalidRequest{Field: "input", Reason: err.Error()}
	}
	return text, nil
}

// asFault returns err as the fault that it is, or as an InvalidRequest.
func asFault(field string, err error) protocol.Fault {
	var fault protocol.Fault
	if errors.As(err, &fault) {
		return fault
	}
	return &protocol.InvalidRequest{Field: field, Reason: err.Error()}
}

// Drain refuses new programs and returns when those that run have ended, or with
// ctx's error.
func (e *IsolateExecutor) Drain(ctx context.Context) error { return e.pool.Drain(ctx) }

// Close kills what runs and returns when nothing of the executor is left: no
// process, no goroutine, no descriptor.
func (e *IsolateExecutor) Close() error { return e.pool.Close() }

// Stats returns the state of the pool.
func (e *IsolateExecutor) Stats() pool.Stats { return e.pool.Stats() }
