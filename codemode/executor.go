package codemode

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns a run of the dialect: from its request to its result.

// DefaultTimeout bounds a run that states no timeout, as in the dialect.
const DefaultTimeout = time.Minute

// Function is a function of the host that programs may call. The arguments are what JSON
// says, and [protocol.Bytes] for bytes. The value is encoded as [protocol.Encode] takes it and
// reaches the program as JSON does; protocol.Undefined{} is undefined, nil is null. Of an error the
// program sees the message alone.
//
// Calls run at the same time. ctx knows its execution, so that programs which the function
// runs with it are nested. It ends with the run, with the cause [ErrNotAwaited] when the program
// ended before the function did.
type Function func(ctx context.Context, args []any) (any, error)

// Provider is a namespace of functions.
type Provider struct {
	// Name is the namespace's name in programs.
	Name string
	// Functions are called by their names as [SanitizeToolName] makes them.
	Functions map[string]Function
	// Prelude is JavaScript of the host's that runs before the program and can put functions of
	// its own into the namespaces. What it declares is in the program's scope. It is a
	// script: it cannot await.
	Prelude string
}

// Connector is a namespace whose every name can be called.
type Connector struct {
	Name string
	// CallTool is given the method's name and the first argument, as [protocol.Decode] gives
	// values. A map with the key __codemode_control__ orders the program to throw.
	CallTool func(ctx context.Context, method string, argument any) (any, error)
}

// Request is one run.
type Request struct {
	// Code is the program as a language model wrote it, see [NormalizeCode].
	Code       string
	Providers  []Provider
	Connectors []Connector
	// Timeout bounds the run, waiting for functions included; zero is the executor's
	// default. Less than [shortest] counts as that.
	Timeout time.Duration
	// Limits are bounds beside the timeout; what is zero is left to the executor.
	Limits protocol.Limits
	// Tenant and Parent are those of [executor.Request].
	Tenant, Parent string
	// OnLog, if set, is called with each entry as it is written, as [executor.Request.OnLog] is.
	// Exceptions that nobody caught are entries of the level error here, and not among the
	// result's logs.
	OnLog func(protocol.LogEntry)
}

// Result is what a run comes to.
type Result struct {
	// Value is the program's value as [protocol.Result.Decode] gives it; nil when there is an error.
	Value any
	// Error is empty when the program has a value, otherwise a text that is never empty.
	Error string
	// Logs are the entries as texts; nil when nothing ran because the request was refused.
	Logs []string
	// Fault is the failure with its kind; nil also when the request's names were refused.
	Fault protocol.Fault
	// Calls are the calls of functions that were made, Usage is what the run cost.
	Calls []protocol.Call
	Usage protocol.Usage
}

// Config configures an Executor.
type Config struct {
	// Timeout bounds runs that state none; zero means [DefaultTimeout].
	Timeout time.Duration
	// Limits are those of runs that state none.
	Limits protocol.Limits
	// Modules are what programs may import, by specifier: JavaScript. "name" is
	// also "./name".
	Modules map[string]string
}

// Executor runs programs of the dialect. Its methods may be called from any goroutine.
type Executor struct {
	native  executor.Interface
	config  Config
	modules map[string]protocol.Module
}

// New returns an executor of the dialect on a native one, which remains the caller's to close.
func New(native executor.Interface, c Config) *Executor {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	e := &Executor{native: native, config: c}
	for specifier, source := range c.Modules {
		if e.modules == nil {
			e.modules = map[string]protocol.Module{}
		}
		plain := strings.TrimPrefix(specifier, "./")
		for _, s := range []string{plain, "./" + plain} {
			if _, stated := c.Modules[s]; s == specifier || !stated {
				e.modules[s] = protocol.Module{Source: source}
			}
		}
	}
	return e
}

// shortest is the shortest timeout: enough for a program that waits for nothing.
const shortest = 100 * time.Millisecond

// inFlight and calls are asked for unless the limits say otherwise: the dialect bounds neither.
const (
	inFlight = 1024
	calls    = 100_000
)

