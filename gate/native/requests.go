package native

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks by requests that are wrong, and the replies that
// come too late.

var requests = []Attack{
	{Name: "requests-invalid", Source: "P13 E30 W05 own", Title: "every wrong request is refused with the field that is wrong, and nothing runs", Run: requestsInvalid},
	{Name: "source-odd-bytes", Source: "M20 E20", Title: "odd characters in a program stay what they are", Run: sourceOddBytes},
	{Name: "module-above-bound", Source: "M19", Title: "a virtual module above the bound is refused by name, and nothing runs", Run: moduleAboveBound},
	{Name: "input-looks-like-escape", Source: "P01 own", Title: "input that looks like the codec's escape form or like a prototype is data", Run: inputLooksLikeEscape},
}

var replies = []Attack{
	{Name: "tool-ignores-its-context", Source: "T07 T08", Title: "a tool that goes on after the deadline holds up nobody, and its late reply is dropped", Run: toolIgnoresContext},
	{Name: "tool-context-cancelled", Source: "T07", Title: "the context of a running tool ends with its execution", Run: toolContextCancelled},
}

func requestsInvalid(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	var ran atomic.Int32
	tool := func(context.Context, []any) (any, error) { ran.Add(1); return nil, nil }
	source := `() => { console.log("ran") }`
	tools := func(namespace, name string) executor.Tools {
		return executor.Tools{namespace: {name: tool}}
	}
	cases := []struct {
		name, field string
		request     executor.Request
	}{
		{"an unknown language", "language", executor.Request{Source: source, Language: "py"}},
		{"an unknown form", "form", executor.Request{Source: source, Form: "script"}},
		{"an unknown grant", "grants", executor.Request{Source: source, Grants: []protocol.Grant{"network"}}},
		{"source that is no UTF-8", "source", executor.Request{Source: "() => '\xff'"}},
		{"a negative limit", "limits.heap", executor.Request{Source: source, Limits: protocol.Limits{Heap: -1}}},
		{"a limit above its maximum", "limits.heap", executor.Request{Source: source, Limits: protocol.Limits{Heap: 1 << 40}}},
		{"a deadline above its maximum", "limits.wall", executor.Request{Source: source, Limits: protocol.Limits{Wall: 24 * time.Hour}}},
		{"a heap that is too small to run in", "limits.heap", executor.Request{Source: source, Limits: protocol.Limits{Heap: 1024}}},
		{"a tool named __proto__", "tools", executor.Request{Source: source, Tools: tools("tools", "__proto__")}},
		{"a tool named constructor", "tools", executor.Request{Source: source, Tools: tools("tools", "constructor")}},
		{"a tool that is no identifier", "tools", executor.Request{Source: source, Tools: tools("tools", "a-b")}},
		{"a tool that is a keyword", "tools", executor.Request{Source: source, Tools: tools("tools", "class")}},
		{"a tool with a look-alike letter", "tools", executor.Request{Source: source, Tools: tools("tools", "аdd")}},
		{"a namespace that hides Object", "tools", executor.Request{Source: source, Tools: tools("Object", "add")}},
		{"a namespace that hides Promise", "tools", executor.Request{Source: source, Tools: tools("Promise", "add")}},
		{"a namespace named globalThis", "tools", executor.Request{Source: source, Tools: tools("globalThis", "add")}},
		{"a namespace that is a path", "tools", executor.Request{Source: source, Tools: tools("a.b", "add")}},
		{"a module without a name", "modules", executor.Request{Source: source, Form: protocol.FormModule, Modules: map[string]protocol.Module{"": {Source: "1"}}}},
		{"a module in an unknown language", "modules", executor.Request{Source: source, Form: protocol.FormModule, Modules: map[string]protocol.Module{"a": {Source: "1", Language: "py"}}}},
		{"input that cannot be encoded", "input", executor.Request{Source: source, Input: func() {}}},
		{"input that is no codec text", "input", executor.Request{Source: source, Input: protocol.Value(`{"$":"shell"}`)}},
	}
	for _, c := range cases {
		result := h.execute(ctx, e, c.request)
		if err := wantFault(c.name, result, protocol.CodeInvalidRequest); err != nil {
			return err
		}
		f := result.Fault.(*protocol.InvalidRequest)
		if !strings.HasPrefix(f.Field, c.field) || f.Reason == "" {
			return violated("%s: the fault names the field %q (%s), must name %q", c.name, f.Field, f.Reason, c.field)
		}
		if f.Started || len(result.Logs) != 0 || ran.Load() != 0 {
			return violated("%s: something ran", c.name)
		}
	}
	h.Note("%d wrong requests", len(cases))
	return h.probe(ctx, "a right request", e)
}

