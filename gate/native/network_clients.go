package native

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server/client"
)

// This file owns the attacks of a hostile server on the Go client and its tools.

// impostor is what a hostile server does on a connection, after it has been told to
// execute a program. Its wire is the server's end.
type impostor struct {
	name, title, source string
	act                 func(ctx context.Context, w *wire, id string) error
	code                protocol.Code // of the fault that is safe
	limits              protocol.Limits
	most                int32 // how often the tool may run
}

// impostorTools are the limits of requests in which calls are counted.
var impostorTools = protocol.Limits{ToolCalls: 3, CallsInFlight: 2, Argument: 1000, LogEntries: 5, LogBytes: 1000}

func callOf(id string, n int64, tool, args string) *protocol.ToolCall {
	return &protocol.ToolCall{Execution: id, Call: n, Namespace: "tools", Tool: tool, Args: args}
}

var impostors = []impostor{
	{name: "tool-not-offered", source: "W16", title: "a call of a tool that the request does not offer reaches no tool", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error { return w.send(ctx, callOf(id, 1, "secret", "[]")) }},
	{name: "tool-look-alike", source: "W16 E30", title: "names of tools are compared byte for byte", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error { return w.send(ctx, callOf(id, 1, "F", "[]")) }},
	{name: "call-twice", source: "W09", title: "a call with an id that is not new reaches no tool", code: protocol.CodeProtocolViolation, most: 1,
		act: func(ctx context.Context, w *wire, id string) error {
			return errors.Join(w.send(ctx, callOf(id, 1, "f", "[]")), w.send(ctx, callOf(id, 1, "f", "[]")))
		}},
	{name: "calls-above-bound", source: "M29", title: "no more calls reach a tool than the request allows", code: protocol.CodeProtocolViolation, limits: impostorTools, most: 3,
		act: func(ctx context.Context, w *wire, id string) error {
			for n := int64(1); n <= 4; n++ {
				if err := w.send(ctx, callOf(id, n, "f", "[]")); err != nil {
					return err
				}
				if n == 4 {
					return nil
				}
				if _, err := expect[*protocol.ToolReply](ctx, w); err != nil {
					return err
				}
			}
			return nil
		}},
	{name: "calls-in-flight", source: "M29", title: "no more calls are in flight than the request allows", code: protocol.CodeProtocolViolation, limits: impostorTools, most: 2,
		act: func(ctx context.Context, w *wire, id string) error {
			for n := int64(1); n <= 3; n++ {
				if err := w.send(ctx, callOf(id, n, "hang", "[]")); err != nil {
					return err
				}
			}
			return nil
		}},
	{name: "arguments-too-large", source: "M29", title: "arguments above their limit reach no tool", code: protocol.CodeProtocolViolation, limits: impostorTools,
		act: func(ctx context.Context, w *wire, id string) error {
			return w.send(ctx, callOf(id, 1, "f", `["`+strings.Repeat("x", 5000)+`"]`))
		}},
	{name: "logs-not-asked-for", source: "W05", title: "log entries that nobody asked for are a violation", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error {
			return w.send(ctx, &protocol.Log{Execution: id, Entry: protocol.LogEntry{Level: protocol.LevelLog, Text: "forged"}})
		}},
	{name: "message-for-a-server", source: "W05", title: "a message that only a client may send is a violation", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error {
			return w.send(ctx, &protocol.Execute{Execution: "mine", Request: protocol.Request{Source: "() => 1"}})
		}},
	{name: "second-welcome", source: "W05", title: "a second welcome is a violation", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error {
			return w.send(ctx, &protocol.Welcome{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame})
		}},
	{name: "not-json", source: "W04", title: "a message that is no JSON is a violation", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error { return w.text(ctx, "tool_call") }},
	{name: "unknown-type", source: "W05", title: "an unknown message type is a violation", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error {
			return w.text(ctx, `{"type":"eval","execution":"`+id+`"}`)
		}},
	{name: "binary", source: "W05", title: "a binary message is a violation", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error {
			return w.socket.Write(ctx, websocket.MessageBinary, []byte("{}"))
		}},
	{name: "result-not-codec", source: "W04", title: "a value that is no codec text is not handed on", code: protocol.CodeProtocolViolation,
		act: func(ctx context.Context, w *wire, id string) error {
			return w.text(ctx, `{"type":"result","execution":"`+id+`","result":{"value":{"$":"shell"}}}`)
		}},
	{name: "result-too-long", source: "M22", title: "a value above its limit is not handed on", code: protocol.CodeProtocolViolation, limits: protocol.Limits{Result: 1000},
		act: func(ctx context.Context, w *wire, id string) error {
			return w.send(ctx, &protocol.ResultMessage{Execution: id, Result: protocol.Result{Value: protocol.Value(`"` + strings.Repeat("x", 5000) + `"`)}})
		}},
	{name: "too-long", source: "W01", title: "a message above the client's bound ends the connection", code: protocol.CodeDisconnected,
		act: func(ctx context.Context, w *wire, id string) error {
			return tooLong(w.text(ctx, `{"type":"pong","nonce":1}`+strings.Repeat(" ", 2*networkMaxFrame)))
		}},
	{name: "gone", source: "W18", title: "a server that vanishes ends the execution with a fault, and its running tool's context with it", code: protocol.CodeDisconnected, most: 1,
		act: func(ctx context.Context, w *wire, id string) error {
			if err := w.send(ctx, callOf(id, 1, "hang", "[]")); err != nil {
				return err
			}
			if err := w.answered(ctx); err != nil {
				return err
			}
			_ = w.socket.CloseNow() // that it told nobody is what is wanted
			return nil
		}},
	{name: "silent", source: "W17", title: "a server that answers no ping is given up", code: protocol.CodeDisconnected,
		act: func(ctx context.Context, w *wire, id string) error { return nil }},
	{name: "result-of-another", source: "W14", title: "a result, a call and a log of an execution that does not run settle nothing", code: protocol.CodeDisconnected,
		act: func(ctx context.Context, w *wire, id string) error {
			return errors.Join(
				w.send(ctx, &protocol.ResultMessage{Execution: id + "0", Result: protocol.Result{Value: protocol.Value(`"forged"`)}}),
				w.send(ctx, callOf(id+"0", 1, "f", "[]")))
		}},
}

