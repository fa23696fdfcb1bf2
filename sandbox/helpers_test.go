package sandbox_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file holds what the sandbox's tests share: one sandbox for the process,
// and a host whose tools are Go functions.

var (
	shared   *sandbox.Sandbox
	snapshot []byte
)

func TestMain(m *testing.M) {
	var err error
	if snapshot, err = sandbox.BuildSnapshot(""); err == nil {
		shared, err = sandbox.New(sandbox.Config{Snapshot: snapshot})
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	code := m.Run()
	shared.Close()
	os.Exit(code)
}

// tools answers calls: from a tool's arguments as codec text to an envelope. An
// empty envelope is never sent.
type tools map[string]func(args string) string

// testHost implements sandbox.Host over tools.
type testHost struct {
	tools tools

	mu    sync.Mutex
	calls []protocol.ToolCall    // guarded by mu
	logs  []protocol.LogEntry    // guarded by mu
	seen  chan protocol.ToolCall // when not nil, gets every call
}

func (h *testHost) CallTool(call *protocol.ToolCall) {
	h.mu.Lock()
	h.calls = append(h.calls, *call)
	h.mu.Unlock()
	if h.seen != nil {
		h.seen <- *call
	}
	if tool := h.tools[call.Namespace+"."+call.Tool]; tool != nil {
		go func() {
			if envelope := tool(call.Args); envelope != "" {
				shared.Reply(call.Call, envelope)
			}
		}()
	}
}

func (h *testHost) Log(entry protocol.LogEntry) {
	h.mu.Lock()
	h.logs = append(h.logs, entry)
	h.mu.Unlock()
}

// request returns a request for a JavaScript program with resolved limits.
func request(t testing.TB, source string, change ...func(*protocol.Request)) *protocol.Request {
	t.Helper()
	r := &protocol.Request{Source: source}
	for _, c := range change {
		c(r)
	}
	var err error
	if r.Limits, err = r.Limits.Resolve(protocol.DefaultLimits, protocol.MaxLimits); err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	return r
}

func execute(t testing.TB, source string, change ...func(*protocol.Request)) *protocol.Result {
	t.Helper()
	return shared.Execute(context.Background(), request(t, source, change...), &testHost{})
}

func withTools(names ...string) func(*protocol.Request) {
	return func(r *protocol.Request) { r.Tools = append(r.Tools, protocol.Namespace{Name: "tools", Tools: names}) }
}

func withLimits(l protocol.Limits) func(*protocol.Request) {
	return func(r *protocol.Request) { r.Limits = l }
}

func withInput(text string) func(*protocol.Request) {
	return func(r *protocol.Request) { r.Input = protocol.Value(text) }
}

func withForm(f protocol.Form) func(*protocol.Request) {
	return func(r *protocol.Request) { r.Form = f }
}

func typescript(r *protocol.Request) { r.Language = protocol.TypeScript }

func withModule(specifier, source string, language protocol.Language) func(*protocol.Request) {
	return func(r *protocol.Request) {
		if r.Modules == nil {
			r.Modules = map[string]protocol.Module{}
		}
		r.Modules[specifier] = protocol.Module{Source: source, Language: language}
	}
}

// text renders a result's value or fault for comparison.
func text(r *protocol.Result) string {
	if r.Fault != nil {
		return string(r.Fault.Code()) + ": " + r.Fault.Error()
	}
	if len(r.Value) == 0 {
		return "undefined"
	}
	return string(r.Value)
}