func moduleAboveBound(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	r := executor.Request{
		Source: `import x from "long"; console.log("ran"); export default x`, Form: protocol.FormModule,
		Modules: map[string]protocol.Module{"long": {Source: "export default 1; //" + strings.Repeat("x", 2000)}},
		Limits:  protocol.Limits{Source: 1000},
	}
	result := h.execute(ctx, e, r)
	if err := wantFault("a module of 2000 bytes", result, protocol.CodeSourceTooLarge); err != nil {
		return err
	}
	f := result.Fault.(*protocol.SourceTooLarge)
	if f.File != "long" || f.Limit != 1000 || f.Actual < 2000 || f.Started || len(result.Logs) != 0 {
		return violated("the fault says %+v, and %d entries were logged", f, len(result.Logs))
	}
	r.Limits.Source = 3000
	return wantValue("the same module within the bound", h.execute(ctx, e, r), "1")
}

func sourceOddBytes(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	for _, c := range []struct{ name, source, want string }{
		{"NUL in a string", "() => 'a\x00b'.length", "3"},
		{"a byte order mark in front", "\ufeff() => 1", "1"},
		{"line separators in a string", "() => 'a\u2028b\u2029c'.length", "5"},
		{"a character beyond the basic plane", "() => [...'\U0001F600'].length", "1"},
		{"an HTML end tag", "() => '</script><!--'.length", "13"},
		{"a backtick and a template", "() => `${1 + 1}`", `"2"`},
		{"carriage returns", "() => {\r\n  return 1\r\n}", "1"},
		{"a comment without an end of line", "() => 1 // the end", "1"},
		{"a source map that names a host's file", "() => 1\n//# sourceMappingURL=file:///etc/passwd", "1"},
		{"a hashbang", "#!/usr/bin/env node\n() => 1", "1"},
	} {
		if err := wantValue(c.name, h.execute(ctx, e, executor.Request{Source: c.source}), c.want); err != nil {
			return err
		}
	}
	return nil
}

func inputLooksLikeEscape(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	result := h.execute(ctx, e, executor.Request{
		Source: `(input) => [typeof input.escape, Object.keys(input.escape).join(), input.escape.$, input.escape.v,
			Object.hasOwn(input, "__proto__"), Object.getPrototypeOf(input) === Object.prototype, ({}).polluted === undefined,
			Number.isNaN(input.nan), Object.is(input.zero, -0)]`,
		Input: map[string]any{
			"escape":    map[string]any{"$": "bigint", "v": "7"},
			"__proto__": map[string]any{"polluted": true},
			"nan":       math.NaN(), "zero": math.Copysign(0, -1),
		},
	})
	return wantValue("the input", result, `["object","$,v","bigint","7",true,true,true,true,true]`)
}

func toolIgnoresContext(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	release := make(chan struct{})
	defer close(release)
	start := time.Now()
	result := h.execute(ctx, e, executor.Request{
		Source: `async () => { await tools.deaf(); return "answered" }`,
		Limits: protocol.Limits{Wall: 300 * time.Millisecond},
		Tools:  executor.Tools{"tools": {"deaf": func(context.Context, []any) (any, error) { <-release; return "late", nil }}},
	})
	took := time.Since(start)
	h.Note("the fault came after %v", took.Round(time.Millisecond))
	if err := wantFault("the execution", result, protocol.CodeDeadlineExceeded); err != nil {
		return err
	}
	if most := 2 * time.Second; took > most {
		return violated("the fault came after %v, must come within %v", took, most)
	}
	if len(result.Calls) != 1 || result.Calls[0].Outcome != protocol.OutcomeAbandoned {
		return violated("the calls are %+v, must be one that was abandoned", result.Calls)
	}
	return h.probe(ctx, "while the tool still runs", e)
}

func toolContextCancelled(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	const long = 20 * time.Second
	for name, c := range map[string]struct {
		source string
		wall   time.Duration
		code   protocol.Code
	}{
		"a result":   {`async () => { tools.wait(); await tools.begun(); return "early" }`, long, ""},
		"a throw":    {`async () => { tools.wait(); await tools.begun(); throw new Error("early") }`, long, protocol.CodeThrown},
		"a deadline": {`async () => { await tools.wait() }`, time.Second, protocol.CodeDeadlineExceeded},
	} {
		// An execution that ends before a call's goroutine runs never calls the
		// tool, so the program does not end before the tool has begun.
		begun, cancelled := make(chan struct{}), make(chan struct{})
		result := h.execute(ctx, e, executor.Request{
			Source: c.source, Limits: protocol.Limits{Wall: c.wall},
			Tools: executor.Tools{"tools": {
				"wait": func(ctx context.Context, _ []any) (any, error) {
					close(begun)
					<-ctx.Done()
					close(cancelled)
					return nil, ctx.Err()
				},
				"begun": func(ctx context.Context, _ []any) (any, error) {
					select {
					case <-begun:
					case <-ctx.Done():
					}
					return nil, nil
				},
			}},
		})
		switch {
		case c.code == "":
			err = wantValue(name, result, `"early"`)
		default:
			err = wantFault(name, result, c.code)
		}
		if err != nil {
			return err
		}
		select {
		case <-cancelled:
		case <-time.After(3 * time.Second):
			return violated("the context of the tool was not cancelled within 3 s after %s", name)
		}
	}
	return nil
}
