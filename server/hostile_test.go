package server_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the tests of clients that do not keep to the protocol.

// TestViolations sends what no client may, and checks that the connection ends
// with the reason, and nothing else does.
func TestViolations(t *testing.T) {
	e := start(t, server.Config{MaxFrame: 1 << 16, MaxHeld: 1 << 20})
	bystander := e.connect(t)
	bystander.execute("kept", "() => tools.f()", tools)
	call := receive[*protocol.ToolCall](bystander)
	for _, test := range []struct {
		name string
		send string
		code websocket.StatusCode
		want string
	}{
		{"an unknown type", `{"type":"hack"}`, 1002, `there is no type "hack"`},
		{"invalid UTF-8", "{\"type\":\"cancel\",\"execution\":\"\xff\"}", 1002, "invalid UTF-8"},
		{"a NUL behind", "{\"type\":\"ping\",\"nonce\":1}\x00", 1002, "more text"},
		{"no JSON", "hello", 1002, "should be"},
		{"nothing", "", 1002, "the text ends"},
		{"a key twice", `{"type":"ping","nonce":1,"nonce":2}`, 1002, "a second time"},
		{"two messages", `{"type":"ping","nonce":1}{"type":"ping","nonce":1}`, 1002, "more text"},
		{"a missing member", `{"type":"cancel"}`, 1002, "execution: is missing"},
		{"a wrong type", `{"type":"cancel","execution":7}`, 1002, "a string should be"},
		{"depth", `{"type":"execute","execution":"a","request":{"source":"","input":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}}`, 1002, "execute: "},
		{"a second hello", `{"type":"hello","version":2,"maxFrame":100000}`, 1002, "may not send hello"},
		{"a welcome", `{"type":"welcome","version":2,"maxFrame":100000}`, 1002, "may not send welcome"},
		{"a result", `{"type":"result","execution":"kept","result":{"value":1}}`, 1002, "may not send result"},
		{"a tool call", `{"type":"tool_call","execution":"kept","call":1,"namespace":"a","tool":"b","args":"[]"}`, 1002, "may not send tool_call"},
		{"a long message", `{"type":"cancel","execution":"` + strings.Repeat("x", 1<<16) + `"}`, 1009, ""},
	} {
		w := e.connect(t)
		w.text(test.send)
		if reason := w.wantClosed(test.code); !strings.Contains(reason, test.want) {
			t.Errorf("%s: the reason is %q, want %q", test.name, reason, test.want)
		}
	}
	w := e.connect(t)
	if err := w.socket.Write(w.ctx, websocket.MessageBinary, []byte(`{"type":"ping","nonce":1}`)); err != nil {
		t.Fatal(err)
	}
	w.wantClosed(websocket.StatusUnsupportedData)

	bystander.send(&protocol.ToolReply{Execution: "kept", Call: call.Call, Envelope: `{"ok":1}`})
	bystander.wantResult("kept", "1")
}

// TestGreetings opens connections in ways that are wrong.
func TestGreetings(t *testing.T) {
	e := start(t, server.Config{})
	w := e.dial(t)
	w.execute("early", "() => 1")
	if reason := w.wantClosed(websocket.StatusProtocolError); !strings.Contains(reason, "before hello") {
		t.Errorf("the reason is %q", reason)
	}
	w = e.dial(t)
	w.send(&protocol.Hello{Version: protocol.Version, MaxFrame: 10})
	if reason := w.wantClosed(websocket.StatusProtocolError); !strings.Contains(reason, "maxFrame: 10") {
		t.Errorf("the reason is %q", reason)
	}
	w = e.dial(t)
	w.send(&protocol.Hello{Version: protocol.Version + 1, MaxFrame: 1 << 20})
	if welcome := receive[*protocol.Welcome](w); welcome.Version != protocol.Version {
		t.Errorf("the welcome is %+v", welcome)
	}
	if reason := w.wantClosed(websocket.StatusProtocolError); !strings.Contains(reason, "unsupported version") {
		t.Errorf("the reason is %q", reason)
	}
	w = start(t, server.Config{HandshakeTimeout: 200 * time.Millisecond}).dial(t)
	if _, _, err := w.socket.Read(w.ctx); err == nil || w.ctx.Err() != nil {
		t.Errorf("who never says hello is not cut off: %v", err)
	}
	// A page of another origin.
	_, response, err := websocket.Dial(t.Context(), "ws://isogate/v1/connect", &websocket.DialOptions{HTTPClient: e.http(t), HTTPHeader: http.Header{"Origin": {"https://evil.example"}}})
	if err == nil || response == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another origin is answered with %v", err)
	}
}

