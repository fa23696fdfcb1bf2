package server_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the tests of traces, through the server's own addresses and with
// the SDK that its callers use.

// traced starts a server whose spans are kept.
func traced(t *testing.T, c server.Config) (*endpoint, *tracetest.InMemoryExporter) {
	t.Helper()
	spans := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(spans))
	t.Cleanup(func() { _ = provider.Shutdown(context.Background()) })
	c.Tracer = provider
	return start(t, c), spans
}

// connectWith opens a WebSocket whose HTTP request has a header, and greets.
func (e *endpoint) connectWith(t *testing.T, header http.Header) *wire {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	socket, _, err := websocket.Dial(ctx, "ws://isogate/v1/connect", &websocket.DialOptions{HTTPClient: e.http(t), HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.CloseNow() })
	w := &wire{t, socket, ctx}
	w.send(&protocol.Hello{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame})
	receive[*protocol.Welcome](w)
	return w
}

// The spans of callers, as W3C trace context writes them.
const (
	ofHeader  = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	ofRequest = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
)

// attributes returns the attributes of a span as text.
func attributes(s *tracetest.SpanStub) map[string]string {
	out := map[string]string{}
	for _, a := range s.Attributes {
		out[string(a.Key)] = a.Value.String()
	}
	return out
}

// await waits for so many spans and returns them in the order of their end.
func await(t *testing.T, spans *tracetest.InMemoryExporter, n int) tracetest.SpanStubs {
	t.Helper()
	eventually(t, fmt.Sprintf("%d spans end", n), func() bool { return len(spans.GetSpans()) >= n })
	got := spans.GetSpans()
	if len(got) != n {
		t.Fatalf("%d spans ended, want %d: %+v", len(got), n, got)
	}
	return got
}

// of returns the span of an execution by the caller's id.
func of(t *testing.T, spans tracetest.SpanStubs, id string) *tracetest.SpanStub {
	t.Helper()
	for i := range spans {
		if attributes(&spans[i])["isogate.execution.id"] == id {
			return &spans[i]
		}
	}
	t.Fatalf("no span is that of the execution %q: %+v", id, spans)
	return nil
}

// parentOf returns the trace and the span above one, as W3C trace context has them.
func parentOf(s *tracetest.SpanStub) string {
	return fmt.Sprintf("00-%s-%s-%s", s.Parent.TraceID(), s.Parent.SpanID(), s.Parent.TraceFlags())
}