func networkClients() []Attack {
	all := []Attack{
		{Name: "network-client-version-skew", Source: "W23", Title: "a server of another version is refused when it is dialled", Run: clientRefuses(
			&protocol.Welcome{Version: protocol.Version + 1, MaxFrame: protocol.DefaultMaxFrame}, protocol.CodeUnsupportedVersion)},
		{Name: "network-client-no-welcome", Source: "W05", Title: "a server that begins with another message is refused", Run: clientRefuses(
			&protocol.Pong{Nonce: 1}, protocol.CodeProtocolViolation)},
		{Name: "network-client-wild-limits", Source: "W13", Title: "a server that states limits beyond the contract's is refused", Run: clientRefuses(
			&protocol.Welcome{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame, Max: protocol.Limits{ToolCalls: 1 << 40}}, protocol.CodeProtocolViolation)},
		{Name: "network-client-deaf-server", Source: "W03", Title: "a server that never greets is given up in the time for it", Run: clientRefuses(nil, protocol.CodeUnavailable)},
	}
	for _, c := range impostors {
		all = append(all, Attack{Name: "network-client-" + c.name, Source: c.source, Title: c.title, Run: c.run})
	}
	return all
}

// impose starts a hostile server on a socket: it upgrades every connection and calls
// serve with it. It returns the address.
func (h *Host) impose(ctx context.Context, serve func(*wire)) (string, error) {
	folder, err := h.tempDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "socket")
	l, err := net.Listen("unix", path)
	if err != nil {
		return "", err
	}
	var connections atomic.Int32
	s := &http.Server{ReadHeaderTimeout: networkPatience, Handler: http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		connections.Add(1)
		defer connections.Add(-1)
		socket, err := websocket.Accept(rw, r, nil)
		if err != nil {
			return
		}
		defer socket.CloseNow() // it may have ended already
		socket.SetReadLimit(-1)
		serve(&wire{h, socket})
	})}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	h.onClose(func() error {
		err := s.Close()
		if failed := <-served; !errors.Is(failed, http.ErrServerClosed) {
			err = errors.Join(err, failed)
		}
		return errors.Join(err, eventually(context.WithoutCancel(ctx), closeTimeout, func() error {
			if n := connections.Load(); n != 0 {
				return fmt.Errorf("%d connections of the hostile server are left", n)
			}
			return nil
		}))
	})
	return "unix://" + path, nil
}

