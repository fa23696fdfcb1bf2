package executor_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the test that every fault of the contract is produced, and says
// in its text which limit was passed and by how much.

// notHere are the faults that nothing in this repository can produce yet through
// an executor in process.
var notHere = map[protocol.Code]string{
	protocol.CodeUnsupportedVersion: "children of another version are refused at the start; the tests of package pool have one",
	protocol.CodeDisconnected:       "needs a connection to an executor elsewhere",
	protocol.CodeUnauthorized:       "needs an executor that knows its callers",
	protocol.CodeQuotaExceeded:      "needs quotas",
}

// production is one way to a fault.
type production struct {
	code protocol.Code
	name string
	// text is a regular expression for the whole text of the fault.
	text string
	// request is executed by the shared executor, unless make is there.
	request executor.Request
	make    func(t *testing.T) error
	// deep says that the child's stack in Go gets as deep as it may.
	deep bool
}

// limited returns a request with limits and the tool host.f, which echoes.
func limited(source string, l protocol.Limits) executor.Request {
	return executor.Request{Source: source, Limits: l, Tools: executor.Tools{"host": {
		"f": func(_ context.Context, args []any) (any, error) { return args, nil },
	}}}
}

func productions() []production {
	return []production{
		{code: protocol.CodeInvalidRequest, text: `invalid request: limits\.heap: 1099511627776 is outside 8388608 to 1073741824`,
			request: limited("() => 1", protocol.Limits{Heap: 1 << 40})},
		{code: protocol.CodeSyntax, text: `syntax error at program:2:7: .*`, request: limited("() => {\n  let let }", protocol.Limits{})},
		{code: protocol.CodeThrown, text: `uncaught TypeError: no\n    at program:1:15`, request: limited("() => { throw new TypeError('no') }", protocol.Limits{})},
		{code: protocol.CodeThrown, name: "with a hint", text: `uncaught ReferenceError: fetch is not defined\nThere is no network in the sandbox: use the request's tools, host\.f\.\n    at program:1:7`, request: limited("() => fetch('https://example.com')", protocol.Limits{})},
		{code: protocol.CodeThrown, name: "with members", text: `uncaught AggregateError: two\n    at program:1:15\nerrors\[0\]: 1\nerrors\[1\]: 'b'`, request: limited("() => { throw new AggregateError([1, 'b'], 'two') }", protocol.Limits{})},
		{code: protocol.CodeStalled, text: `stalled: .*`, request: limited("() => new Promise(() => {})", protocol.Limits{})},
		{code: protocol.CodeUnserializable, text: `.*function.*\$\.a\[1\].*`, request: limited("() => ({ a: [1, () => 2] })", protocol.Limits{})},
		{code: protocol.CodeModuleNotFound, text: `.*"nowhere".*`, request: limited("import 'nowhere'", protocol.Limits{})},
		{code: protocol.CodeStackExceeded, name: "of what lowers young syntax", deep: true, text: `.*stack.*`, request: limited("() => { using a = null; "+strings.Repeat("{", 50_000), protocol.Limits{})},
		{code: protocol.CodeStackExceeded, text: `.*stack.*`, request: limited("() => { const f = () => f() + 1; return f() }", protocol.Limits{})},

		{code: protocol.CodeDeadlineExceeded, name: "wall, interrupted",
			text:    `deadline exceeded: the wall-clock limit is 50ms, the program had used [\d.]+m?s and was interrupted`,
			request: limited("() => { for (;;); }", protocol.Limits{Wall: 50 * time.Millisecond})},
		{code: protocol.CodeDeadlineExceeded, name: "CPU, interrupted",
			text:    `deadline exceeded: the CPU-time limit is 50ms, the program had used [\d.]+m?s and was interrupted`,
			request: limited("() => { for (;;); }", protocol.Limits{CPU: 50 * time.Millisecond})},
		{code: protocol.CodeDeadlineExceeded, name: "wall, killed",
			text:    `deadline exceeded: the wall-clock limit is 50ms, the program had used [\d.]+m?s and was killed`,
			request: limited("() => [].indexOf.call({length: 2 ** 53 - 1}, 1)", protocol.Limits{Wall: 50 * time.Millisecond})},
		{code: protocol.CodeMemoryExceeded, name: "heap", text: `memory exceeded: the heap limit is 16777216 bytes`,
			request: limited("() => { const a = []; for (;;) a.push({}) }", protocol.Limits{Heap: 16 << 20})},
		{code: protocol.CodeMemoryExceeded, name: "external", text: `memory exceeded: the external limit is 1048576 bytes`,
			request: limited("() => new Uint8Array(2 ** 21)", protocol.Limits{External: 1 << 20})},
		{code: protocol.CodeMemoryExceeded, name: "process", text: `memory exceeded: the process limit is \d{9} bytes`,
			request: limited("() => JSON.parse('[' + '1,'.repeat(2 ** 26) + '0]').length", protocol.Limits{})},
		{code: protocol.CodeSourceTooLarge, text: `source too large \(program\): the limit is 5 bytes, the actual is 7`,
			request: limited("() => 1", protocol.Limits{Source: 5})},
		{code: protocol.CodeSourceTooLarge, name: "a module", text: `source too large \(m\): the limit is 50 bytes, the actual is 100`,
			request: executor.Request{Source: "import 'm'", Limits: protocol.Limits{Source: 50}, Modules: map[string]protocol.Module{"m": {Source: strings.Repeat(" ", 100)}}}},
		{code: protocol.CodeResultTooLarge, text: `result too large: the limit is 50 bytes, the actual is (at least )?102`,
			request: limited("() => 'x'.repeat(100)", protocol.Limits{Result: 50})},
		{code: protocol.CodeArgumentsTooLarge, name: "a call", text: `arguments too large \(host\.f\): the limit is 50 bytes, the actual is (at least )?10\d`,
			request: limited("() => host.f('x'.repeat(100))", protocol.Limits{Argument: 50})},
		{code: protocol.CodeArgumentsTooLarge, name: "all calls", text: `arguments too large \(all tool calls\): the limit is 150 bytes, the actual is \d+`,
			request: limited("async () => { for (;;) await host.f('x'.repeat(30)) }", protocol.Limits{ToolBytes: 150})},
		{code: protocol.CodeArgumentsTooLarge, name: "the input", text: `arguments too large \(input\): the limit is 50 bytes, the actual is at least \d+`,
			request: executor.Request{Source: "() => 1", Input: strings.Repeat("x", 100), Limits: protocol.Limits{Input: 50}}},
		{code: protocol.CodeReplyTooLarge, text: `reply too large \(host\.f\): the limit is 50 bytes, the actual is (at least )?\d{3}`,
			request: limited("() => host.f('x'.repeat(100))", protocol.Limits{Reply: 50})},
		{code: protocol.CodeToolCallsExceeded, text: `tool calls exceeded: the limit is 3 calls, the actual is 4`,
			request: limited("async () => { for (;;) await host.f() }", protocol.Limits{ToolCalls: 3})},
		{code: protocol.CodeConcurrentCallsExceeded, text: `concurrent tool calls exceeded: the limit is 3 calls in flight, the actual is 4`,
			request: limited("() => { for (;;) host.f() }", protocol.Limits{CallsInFlight: 3})},

		{code: protocol.CodeOverloaded, text: `overloaded: 0 requests wait in a queue of 0; retry after \d+.*`, make: func(t *testing.T) error {
			return whenFull(t, pool.Config{Size: 1, QueueLength: -1})
		}},
		{code: protocol.CodeQueueDeadline, text: `queue deadline: the request waited \d+ms for a free worker, the limit is 30ms`, make: func(t *testing.T) error {
			return whenFull(t, pool.Config{Size: 1, QueueTimeout: 30 * time.Millisecond})
		}},
		{code: protocol.CodeWorkerCrashed, text: `worker crashed while running: signal SIGKILL; tool calls delivered before: 1`, make: func(t *testing.T) error {
			e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1}})
			_, err := e.Execute(t.Context(), executor.Request{Source: "async () => await host.f()", Tools: executor.Tools{"host": {
				"f": func(ctx context.Context, _ []any) (any, error) {
					defer func() { <-ctx.Done() }()
					return nil, syscall.Kill(e.Stats().Children[0].PID, syscall.SIGKILL)
				},
			}}})
			return err
		}},
		{code: protocol.CodeProtocolViolation, text: `protocol violation: a child may not send ping messages`, make: func(t *testing.T) error {
			path := filepath.Join(t.TempDir(), "obeys")
			if out, err := exec.Command("go", "build", "-o", path, "../pool/internal/hostile").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1, ChildPath: path, Sealing: child.Levels(child.Off)}})
			_, err := e.Execute(t.Context(), executor.Request{Source: `text {"type":"ping","nonce":1}`})
			return err
		}},
		{code: protocol.CodeCancelled, text: `cancelled by the caller`, make: func(t *testing.T) error {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := shared.Execute(ctx, executor.Request{Source: "() => { console.log(1); for (;;); }", OnLog: func(protocol.LogEntry) { cancel() }})
			return err
		}},
		{code: protocol.CodeCancelled, name: "a deadline of the caller's", text: `cancelled by the caller: context deadline exceeded`, make: func(t *testing.T) error {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, err := shared.Execute(ctx, executor.Request{Source: "() => { for (;;); }"})
			return err
		}},
		{code: protocol.CodeDraining, text: `draining: .*`, make: func(t *testing.T) error {
			e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1}})
			if err := e.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, err := e.Execute(t.Context(), executor.Request{Source: "() => 1"})
			return err
		}},
		{code: protocol.CodeUnavailable, text: `unavailable: the pool is closed`, make: func(t *testing.T) error {
			e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1}})
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			_, err := e.Execute(t.Context(), executor.Request{Source: "() => 1"})
			return err
		}},
	}
}