// TestTraceFromRequestToToolCall runs a program with two calls, the second of which
// fails, and another program from within the first call.
func TestTraceFromRequestToToolCall(t *testing.T) {
	e, spans := traced(t, server.Config{Version: "1.2"})
	w := e.connectWith(t, http.Header{"Traceparent": {ofHeader}, "Tracestate": {"vendor=state"}})
	const source = "async () => { await tools.f(1); try { await tools.f(2) } catch { return 3 } }"
	w.execute("outer", source, tools)
	call := receive[*protocol.ToolCall](w)
	w.send(&protocol.Execute{Execution: "nested", Request: protocol.Request{Source: "() => 4", Parent: "outer"}})
	w.wantResult("nested", "4")
	w.send(&protocol.ToolReply{Execution: "outer", Call: call.Call, Envelope: `{"ok":1}`})
	call = receive[*protocol.ToolCall](w)
	w.send(&protocol.ToolReply{Execution: "outer", Call: call.Call, Envelope: `{"error":{"name":"Error","message":"no"}}`})
	result := w.wantResult("outer", "3")

	got := await(t, spans, 4)
	outer, nested := of(t, got, "outer"), of(t, got, "nested")
	if parentOf(outer) != ofHeader || !outer.Parent.IsRemote() || outer.SpanContext.TraceState().String() != "vendor=state" {
		t.Errorf("the execution is below %s (%v), state %q, want %s", parentOf(outer), outer.Parent.IsRemote(), outer.SpanContext.TraceState(), ofHeader)
	}
	if nested.Parent.SpanID() != outer.SpanContext.SpanID() || attributes(nested)["isogate.execution.parent"] != "outer" {
		t.Errorf("the nested execution is below %s: %v", nested.Parent.SpanID(), attributes(nested))
	}
	if outer.Name != "isogate.execution" || outer.SpanKind != trace.SpanKindServer || outer.Status.Code != codes.Unset {
		t.Errorf("the span is %s, %v, %v", outer.Name, outer.SpanKind, outer.Status)
	}
	if scope := outer.InstrumentationScope; scope.Name != "github.com/isogate/isogate/server" || scope.Version != "1.2" {
		t.Errorf("the spans are of %+v", scope)
	}
	number := func(v any) string { return fmt.Sprint(v) }
	usage := result.Usage
	want := map[string]string{
		"isogate.tenant": "test", "isogate.execution.id": "outer", "isogate.outcome": "ok", "isogate.source.bytes": number(len(source)),
		"isogate.usage.wall_ms": number(usage.WallMS), "isogate.usage.cpu_ms": number(usage.CPUMS), "isogate.usage.queue_ms": number(usage.QueueMS),
		"isogate.usage.peak_heap_bytes": number(usage.PeakHeap), "isogate.usage.peak_external_bytes": number(usage.PeakExternal),
		"isogate.usage.tool_calls": "2", "isogate.child": number(usage.Child),
	}
	if diff := cmp.Diff(want, attributes(outer)); diff != "" {
		t.Errorf("the execution's attributes (-want +got):\n%s", diff)
	}
	if usage.PeakHeap == 0 || usage.WallMS == 0 {
		t.Errorf("the usage is %+v", usage)
	}
	var calls []map[string]string
	for i := range got {
		s := &got[i]
		if s.Name != "isogate.tool_call" {
			continue
		}
		if s.SpanKind != trace.SpanKindClient || s.Parent.SpanID() != outer.SpanContext.SpanID() || s.SpanContext.TraceID() != outer.SpanContext.TraceID() {
			t.Errorf("a tool call's span is %v below %s", s.SpanKind, s.Parent.SpanID())
		}
		calls = append(calls, attributes(s))
	}
	wantCalls := []map[string]string{
		{"isogate.tool.name": "tools.f", "isogate.tool.call": "1", "isogate.outcome": "ok"},
		{"isogate.tool.name": "tools.f", "isogate.tool.call": "2", "isogate.outcome": "error", "error.type": "tool_error"},
	}
	if diff := cmp.Diff(wantCalls, calls); diff != "" {
		t.Errorf("the calls' attributes (-want +got):\n%s", diff)
	}
}

// TestWhereTracesBelong checks whose span an execution is below.
func TestWhereTracesBelong(t *testing.T) {
	e, spans := traced(t, server.Config{})
	post := func(header, body string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://isogate/v1/execute", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if header != "" {
			request.Header.Set("traceparent", header)
		}
		response, err := e.http(t).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Fatalf("the status is %d", response.StatusCode)
		}
	}
	connected := func(header, ofExecution string) {
		t.Helper()
		w := e.connectWith(t, http.Header{"Traceparent": {header}})
		request := protocol.Request{Source: "() => 1"}
		if ofExecution != "" {
			request.Trace = map[string]string{"traceparent": ofExecution}
		}
		w.send(&protocol.Execute{Execution: "a", Request: request})
		w.wantResult("a", "1")
	}
	const source, none = `{"source":"() => 1"}`, "00-00000000000000000000000000000000-0000000000000000-00"
	withTrace := func(traceparent string) string {
		return fmt.Sprintf(`{"source":"() => 1","trace":{"traceparent":%q}}`, traceparent)
	}
	for _, test := range []struct {
		name string
		do   func()
		want string
	}{
		{"a request without anything", func() { post("", source) }, none},
		{"the header of a request", func() { post(ofHeader, source) }, ofHeader},
		{"the body prevails", func() { post(ofHeader, withTrace(ofRequest)) }, ofRequest},
		{"a malformed header", func() { post("00-xyz", source) }, none},
		{"an identifier of zeros", func() { post("00-00000000000000000000000000000000-b7ad6b7169203331-01", source) }, none},
		{"a malformed body", func() { post(ofHeader, withTrace("canary")) }, ofHeader},
		{"the header of a WebSocket", func() { connected(ofHeader, "") }, ofHeader},
		{"the message prevails", func() { connected(ofHeader, ofRequest) }, ofRequest},
		{"a malformed message", func() { connected(ofHeader, "00-"+strings.Repeat("f", 900)) }, ofHeader},
	} {
		spans.Reset()
		test.do()
		if got := parentOf(&await(t, spans, 1)[0]); got != test.want {
			t.Errorf("%s: the execution is below %s, want %s", test.name, got, test.want)
		}
	}
	// A caller that does not keep its trace has none kept here.
	spans.Reset()
	post(strings.TrimSuffix(ofHeader, "01")+"00", source)
	post("", source)
	if got := parentOf(&await(t, spans, 1)[0]); got != none {
		t.Errorf("a trace that is not sampled has spans: %s", got)
	}
}