// TestDuplicatedID uses an id that runs.
func TestDuplicatedID(t *testing.T) {
	e := start(t, server.Config{})
	w := e.connect(t)
	w.execute("a", "() => tools.f()", tools)
	receive[*protocol.ToolCall](w)
	w.execute("a", "() => 1")
	if reason := w.wantClosed(websocket.StatusProtocolError); !strings.Contains(reason, "runs already") {
		t.Errorf("the reason is %q", reason)
	}
	eventually(t, "what ran is cancelled", func() bool { return shared.Stats().Busy == 0 })
}

// TestReplies sends replies that nobody asked for: twice, late, to nothing, to
// another's call, in a wrong form.
func TestReplies(t *testing.T) {
	e := start(t, server.Config{})
	w, other := e.connect(t), e.connect(t)
	w.execute("a", "async () => { const one = await tools.f(); return [one, await tools.f()] }", tools)
	receive[*protocol.ToolCall](w)
	// Another connection has neither this execution nor this call.
	other.send(&protocol.ToolReply{Execution: "a", Call: 1, Envelope: `{"ok":"stolen"}`})
	other.send(&protocol.Cancel{Execution: "a"})
	other.send(&protocol.Ping{Nonce: 1})
	receive[*protocol.Pong](other)
	w.send(&protocol.ToolReply{Execution: "a", Call: 1, Envelope: `{"ok":"first"}`})
	w.send(&protocol.ToolReply{Execution: "a", Call: 1, Envelope: `{"ok":"second"}`})
	receive[*protocol.ToolCall](w)
	w.send(&protocol.ToolReply{Execution: "a", Call: 1, Envelope: `{"ok":"third"}`})
	w.send(&protocol.ToolReply{Execution: "a", Call: 2, Envelope: `{"ok":"last"}`})
	w.wantResult("a", `["first","last"]`)
	w.send(&protocol.ToolReply{Execution: "a", Call: 2, Envelope: `{"ok":"after the end"}`})
	w.execute("b", "() => 1")
	w.wantResult("b", "1")
	for _, envelope := range []string{"", "{}", `{"ok":1,"error":{}}`, `{"ok":{"$":"what"}}`, `{"error":"text"}`, "\x00", `{"ok":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`} {
		w.execute("c", "async () => { try { return await tools.f() } catch (e) { return e.message.slice(0, 29) } }", tools)
		call := receive[*protocol.ToolCall](w)
		w.send(&protocol.ToolReply{Execution: "c", Call: call.Call, Envelope: envelope})
		w.wantResult("c", `"the tool's reply is malformed"`)
	}
	w.send(&protocol.Execute{Execution: "d", Request: protocol.Request{Source: "() => tools.f()", Tools: []protocol.Namespace{tools}, Limits: protocol.Limits{Reply: 100}}})
	call := receive[*protocol.ToolCall](w)
	w.send(&protocol.ToolReply{Execution: "d", Call: call.Call, Envelope: `{"ok":"` + strings.Repeat("x", 200) + `"}`})
	if fault := wantFault[*protocol.ReplyTooLarge](w, "d"); fault.Limit != 100 {
		t.Errorf("the fault is %v", fault)
	}
	w.execute("e", "() => tools.f()", tools)
	receive[*protocol.ToolCall](w)
	w.send(&protocol.ToolReply{Execution: "e", Call: 7, Envelope: `{"ok":1}`})
	if reason := w.wantClosed(websocket.StatusProtocolError); !strings.Contains(reason, "to the call 7") {
		t.Errorf("the reason is %q", reason)
	}
}

// TestVanish has a client vanish with 50 calls open, whose program no limit of its
// own ends while the test waits.
func TestVanish(t *testing.T) {
	e := start(t, server.Config{})
	w := e.connect(t)
	w.send(&protocol.Execute{Execution: "a", Request: protocol.Request{
		Source: "() => Promise.all(Array.from({length: 50}, () => tools.f()))", Tools: []protocol.Namespace{tools},
		Limits: protocol.Limits{Wall: 10 * time.Minute, ToolTime: time.Hour},
	}})
	for range 50 {
		receive[*protocol.ToolCall](w)
	}
	w.socket.CloseNow()
	eventually(t, "the child is free again", func() bool { return shared.Stats().Busy == 0 })
	eventually(t, "the connection is forgotten", func() bool {
		_, text := e.get(t, "/metrics")
		return strings.Contains(text, "isogate_tenant_connections{tenant=\"test\"} 0\n") && strings.Contains(text, `outcome="disconnected"} 1`)
	})
}

