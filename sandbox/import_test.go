package sandbox_test

import (
	"testing"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of import().

func TestDynamicImport(t *testing.T) {
	for _, c := range []struct {
		what, source string
		modules      map[string]string
		want         string
	}{
		{
			"a module that is being evaluated",
			`import './a'; export default () => globalThis.seen;`,
			map[string]string{"./a": `export let x = 1; globalThis.seen = import('./a').then(ns => ns.x); x = 2;`},
			`2`,
		},
		{
			"a module above that is being evaluated",
			`import './a'; export default () => globalThis.seen;`,
			map[string]string{"./a": `import './b'; export let x = 1;`, "./b": `globalThis.seen = import('./a').then(ns => ns.x);`},
			`1`,
		},
		{
			"evaluation is a job of its own",
			`async () => { const order = globalThis.order = []; const p = import('./a'); order.push('after'); await p; return order; }`,
			map[string]string{"./a": `globalThis.order.push('module');`},
			`["after","module"]`,
		},
		{
			"the same module twice",
			`async () => { const [a, b] = await Promise.all([import('./a'), import('./a')]); return [a === b, globalThis.count]; }`,
			map[string]string{"./a": `globalThis.count = (globalThis.count ?? 0) + 1;`},
			`[true,1]`,
		},
		{
			"a module that throws, twice",
			`async () => { const out = []; for (const _ of [1, 2]) await import('./a').catch(e => out.push(e)); return out; }`,
			map[string]string{"./a": `throw 'x';`},
			`["x","x"]`,
		},
		{
			"a module whose import has thrown",
			`async () => { const out = []; for (const m of ['./a', './b', './c']) await import(m).then(() => out.push('fine'), e => out.push(e)); return out; }`,
			map[string]string{"./a": `import './b'; throw 'a';`, "./b": `import './a';`, "./c": `import './b';`},
			`["a","a","a"]`,
		},
		{
			"a cycle that fails later",
			`async () => { const out = []; for (const m of ['./a', './b', './c']) await import(m).then(() => out.push('fine'), e => out.push(e)); return out; }`,
			map[string]string{"./a": `import './b'; await 1; throw 'a';`, "./b": `import './a'; await 1;`, "./c": `import './b';`},
			`["a","a","a"]`,
		},
		{
			"a module that ended before its cycle failed",
			`async () => { const out = []; for (const m of ['./main', './c']) await import(m).then(() => out.push('fine'), e => out.push(e)); return out; }`,
			map[string]string{
				"./main": `import './b'; import './x';`, "./a": `import './b'; await 0;`, "./b": `import './c'; await 0; throw 'b';`,
				"./c": `import './a'; await 0;`, "./x": `import './a'; await 0;`,
			},
			`["b","b"]`,
		},
		{
			"modules that do not fit",
			`() => import('./a').catch(e => e.name)`,
			map[string]string{"./a": `import { y } from './b';`, "./b": ``},
			`"SyntaxError"`,
		},
		{
			"a module that is not there",
			`() => import('./a').catch(e => e.message)`, nil,
			`"Cannot find module \"./a\" imported from program: only the modules of the request can be imported"`,
		},
		{
			"promises that the program has changed",
			`async () => {
				await 0; // the runtime awaits the program before anything is changed
				const imported = import('./a');
				const constructor = Object.getOwnPropertyDescriptor(Promise.prototype, 'constructor');
				Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 'mine'; }, configurable: true });
				for (let i = 0; i < 9; i++) await i; // the module is evaluated meanwhile
				Object.defineProperty(Promise.prototype, 'constructor', constructor);
				return imported.catch(e => e);
			}`,
			map[string]string{"./a": ``},
			`"mine"`,
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			changes := []func(*protocol.Request){}
			for specifier, source := range c.modules {
				changes = append(changes, withModule(specifier, source, ""))
			}
			if got := text(execute(t, c.source, changes...)); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}
