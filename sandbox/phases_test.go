package sandbox_test

import (
	"testing"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of imports in a phase: deferred ones, and those of source.

func TestImportsInAPhase(t *testing.T) {
	const note = "globalThis.ran = (globalThis.ran ?? ''); "
	modules := map[string]string{
		"a": note + "ran += 'a'; export const n = 1; export let later; export function then() {} export const set = v => { later = v };",
		"b": "import { n } from 'a'; export { n }; ran += 'b';",
		"c": note + "ran += 'c'; await 0; ran += 'C'; export default 3;",
		"d": "import c from 'c'; ran += 'd'; export { c };",
		"e": note + "ran += 'e'; throw new RangeError('of e');",
		"f": "import defer * as self from 'f'; export const n = 1; try { self.n } catch (e) { globalThis.told = e.name }",
		"g": "import { missing } from 'a';",
		"h": "import defer * as ns from 'a'; export { ns };",
		"i": "import i from 'none';",
		"j": `{"n": 5}`,
	}
	for _, c := range []struct{ what, source, want string }{
		{"nothing runs before a name is asked for", note + "import defer * as ns from 'b'; const before = ran; export default [before, ns.n, ran]", `["",1,"ab"]`},
		{"what asks for nothing", note + "import defer * as ns from 'a'; ns.then; ns[Symbol.iterator]; Object.getPrototypeOf(ns); Object.isExtensible(ns); export default [ran, Reflect.set(ns, 'n', 2), ns[Symbol.toStringTag]]", `["",false,"Deferred Module"]`},
		{"the keys", "import defer * as ns from 'a'; export default [Object.keys(ns), ran, 'n' in ns, delete ns.other, Reflect.deleteProperty(ns, 'n')]", `[["later","n","set"],"a",true,true,false]`},
		{"a binding that changes", "import defer * as ns from 'a'; ns.set(7); export default [ns.later, Object.getOwnPropertyDescriptor(ns, 'later').value]", `[7,7]`},
		{"one namespace", "import defer * as x from 'a'; import { ns } from 'h'; import * as eager from 'a'; export default [x === ns, x === await import.defer('a'), x === eager]", `[true,true,false]`},
		{"a top-level await is not deferred", "import defer * as ns from 'd'; const before = ran; export default [before, ns.c, ran]", `["cC",3,"cCd"]`},
		{"an error, as often as asked", "import defer * as ns from 'e'; const told = []; for (const i of [1, 2]) try { ns.x } catch (e) { told.push(e.message) } export default [told, ran]", `[["of e","of e"],"e"]`},
		{"itself", "import 'f'; export default told", `"TypeError"`},
		{"a name that does not exist", "import defer * as ns from 'g'; export default 1", "syntax: syntax error at g:1:10: The requested module 'a' does not provide an export named 'missing'"},
		{"a module that does not exist", "import defer * as ns from 'none'; export default 1", "module_not_found: "},
		{"a module below that does not exist", "import defer * as ns from 'i'; export default 1", "module_not_found: "},
		{"with attributes", "import defer * as ns from 'j' with { type: 'json' }; export default ns.default", `{"n":5}`},
		{"import.defer()", note + "const ns = await import.defer('b'); const before = ran; export default [before, ns.n, ran]", `["",1,"ab"]`},
		{"import.defer() in a script", "async () => { const ns = await import.defer(\n  ['a', (')', '`)`')].length ? `${'a'}` : /[)]/ , ); return [typeof ran, ns.n, ran] }", `["undefined",1,"a"]`},
		{"import.defer() of an async graph", "async () => { const ns = await import.defer('d'); return [ran, ns.c, ran] }", `["cC",3,"cCd"]`},
		{"import.defer() of nothing", "async () => await import.defer('none')", "module_not_found: "},
		{"two in one text", "async () => [(await import.defer('a')).n, (await import.defer('b')).n]", `[1,1]`},
		{"positions behind one", "async () => { await import.defer('a'); throw new Error('x') }", "thrown: uncaught Error: x\n    at program:1:46"},
		{"import.source()", "async () => { try { await import.source('a') } catch (e) { return [e.name, typeof ran] } }", `["SyntaxError","undefined"]`},
		{"no argument", "async () => await import.defer()", "syntax: syntax error at program:1:26: Unexpected identifier 'defer'"},
		{"assigned to", "() => { import.defer('a') = 1 }", "syntax: syntax error at program:1:9: Invalid left-hand side in assignment"},
		{"another phase", "async () => await import.later('a')", "syntax: syntax error at program:1:26: Unexpected identifier 'later'"},
	} {
		t.Run(c.what, func(t *testing.T) {
			virtual := func(r *protocol.Request) {
				r.Modules = map[string]protocol.Module{}
				for name, text := range modules {
					r.Modules[name] = protocol.Module{Source: text}
				}
				r.Modules["j"] = protocol.Module{Source: modules["j"], Language: protocol.JSON}
			}
			if got := text(execute(t, c.source, virtual)); len(got) < len(c.want) || got[:len(c.want)] != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Modules in cycles, that fail, and that wait, asked again and again.
func TestDeferredModulesThatAreNotReady(t *testing.T) {
	modules := map[string]string{
		"a":    "import defer * as b from 'b'; export const n = 1; export const get = () => b.m; export const early = (() => { try { return b.m } catch (e) { return e.name } })();",
		"b":    "import defer * as a from 'a'; export const m = 2; export const back = () => a.n;",
		"late": "await 0; throw new Error('late');",
		"u":    "import 'late'; export const n = 1",
		"c1":   "import 'c2'; export const n = 1;",
		"c2":   "import 'c1'; throw new Error('of c2')",
		"self": "import defer * as self from 'self'; export const f = 1; export default self.f",
		"w":    "import defer * as x from 'u'; export { x }",
	}
	for _, c := range []struct{ what, source, want string }{
		{"a cycle", "import { early, get } from 'a'; import { back } from 'b'; export default [early, get(), back()]", `["TypeError",2,1]`},
		{"a failure behind an await", "import defer * as u from 'u'; export default u.n", "thrown: uncaught Error: late"},
		{"the same by import.defer(), and again", "async () => { const r = []; for (const i of [1, 2]) try { r.push((await import.defer('u')).n) } catch (e) { r.push(e.message) } try { await import('w') } catch (e) { r.push(e.message) } return r }", `["late","late","late"]`},
		{"a cycle that failed", "async () => { const r = []; const c = await import.defer('c1'); for (const i of [1, 2]) try { r.push(c.n) } catch (e) { r.push(e.message) } try { await import('c2') } catch (e) { r.push(e.message) } return r }", `["of c2","of c2","of c2"]`},
		{"itself", "async () => { const s = await import.defer('self'); try { return s.f } catch (e) { return e.name } }", `"TypeError"`},
		{"in a chain of prototypes", "async () => { const b = await import.defer('b'); return [Object.create(b).m, { ...b }.m, JSON.stringify(b), Reflect.getPrototypeOf(b)] }", `[2,2,"{\"m\":2}",null]`},
		{"with the stack used up", "async () => { const b = await import.defer('b'); const deep = () => { try { return deep() } catch { return b.m } }; try { deep() } catch (e) { if (e.name !== 'RangeError') return e.name } return b.m }", `2`},
	} {
		t.Run(c.what, func(t *testing.T) {
			virtual := func(r *protocol.Request) {
				r.Modules = map[string]protocol.Module{}
				for name, text := range modules {
					r.Modules[name] = protocol.Module{Source: text}
				}
			}
			if got := firstLines(execute(t, c.source, virtual)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