// raw opens a WebSocket on a bare connection, so that what is sent afterwards
// need not be whole.
func (e *endpoint) raw(t *testing.T) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("unix", e.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(c, "GET /v1/connect HTTP/1.1\r\nHost: isogate\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n")
	r := bufio.NewReader(c)
	response, err := http.ReadResponse(r, nil)
	if err != nil || response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("the answer is %v, %v", response, err)
	}
	return c, r
}

// head returns the head of a text frame of so many bytes, masked with zeros.
func head(length uint64) []byte {
	return append(binary.BigEndian.AppendUint64([]byte{0x81, 0x80 | 127}, length), 0, 0, 0, 0)
}

// TestSlowLoris sends the beginnings of messages, and nothing more.
func TestSlowLoris(t *testing.T) {
	e := start(t, server.Config{FrameTimeout: 200 * time.Millisecond, PingInterval: 100 * time.Millisecond})
	for _, test := range []struct {
		name string
		sent []byte
	}{
		{"a part of a message", append(head(1000), `{"type":`...)},
		{"a length beyond any", head(1 << 62)},
		{"a negative length", head(1 << 63)},
		{"half a head", head(1000)[:5]},
	} {
		c, r := e.raw(t)
		if _, err := c.Write(test.sent); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: the connection was not ended: %v", test.name, err)
		}
	}
	// A request whose header never ends.
	c, err := net.Dial("unix", start(t, server.Config{HandshakeTimeout: 200 * time.Millisecond}).path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	fmt.Fprint(c, "POST /v1/execute HTTP/1.1\r\nHost:")
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Errorf("a header that never ends: %v", err)
	}
	// A body that never ends.
	b, err := net.Dial("unix", e.path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.SetDeadline(time.Now().Add(patience))
	fmt.Fprint(b, "POST /v1/execute HTTP/1.1\r\nHost: isogate\r\nContent-Length: 100\r\n\r\n{")
	if answer, err := io.ReadAll(b); err != nil || !strings.Contains(string(answer), "did not arrive") {
		t.Errorf("a body that never ends is answered with %q, %v", answer, err)
	}
}

// TestDeafClient asks for much and reads nothing.
func TestDeafClient(t *testing.T) {
	e := start(t, server.Config{FrameTimeout: 300 * time.Millisecond, MaxQueued: 1 << 16})
	c, _ := e.raw(t)
	message := func(m protocol.Message) {
		text, err := protocol.EncodeMessage(m)
		if err != nil {
			t.Fatal(err)
		}
		// It fails once the server has had enough.
		_, _ = c.Write(append(head(uint64(len(text))), text...))
	}
	message(&protocol.Hello{Version: protocol.Version, MaxFrame: 32 << 20})
	for i := range 20 {
		message(&protocol.Execute{Execution: fmt.Sprint(i), Request: protocol.Request{Source: "() => 'x'.repeat(2e6)"}})
	}
	eventually(t, "the client is cut off", func() bool {
		_, text := e.get(t, "/metrics")
		return strings.Contains(text, "isogate_connections_total 1\n") && strings.Contains(text, "isogate_tenant_connections{tenant=\"test\"} 0\n")
	})
	eventually(t, "nothing of it runs", func() bool { return shared.Stats().Busy+shared.Stats().Queued == 0 })
}

// TestFlood has one client ask for more than may be in flight.
func TestFlood(t *testing.T) {
	e := start(t, server.Config{MaxExecutions: 4, MaxFrame: 1 << 16, MaxHeld: 1 << 17})
	w := e.connect(t)
	for i := range 20 {
		w.execute(fmt.Sprint(i), "() => tools.f()", tools)
	}
	results := map[string]*protocol.Result{}
	var held []*protocol.ToolCall
	answered := false
	for len(results) < 20 {
		_, text, err := w.socket.Read(w.ctx)
		if err != nil {
			t.Fatal(err)
		}
		m, err := protocol.DecodeMessage(text)
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *protocol.ResultMessage:
			if results[m.Execution] != nil {
				t.Errorf("%s has two results", m.Execution)
			}
			results[m.Execution] = &m.Result
		case *protocol.ToolCall:
			held = append(held, m)
		}
		// The calls are answered when all that can be refused have been.
		if len(results)+len(held) >= 18 || answered {
			answered = true
			for _, call := range held {
				w.send(&protocol.ToolReply{Execution: call.Execution, Call: call.Call, Envelope: `{"ok":1}`})
			}
			held = nil
		}
	}
	values, refused := 0, 0
	for id, result := range results {
		switch fault := result.Fault.(type) {
		case nil:
			values++
		case *protocol.QuotaExceeded:
			if fault.Quota != "executions in flight on a connection" || fault.Limit != 4 {
				t.Errorf("%s: %v", id, fault)
			}
			refused++
		default:
			t.Errorf("%s: %v", id, fault)
		}
	}
	if values != 4 || refused != 16 {
		t.Errorf("%d values, %d refused", values, refused)
	}
	// Bytes are counted too.
	large := strings.Repeat(" ", 50_000)
	for i := range 3 {
		w.execute(fmt.Sprint("large", i), "() => tools.f()"+large, tools)
	}
	fault := (*protocol.QuotaExceeded)(nil)
	for fault == nil {
		_, text, err := w.socket.Read(w.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if m, _ := protocol.DecodeMessage(text); m.MessageType() == protocol.TypeResult {
			fault, _ = m.(*protocol.ResultMessage).Result.Fault.(*protocol.QuotaExceeded)
		}
	}
	if fault.Quota != "bytes of requests in flight on a connection" {
		t.Errorf("the fault is %v", fault)
	}
}

