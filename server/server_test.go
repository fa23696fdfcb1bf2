package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the tests of what a server does for clients that behave.

func TestOneExecution(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.execute("a", "() => 1 + 1")
	w.wantResult("a", "2")
}

// TestWelcome checks what a client is told of the server.
func TestWelcome(t *testing.T) {
	e := start(t, server.Config{Version: "1.2", MaxFrame: 1 << 20, MaxHeld: 1 << 20,
		Authenticator: everybody{tenant(t, server.Tenant{Max: protocol.Limits{Wall: time.Second}})}})
	w := e.dial(t)
	w.send(&protocol.Hello{Version: protocol.Version, MaxFrame: 1 << 16})
	got := receive[*protocol.Welcome](w)
	_, most := shared.Limits()
	defaults, _ := shared.Limits()
	most.Wall, defaults.Wall = time.Second, time.Second
	want := &protocol.Welcome{Version: protocol.Version, MaxFrame: 1 << 20, Agent: "isogate 1.2", Engine: shared.Stats().Engine, Defaults: defaults, Max: most}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := w.socket.Subprotocol(); got != "isogate" {
		t.Errorf("the subprotocol is %q", got)
	}
}

// TestCallsOverlap has a program call a tool ten times at once and answers in the
// opposite order.
func TestCallsOverlap(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.execute("a", "async () => (await Promise.all([...'0123456789'].map(c => tools.f(c)))).join('')", tools)
	var calls []*protocol.ToolCall
	seen := map[int64]bool{}
	for range 10 {
		call := receive[*protocol.ToolCall](w)
		if call.Call < 1 || call.Call > 10 || seen[call.Call] || call.Namespace != "tools" || call.Tool != "f" {
			t.Errorf("a call is %+v", call)
		}
		seen[call.Call] = true
		calls = append(calls, call)
	}
	for i := range calls {
		call := calls[len(calls)-1-i]
		w.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":` + call.Args[1:4] + `}`})
	}
	result := w.wantResult("a", `"0123456789"`)
	if len(result.Calls) != 10 || result.Usage.ToolCalls != 10 {
		t.Errorf("the calls are %+v", result.Calls)
	}
}