// TestOutcomesInTraces has executions and calls end in every way.
func TestOutcomesInTraces(t *testing.T) {
	e, spans := traced(t, server.Config{Authenticator: everybody{tenant(t, server.Tenant{Max: protocol.Limits{Reply: 1 << 10}})}})
	calling := func(limits protocol.Limits) protocol.Request {
		return protocol.Request{Source: "async () => { try { return await tools.f() } catch { return 0 } }", Tools: []protocol.Namespace{tools}, Limits: limits}
	}
	reply := func(envelope string) func(*wire) {
		return func(w *wire) {
			w.send(&protocol.ToolReply{Execution: "a", Call: receive[*protocol.ToolCall](w).Call, Envelope: envelope})
		}
	}
	for _, test := range []struct {
		name    string
		request protocol.Request
		meet    func(*wire)
		want    string // of the execution
		call    string // of its call, with the type of the error; "": none was made
	}{
		{"a value", protocol.Request{Source: "() => 1"}, nil, "ok", ""},
		{"an error", protocol.Request{Source: "() => { throw 1 }"}, nil, "thrown", ""},
		{"no program", protocol.Request{Source: "("}, nil, "syntax", ""},
		{"a program that goes on", protocol.Request{Source: "() => { for (;;); }", Limits: protocol.Limits{Wall: 50 * time.Millisecond}}, nil, "deadline_exceeded", ""},
		{"a grant it may not have", protocol.Request{Source: "() => 1", Grants: []protocol.Grant{protocol.GrantEval}}, nil, "invalid_request", ""},
		{"no such parent", protocol.Request{Source: "() => 1", Parent: "b"}, nil, "invalid_request", ""},
		{"a reply", calling(protocol.Limits{}), reply(`{"ok":1}`), "ok", "ok"},
		{"a reply that is none", calling(protocol.Limits{}), reply(`{`), "ok", "error malformed_reply"},
		{"too long a reply", calling(protocol.Limits{}), reply(`{"ok":"` + strings.Repeat("x", 2<<10) + `"}`), "reply_too_large", "error reply_too_large"},
		{"a late reply", calling(protocol.Limits{ToolTime: 50 * time.Millisecond}), func(w *wire) {
			receive[*protocol.ToolCall](w)
			receive[*protocol.CallEnded](w)
		}, "ok", "error timeout"},
		{"no reply", calling(protocol.Limits{}), func(w *wire) {
			receive[*protocol.ToolCall](w)
			w.send(&protocol.Cancel{Execution: "a"})
		}, "cancelled", "abandoned"},
	} {
		spans.Reset()
		w := e.connect(t)
		w.send(&protocol.Execute{Execution: "a", Request: test.request})
		n := 1
		if test.meet != nil {
			test.meet(w)
			n = 2
		}
		receive[*protocol.ResultMessage](w)
		got := await(t, spans, n)
		for i := range got {
			s, have := &got[i], attributes(&got[i])
			said := have["isogate.outcome"]
			failed := have["error.type"] != ""
			want := test.want
			if s.Name == "isogate.tool_call" {
				want = test.call
				said = strings.TrimSpace(said + " " + have["error.type"])
			} else if failed && have["error.type"] != said {
				t.Errorf("%s: the outcome is %s, the type of the error %s", test.name, said, have["error.type"])
			}
			if said != want {
				t.Errorf("%s: %s says %q, want %q", test.name, s.Name, said, want)
			}
			if failed != (s.Status.Code == codes.Error) || s.Status.Description != "" {
				t.Errorf("%s: the status of %s is %+v", test.name, s.Name, s.Status)
			}
		}
	}
}

