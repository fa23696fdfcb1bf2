package codemode_test

import (
	"context"
	"testing"

	"github.com/isogate/isogate/codemode"
)

// This file owns the tests of what is refused before anything runs.

func TestRefusedNames(t *testing.T) {
	provider := func(names ...string) (out []codemode.Provider) {
		for _, n := range names {
			out = append(out, codemode.Provider{Name: n})
		}
		return out
	}
	connector := func(names ...string) (out []codemode.Connector) {
		for _, n := range names {
			out = append(out, codemode.Connector{Name: n, CallTool: func(context.Context, string, any) (any, error) { return nil, nil }})
		}
		return out
	}
	type test struct {
		providers  []codemode.Provider
		connectors []codemode.Connector
		want       string
	}
	tests := []test{
		{provider("a-b"), nil, `Provider name "a-b" is not a valid JavaScript identifier`},
		{provider(""), nil, `Provider name "" is not a valid JavaScript identifier`},
		{provider("1a"), nil, `Provider name "1a" is not a valid JavaScript identifier`},
		{provider("é"), nil, `Provider name "é" is not a valid JavaScript identifier`},
		{provider("a\n"), nil, "Provider name \"a\n\" is not a valid JavaScript identifier"},
		{provider("a = 1; const b"), nil, `Provider name "a = 1; const b" is not a valid JavaScript identifier`},
		{provider("class"), nil, `Provider name "class" is not a valid JavaScript identifier`},
		{provider("await"), nil, `Provider name "await" is not a valid JavaScript identifier`},
		{provider("arguments"), nil, `Provider name "arguments" is not a valid JavaScript identifier`},
		{provider("undefined"), nil, `Provider name "undefined" is reserved`},
		{provider("a", "b", "a"), nil, `Duplicate provider name "a"`},
		{nil, connector("a b"), `Connector name "a b" is not a valid JavaScript identifier`},
		{provider("a"), connector("a"), `Duplicate name "a" (connector clashes with provider)`},
		{nil, connector("a", "a"), `Duplicate name "a" (connector clashes with provider)`},
		{
			[]codemode.Provider{{Name: "p", Functions: functions{"a-b": echo, "a.b": echo}}}, nil,
			`Tool names "a-b" and "a.b" both sanitize to "a_b" in provider "p"`,
		},
	}
	for _, reserved := range []string{
		"__dispatchers", "__connectors", "__logs", "__CODEMODE_BINARY_TAG", "__bytesToBase64", "__base64ToBytes",
		"__encodeCodemodeValue", "__decodeCodemodeValue", "__stringifyForCodemode", "__parseForCodemode",
		"WorkerEntrypoint", "CodeExecutor", "Promise", "setTimeout", "Error", "console",
	} {
		tests = append(tests,
			test{provider(reserved), nil, `Provider name "` + reserved + `" is reserved`},
			test{nil, connector(reserved), `Connector name "` + reserved + `" is reserved`})
	}
	before := native.Stats().Executions
	for _, c := range tests {
		r := codemode.New(native, codemode.Config{}).Execute(t.Context(), codemode.Request{
			Code: "async () => 1", Providers: c.providers, Connectors: c.connectors,
		})
		if r.Error != c.want || r.Logs != nil || r.Value != nil || r.Fault != nil {
			t.Errorf("got %q with the logs %v, want %q", r.Error, r.Logs, c.want)
		}
	}
	if n := native.Stats().Executions - before; n != 0 {
		t.Errorf("%d programs ran", n)
	}
}

// TestAcceptedNames runs programs with namespaces that have the names of globals, and one
// that is named as the native namespaces are.
func TestAcceptedNames(t *testing.T) {
	for _, name := range []string{
		"codemode", "__openapiHost", "result", "globalThis", "JSON", "Object", "Array", "Proxy", "async", "of", "$", "_",
		"__codemode", "__tools_codemode", "__tools_", "Reflect", "String",
	} {
		r := run(t, "async () => await "+name+".echo([1])", codemode.Provider{Name: name, Functions: functions{"echo": echo}})
		if r.Error != "" {
			t.Errorf("%s: %s", name, r.Error)
			continue
		}
		wantValue(t, r, []any{1.0})
		if len(r.Calls) != 1 || r.Calls[0].Name != name+".echo" {
			t.Errorf("the calls are %v", r.Calls)
		}
	}
}
