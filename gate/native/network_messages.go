package native

import (
	"context"
	"strings"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the attacks by messages that a client may not send.

// networkMaxFrame is the longest message that the attacked servers take.
const networkMaxFrame = 1 << 20

// badMessage is what a client sends after hello, with one of its executions in a tool.
type badMessage struct {
	name, title, source string
	text                string
	code                websocket.StatusCode
	send                func(context.Context, *wire) error // instead of the text
}

var badMessages = []badMessage{
	{name: "not-json", title: "a message that is no JSON is a violation", source: "W04", text: `execute`},
	{name: "not-object", title: "a message that is no object is a violation", source: "W04", text: `["ping",1]`},
	{name: "empty", title: "an empty message is a violation", source: "W04", text: ``},
	{name: "trailing", title: "bytes behind a message are a violation", source: "W04", text: `{"type":"ping","nonce":1} {}`},
	{name: "duplicate-key", title: "a repeated key is a violation: no reader may choose which counts", source: "W04", text: `{"type":"ping","nonce":1,"nonce":2}`},
	{name: "deep", title: "deep nesting is a violation and costs no stack", source: "W04",
		text: `{"type":"execute","execution":"x","request":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + `}`},
	{name: "unknown-type", title: "an unknown message type is a violation", source: "W05", text: `{"type":"shutdown"}`},
	{name: "unknown-field", title: "an unknown field is a violation", source: "W05", text: `{"type":"ping","nonce":1,"admin":true}`},
	{name: "missing-field", title: "a missing field is a violation", source: "W05", text: `{"type":"tool_reply","execution":"held"}`},
	{name: "wrong-type", title: "a field of another type is a violation", source: "W05", text: `{"type":"cancel","execution":7}`},
	{name: "long-id", title: "an id above its bound is a violation", source: "W05", text: `{"type":"execute","execution":"` + strings.Repeat("i", 300) + `","request":{"source":"() => 1"}}`},
	{name: "second-hello", title: "a second hello is a violation", source: "W05", send: func(ctx context.Context, w *wire) error {
		return w.send(ctx, &protocol.Hello{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame})
	}},
	{name: "for-a-client", title: "a message that only a server may send is a violation", source: "W05 W13", send: func(ctx context.Context, w *wire) error {
		return w.send(ctx, &protocol.ResultMessage{Execution: "held", Result: protocol.Result{Value: protocol.Value(`"forged"`)}})
	}},
	{name: "call-for-a-client", title: "a client that calls a tool is a violation", source: "W05 W13", send: func(ctx context.Context, w *wire) error {
		return w.send(ctx, &protocol.ToolCall{Execution: "held", Call: 2, Namespace: "tools", Tool: "f", Args: "[]"})
	}},
	{name: "binary", title: "a binary message is a violation", source: "W05", code: websocket.StatusUnsupportedData, send: func(ctx context.Context, w *wire) error {
		return w.socket.Write(ctx, websocket.MessageBinary, []byte(`{"type":"ping","nonce":1}`))
	}},
	{name: "not-utf8", title: "a message that is no UTF-8 is a violation", source: "W04", send: func(ctx context.Context, w *wire) error {
		return w.text(ctx, "{\"type\":\"cancel\",\"execution\":\"held\",\"reason\":\"\xff\xfe\"}")
	}},
	{name: "too-long", title: "a message one byte above the bound is refused", source: "W01", code: websocket.StatusMessageTooBig, send: func(ctx context.Context, w *wire) error {
		return tooLong(w.text(ctx, padded(networkMaxFrame+1)))
	}},
	{name: "far-too-long", title: "a message of 64 times the bound is refused", source: "W01", code: websocket.StatusMessageTooBig, send: func(ctx context.Context, w *wire) error {
		return tooLong(w.text(ctx, padded(64*networkMaxFrame)))
	}},
	{name: "fragments-too-long", title: "fragments that are together above the bound are refused", source: "W01", code: websocket.StatusMessageTooBig, send: func(ctx context.Context, w *wire) error {
		out, err := w.socket.Writer(ctx, websocket.MessageText)
		for i := 0; err == nil && i < 200; i++ {
			_, err = out.Write([]byte(strings.Repeat(" ", 64<<10)))
		}
		return tooLong(err)
	}},
}

// tooLong passes over that the server did not take a message to its end.
func tooLong(error) error { return nil }

// padded returns a message of so many bytes that would be right if it were shorter.
func padded(bytes int) string {
	const text = `{"type":"ping","nonce":1}`
	return text + strings.Repeat(" ", bytes-len(text))
}

func networkMessages() []Attack {
	all := []Attack{
		{Name: "network-honest", Source: "own", Canary: true, Title: "a client that keeps the protocol is served: the other attacks are not refused for being made this way", Run: networkHonest},
		{Name: "network-message-longest", Source: "own", Canary: true, Title: "a message of exactly the bound is taken", Run: networkLongest},
		{Name: "network-before-hello", Source: "W05 W21", Title: "a message before hello is a violation, and nothing of it runs", Run: networkBeforeHello},
		{Name: "network-version-skew", Source: "W23", Title: "a client of another version is told both versions, and nothing of it runs", Run: networkVersionSkew},
		{Name: "network-hello-tiny", Source: "W05", Title: "a client that takes no message of a useful length is a violation", Run: networkHelloTiny},
	}
	for _, c := range badMessages {
		all = append(all, Attack{Name: "network-message-" + c.name, Source: c.source, Title: c.title, Run: c.run})
	}
	return all
}

// run sends the message from a connection whose execution is in a tool, while a
// bystander's is too: it ends the one and not the other.
func (c badMessage) run(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{MaxFrame: networkMaxFrame}, server.Tenant{})
	if err != nil {
		return err
	}
	return e.costsOnlyItself(ctx, func(w *wire) error {
		if c.send == nil {
			err = w.text(ctx, c.text)
		} else {
			err = c.send(ctx, w)
		}
		if err != nil {
			return err
		}
		code := c.code
		if code == 0 {
			code = websocket.StatusProtocolError
		}
		return w.wantClosed(ctx, "after the message", code)
	})
}

// costsOnlyItself carries an attack out that ends its connection, and demands that
// what ran on it has been reclaimed and that a bystander's execution goes on.
func (e *endpoint) costsOnlyItself(ctx context.Context, attack func(*wire) error) error {
	bystander, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := bystander.enter(ctx, "held"); err != nil {
		return err
	}
	attacker, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := attacker.enter(ctx, "held"); err != nil {
		return err
	}
	if err := attack(attacker); err != nil {
		return err
	}
	if err := e.wantBusy(ctx, "after the attacker's connection ended", 1); err != nil {
		return err
	}
	if err := bystander.reply(ctx, "held", 1, `"it"`); err != nil {
		return err
	}
	if err := bystander.wantValue(ctx, "the bystander's execution", "held", `"got it"`); err != nil {
		return err
	}
	return e.wantServed(ctx, "after the attack")
}

func networkHonest(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.execute(ctx, "one", `async () => [await tools.f(1), await tools.f(2)]`); err != nil {
		return err
	}
	for _, want := range []string{"[1]", "[2]"} {
		call, err := expect[*protocol.ToolCall](ctx, w)
		if err != nil {
			return err
		}
		if call.Execution != "one" || call.Namespace != "tools" || call.Tool != "f" || call.Args != want {
			return violated("the call is %+v, must be one of tools.f with %s", call, want)
		}
		if err := w.reply(ctx, "one", call.Call, want); err != nil {
			return err
		}
	}
	if err := w.wantValue(ctx, "the execution", "one", "[[1],[2]]"); err != nil {
		return err
	}
	if err := w.send(ctx, &protocol.Drain{}); err != nil {
		return err
	}
	return w.wantClosed(ctx, "after drain", websocket.StatusNormalClosure)
}

func networkLongest(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{MaxFrame: networkMaxFrame}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.text(ctx, padded(networkMaxFrame)); err != nil {
		return err
	}
	_, err = expect[*protocol.Pong](ctx, w)
	return err
}

func networkBeforeHello(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	w, _, err := e.dial(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.execute(ctx, "early", "() => 1"); err != nil {
		return err
	}
	return e.nothingRan(ctx, w, "a program before hello")
}

func networkVersionSkew(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	for _, version := range []int{protocol.Version + 1, protocol.Version + 1000, 0} {
		w, _, err := e.dial(ctx, nil)
		if err != nil {
			return err
		}
		if err := w.send(ctx, &protocol.Hello{Version: version, MaxFrame: protocol.DefaultMaxFrame}); err != nil {
			return err
		}
		// The end may come before it.
		_ = w.execute(ctx, "skewed", "() => 1")
		if err := e.nothingRan(ctx, w, "a client of another version"); err != nil {
			return err
		}
	}
	return e.wantServed(ctx, "after the attack")
}

func networkHelloTiny(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	w, _, err := e.dial(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.send(ctx, &protocol.Hello{Version: protocol.Version, MaxFrame: 1}); err != nil {
		return err
	}
	return e.nothingRan(ctx, w, "a client that takes one byte")
}

// nothingRan demands that the server closes the connection as a violation and that
// nothing has been executed.
func (e *endpoint) nothingRan(ctx context.Context, w *wire, what string) error {
	if err := w.wantClosed(ctx, what, websocket.StatusProtocolError); err != nil {
		return err
	}
	if n := e.executor.Stats().Executions; n != 0 {
		return violated("%s: %d programs ran", what, n)
	}
	return nil
}
