package sandbox_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of hints: what an uncaught error's fault says besides
// what V8 says.

func withNamespace(name string, tools ...string) func(*protocol.Request) {
	return func(r *protocol.Request) { r.Tools = append(r.Tools, protocol.Namespace{Name: name, Tools: tools}) }
}

// firstLines returns the text of a result's fault up to its stack.
func firstLines(r *protocol.Result) string {
	before, _, _ := strings.Cut(text(r), "\n    at ")
	return before
}

func TestHintsForWhatIsAbsent(t *testing.T) {
	const network = "There is no network in the sandbox, and this request has no tools that could stand in."
	const storage = "Nothing is kept between executions: hold state in variables, and return what is needed later."
	const process = "There is no process: values come with the program's input, and queueMicrotask stands in for process.nextTick."
	cases := []struct{ use, name, want string }{
		{"fetch('https://example.com')", "fetch", network},
		{"new XMLHttpRequest", "XMLHttpRequest", network},
		{"new WebSocket('wss://example.com')", "WebSocket", network},
		{"Buffer.from('a')", "Buffer", "Use Uint8Array for bytes, TextEncoder and TextDecoder for their text, atob and btoa for base64."},
		{"require('fs')", "require", "Modules are imported, with import x from 'name' or await import('name'): this request has none."},
		{"process.env.HOME", "process", process},
		{"fs.readFileSync('/etc/passwd')", "fs", "There are no files in the sandbox, and this request has no tools that could stand in."},
		{"localStorage.setItem('a', 'b')", "localStorage", storage},
		{"sessionStorage.a", "sessionStorage", storage},
		{"document.title", "document", "There is no browser: no page, window or document. The global object is globalThis."},
		{"window.x", "window", "There is no browser: no page, window or document. The global object is globalThis."},
		{"module.exports = 1", "module", "A program is a function, or an ES module that says export default."},
		{"exports.x = 1", "exports", "A program is a function, or an ES module that says export default."},
		{"__dirname", "__dirname", "There are no files in the sandbox, and this request has no tools that could stand in."},
		{"__filename", "__filename", "There are no files in the sandbox, and this request has no tools that could stand in."},
		{"Deno.env", "Deno", "Here are the language, the Web APIs that need no network, and the request's tools."},
		{"Bun.env", "Bun", "Here are the language, the Web APIs that need no network, and the request's tools."},
		{"new SharedArrayBuffer(8)", "SharedArrayBuffer", "Memory is not shared and there are no other threads: use ArrayBuffer."},
		{"Atomics.add", "Atomics", "Memory is not shared and there are no other threads: use ArrayBuffer."},
		{"WebAssembly.compile", "WebAssembly", `WebAssembly is off: the host can grant "wasm", to an executor with the profile "jit".`},
		{"Temporal.Now", "Temporal", "Use Date for times, and Intl.DateTimeFormat for time zones."},
		{"setImmediate(() => {})", "setImmediate", "Use setTimeout(f, 0), or queueMicrotask(f)."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := "thrown: uncaught ReferenceError: " + c.name + " is not defined\n" + c.want
			if got := firstLines(execute(t, "async () => { return "+c.use+" }")); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			// What a feature test asks stays as it was.
			if got := text(execute(t, "() => typeof "+c.name)); got != `"undefined"` {
				t.Errorf("typeof says %s", got)
			}
		})
	}
	for _, source := range []string{"() => eval('1 + 1')", "() => new Function('return 1')()", "() => globalThis.eval('1')"} {
		want := "thrown: uncaught EvalError: Code generation from strings is off; the host can grant \"eval\"\n" +
			"Write the code as functions of the program, and read data with JSON.parse."
		if got := firstLines(execute(t, source)); got != want {
			t.Errorf("%s: %s", source, got)
		}
	}
}

