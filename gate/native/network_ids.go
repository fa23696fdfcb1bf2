package native

import (
	"context"
	"strings"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the attacks by ids: of another connection, of calls that never were
// or are over, and those that are there twice.

var networkIDs = []Attack{
	{Name: "network-ids-of-another", Source: "W14", Title: "a connection cannot answer, cancel or name another's execution", Run: idsOfAnother},
	{Name: "network-id-on-two-connections", Source: "W14", Title: "the same id on two connections is two executions, each with its own tool and result", Run: idOnTwo},
	{Name: "network-id-twice", Source: "W05", Title: "an id that runs already is a violation", Run: idTwice},
	{Name: "network-reply-to-no-call", Source: "W08", Title: "a reply to a call that never was is a violation", Run: replyToNoCall},
	{Name: "network-reply-twice", Source: "W09", Title: "the first reply to a call counts, a second one is dropped", Run: replyTwice},
	{Name: "network-reply-after-settle", Source: "W10", Title: "a reply after the result is dropped, and does not reach the next execution of that id", Run: replyAfterSettle},
	{Name: "network-reply-after-timeout", Source: "W10", Title: "a reply to a call that took too long is dropped", Run: replyAfterTimeout},
	{Name: "network-reply-malformed", Source: "W04", Title: "a reply that is no envelope is an error of the call, which a program can catch", Run: replyMalformed},
	{Name: "network-reply-too-long", Source: "W17", Title: "a reply above its limit ends the execution, and not the connection", Run: replyTooLong},
	{Name: "network-tool-not-offered", Source: "W16", Title: "a program cannot call a tool that its request does not offer", Run: toolNotOffered},
	{Name: "network-parent-not-in-tool", Source: "W14", Title: "an execution that is in no tool cannot be named as a parent", Run: parentNotInTool},
	{Name: "network-cancel-unknown", Source: "W05", Title: "a cancel of what does not run is ignored", Run: cancelUnknown},
}

// two returns a server and two connections to it.
func (h *Host) two(ctx context.Context) (e *endpoint, a, b *wire, err error) {
	if e, err = h.serve(ctx, server.Config{}, server.Tenant{}); err != nil {
		return nil, nil, nil, err
	}
	if a, err = e.connect(ctx, nil); err != nil {
		return nil, nil, nil, err
	}
	b, err = e.connect(ctx, nil)
	return e, a, b, err
}

// answered demands that the server has taken in everything that was sent on the
// connection: it answers a ping behind it.
func (w *wire) answered(ctx context.Context) error {
	if err := w.send(ctx, &protocol.Ping{Nonce: 7}); err != nil {
		return err
	}
	_, err := expect[*protocol.Pong](ctx, w)
	return err
}

func idsOfAnother(ctx context.Context, h *Host) error {
	_, victim, attacker, err := h.two(ctx)
	if err != nil {
		return err
	}
	if err := victim.enter(ctx, "held"); err != nil {
		return err
	}
	if err := attacker.reply(ctx, "held", 1, `"forged"`); err != nil {
		return err
	}
	if err := attacker.send(ctx, &protocol.Cancel{Execution: "held", Reason: "forged"}); err != nil {
		return err
	}
	if err := attacker.request(ctx, "nested", protocol.Request{Source: "() => 1", Parent: "held"}); err != nil {
		return err
	}
	if err := attacker.wantFault(ctx, "a parent on another connection", "nested", protocol.CodeInvalidRequest); err != nil {
		return err
	}
	if err := attacker.answered(ctx); err != nil {
		return err
	}
	if err := victim.reply(ctx, "held", 1, `"right"`); err != nil {
		return err
	}
	return victim.wantValue(ctx, "the victim's execution", "held", `"got right"`)
}

func idOnTwo(ctx context.Context, h *Host) error {
	_, a, b, err := h.two(ctx)
	if err != nil {
		return err
	}
	for _, w := range []*wire{a, b} {
		if err := w.enter(ctx, "same"); err != nil {
			return err
		}
	}
	if err := b.reply(ctx, "same", 1, `"b"`); err != nil {
		return err
	}
	if err := b.wantValue(ctx, "the second connection's", "same", `"got b"`); err != nil {
		return err
	}
	if err := a.reply(ctx, "same", 1, `"a"`); err != nil {
		return err
	}
	return a.wantValue(ctx, "the first connection's", "same", `"got a"`)
}

func idTwice(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	return e.costsOnlyItself(ctx, func(w *wire) error {
		if err := w.execute(ctx, "held", "() => 1"); err != nil {
			return err
		}
		return w.wantClosed(ctx, "an id that runs already", websocket.StatusProtocolError)
	})
}

func replyToNoCall(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	return e.costsOnlyItself(ctx, func(w *wire) error {
		if err := w.reply(ctx, "held", 2, `"forged"`); err != nil {
			return err
		}
		return w.wantClosed(ctx, "a reply to a call that never was", websocket.StatusProtocolError)
	})
}

// inTool starts a server, a connection and an execution that is in its tool.
func (h *Host) inTool(ctx context.Context, r protocol.Request) (*wire, error) {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return nil, err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return nil, err
	}
	if err := w.request(ctx, "one", r); err != nil {
		return nil, err
	}
	_, err = expect[*protocol.ToolCall](ctx, w)
	return w, err
}