// clientRefuses returns an attack by a server that greets with the message; nil stands
// for none.
func clientRefuses(greeting protocol.Message, code protocol.Code) func(context.Context, *Host) error {
	return func(ctx context.Context, h *Host) error {
		release := make(chan struct{})
		address, err := h.impose(ctx, func(w *wire) {
			if greeting != nil {
				_ = w.send(ctx, greeting) // the client may have gone
				// Answers the client's close, as it waits for that a while.
				_ = w.wantClosed(ctx, "", 0)
			}
			<-release
		})
		if err != nil {
			return err
		}
		defer close(release)
		start := time.Now()
		c, err := client.Dial(ctx, address, client.Config{HandshakeTimeout: networkFrameTimeout})
		if err == nil {
			c.Close()
			return violated("the server was taken for one")
		}
		var fault protocol.Fault
		if !errors.As(err, &fault) || fault.Code() != code {
			return violated("the server was refused with %v, must be with the fault %s", err, code)
		}
		if took := time.Since(start); took > networkPatience {
			return violated("the server was refused after %v, must be within %v", took, networkPatience)
		}
		return nil
	}
}

func (c impostor) run(ctx context.Context, h *Host) error {
	release := make(chan struct{})
	acted := make(chan error, 1)
	address, err := h.impose(ctx, func(w *wire) {
		acted <- func() error {
			if _, err := expect[*protocol.Hello](ctx, w); err != nil {
				return err
			}
			if err := w.send(ctx, &protocol.Welcome{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame}); err != nil {
				return err
			}
			m, err := expect[*protocol.Execute](ctx, w)
			if err != nil {
				return err
			}
			return c.act(ctx, w, m.Execution)
		}()
		if c.code == protocol.CodeProtocolViolation {
			// Answers the client's close, as it waits for that a while.
			_ = w.wantClosed(ctx, "", 0)
		}
		<-release
	})
	if err != nil {
		return err
	}
	defer close(release)
	e, err := client.Dial(ctx, address, client.Config{MaxFrame: networkMaxFrame, FrameTimeout: networkFrameTimeout, PingInterval: networkFrameTimeout, HandshakeTimeout: networkPatience})
	if err != nil {
		return violated("the client did not connect: %v", err)
	}
	defer e.Close() // which returns nil
	var ran atomic.Int32
	tools := executor.Tools{"tools": {
		"f": func(context.Context, []any) (any, error) { ran.Add(1); return nil, nil },
		"hang": func(ctx context.Context, _ []any) (any, error) {
			ran.Add(1)
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}}
	patient, cancel := context.WithTimeout(ctx, networkPatience)
	defer cancel()
	result := h.execute(patient, e, executor.Request{Source: "() => tools.f()", Tools: tools, Limits: c.limits})
	if err := <-acted; err != nil {
		return err
	}
	if err := wantFault("the execution", result, c.code); err != nil {
		return err
	}
	if n := ran.Load(); n > c.most {
		return violated("tools ran %d times, must at most %d", n, c.most)
	}
	if ran.Load() > 0 && result.Fault.Retryable() {
		return violated("the fault says that the request can be sent again, although a tool ran: %v", result.Fault)
	}
	return nil
}