// TestIdleConnections keeps 1,000 connections open and runs a program on one more.
func TestIdleConnections(t *testing.T) {
	const many = 1000
	e := start(t, server.Config{MaxConnections: many + 10, Authenticator: everybody{tenant(t, server.Tenant{Quotas: server.Quotas{Connections: many + 1}, Operator: true})}})
	var opening sync.WaitGroup
	sockets := make([]*websocket.Conn, many)
	limit := make(chan struct{}, 20)
	for i := range many {
		opening.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "unix", e.path)
			}}
			socket, _, err := websocket.Dial(ctx, "ws://isogate/v1/connect", &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
			if err != nil {
				t.Errorf("the connection %d: %v", i, err)
				return
			}
			sockets[i] = socket
			text, err := protocol.EncodeMessage(&protocol.Hello{Version: protocol.Version, MaxFrame: 1 << 20})
			if err == nil {
				err = socket.Write(ctx, websocket.MessageText, text)
			}
			if err == nil {
				_, _, err = socket.Read(ctx)
			}
			if err != nil {
				t.Errorf("the connection %d: %v", i, err)
			}
		})
	}
	opening.Wait()
	w := e.connect(t)
	w.execute("a", "() => 1")
	w.wantResult("a", "1")
	for _, socket := range sockets {
		if socket != nil {
			socket.CloseNow()
		}
	}
}

// TestTooManyConnections opens one more than there may be.
func TestTooManyConnections(t *testing.T) {
	e := start(t, server.Config{MaxConnections: 2})
	one, two := e.connect(t), e.connect(t)
	c, err := net.Dial("unix", e.path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	if n, err := c.Read(make([]byte, 1)); n != 0 || err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("a third connection got %d bytes, %v", n, err)
	}
	one.execute("a", "() => 1")
	one.wantResult("a", "1")
	two.socket.CloseNow()
	eventually(t, "there is room again", func() bool {
		c, err := net.Dial("unix", e.path)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(patience))
		fmt.Fprint(c, "GET /healthz HTTP/1.0\r\n\r\n")
		answer, _ := io.ReadAll(c)
		return strings.Contains(string(answer), "200 OK")
	})
}

// TestSmallPeer checks that nothing longer is sent than the client takes.
func TestSmallPeer(t *testing.T) {
	e := start(t, server.Config{})
	w := e.dial(t)
	w.send(&protocol.Hello{Version: protocol.Version, MaxFrame: 1 << 16})
	receive[*protocol.Welcome](w)
	w.execute("a", "() => 'x'.repeat(1e5)")
	if fault := wantFault[*protocol.ResultTooLarge](w, "a"); fault.Limit != 1<<16 || !fault.Started {
		t.Errorf("the fault is %+v", fault)
	}
	w.execute("b", "() => tools.f('x'.repeat(1e5))", tools)
	if fault := wantFault[*protocol.ArgumentsTooLarge](w, "b"); fault.Of != "tools.f" || fault.Limit != 1<<16 {
		t.Errorf("the fault is %+v", fault)
	}
	w.send(&protocol.Execute{Execution: "c", StreamLogs: true, Request: protocol.Request{Source: "() => { console.log('x'.repeat(1e5)); console.log('y'); return 1 }"}})
	if entry := receive[*protocol.Log](w); entry.Entry.Text != "y" {
		t.Errorf("the entry is %.20s…", entry.Entry.Text)
	}
	if result := w.wantResult("c", "1"); result.Usage.DroppedLogs != 1 {
		t.Errorf("%d entries were dropped", result.Usage.DroppedLogs)
	}
}
