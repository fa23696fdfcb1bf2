package sandbox_test

import (
	"strings"
	"testing"

	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of scripts that run before the program.

func withScripts(scripts ...protocol.Script) func(*protocol.Request) {
	return func(r *protocol.Request) { r.Scripts = append(r.Scripts, scripts...) }
}

func TestScripts(t *testing.T) {
	for _, c := range []struct {
		name, source string
		change       []func(*protocol.Request)
		want         string // what the outcome's text begins with
	}{
		{
			"a module sees what they declare, the global object does not",
			"export default [a, b, typeof globalThis.a, typeof globalThis.f, f()]",
			[]func(*protocol.Request){withScripts(
				protocol.Script{Name: "one", Source: "const a = 1; function f() { return 'f'; }"},
				protocol.Script{Name: "two", Source: "let b = a + 1;"},
			)},
			`[1,2,"undefined","function","f"]`,
		},
		{
			"so does a script, and a virtual module",
			"async () => [a, (await import('m')).default]",
			[]func(*protocol.Request){
				withScripts(protocol.Script{Name: "one", Source: "const a = {x: 1};"}),
				withModule("m", "export default a.x + 1", ""),
			},
			`[{"x":1},2]`,
		},
		{
			"a constant stays one",
			"export default () => { a = 2; }",
			[]func(*protocol.Request){withScripts(protocol.Script{Name: "one", Source: "const a = 1;"})},
			"thrown: uncaught TypeError: Assignment to constant variable.",
		},
		{
			"a value is dropped",
			"() => 2",
			[]func(*protocol.Request){withScripts(protocol.Script{Name: "one", Source: "() => 1"})},
			"2",
		},
		{
			"one that throws",
			"() => 1",
			[]func(*protocol.Request){withScripts(protocol.Script{Name: "one", Source: "\nthrow new Error('no')"})},
			"thrown: uncaught Error: no\n    at one:2:7",
		},
		{
			"one that does not parse",
			"() => 1",
			[]func(*protocol.Request){withScripts(protocol.Script{Name: "one", Source: "1"}, protocol.Script{Name: "two", Source: "1;\n let = ;"})},
			"syntax: syntax error at two:2:8: Unexpected token ';'",
		},
		{
			"one that does not end",
			"() => 1",
			[]func(*protocol.Request){withScripts(protocol.Script{Name: "one", Source: "for (;;);"}), withLimits(protocol.Limits{Wall: 50e6})},
			"deadline_exceeded: ",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := text(execute(t, c.source, c.change...)); !strings.HasPrefix(got, c.want) {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestScriptsAndProgress checks whether a fault says that something had run.
func TestScriptsAndProgress(t *testing.T) {
	good, bad := protocol.Script{Name: "good", Source: "1"}, protocol.Script{Name: "bad", Source: "("}
	for _, c := range []struct {
		scripts []protocol.Script
		want    bool
	}{{[]protocol.Script{bad}, false}, {[]protocol.Script{good, bad}, true}, {[]protocol.Script{{Name: "x", Source: "throw 1"}}, true}} {
		r := execute(t, "() => 1", withScripts(c.scripts...))
		if r.Fault == nil || r.Fault.Reached().Started != c.want {
			t.Errorf("%v: the fault is %v, started %v", c.scripts, r.Fault, r.Fault.Reached().Started)
		}
	}
}
