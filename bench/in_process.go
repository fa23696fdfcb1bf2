package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the workloads that run the engine in the sampler itself, without a
// pool and its processes, so that a program that counts instructions sees the whole
// of an execution and little else.

const (
	// kindsOfExecution is how many executions an operation of inProcess is made of.
	kindsOfExecution = 3
	// fewCalls is how many tool calls the smaller of two programs makes, moreCalls
	// how many more the larger one. What both cost apart from calls is not in the
	// difference.
	fewCalls, moreCalls = 5, 50
)

// inProcess does n times what another sampler counts the instructions of: the trivial
// program, a program that makes a few tool calls, and one that makes more. Its one
// figure is n.
var inProcess = &Benchmark{Name: "in-process", Units: []string{"operations"}, open: func(context.Context, surroundings) (session, error) {
	snapshot, err := sandbox.BuildSnapshot("")
	if err != nil {
		return nil, err
	}
	s, err := sandbox.New(sandbox.Config{Snapshot: snapshot})
	if err != nil {
		return nil, err
	}
	return &box{sandbox: s}, nil
}}

// box is a sandbox in this process.
type box struct {
	sandbox *sandbox.Sandbox
	next    float64
}

func (b *box) close() error {
	b.sandbox.Close()
	return nil
}

func (b *box) sample(ctx context.Context, n int) ([]float64, error) {
	for range settling {
		if err := b.run(ctx); err != nil {
			return nil, err
		}
	}
	for range n {
		if err := errors.Join(b.run(ctx), b.calls(ctx, fewCalls), b.calls(ctx, fewCalls+moreCalls)); err != nil {
			return nil, err
		}
	}
	return []float64{float64(n)}, nil
}

// run executes the trivial program.
func (b *box) run(ctx context.Context) error {
	b.next++
	return b.execute(ctx, trivial, fmt.Sprintf(`{"n":%v}`, b.next), b.next+1)
}

// calls executes one program that makes n tool calls one after another.
func (b *box) calls(ctx context.Context, n int) error {
	return b.execute(ctx, callsProgram, fmt.Sprintf(`{"n":%d}`, n), float64(n))
}

// execute runs a program and demands its value.
func (b *box) execute(ctx context.Context, source, input string, want float64) error {
	r := &protocol.Request{
		Source: source, Input: protocol.Value(input),
		Tools: []protocol.Namespace{{Name: "tools", Tools: []string{"next"}}},
	}
	var err error
	if r.Limits, err = r.Limits.Resolve(protocol.DefaultLimits, protocol.MaxLimits); err != nil {
		return err
	}
	// A watched process is many times slower, and its caller has a bound.
	r.Limits.Wall, r.Limits.CPU = takeBound, takeBound
	result := b.sandbox.Execute(ctx, r, b)
	if result.Fault != nil {
		return result.Fault
	}
	value, err := protocol.Decode(result.Value, protocol.Bounds{})
	if err != nil {
		return err
	}
	if value != want {
		return fmt.Errorf("the value is %v, must be %v", value, want)
	}
	return nil
}

// CallTool answers a call with its argument plus one. The engine's thread waits for
// it to return, so a goroutine replies.
func (b *box) CallTool(call *protocol.ToolCall) {
	go func() { b.sandbox.Reply(call.Call, next(call.Args)) }()
}

// next returns the envelope of the number that follows the one argument.
func next(args string) string {
	var n float64
	if _, err := fmt.Sscanf(args, "[%g]", &n); err != nil {
		return fmt.Sprintf(`{"error":{"name":"Error","message":%q}}`, err.Error())
	}
	return fmt.Sprintf(`{"ok":%v}`, n+1)
}

// Log drops an entry: the programs log nothing.
func (b *box) Log(protocol.LogEntry) {}
