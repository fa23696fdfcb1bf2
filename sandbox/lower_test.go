package sandbox_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of syntax that is younger than the engine, and of modules
// that are JSON.

const resource = `const log = []; const make = (name) => ({ name, [Symbol.dispose]() { log.push(name) }, async [Symbol.asyncDispose]() { log.push('async ' + name) } });`

func TestYoungSyntax(t *testing.T) {
	module := withForm(protocol.FormModule)
	function := withForm(protocol.FormFunction)
	type changes = []func(*protocol.Request)
	cases := []struct {
		name, source string
		change       changes
		want         string
	}{
		{"using", resource + "() => { { using a = make('a'), b = make('b'); log.push(b.name + ' in use') } return log }", nil, `["b in use","b","a"]`},
		{"using, by its form", resource + "() => { { using a = make('a') } return log }", changes{function}, `["a"]`},
		{"using in a loop", resource + "() => { for (using a of [make(1), make(2)]) log.push(a.name + '!'); return log }", nil, `["1!",1,"2!",2]`},
		{"await using", resource + "async () => { { await using a = make('a') } return log }", nil, `["async a"]`},
		{"using at the top of a module", resource + "using a = make('a'); export default () => log", nil, `["a"]`},
		{"await using at the top of a module", resource + "await using a = make('a'); export default () => log", changes{module}, `["async a"]`},
		{"using at the top of what could be a script", "using a = null;\n() => a", nil, "undefined"},
		{"using nothing", "() => { using a = null, b = undefined; return 1 }", nil, "1"},
		{"using what cannot be disposed of", "() => { using a = {}; return 1 }", nil, "thrown: uncaught TypeError: Object not disposable"},
		{"an error while disposing", "() => { using a = { [Symbol.dispose]() { throw new Error('late') } }; throw new Error('early') }", nil, "thrown: uncaught SuppressedError: An error was suppressed during disposal"},
		{"a declared function", "async function main() { using a = null; return 'main' }", nil, `"main"`},
		{"a declared function behind a decorated class", "const tag = (c) => { c.tag = 1 };\n@tag class A {}\nfunction main() { return A.tag }", nil, "1"},
		{"a decorated class", "const twice = (f) => function (...args) { return 2 * f.apply(this, args) };\nclass A { @twice m(n) { return n } }\n() => new A().m(21)", nil, "42"},
		{"a decorated field", "const plus = () => (v) => v + 1;\nclass A { @plus n = 1 }\n() => new A().n", nil, "2"},
		{"the context of a decorator", "const seen = [];\nconst see = (v, c) => { seen.push(c.kind + ' ' + String(c.name)) };\n@see class A { @see m() {} @see get g() { return 1 } @see static s = 1; @see accessor a = 1 }\n() => seen", nil, `["method m","getter g","accessor a","field s","class A"]`},
		{"an accessor", "class A { accessor n = 1 }\n() => { const a = new A(); a.n++; return a.n }", nil, "2"},
		{"import attributes", "import a from 'a' with { type: 'json' };\nexport default a", changes{withModule("a", `{"n": [1, null]}`, protocol.JSON)}, `{"n":[1,null]}`},
		{"import attributes in the old form", "import a from 'a' assert { type: 'json' };\nexport default a", changes{withModule("a", `"text"`, protocol.JSON)}, `"text"`},
		{"import attributes of import()", "async () => (await import('a', { with: { type: 'json' } })).default", changes{withModule("a", `[1]`, protocol.JSON)}, `[1]`},
		{"export from with attributes", "export { default } from 'a' with { type: 'json' }", changes{withModule("a", `[2]`, protocol.JSON)}, `[2]`},
		{"using in a module of the request", "import { f } from 'lib'; export default f", changes{withModule("lib", "export const f = () => { using a = null; return 'lib' }", "")}, `"lib"`},
		{"using in a module that is imported late", "async () => (await import('lib')).f()", changes{withModule("lib", "export const f = () => { using a = null; return 'late' }", "")}, `"late"`},
		{"using in TypeScript", resource + "() : unknown => { { using a = make('a') } return log }", changes{typescript}, `["a"]`},
		{"younger regular expressions and using in one text", "() => { using a = null; return [/(?i:a)b/.test('Ab'), /[\\p{L}--[a-z]]/v.test('q'), /(?i:x)/.test('X')] }", nil, "[true,false,true]"},
		{"a name that only looks young", "() => { const using = 1, accessor = 2; return using + accessor }", nil, "3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, firstLines(execute(t, c.source, c.change...))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Positions are those of the text as it was sent, whatever was done to it, wherever a
// program or its host sees them; and what a translation adds is in no stack.
func TestPositionsInTranslatedTexts(t *testing.T) {
	const lowered = "// one\nfunction inner(x) { throw new Error('in ' + x) }\nasync () => {\n  using a = { [Symbol.dispose]() {} };\n  await null;\n  inner(1);\n}"
	const inDispose = "() => {\n  using a = {\n    [Symbol.dispose]() { throw new TypeError('late') },\n  };\n  return 1;\n}"
	const regular = "() => { if (/(?i:abc)/.test('ABC')) throw new Error('after'); }"
	const both = "() => { using a = null; if (/(?i:abc)/.test('ABC')) throw new Error('after') }"
	const logged = "async () => {\n  using a = null;\n  const e = new Error('e');\n  console.log(e.stack);\n  return e.stack;\n}"
	cases := []struct{ name, source, want string }{
		{"using", lowered, "uncaught Error: in 1\n    at inner (program:2:27)\n    at program:6:3"},
		{"in a disposer", inDispose, "uncaught TypeError: late\n    at [Symbol.dispose] (program:3:32)\n    at program:2:3"},
		{"a regular expression", regular, "uncaught Error: after\n    at program:1:43"},
		{"both", both, "uncaught Error: after\n    at program:1:59"},
	}
	for _, c := range cases {
		r := execute(t, c.source)
		if r.Fault == nil {
			t.Errorf("%s: %s", c.name, text(r))
			continue
		}
		if diff := cmp.Diff(c.want, r.Fault.Error()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
	}
	r := execute(t, logged)
	if want := `"Error: e\n    at program:3:13"`; text(r) != want || len(r.Logs) != 1 || r.Logs[0].Text != "Error: e\n    at program:3:13" {
		t.Errorf("%s, %+v", text(r), r.Logs)
	}
	const typed = "interface A {\n  b: string\n}\nasync () : Promise<string> => {\n  const f = (): string => new Error('e').stack as string;\n  Promise.reject(new Error('nobody'));\n  setTimeout(() => { throw new Error('timer') });\n  await new Promise((r) => setTimeout(r, 5));\n  return f();\n}"
	r = execute(t, typed, typescript)
	if want := `"Error: e\n    at f (program:5:27)\n    at program:9:10"`; text(r) != want {
		t.Error(text(r))
	}
	if len(r.Logs) != 2 || r.Logs[0].Text != "Unhandled rejection: Error: nobody\n    at program:6:18" || !strings.HasSuffix(r.Logs[1].Text, "Error: timer\n    at Timeout.<anonymous> (program:7:28)") && !strings.HasSuffix(r.Logs[1].Text, "Error: timer\n    at program:7:28") {
		t.Errorf("%+v", r.Logs)
	}
	evaluated := execute(t, "interface A {}\n\n() : string => eval('new Error(1).stack') as string", typescript, func(r *protocol.Request) { r.Grants = []protocol.Grant{protocol.GrantEval} })
	if !strings.Contains(text(evaluated), "(program:3:16)") {
		t.Error(text(evaluated))
	}
}

// A text that V8 refuses for another reason, or that stays refused, has V8's error
// with its position in the text as it was sent.
func TestRefusedTextsStayRefused(t *testing.T) {
	const modifiers = "\nOf the modifiers of regular expressions, such as (?i:…), those around backreferences or classes of Unicode properties are not known here."
	type changes = []func(*protocol.Request)
	cases := []struct {
		name, source string
		change       changes
		want         string
	}{
		{"with using before it", "() => {\n  using a = null;\n  let let = 1 }", nil, "program:2:9: Unexpected identifier 'a'\n    using a = null;"},
		{"with using behind it", "() => {\n  let let = 1; using a = null }", nil, "program:2:7: let is disallowed as a lexically bound name\n    let let = 1; using a = null }"},
		{"using at the top of a script", "using a = null;\n() => a", changes{withForm(protocol.FormFunction)}, "program:1:7: Unexpected identifier 'a'\n  using a = null;"},
		{"using in the head of a loop", "() => { for (using a = null; ;) break; }", nil, "program:1:20: Unexpected identifier 'a'\n  () => { for (using a = null; ;) break; }"},
		{"an address", "someone@example.com", nil, "program:1:8: Invalid or unexpected token\n  someone@example.com"},
		{"with", "import a from 'a' with", nil, "program:1:19: Unexpected token 'with'\n  import a from 'a' with"},
		{"in a module", "import 'lib'", changes{withModule("lib", "using using\n=", "")}, "lib:1:7: Unexpected identifier 'using'\n  using using"},
		{"in a module, behind a regular expression that is rewritten", "import 'lib'", changes{withModule("lib", "/(?i:a)/; let let", "")}, "lib:1:15: Unexpected strict mode reserved word\n  /(?i:a)/; let let"},
		{"behind a regular expression that is rewritten", "() => { /(?i:a)/; let let }", nil, "program:1:23: let is disallowed as a lexically bound name\n  () => { /(?i:a)/; let let }"},
		{"by its form", "() => { /(?i:a)/; let let }", changes{withForm(protocol.FormFunction)}, "program:1:23: let is disallowed as a lexically bound name\n  () => { /(?i:a)/; let let }"},
		{"in a module, behind using", "import 'lib'", changes{withModule("lib", "{ using a = null }\nlet let", "")}, "lib:1:9: Unexpected identifier 'a'\n  { using a = null }"},
		{"a backreference", `() => /(a)(?i:\1)/`, nil, `program:1:7: Invalid regular expression: /(a)(?i:\1)/: Invalid group` + "\n  " + `() => /(a)(?i:\1)/` + modifiers},
		{"the same name twice", "() => /(?<y>a)|(?<y>b)/", nil, "program:1:7: Invalid regular expression: /(?<y>a)|(?<y>b)/: Duplicate capture group name\n  () => /(?<y>a)|(?<y>b)/\nGive the groups different names: this engine does not know the same name in two alternatives."},
		{"strings in a class", `() => /[^\q{ab|c}]/v`, nil, `program:1:7: Invalid regular expression flags` + "\n  " + `() => /[^\q{ab|c}]/v` + "\nThis engine knows the flags d, g, i, m, s, u and y, and v in literals without complements and most properties of strings."},
		{"no flag at all", "() => /a/k", nil, "program:1:7: Invalid regular expression flags\n  () => /a/k\nThis engine knows the flags d, g, i, m, s, u and y, and v in literals without complements and most properties of strings."},
		{"modifiers twice", "() => /(?ii:a)/", nil, "program:1:7: Invalid regular expression: /(?ii:a)/: Invalid group\n  () => /(?ii:a)/" + modifiers},
		{"no modifiers", "() => /(?-:a)/", nil, "program:1:7: Invalid regular expression: /(?-:a)/: Invalid group\n  () => /(?-:a)/" + modifiers},
		{"a quantified assertion", "() => /(?m:^*a)/", nil, "program:1:7: Invalid regular expression: /(?m:^*a)/: Invalid group\n  () => /(?m:^*a)/" + modifiers},
		{"in TypeScript", "const a: number = 1;\n() => /(?<y>a)|(?<y>b)/", changes{typescript}, "program:2:7: Invalid regular expression: /(?<y>a)|(?<y>b)/: Duplicate capture group name\n  () => /(?<y>a)|(?<y>b)/\nGive the groups different names: this engine does not know the same name in two alternatives."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff("syntax: syntax error at "+c.want, text(execute(t, c.source, c.change...))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	// A module that is refused when it is imported late rejects the import.
	late := execute(t, "async () => { try { await import('lib') } catch (e) { return [e.name, e.message] } }", withModule("lib", "let using let", ""))
	if text(late) != `["SyntaxError","Unexpected strict mode reserved word"]` {
		t.Error(text(late))
	}
	missing := execute(t, "import { b } from 'a' with { type: 'json' };\nexport default b", withModule("a", "1", protocol.JSON))
	if text(missing) != "syntax: syntax error at program:1:10: The requested module 'a' does not provide an export named 'b'\n  import { b } from 'a' with { type: 'json' };" {
		t.Error(text(missing))
	}
}

// Large texts in which nothing can be lowered cost no more than a refusal. One that is
// nested too deeply for the translator ends the process, which an executor understands.
func TestHostileYoungTexts(t *testing.T) {
	for _, source := range []string{
		"() => [" + strings.Repeat("/(?i:a)/,", 300) + "]",
		"() => /" + strings.Repeat("(?i:", 20_000) + "a" + strings.Repeat(")", 20_000) + "/",
		"() => /" + strings.Repeat("[", 20_000) + "a" + strings.Repeat("]", 20_000) + "/v",
		"() => /(?i:[" + strings.Repeat(`\u0000-\uffff`, 50) + "])/",
		"using " + strings.Repeat("@", 1_000_000),
	} {
		r := execute(t, source)
		if r.Fault != nil && r.Fault.Class() != protocol.ClassProgram {
			t.Errorf("%.40s: %.200s", source, text(r))
		}
	}
}

func TestModifiers(t *testing.T) {
	cases := []struct{ regexp, matches, others string }{
		{`/^(?i:ab)c$/`, `ABc abc aBc`, `abC AB`},
		{`/^a(?i:b|(?-i:c))d$/`, `abd aBd acd`, `aCd Abd abD`},
		{`/^(?-i:a)b$/i`, `ab aB`, `Ab AB`},
		{`/^(?i:[a-f]+)$/`, `afAF`, `g G afg`},
		{`/^(?i:[^a-f]+)$/`, `ghGH`, `a A gA`},
		{`/^(?i:\x41\u0042\t?)$/`, `ab AB aB`, `b`},
		{`/^(?i:é)$/`, `é É`, `e E`},
		{`/^(?i:ß)$/`, `ß`, `ẞ s S`},
		{`/^(?i:ß)$/u`, `ß ẞ`, `s S`},
		{`/^(?i:k)$/`, `k K`, "\u212a"},
		{`/^(?i:k)$/u`, "k K \u212a", `c`},
		{`/^(?i:\w)$/u`, "a \u017f \u212a", `- é`},
		{`/^(?i:\W)$/u`, "- é", "a \u017f \u212a"},
		{`/^(?i:[\w-])$/u`, "a - \u017f \u212a", "é"},
		{`/^(?i:\u{10400})$/u`, "\U00010400 \U00010428", "x"},
		{`/^(?i:[a\\-])$/`, `a A \ -`, `] b`},
		{`/^(?i:[a\-])$/`, `a A -`, `\ b`},
		{`/^(?i:[])|b$/`, `b`, `a`},
		{`/^(?i-:a)(?-s:.)(?s-m:.)$/`, `Abc abc`, `bbc`},
		{`/^(?i:(?<name>a)\/[\]a])$/`, `A/A a/] A/]`, `a/b`},
		{`/^(?i:a{2}){2}$/`, `aAaA AAAA`, `aaa`},
		{`/^(?i:(a))\1$/`, `aa AA`, `aA Aa`},
		{`/^(?i:1+)$/`, `1 11`, `2`},
	}
	var b strings.Builder
	for _, c := range cases {
		for i, list := range []string{c.matches, c.others} {
			for _, text := range strings.Fields(list) {
				fmt.Fprintf(&b, "  if (%s.test(%q) !== %t) wrong.push(%q);\n", c.regexp, text, i == 0, c.regexp+" "+text)
			}
		}
	}
	// Line ends, where the flags m and s matter.
	for _, expression := range []string{
		`/(?m:^b$)/.test('a\nb\rc')`, `!/(?-m:^b$)/m.test('a\nb\nc')`, `/(?-m:^a)/m.test('a\nb')`, `/(?-m:b$)/m.test('a\nb')`,
		`/a(?s:.)b/.test('a\nb')`, `!/a(?-s:.)b/s.test('a\u2028b')`, `/a(?-s:.)b/s.test('a.b')`, `!/a(?s:)./.test('a\n')`,
		`/(?m:^)$/.test('')`, `'a\r\nb'.replace(/(?m:^)/g, '>') === '>a\r>\n>b'`, `/(?i:A)/.flags === ''`, `/(?i:A)/gimsuy.flags === 'gimsuy'`,
	} {
		fmt.Fprintf(&b, "  if (!(%s)) wrong.push(%q);\n", expression, expression)
	}
	if got := text(execute(t, "() => {\n  const wrong = [];\n"+b.String()+"  return wrong;\n}")); got != "[]" {
		t.Error(got)
	}
}

// Written out, a modifier matches exactly what the flag matches, for every character of
// the blocks that have characters with another case, and some others.
func TestModifiersAgreeWithFlags(t *testing.T) {
	patterns := []string{
		"k", "s", "a", "é", "µ", "ß", "ſ", "ı", "İ", "Σ", "ǆ", "ﬀ", "ᾳ", "ΐ", "Ꭰ", "ა", "Ω", "Å", "ͅ", "[a-z]", "[^a-z]", "[^é]", "[À-ÿ]", "[Ͱ-Ͽ]",
		"[ѐ-џ]", "[Ḁ-ỿ]", "[ἀ-῿]", "[ⓐ-ⓩ]", "[Ａ-Ｚ]", "[\\u0000-\\u0fff]", "[^\\u0100-\\u2fff]", "[\\d_]", "[\\x41-\\x43]", "\\x4b", "\\u212a",
	}
	// Two texts: regular expressions that are rewritten in one are bounded.
	for _, flags := range []string{"", "u"} {
		var b strings.Builder
		for _, p := range patterns {
			fmt.Fprintf(&b, "  same(/^(?i:%s)$/%s, /^%s$/i%s);\n", p, flags, p, flags)
			if !strings.HasPrefix(p, "[") {
				fmt.Fprintf(&b, "  same(/^(?-i:%s)$/i%s, /^%s$/%s);\n", p, flags, p, flags)
			}
		}
		source := "() => {\n  const wrong = [], characters = [];\n" +
			"  for (const [from, to] of [[0, 0x600], [0x10a0, 0x1100], [0x13a0, 0x1400], [0x1c80, 0x2200], [0x2c00, 0x2e00], [0xa640, 0xa800], [0xab30, 0xabc0], [0xd7f0, 0xe010], [0xfb00, 0x10000], [0x10400, 0x10500]])\n" +
			"    for (let c = from; c < to; c++) characters.push(c);\n  const same = (a, b) => {\n    for (const c of characters) {\n      const s = String.fromCodePoint(c);\n" +
			"      if (a.test(s) !== b.test(s)) { wrong.push(b + ' ' + c.toString(16)); return; }\n    }\n  };\n" + b.String() + "  return wrong;\n}"
		if got := text(execute(t, source)); got != "[]" {
			t.Errorf("flags %q: %s", flags, got)
		}
	}
}

func TestSetNotation(t *testing.T) {
	var b strings.Builder
	for _, expression := range []string{
		`/^[\p{L}--[a-z]]+$/v.test('ÄB')`, `!/[\p{L}--[a-z]]/v.test('abc')`, `/^[[a-z]&&[aeiou]]+$/v.test('aei')`, `!/[[a-z]&&[aeiou]]/v.test('bcd')`,
		`/^[[a-z][0-9]_]+$/v.test('a1_')`, `/^[^[a-z][0-9]]+$/v.test('A_')`, `!/^[^[a-z]]$/v.test('a')`, `/^[[a-z]--[b-d]--e]$/v.test('f')`,
		`!/^[[a-z]--[b-d]--e]$/v.test('e')`, `/^[[^a-z]&&\p{L}]$/v.test('Z')`, `/^[\q{a|b}\-\&]+$/v.test('ab-&')`, `/^\p{Lu}[a\]]$/v.test('A]')`,
		`/^[]$/v.test('') === false`, `/^[^]$/v.test('\u{1f600}')`, `/^[\u{1f600}-\u{1f64f}]$/v.test('😃')`, `/^.$/v.test('😃')`, `/^[\d--[5-9]]+$/v.test('01234')`,
		`/(?<=[[a-z]--[x]])1/v.test('a1')`, `!/(?<=[[a-z]--[x]])1/v.test('x1')`, `/^(?i:[[a-z]--[k]])$/v.test('A')`, `/[[a-z]--[k]]/iv.test('A')`, `!/[[a-z]--[k]]/iv.test('K')`,
		`/^[\q{a|ab|abc}]$/v.test('abc')`, `/[\q{a|ab|abc}]/v.exec('abcd')[0] === 'abc'`, `/^[\q{ab|c}d]+$/v.test('abcd')`, `!/^[\q{ab|c}--\q{ab}]$/v.test('ab')`,
		`/^[\q{ab|c}--\q{ab}]$/v.test('c')`, `/^[\q{ab|cd|e}&&[\q{cd}e-g]]+$/v.test('cde')`, `!/[\q{ab|cd|e}&&[\q{cd}e-g]]/v.test('ab')`, `/^x[\q{}]y$/v.test('xy')`,
		`/^x[\q{|z}]y$/v.test('xzy')`, `/^\p{Emoji_Keycap_Sequence}$/v.test('1\ufe0f\u20e3')`, `!/^[[\p{Emoji_Keycap_Sequence}\q{2}]--\q{1\ufe0f\u20e3}]$/v.test('1\ufe0f\u20e3')`,
		`/^[\p{RGI_Emoji_Tag_Sequence}a]+$/v.test('a\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}')`, `/^[\q{\u{1f600}\x41}]$/v.test('\u{1f600}A')`,
		`!/^[^[\q{ab|c}&&[c]]]$/v.test('c')`,
		`/^[\t\cA\b\x41\u0042]+$/v.test('\t\x01\bAB')`, `'a1b2'.replaceAll(/[\w--\d]/gv, '') === '12'`,
	} {
		fmt.Fprintf(&b, "  if (!(%s)) wrong.push(%q);\n", expression, expression)
	}
	if got := text(execute(t, "() => {\n  const wrong = [];\n"+b.String()+"  return wrong;\n}")); got != "[]" {
		t.Error(got)
	}
	for _, literal := range []string{`/[a-z&&[k]]/v`, `/[a--]/v`, `/[(]/v`, `/[a&&&b]/v`, `/[!!]/v`, `/[a-[b]]/v`, `/[[a]/v`, `/\p{RGI_Emoji}/v`, `/[^\q{ab}]/v`, `/[\q{ab}&&\q{AB}]/iv`, `/\P{Emoji_Keycap_Sequence}/v`, `/[^\p{RGI_Emoji_Tag_Sequence}]/v`, `/[a-\q{ab}]/v`, `/[\q{ab]/v`, `/[^a]/iv`, `/\P{L}/iv`, `/a/uv`} {
		if r := execute(t, "() => "+literal); r.Fault == nil || r.Fault.Code() != protocol.CodeSyntax {
			t.Errorf("%s: %s", literal, text(r))
		}
	}
}

func TestModulesOfJSON(t *testing.T) {
	cases := []struct{ json, want string }{
		{`{"__proto__": 1, "a": {"b": [true, null, 1e3]}}`, `{"__proto__":1,"a":{"b":[true,null,1000]}}`},
		{` "a b </script>" `, `"a b </script>"`},
		{"0", "0"},
		{strings.Repeat("[", 500) + strings.Repeat("]", 500), strings.Repeat("[", 500) + strings.Repeat("]", 500)},
		{"{\n  \"a\": 1,\n}", "syntax: syntax error at data:3:1: not JSON: invalid character '}' looking for beginning of object key string\n  }"},
		{"", "syntax: syntax error at data:1:1: not JSON: unexpected end of JSON input"},
		{`{"a": 1} trailing`, "syntax: syntax error at data:1:10: not JSON: invalid character 't' after top-level value\n  {\"a\": 1} trailing"},
		{"export default 1", "syntax: syntax error at data:1:1: not JSON: invalid character 'e' looking for beginning of value\n  export default 1"},
	}
	for _, c := range cases {
		got := text(execute(t, "import data from 'data'; export default data", withModule("data", c.json, protocol.JSON)))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%.40s: -want +got:\n%s", c.json, diff)
		}
	}
}