func TestHintsForNames(t *testing.T) {
	tools := []func(*protocol.Request){withNamespace("tools", "search", "getUser", "list_files"), withNamespace("math", "add")}
	cases := []struct{ name, source, want string }{
		{"a tool without its namespace", "async () => await search('x')", "ReferenceError: search is not defined\nDid you mean tools.search?"},
		{"misspelt, without its namespace", "async () => await serach('x')", "ReferenceError: serach is not defined\nDid you mean tools.search?"},
		{"a namespace", "() => tool.search()", "ReferenceError: tool is not defined\nDid you mean tools?"},
		{"a namespace in capitals", "() => Tools.search()", "ReferenceError: Tools is not defined\nDid you mean tools?"},
		{"a global", "() => Pormise.all([])", "ReferenceError: Pormise is not defined\nDid you mean Promise?"},
		{"a global in another case", "() => json.parse('1')", "ReferenceError: json is not defined\nDid you mean JSON?"},
		{"a function of the program", "function computeTotal() { return 1 }\n() => computeTotl()", "ReferenceError: computeTotl is not defined\nDid you mean computeTotal?"},
		{"nothing near", "() => quux()", "ReferenceError: quux is not defined"},
		{"one letter", "() => x", "ReferenceError: x is not defined"},
		{"not a letter of ASCII", "() => größe", "ReferenceError: größe is not defined"},
		{"a tool", "() => tools.serach('x')", "TypeError: tools.serach is not a function\nDid you mean tools.search?"},
		{"a tool in another case", "() => tools.get_user('x')", "TypeError: tools.get_user is not a function\nDid you mean tools.getUser?"},
		{"a tool, asked for with a question mark", "() => tools?.serach('x')", "TypeError: tools?.serach is not a function\nDid you mean tools.search?"},
		{"a tool, constructed", "() => new tools.serach('x')", "TypeError: tools.serach is not a constructor\nDid you mean tools.search?"},
		{"a tool of another namespace", "() => tools.add(1, 2)", "TypeError: tools.add is not a function\nDid you mean math.add?"},
		{"no tool", "() => tools.translate('x')", "TypeError: tools.translate is not a function\ntools has the tools tools.search, tools.getUser, tools.list_files."},
		{"a tool taken out of its namespace", "() => { const { serach } = tools; serach() }", "TypeError: serach is not a function\nDid you mean tools.search?"},
		{"the namespace", "() => tools('search')", "TypeError: tools is not a function\ntools is a namespace of tools: tools.search, tools.getUser, tools.list_files."},
		{"a promise for its value", "() => tools.search('x').map(String)", "TypeError: tools.search(...).map is not a function\ntools.search returns a promise: write (await tools.search(…)).map."},
		{"a promise for a list", "() => { for (const x of tools.search('x')) x }", "TypeError: tools.search is not a function or its return value is not iterable\ntools.search returns a promise: write await tools.search(…)."},
		{"a promise for a stream", "async () => { for await (const x of tools.search('x')) x }", "TypeError: tools.search(...) is not a function or its return value is not async iterable\ntools.search returns a promise: write await tools.search(…)."},
		{"a member of a global", "() => Object.groupby([])", "TypeError: Object.groupby is not a function\nDid you mean Object.groupBy?"},
		{"a member of console", "() => console.lgo(1)", "TypeError: console.lgo is not a function\nDid you mean console.log?"},
		{"what is absent, of the global object", "() => globalThis.fetch('x')", "TypeError: globalThis.fetch is not a function\nThere is no network in the sandbox: use the request's tools, tools.search, tools.getUser, tools.list_files, math.add."},
		{"a method of a value", "() => [].psuh(1)", "TypeError: [].psuh is not a function"},
		{"undefined", "() => undefined.x", "TypeError: Cannot read properties of undefined (reading 'x')"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := execute(t, c.source, tools...)
			if diff := cmp.Diff("thrown: uncaught "+c.want, firstLines(r)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			fault, ok := r.Fault.(*protocol.Thrown)
			_, hint, _ := strings.Cut(c.want, "\n")
			if !ok || fault.Hint != hint || strings.Contains(fault.Message, "\n") {
				t.Errorf("%+v", r.Fault)
			}
		})
	}
}

// Patterns that a program makes as it runs are not lowered.
func TestHintsForPatterns(t *testing.T) {
	for source, want := range map[string]string{
		"() => new RegExp('(?i:a)')":              "Modifiers, such as (?i:…), are known in the literals of regular expressions only.",
		"() => RegExp('(?<a>b)|(?<a>c)')":         "Give the groups different names: this engine does not know the same name in two alternatives.",
		"() => new RegExp('a', 'v')":              "This engine knows the flags d, g, i, m, s, u and y, and v in literals without complements and most properties of strings.",
		"() => new RegExp('(')":                   "",
		"() => JSON.parse('{')":                   "",
		"() => { throw new SyntaxError('oops') }": "",
	} {
		fault, ok := execute(t, source).Fault.(*protocol.Thrown)
		if !ok || fault.Name != "SyntaxError" || fault.Hint != want {
			t.Errorf("%s: %+v", source, fault)
		}
	}
}