// TestTracesHoldNoContent puts a word everywhere where callers, programs and tools
// can put one, and looks for it in everything that a span has.
func TestTracesHoldNoContent(t *testing.T) {
	e, spans := traced(t, server.Config{LogContent: true})
	const canary = "canary"
	w := e.connectWith(t, http.Header{"Traceparent": {canary}, "Tracestate": {canary}, "Baggage": {canary + "=" + canary}, "User-Agent": {canary}})
	envelope := func(name string) string {
		return fmt.Sprintf(`{"error":{"name":%q,"message":%q,"stack":%q,"cause":{"name":"Error","message":%q}}}`, canary, name, canary, canary)
	}
	for i, test := range []struct {
		source  string
		replies []string
		limits  protocol.Limits
	}{
		{"(s) => { console.log(s, 'canary'); return ['canary', s] }", nil, protocol.Limits{}},
		{"(s) => { throw Object.assign(new Error('canary ' + s), {name: 'canary', canary: 'canary'}) }", nil, protocol.Limits{}},
		{"canary (", nil, protocol.Limits{}},
		{"import 'canary'", nil, protocol.Limits{}},
		{"() => () => 'canary'", nil, protocol.Limits{}},
		{"(s) => tools.f('canary', s)", []string{`{"ok":"canary"}`}, protocol.Limits{}},
		{"(s) => tools.f('canary', s)", []string{envelope(canary)}, protocol.Limits{}},
		{"(s) => tools.f('canary', s)", []string{"canary"}, protocol.Limits{}},
		{"(s) => tools.f('canary'.repeat(1000), s)", nil, protocol.Limits{Argument: 1 << 10}},
		{"(s) => tools.f('canary', s)", []string{`{"ok":"` + strings.Repeat(canary, 1000) + `"}`}, protocol.Limits{Reply: 1 << 10}},
		// A name that the request does not offer is no tool, whatever a program calls.
		{"(s) => tools.canary(s)", nil, protocol.Limits{}},
		{"async (s) => { try { await tools['canary'](s) } catch {} return tools.f(Symbol.for('canary')) }", nil, protocol.Limits{}},
	} {
		id := fmt.Sprint("e", i)
		w.send(&protocol.Execute{Execution: id, Request: protocol.Request{
			Source: test.source, Input: protocol.Value(`"canary input"`), Tools: []protocol.Namespace{tools}, Limits: test.limits,
			Modules: map[string]protocol.Module{"canary-module": {Source: "canary("}}, Scripts: []protocol.Script{{Name: "canary-script", Source: "var canary = 'canary'"}},
			Trace: map[string]string{"traceparent": canary, "tracestate": canary},
		}})
		for _, reply := range test.replies {
			w.send(&protocol.ToolReply{Execution: id, Call: receive[*protocol.ToolCall](w).Call, Envelope: reply})
		}
		if m := receive[*protocol.ResultMessage](w); m.Execution != id {
			t.Fatalf("the result of %s instead of %s", m.Execution, id)
		}
	}
	w.send(&protocol.Execute{Execution: "refused", Request: protocol.Request{Source: canary, Parent: canary, Tenant: canary}})
	receive[*protocol.ResultMessage](w)
	e.post(t, `{"source":"() => 1","tenant":"canary"}`)
	e.post(t, `{"source":"() => canary"}`)

	got := await(t, spans, 12+4+3)
	calls := 0
	for i := range got {
		s := &got[i]
		if s.Name == "isogate.tool_call" {
			calls++
		}
		whole := fmt.Sprintf("%+v %v %v %s", *s, attributes(s), s.Status, s.SpanContext.TraceState())
		for _, a := range append(append([]attribute.KeyValue(nil), s.Attributes...), s.Resource.Attributes()...) {
			whole += " " + string(a.Key) + "=" + a.Value.String()
		}
		for _, event := range s.Events {
			whole += fmt.Sprintf(" %+v", event)
		}
		if strings.Contains(whole, canary) {
			t.Errorf("a span holds what it must not: %s", whole)
		}
		if len(s.Events)+len(s.Links) > 0 {
			t.Errorf("a span has events %v and links %v", s.Events, s.Links)
		}
	}
	if calls != 4 {
		t.Errorf("%d tool calls have spans, want 4", calls)
	}
}