func replyTwice(ctx context.Context, h *Host) error {
	w, err := h.inTool(ctx, protocol.Request{Source: `async () => [await tools.f(), await tools.f()]`})
	if err != nil {
		return err
	}
	for _, value := range []string{`"first"`, `"second"`, `"third"`} {
		if err := w.reply(ctx, "one", 1, value); err != nil {
			return err
		}
	}
	if _, err := expect[*protocol.ToolCall](ctx, w); err != nil {
		return err
	}
	if err := w.reply(ctx, "one", 2, `"right"`); err != nil {
		return err
	}
	return w.wantValue(ctx, "the execution", "one", `["first","right"]`)
}

func replyAfterSettle(ctx context.Context, h *Host) error {
	w, err := h.inTool(ctx, protocol.Request{Source: `async () => { await tools.f(); tools.f("open"); await tools.f(); return "settled" }`})
	if err != nil {
		return err
	}
	if err := w.reply(ctx, "one", 1, "1"); err != nil {
		return err
	}
	// Those that are made at once come in any order.
	var open, awaited int64
	for range 2 {
		call, err := expect[*protocol.ToolCall](ctx, w)
		if err != nil {
			return err
		}
		if call.Args == "[]" {
			awaited = call.Call
		} else {
			open = call.Call
		}
	}
	if err := w.reply(ctx, "one", awaited, "1"); err != nil {
		return err
	}
	if err := w.wantValue(ctx, "the execution", "one", `"settled"`); err != nil {
		return err
	}
	if err := w.reply(ctx, "one", open, `"late"`); err != nil {
		return err
	}
	if err := w.answered(ctx); err != nil {
		return err
	}
	if err := w.enter(ctx, "one"); err != nil {
		return err
	}
	if err := w.reply(ctx, "one", 1, `"new"`); err != nil {
		return err
	}
	return w.wantValue(ctx, "the next execution of that id", "one", `"got new"`)
}

func replyAfterTimeout(ctx context.Context, h *Host) error {
	w, err := h.inTool(ctx, protocol.Request{
		Source: `async () => { try { await tools.f() } catch (e) { return [e.name, await tools.f()] } }`,
		Limits: protocol.Limits{ToolTime: networkFrameTimeout},
	})
	if err != nil {
		return err
	}
	if _, err := expect[*protocol.CallEnded](ctx, w); err != nil {
		return err
	}
	second, err := expect[*protocol.ToolCall](ctx, w)
	if err != nil {
		return err
	}
	for _, call := range []int64{1, second.Call} {
		if err := w.reply(ctx, "one", call, `"to the call `+string(rune('0'+call))+`"`); err != nil {
			return err
		}
	}
	return w.wantValue(ctx, "the execution", "one", `["`+protocol.ToolTimeout+`","to the call 2"]`)
}