// whenFull executes a program while the only child is busy.
func whenFull(t *testing.T, c pool.Config) error {
	e := newExecutor(t, executor.Config{Pool: c})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.Execute(ctx, executor.Request{Source: "() => { for (;;); }"})
	}()
	waitFor(t, e, "the child to be busy", func(s pool.Stats) bool { return s.Busy == 1 })
	_, err := e.Execute(t.Context(), executor.Request{Source: "() => 1"})
	cancel()
	<-ended
	return err
}

// TestEveryFault produces each kind of fault through a real executor.
func TestEveryFault(t *testing.T) {
	produced := map[protocol.Code]bool{}
	for _, p := range productions() {
		t.Run(strings.TrimSpace(string(p.code)+" "+p.name), func(t *testing.T) {
			produced[p.code] = true
			if raceDetector && p.deep {
				t.Skip("the race detector ends a child whose stack in Go is as deep as this; `make test` tests it without")
			}
			var err error
			if p.make != nil {
				err = p.make(t)
			} else {
				_, err = shared.Execute(t.Context(), p.request)
			}
			fault := wantFault[protocol.Fault](t, err)
			if fault.Code() != p.code || !regexp.MustCompile("^(?s:"+p.text+")$").MatchString(fault.Error()) {
				t.Errorf("the fault is %s: %v\nwant %s: %s", fault.Code(), fault, p.code, p.text)
			}
			// And it says the same on the other side of a socket.
			text, err := protocol.EncodeFault(fault)
			if err != nil {
				t.Fatal(err)
			}
			back, err := protocol.DecodeFault(text)
			if err != nil || back.Error() != fault.Error() || back.Code() != fault.Code() || back.Reached().Started != fault.Reached().Started {
				t.Errorf("it came back as %v, %v", back, err)
			}
		})
	}
	for _, code := range protocol.Codes() {
		why, absent := notHere[code]
		switch {
		case absent && produced[code]:
			t.Errorf("%s is produced, although it is said that it cannot be: %s", code, why)
		case !absent && !produced[code]:
			t.Errorf("nothing here produces %s", code)
		case absent:
			t.Logf("%s is not produced here: %s", code, why)
		}
	}
}