// Execute runs one program. Every failure is in the result.
func (e *Executor) Execute(ctx context.Context, r Request) *Result {
	names, refused := nameAll(&r)
	if refused != "" {
		return &Result{Error: refused}
	}
	run := &run{names: names, onLog: r.OnLog, logs: []string{}}
	request := executor.Request{
		Form: protocol.FormModule, Modules: e.modules, Scripts: names.scripts(&r), Tools: run.tools(&r),
		Limits: e.limits(&r), Tenant: r.Tenant, Parent: r.Parent,
	}
	if r.OnLog != nil {
		request.OnLog = run.log
	}
	for _, p := range programs(r.Code) {
		request.Source, request.Language = p.source(), p.language
		if size := int64(len(request.Source)); r.Limits.Source == 0 && e.config.Limits.Source == 0 && size > protocol.DefaultLimits.Source {
			request.Limits.Source = size // the dialect knows no bound on programs
		}
		native := e.execute(ctx, request)
		var syntax *protocol.Syntax
		if errors.As(native.Fault, &syntax) && p.language == protocol.TypeScript && syntax.File == programFile && !syntax.Reached().Started {
			continue // it is no TypeScript either: the engine says what is wrong with it
		}
		result := run.result(native, p)
		if _, is := native.Fault.(*protocol.Cancelled); is && errors.Is(context.Cause(ctx), ErrNotAwaited) {
			result.Error = ErrNotAwaited.Error() // nested in a call that was left behind
		}
		return result
	}
	panic("codemode: a program without a form") // programs ends with JavaScript
}

// execute runs a native request. Bounds that only this package asks for are
// not insisted on.
func (e *Executor) execute(ctx context.Context, request executor.Request) *protocol.Result {
	for {
		result, _ := e.native.Execute(ctx, request)
		var invalid *protocol.InvalidRequest
		if !errors.As(result.Fault, &invalid) {
			return result
		}
		l := &request.Limits
		switch {
		case invalid.Field == "limits.callsInFlight" && l.CallsInFlight == inFlight:
			l.CallsInFlight = 0
		case invalid.Field == "limits.toolCalls" && l.ToolCalls == calls:
			l.ToolCalls = 0
		case invalid.Field == "limits.wallMs" && l.Wall == DefaultTimeout:
			l.Wall, l.ToolTime = 0, 0
		default:
			return result
		}
	}
}

func (e *Executor) limits(r *Request) protocol.Limits {
	limits := r.Limits
	if limits == (protocol.Limits{}) {
		limits = e.config.Limits
	}
	timeout := r.Timeout
	if timeout == 0 {
		timeout = e.config.Timeout
	}
	limits.Wall = max(timeout, shortest)
	if limits.ToolTime == 0 && limits.Wall > protocol.DefaultLimits.ToolTime {
		limits.ToolTime = limits.Wall
	}
	if limits.CallsInFlight == 0 {
		limits.CallsInFlight = inFlight
	}
	if limits.ToolCalls == 0 {
		limits.ToolCalls = calls
	}
	return limits
}

// run is one run while it lasts.
type run struct {
	names *namespaces
	onLog func(protocol.LogEntry)
	logs  []string // written by the goroutine of Execute
}

// tools are the native tools of a run.
func (run *run) tools(r *Request) executor.Tools {
	tools := executor.Tools{}
	for i, p := range r.Providers {
		if len(run.names.tools[i]) == 0 {
			continue
		}
		namespace := map[string]executor.Tool{}
		for name, f := range run.names.tools[i] {
			namespace["$"+name] = function(f)
		}
		tools[run.names.prefix+p.Name] = namespace
	}
	for _, c := range r.Connectors {
		tools[run.names.prefix+c.Name] = map[string]executor.Tool{"callTool": connected(c)}
	}
	return tools
}

