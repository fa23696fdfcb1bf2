package codemode_test

import (
	"context"
	"errors"
	"testing"

	"github.com/isogate/isogate/codemode"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of namespaces in programs: providers, preludes, connectors.

func TestToolNames(t *testing.T) {
	provider := codemode.Provider{Name: "p", Functions: functions{
		"get-weather": returns("w", nil), "a.b": returns("ab", nil), "class": returns("c", nil), "1st": returns("1", nil),
		"__proto__": returns("proto", nil), "constructor": returns("ctor", nil), "then": returns("then", nil), "toJSON": returns("json", nil),
	}}
	wantValue(t, run(t, "async () => [await p.get_weather(), await p.a_b(), await p.class_(), await p._1st()]", provider), []any{"w", "ab", "c", "1"})
	wantValue(t, run(t, "async () => [await p.__proto__(), await p.constructor(), await p.toJSON(), typeof p.then]", provider),
		[]any{"proto", "ctor", "json", "undefined"})
	for code, want := range map[string]string{
		"async () => await p['get-weather'](1)":   `Tool "get-weather" not found`,
		"async () => await p.nope()":              `Tool "nope" not found`,
		"async () => await p.toString()":          `Tool "toString" not found`,
		"async () => await p.hasOwnProperty('x')": `Tool "hasOwnProperty" not found`,
		"async () => await p.valueOf.call(null)":  `Tool "valueOf" not found`,
		"async () => await empty.x()":             `Tool "x" not found`,
		"async () => await nope.x()":              "nope is not defined",
		"async () => { await p.nope().catch(e => { throw new Error('caught ' + e.message) }) }": `caught Tool "nope" not found`,
	} {
		wantError(t, run(t, code, provider, codemode.Provider{Name: "empty"}), want)
	}
}

func TestPrelude(t *testing.T) {
	providers := []codemode.Provider{
		{Name: "first", Functions: functions{"echo": echo}, Prelude: "const twice = (x) => [x, x];\nfirst.both = async (x) => [await first.echo(x), await second.echo(x)];"},
		{Name: "second", Functions: functions{"echo": echo}, Prelude: "second.echo2 = (x) => twice(second.echo(x)); let counter = 0; const count = () => ++counter;"},
	}
	wantValue(t, run(t, "async () => [await first.both(1), twice(2), count(), count(), counter]", providers...),
		[]any{[]any{1.0, 1.0}, []any{2.0, 2.0}, 1.0, 2.0, 2.0})
	// A prelude's own function comes before a tool.
	wantValue(t, run(t, "async () => await p.echo('x')", codemode.Provider{Name: "p", Functions: functions{"echo": echo}, Prelude: "p.echo = (x) => 'own ' + x"}), "own x")
	// A closure stays in the program, as the durable runtime's step needs it.
	step := codemode.Provider{
		Name: "codemode", Prelude: "codemode.step = async (name, fn) => { const d = await codemode.decide(name); return d.replay ? d.value : codemode.record(name, await fn()) };",
		Functions: functions{
			"decide": func(_ context.Context, args []any) (any, error) {
				return object{"replay": args[0] == "old", "value": "replayed"}, nil
			},
			"record": func(_ context.Context, args []any) (any, error) { return args[1], nil },
		},
	}
	wantValue(t, run(t, "async () => [await codemode.step('old', () => 1), await codemode.step('new', () => 2)]", step), []any{"replayed", 2.0})

	wantError(t, run(t, "async () => 1", codemode.Provider{Name: "p", Prelude: "throw new Error('prelude')"}), "prelude")
	wantError(t, run(t, "async () => 1", codemode.Provider{Name: "p", Prelude: "\nlet = ;"}),
		"SyntaxError: Unexpected token ';' (codemode:prelude:0:2:7)\n  let = ;")
	wantError(t, run(t, "async () => 1", codemode.Provider{Name: "p", Prelude: "}); console.log('out'); (() => {"}),
		"SyntaxError: Unexpected token '}' (codemode:prelude:0:1:1)\n  }); console.log('out'); (() => {")
}

func TestConnectors(t *testing.T) {
	github := codemode.Connector{Name: "github", CallTool: func(_ context.Context, method string, argument any) (any, error) {
		switch method {
		case "pause":
			return object{"__codemode_control__": "pause"}, nil
		case "error":
			return object{"__codemode_control__": "error", "message": "not allowed"}, nil
		case "other":
			return object{"__codemode_control__": "other"}, nil
		case "number":
			return object{"__codemode_control__": "error", "message": 42}, nil
		case "silent":
			return object{"__codemode_control__": "error"}, nil
		case "fail":
			return nil, errors.New("the binding failed")
		}
		return []any{method, argument}, nil
	}}
	execute := func(code string) *codemode.Result {
		return codemode.New(native, codemode.Config{}).Execute(t.Context(), codemode.Request{
			Code: code, Providers: tools(functions{"echo": echo}), Connectors: []codemode.Connector{github},
		})
	}
	wantValue(t, execute("async () => await github.list({a: 1}, 'dropped')"), []any{"list", object{"a": 1.0}})
	wantValue(t, execute("async () => await github.list()"), []any{"list", protocol.Undefined{}})
	wantValue(t, execute("async () => await github['a-b'](new Map([[1, new Date(0)]]))"),
		[]any{"a-b", &protocol.Map{Entries: []protocol.Entry{{Key: 1.0, Value: protocol.Date{MS: 0}}}}})
	wantValue(t, execute("async () => await github.other()"), object{"__codemode_control__": "other"})
	wantValue(t, execute("async () => [typeof github.zzz, github[Symbol.iterator], typeof github.then, await codemode.echo(1)]"),
		[]any{"function", protocol.Undefined{}, "undefined", 1.0})
	// There are no functions of a program's own on a connector.
	wantValue(t, execute("async () => { github.own = () => 1; return await github.own() }"), []any{"own", protocol.Undefined{}})
	wantError(t, execute("async () => await github.pause()"), "__CODEMODE_PAUSE__")
	wantError(t, execute("async () => await github.error()"), "not allowed")
	wantError(t, execute("async () => await github.number()"), "42")
	wantError(t, execute("async () => await github.silent()"), "undefined")
	wantError(t, execute("async () => await github.fail()"), "the binding failed")
	if r := execute("async () => await github.list()"); len(r.Calls) != 1 || r.Calls[0].Name != "github.callTool" {
		t.Errorf("the calls are %v", r.Calls)
	}
}