// TestManyExecutions runs many at once on one connection, each with a call.
func TestManyExecutions(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	const many = 20
	want := map[string]string{}
	for i := range many {
		id := fmt.Sprint("e", i)
		w.execute(id, fmt.Sprintf("async () => [%d, await tools.f()]", i), tools)
		want[id] = fmt.Sprintf(`[%d,"%s"]`, i, id)
	}
	got := map[string]string{}
	for len(got) < many {
		_, text, err := w.socket.Read(w.ctx)
		if err != nil {
			t.Fatal(err)
		}
		m, err := protocol.DecodeMessage(text)
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *protocol.ToolCall:
			w.send(&protocol.ToolReply{Execution: m.Execution, Call: m.Call, Envelope: `{"ok":"` + m.Execution + `"}`})
		case *protocol.ResultMessage:
			if m.Result.Fault != nil {
				t.Errorf("%s: %v", m.Execution, m.Result.Fault)
			}
			got[m.Execution] = string(m.Result.Value)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLogsAreStreamed(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.send(&protocol.Execute{Execution: "a", StreamLogs: true, Request: protocol.Request{
		Source: "async () => { console.log('one'); await tools.f(); console.warn('two'); return 1 }", Tools: []protocol.Namespace{tools}}})
	if got := receive[*protocol.Log](w); got.Execution != "a" || got.Entry.Text != "one" || got.Entry.Level != protocol.LevelLog {
		t.Errorf("the first entry is %+v", got)
	}
	call := receive[*protocol.ToolCall](w)
	w.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":1}`})
	if got := receive[*protocol.Log](w); got.Entry.Text != "two" || got.Entry.Level != protocol.LevelWarn {
		t.Errorf("the second entry is %+v", got)
	}
	if result := w.wantResult("a", "1"); len(result.Logs) != 0 {
		t.Errorf("the result repeats the logs: %v", result.Logs)
	}
	w.execute("b", "() => { console.log('kept') }")
	if m := receive[*protocol.ResultMessage](w); len(m.Result.Logs) != 1 || m.Result.Logs[0].Text != "kept" {
		t.Errorf("without streaming the logs are %v", m.Result.Logs)
	}
}

func TestCancel(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.execute("a", "async () => { await tools.f(); }", tools)
	receive[*protocol.ToolCall](w)
	w.send(&protocol.Cancel{Execution: "a", Reason: "enough"})
	fault := wantFault[*protocol.Cancelled](w, "a")
	if diff := cmp.Diff([]any{"enough", []string{"tools.f"}, true}, []any{fault.Reason, fault.Delivered, fault.Started}); diff != "" {
		t.Error(diff)
	}
	w.execute("a", "() => 'the id is free'")
	w.wantResult("a", `"the id is free"`)
}

// TestCallEnded checks that a client is told of a call that took too long.
func TestCallEnded(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.send(&protocol.Execute{Execution: "a", Request: protocol.Request{
		Source: "async () => { try { await tools.f() } catch (e) { return e.name + await tools.f() } }", Tools: []protocol.Namespace{tools},
		Limits: protocol.Limits{ToolTime: 200 * time.Millisecond}}})
	receive[*protocol.ToolCall](w)
	if ended := receive[*protocol.CallEnded](w); ended.Execution != "a" || ended.Call != 1 || !strings.Contains(ended.Reason, "200ms") {
		t.Errorf("the call ended as %+v", ended)
	}
	w.send(&protocol.ToolReply{Execution: "a", Call: 1, Envelope: `{"ok":"too late"}`})
	call := receive[*protocol.ToolCall](w)
	w.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":"!"}`})
	w.wantResult("a", `"ToolTimeout!"`)
}

// TestNested runs a program from within the tool of another, through one more
// level, and checks who may be named as a parent.
func TestNested(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.execute("outer", "async () => 'outer ' + await tools.f()", tools)
	outer := receive[*protocol.ToolCall](w)
	nest := func(id, parent string) {
		w.send(&protocol.Execute{Execution: id, Request: protocol.Request{
			Source: "async () => 'inner ' + await tools.f()", Tools: []protocol.Namespace{tools}, Parent: parent}})
	}
	nest("stranger", "nobody")
	if fault := wantFault[*protocol.InvalidRequest](w, "stranger"); fault.Field != "parent" {
		t.Error(fault)
	}
	nest("inner", "outer")
	inner := receive[*protocol.ToolCall](w)
	if inner.Execution != "inner" {
		t.Fatalf("the call is %+v", inner)
	}
	w.send(&protocol.ToolReply{Execution: "inner", Call: inner.Call, Envelope: `{"ok":"core"}`})
	w.wantResult("inner", `"inner core"`)
	w.send(&protocol.ToolReply{Execution: "outer", Call: outer.Call, Envelope: `{"ok":"inner core"}`})
	w.wantResult("outer", `"outer inner core"`)
}

// TestNestedEndsWithItsParent cancels the outer of two executions.
func TestNestedEndsWithItsParent(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.execute("outer", "async () => { await tools.f() }", tools)
	receive[*protocol.ToolCall](w)
	w.send(&protocol.Execute{Execution: "inner", Request: protocol.Request{Source: "async () => { await tools.f() }", Tools: []protocol.Namespace{tools}, Parent: "outer"}})
	receive[*protocol.ToolCall](w)
	w.send(&protocol.Cancel{Execution: "outer"})
	ended := map[string]bool{}
	for range 2 {
		m := receive[*protocol.ResultMessage](w)
		if _, ok := m.Result.Fault.(*protocol.Cancelled); !ok {
			t.Errorf("%s: %v", m.Execution, m.Result.Fault)
		}
		ended[m.Execution] = true
	}
	if len(ended) != 2 {
		t.Errorf("ended: %v", ended)
	}
}

// TestPing checks the protocol's own pings.
func TestPing(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.send(&protocol.Ping{Nonce: -7})
	if got := receive[*protocol.Pong](w); got.Nonce != -7 {
		t.Errorf("the nonce is %d", got.Nonce)
	}
}

// TestClientDrains checks that what runs ends, and then the connection.
func TestClientDrains(t *testing.T) {
	w := start(t, server.Config{}).connect(t)
	w.execute("a", "() => tools.f()", tools)
	call := receive[*protocol.ToolCall](w)
	w.send(&protocol.Drain{})
	w.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":1}`})
	w.wantResult("a", "1")
	w.wantClosed(websocket.StatusNormalClosure)
}

// TestServerDrains checks that what runs ends, nothing new begins, and everybody
// is told.
func TestServerDrains(t *testing.T) {
	own, err := executor.New(t.Context(), executor.Config{Pool: pool.Config{Size: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	e := start(t, server.Config{Executor: own})
	if status, _ := e.get(t, "/readyz"); status != http.StatusOK {
		t.Errorf("/readyz is %d", status)
	}
	idle, w := e.connect(t), e.connect(t)
	w.execute("a", "() => tools.f()", tools)
	call := receive[*protocol.ToolCall](w)
	drained := make(chan error, 1)
	go func() { drained <- e.Drain(context.Background()) }()
	receive[*protocol.Drain](w)
	receive[*protocol.Drain](idle)
	idle.wantClosed(websocket.StatusGoingAway)
	if status, _ := e.get(t, "/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("/readyz is %d while the server drains", status)
	}
	if response, result := e.post(t, `{"source":"() => 1"}`); response.StatusCode != http.StatusServiceUnavailable || result.Fault == nil || result.Fault.Code() != protocol.CodeDraining {
		t.Errorf("a request is answered with %d, %v", response.StatusCode, result.Fault)
	}
	w.execute("b", "() => 1")
	wantFault[*protocol.Draining](w, "b")
	w.send(&protocol.ToolReply{Execution: "a", Call: call.Call, Envelope: `{"ok":1}`})
	w.wantResult("a", "1")
	w.wantClosed(websocket.StatusGoingAway)
	if err := <-drained; err != nil {
		t.Errorf("Drain: %v", err)
	}
}

// TestDrainHasALimit ends what does not end by itself, and answers for it: programs
// that wait, that compute, that wait for a child, and one that came by POST.
func TestDrainHasALimit(t *testing.T) {
	own, err := executor.New(t.Context(), executor.Config{Pool: pool.Config{Size: 3, QueueLength: 10}})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	e := start(t, server.Config{Executor: own})
	w := e.connect(t)
	w.execute("waits", "() => tools.f()", tools)
	receive[*protocol.ToolCall](w)
	w.execute("computes", "async () => { const reply = tools.f(); for (;;) {} }", tools)
	receive[*protocol.ToolCall](w)
	posted := make(chan *protocol.Result, 1)
	go func() {
		var result *protocol.Result
		defer func() { posted <- result }()
		_, result = e.post(t, `{"source":"() => { for (;;) {} }"}`)
	}()
	eventually(t, "all children are busy", func() bool { return own.Stats().Busy == 3 })
	w.execute("queued", "() => 1")
	eventually(t, "an execution waits", func() bool { return own.Stats().Queued == 1 })
	ctx, cancel := context.WithCancel(context.Background())
	drained := make(chan error, 1)
	go func() { drained <- e.Drain(ctx) }()
	// What waits for a child may be refused by the draining executor already.
	ended := map[string]protocol.Fault{}
	take := func() protocol.Message {
		_, text, err := w.socket.Read(w.ctx)
		if err != nil {
			t.Fatal(err)
		}
		m, err := protocol.DecodeMessage(text)
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := m.(*protocol.ResultMessage); ok {
			ended[m.Execution] = m.Result.Fault
		}
		return m
	}
	for draining := false; !draining; {
		_, draining = take().(*protocol.Drain)
	}
	cancel()
	if err := <-drained; err == nil {
		t.Error("Drain returned nil although an execution did not end")
	}
	for len(ended) < 3 {
		take()
	}
	for id, delivered := range map[string]int{"waits": 1, "computes": 1} {
		fault, ok := ended[id].(*protocol.Unavailable)
		if !ok || fault.Reason != "the server was stopped" || !fault.Started || len(fault.Delivered) != delivered || fault.Retryable() {
			t.Errorf("%s ended with %v", id, ended[id])
		}
	}
	switch fault := ended["queued"].(type) {
	case *protocol.Unavailable, *protocol.Draining:
		if fault.Reached().Started || !fault.Retryable() {
			t.Errorf("what waited has started: %v", fault)
		}
	default:
		t.Errorf("what waited ended with %v", fault)
	}
	if reason := w.wantClosed(websocket.StatusGoingAway); reason != "the server was stopped" {
		t.Errorf("the reason is %q", reason)
	}
	e.Close()
	result := <-posted
	if result == nil {
		t.Fatal("the request got no answer")
	}
	if fault, ok := result.Fault.(*protocol.Unavailable); !ok || !fault.Started {
		t.Errorf("the request is answered with %v", result.Fault)
	}
	if stats := own.Stats(); stats.Busy != 0 {
		t.Errorf("%d children are busy", stats.Busy)
	}
}

// TestCloseAnswers has a server close while many executions run, or wait: each has
// one result.
func TestCloseAnswers(t *testing.T) {
	e := start(t, server.Config{})
	w := e.connect(t)
	const many = 50
	for i := range many {
		w.execute(fmt.Sprint(i), "() => tools.f()", tools)
	}
	eventually(t, "all run, or wait", func() bool { return shared.Stats().Busy+shared.Stats().Queued == many })
	go e.Close()
	results := map[string]protocol.Fault{}
	for {
		_, text, err := w.socket.Read(w.ctx)
		if err != nil {
			if websocket.CloseStatus(err) != websocket.StatusGoingAway {
				t.Errorf("the connection ended with %v", err)
			}
			break
		}
		m, err := protocol.DecodeMessage(text)
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := m.(*protocol.ResultMessage); ok {
			if _, twice := results[m.Execution]; twice {
				t.Errorf("%s has two results", m.Execution)
			}
			results[m.Execution] = m.Result.Fault
		}
	}
	for id, fault := range results {
		if _, ok := fault.(*protocol.Unavailable); !ok {
			t.Errorf("%s ended with %v", id, fault)
		}
	}
	if len(results) != many {
		t.Errorf("%d results, want %d", len(results), many)
	}
}

// TestPost runs programs without tools.
func TestPost(t *testing.T) {
	e := start(t, server.Config{})
	response, result := e.post(t, `{"source":"({n}) => n + 1","input":{"n":41}}`)
	if response.StatusCode != http.StatusOK || string(result.Value) != "42" {
		t.Errorf("%d: %s, %v", response.StatusCode, result.Value, result.Fault)
	}
	for _, test := range []struct {
		body   string
		status int
		code   protocol.Code
	}{
		{`{"source":"() => { throw new Error('x') }"}`, http.StatusOK, protocol.CodeThrown},
		{`{"source":"() => 1","tools":[{"name":"a","tools":["b"]}]}`, http.StatusBadRequest, protocol.CodeInvalidRequest},
		{`{"source":"() => 1","grants":["wasm"]}`, http.StatusBadRequest, protocol.CodeInvalidRequest},
		{`{"source":"() => 1","tenant":"another"}`, http.StatusBadRequest, protocol.CodeInvalidRequest},
		{`{"source":"() => 1","limits":{"heap":1}}`, http.StatusBadRequest, protocol.CodeInvalidRequest},
		{`{"source":"() => 1","parent":"1"}`, http.StatusBadRequest, protocol.CodeInvalidRequest},
		{`{"source":"() => 1","input":{"$":"what"}}`, http.StatusBadRequest, protocol.CodeInvalidRequest},
		{`{"source":"() => 1"`, http.StatusBadRequest, protocol.CodeInvalidRequest},
		{``, http.StatusBadRequest, protocol.CodeInvalidRequest},
		{`{"source":"() => { for (;;); }","limits":{"wallMs":50}}`, http.StatusOK, protocol.CodeDeadlineExceeded},
	} {
		response, result := e.post(t, test.body)
		if response.StatusCode != test.status || result.Fault == nil || result.Fault.Code() != test.code {
			t.Errorf("%s: %d, %v; want %d, %s", test.body, response.StatusCode, result.Fault, test.status, test.code)
		}
	}
}

// TestInfo checks what a caller may know.
func TestInfo(t *testing.T) {
	e := start(t, server.Config{Version: "1.2"})
	status, body := e.get(t, "/v1/info")
	var info server.Info
	if err := json.Unmarshal([]byte(body), &info); err != nil || status != http.StatusOK {
		t.Fatalf("%d, %s: %v", status, body, err)
	}
	if info.Agent != "isogate 1.2" || info.Protocol != protocol.Version || info.Tenant != "test" || info.Max.Heap == 0 || len(info.Sealing) == 0 {
		t.Errorf("the information is %+v", info)
	}
}