func replyMalformed(ctx context.Context, h *Host) error {
	w, err := h.inTool(ctx, protocol.Request{
		Source: `async () => { const caught = []; for (;;) { try { return [caught, await tools.f()] } catch (e) { caught.push(e instanceof Error) } } }`,
	})
	if err != nil {
		return err
	}
	bad := []string{``, `1`, `{}`, `{"ok":1,"error":{"name":"E","message":"m"}}`, `{"ok":{"$":"shell"}}`, `{"ok":1} 2`, `{"ok":1,"ok":2}`, `{"error":1}`}
	want := "[["
	for i, envelope := range bad {
		if err := w.send(ctx, &protocol.ToolReply{Execution: "one", Call: int64(i + 1), Envelope: envelope}); err != nil {
			return err
		}
		if _, err := expect[*protocol.ToolCall](ctx, w); err != nil {
			return err
		}
		if i > 0 {
			want += ","
		}
		want += "true"
	}
	if err := w.reply(ctx, "one", int64(len(bad)+1), "1"); err != nil {
		return err
	}
	return w.wantValue(ctx, "the execution", "one", want+"],1]")
}

func replyTooLong(ctx context.Context, h *Host) error {
	w, err := h.inTool(ctx, protocol.Request{Source: "() => tools.f()", Limits: protocol.Limits{Reply: 1000}})
	if err != nil {
		return err
	}
	if err := w.reply(ctx, "one", 1, `"`+strings.Repeat("x", 100_000)+`"`); err != nil {
		return err
	}
	if err := w.wantFault(ctx, "the execution", "one", protocol.CodeReplyTooLarge); err != nil {
		return err
	}
	return w.answered(ctx)
}

func toolNotOffered(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	// A tool_call that came instead of the result would be found.
	if err := w.execute(ctx, "one", `async () => {
		const tried = [];
		for (const call of [() => tools.secret(), () => tools["f\u0000"](), () => tools.__proto__.f(), () => admin.f()]) {
			try { await call(); tried.push("called") } catch { tried.push("refused") }
		}
		return tried.join();
	}`); err != nil {
		return err
	}
	return w.wantValue(ctx, "the execution", "one", `"refused,refused,refused,refused"`)
}

func parentNotInTool(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.execute(ctx, "busy", `() => new Promise(() => setTimeout(() => {}, 60_000))`); err != nil {
		return err
	}
	if err := e.wantBusy(ctx, "with a program in no tool", 1); err != nil {
		return err
	}
	for _, parent := range []string{"busy", "nobody"} {
		if err := w.request(ctx, "nested", protocol.Request{Source: "() => 1", Parent: parent}); err != nil {
			return err
		}
		if err := w.wantFault(ctx, "the parent "+parent, "nested", protocol.CodeInvalidRequest); err != nil {
			return err
		}
	}
	if err := w.send(ctx, &protocol.Cancel{Execution: "busy"}); err != nil {
		return err
	}
	return w.wantFault(ctx, "the cancelled one", "busy", protocol.CodeCancelled)
}

func cancelUnknown(ctx context.Context, h *Host) error {
	w, err := h.inTool(ctx, protocol.Request{Source: "() => tools.f()"})
	if err != nil {
		return err
	}
	for _, id := range []string{"nobody", "One", "1", "o"} {
		if err := w.send(ctx, &protocol.Cancel{Execution: id}); err != nil {
			return err
		}
	}
	if err := w.answered(ctx); err != nil {
		return err
	}
	if err := w.reply(ctx, "one", 1, `"still there"`); err != nil {
		return err
	}
	return w.wantValue(ctx, "the execution", "one", `"still there"`)
}