// function is the native tool of a function: text in, text out.
func function(f Function) executor.Tool {
	return func(ctx context.Context, args []any) (any, error) {
		text, ok := first(args).(string)
		if !ok {
			return nil, toolFailure(errors.New("the arguments are no text"))
		}
		list, err := decodeArguments(text)
		if err != nil {
			return nil, toolFailure(err)
		}
		ctx, cancel := whileAwaited(ctx)
		defer cancel()
		value, err := f(ctx, list)
		if err != nil {
			return nil, toolFailure(err)
		}
		reply, defined, err := encodeReply(value)
		if err != nil {
			return nil, toolFailure(err)
		}
		if !defined {
			return protocol.Undefined{}, nil
		}
		return reply, nil
	}
}

// connected is the native tool of a connector: values in, values out.
func connected(c Connector) executor.Tool {
	return func(ctx context.Context, args []any) (any, error) {
		method, ok := first(args).(string)
		if !ok {
			return nil, toolFailure(errors.New("the method's name is no text"))
		}
		var argument any = protocol.Undefined{}
		if len(args) > 1 {
			argument = args[1]
		}
		ctx, cancel := whileAwaited(ctx)
		defer cancel()
		value, err := c.CallTool(ctx, method, argument)
		if err != nil {
			return nil, toolFailure(err)
		}
		return value, nil
	}
}

func first(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// whileAwaited returns a context that ends with a tool's own, and says why: when nothing
// but the end of its execution ended that, with [ErrNotAwaited].
func whileAwaited(tool context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(tool))
	stop := context.AfterFunc(tool, func() {
		cause := context.Cause(tool)
		if errors.Is(cause, context.Canceled) {
			cause = ErrNotAwaited
		}
		cancel(cause)
	})
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// log takes one entry. The guest's side writes no entry of the level error: those are the
// runtime's own, of exceptions that nobody caught.
func (run *run) log(entry protocol.LogEntry) {
	const ofError = "[error] "
	if entry.Level != protocol.LevelError {
		run.logs = append(run.logs, entry.Text)
	}
	if run.onLog == nil {
		return
	}
	switch entry.Level {
	case protocol.LevelWarn:
		if text, is := strings.CutPrefix(entry.Text, ofError); is {
			entry.Level, entry.Text = protocol.LevelError, text
		} else {
			entry.Text = strings.TrimPrefix(entry.Text, "[warn] ")
		}
	case protocol.LevelInfo:
		entry.Text = strings.TrimPrefix(entry.Text, "[info] ")
	case protocol.LevelDebug:
		entry.Text = strings.TrimPrefix(entry.Text, "[debug] ")
	}
	run.onLog(entry)
}

// result turns the native result into the dialect's, in the program's own names and positions.
func (run *run) result(native *protocol.Result, p program) *Result {
	if run.onLog == nil {
		for _, entry := range native.Logs {
			run.log(entry)
		}
	}
	r := &Result{Logs: run.logs, Fault: native.Fault, Calls: native.Calls, Usage: native.Usage}
	for i := range r.Calls {
		r.Calls[i].Name = run.names.public(r.Calls[i].Name)
	}
	if native.Fault == nil {
		value, err := native.Decode()
		if err != nil {
			r.Error = "the program's value cannot be read: " + err.Error()
			return r
		}
		r.Value = value
		return r
	}
	delivered := native.Fault.Reached()
	for i, name := range delivered.Delivered {
		delivered.Delivered[i] = run.names.public(name)
	}
	switch f := native.Fault.(type) {
	case *protocol.Syntax:
		p.place(f)
	case *protocol.Thrown:
		f.Stack = p.stack(f.Stack)
		for i := range f.Causes {
			f.Causes[i].Stack = p.stack(f.Causes[i].Stack)
		}
	case *protocol.StackExceeded:
		f.Stack = p.stack(f.Stack)
	case *protocol.ArgumentsTooLarge:
		f.Of = run.names.public(f.Of)
	case *protocol.ReplyTooLarge:
		f.Of = run.names.public(f.Of)
	}
	r.Error = errorText(native.Fault)
	return r
}