// A tool of the request is what a name means before anything else.
func TestHintsPreferTools(t *testing.T) {
	got := firstLines(execute(t, "() => fetch('x')", withNamespace("http", "fetch")))
	if want := "thrown: uncaught ReferenceError: fetch is not defined\nDid you mean http.fetch?"; got != want {
		t.Error(got)
	}
	many := make([]string, 300)
	for i := range many {
		many[i] = "tool" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26)
	}
	got = firstLines(execute(t, "() => fetch('x')", withNamespace("all", many...)))
	if !strings.HasSuffix(got, " and 295 more.") || len(got) > 600 {
		t.Error(got)
	}
}

// Errors that are not V8's own have no hint, and no hint changes what a fault is.
func TestHintsAreForTheEnginesErrors(t *testing.T) {
	for _, source := range []string{
		"() => { throw new Error('fetch is not defined') }",
		"() => { throw { name: 'ReferenceError', message: 'fetch is not defined' } }",
		"() => { throw new (class extends ReferenceError {})('fetch is not defined') }",
		"() => { const e = new ReferenceError('x'); Object.defineProperty(e, 'message', { get() { return 'fetch is not defined' } }); throw e }",
		"() => { throw new Proxy(new ReferenceError('fetch is not defined'), {}) }",
		"() => { throw 'ReferenceError: fetch is not defined' }",
		"() => { try { fetch() } catch (e) { throw new Error(e.message) } }",
		"() => { throw new ReferenceError('fetch is not defined'.padStart(1000)) }",
		"() => { throw new ReferenceError('fetch is not defined\\nDid you mean to ask?') }",
	} {
		r := execute(t, source)
		if fault, ok := r.Fault.(*protocol.Thrown); !ok || fault.Hint != "" {
			t.Errorf("%s: %s", source, text(r))
		}
	}
	// One that cannot be told from V8's own gets the same sentence and is as much the program's.
	r := execute(t, "() => { throw new ReferenceError('fetch is not defined') }")
	if fault, ok := r.Fault.(*protocol.Thrown); !ok || fault.Hint == "" {
		t.Error(text(r))
	}
}

// What a hint repeats of a program is bounded, whatever the program does to its globals.
func TestHintsAreBounded(t *testing.T) {
	for _, source := range []string{
		"() => { for (let i = 0; i < 1e5; i++) globalThis['name' + i] = 1; return nam }",
		"() => { globalThis['a'.repeat(1e6)] = 1; return " + strings.Repeat("a", 1000) + " }",
		"() => { globalThis['a'.repeat(60) + 'b'] = 1; return " + strings.Repeat("a", 60) + "c }",
		"() => { Object.defineProperty(globalThis, 'Zed', { value: new Proxy({}, { ownKeys() { throw 1 } }) }); Zed.nothing() }",
		"() => { Object.defineProperty(globalThis, 'Zed', { get() { throw new Error('asked') } }); globalThis.zed() }",
	} {
		r := execute(t, source)
		fault, ok := r.Fault.(*protocol.Thrown)
		if !ok || len(fault.Hint) > 200 || strings.Contains(text(r), "asked") {
			t.Errorf("%.80s: %.500s", source, text(r))
		}
	}
}

func TestHintsForModules(t *testing.T) {
	cases := []struct {
		specifier, want string
		modules         []string
	}{
		{"fs", "There are no files in the sandbox, and this request has no tools that could stand in.", nil},
		{"node:fs/promises", "There are no files in the sandbox, and this request has no tools that could stand in.", nil},
		{"node:buffer", "Use Uint8Array for bytes, TextEncoder and TextDecoder for their text, atob and btoa for base64.", nil},
		{"https://esm.sh/lodash", "There is no network in the sandbox, nothing is fetched: this request has none.", nil},
		{"lodash", "Only modules of the request can be imported: this request has none.", nil},
		{"./helper.js", `Did you mean "helper"?`, []string{"helper"}},
		{"helpres", `Did you mean "helpers"?`, []string{"helpers", "other"}},
		{"zod", `Only modules of the request can be imported: this request has "helpers", "other".`, []string{"helpers", "other"}},
	}
	for _, c := range cases {
		var change []func(*protocol.Request)
		for _, specifier := range c.modules {
			change = append(change, withModule(specifier, "export default 1", ""))
		}
		want := `module_not_found: module not found: "` + c.specifier + `", imported by program, is not among the request's modules` + "\n" + c.want
		for _, source := range []string{"import x from '" + c.specifier + "'", "async () => { await import('" + c.specifier + "') }"} {
			if got := text(execute(t, source, change...)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}
