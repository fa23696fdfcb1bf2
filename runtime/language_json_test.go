package runtime_test

import "testing"

// This file holds the tests of source text in JSON: the third argument of a reviver,
// JSON.rawJSON, and the JSON.stringify that knows of it.

func TestJSONParseWithSource(t *testing.T) {
	testPrograms(t, []program{
		{"the source of primitive values", `JSON.parse(' { "a" : 1.0 , "b":[-0,"\\u0041", true,null] } ', (k, v, context) => { log.push(k, context.source ?? '-'); return v; }); return log;`,
			`["a","1.0","0","-0","1","\"\\u0041\"","2","true","3","null","b","-","","-"]`},
		{"large numbers", `return String(JSON.parse('[12345678901234567890]', (k, v, { source }) => typeof v === 'number' ? BigInt(source) : v)[0]);`, `"12345678901234567890"`},
		{"duplicate names", `return JSON.parse('{"a":[1],"a":2,"a":3}', (k, v, { source }) => source ?? v).a;`, `"3"`},
		{"what was changed has no source", `JSON.parse('{"a":1,"b":2,"c":[3]}', function (k, v, context) { if (k === 'a') { this.b = 5; this.c = [3]; } log.push(k, context.source ?? '-'); return v; }); return log.join();`,
			`"a,1,b,-,0,-,c,-,,-"`},
		{"undefined deletes", `return [JSON.parse('{"a":1,"b":[1,2]}', (k, v) => v === 1 ? undefined : v), JSON.parse('1', () => undefined) === undefined];`, `[{"b":[{"$":"hole"},2]},true]`},
		{"order and receivers", `const text = '{"b":{"c":1},"a":2}'; JSON.parse(text, function (k, v) { log.push(k, Object.keys(this).join('')); return v; }); return log.join();`, `"c,c,b,ba,a,ba,,"`},
		{"names that are special", `const o = JSON.parse('{"__proto__":1,"constructor":2}', (k, v, { source }) => source ?? v); return [Object.getOwnPropertyNames(o), o.__proto__];`, `[["__proto__","constructor"],"1"]`},
		{"proxies", `return thrown(() => JSON.parse('[1,2]', function (k, v) { if (k === '0') this[1] = new Proxy([], { get: () => { throw new EvalError(); } }); return v; }));`, `"EvalError"`},
		{"as before without a reviver", "return [JSON.parse('[1]', 1), JSON.parse('[1]'), thrown(() => JSON.parse('[1', () => {})), thrown(() => JSON.parse(Symbol()))];", `[[1],[1],"SyntaxError","TypeError"]`},
		{"deep nesting ends as an error at worst", "const n = 1e5; try { JSON.parse('['.repeat(n) + ']'.repeat(n), (k, v) => v); return true; } catch (e) { return e.name === 'RangeError'; }", "true"},
	})
}

func TestRawJSON(t *testing.T) {
	testPrograms(t, []program{
		{"in a result", "return [JSON.stringify({ a: JSON.rawJSON('1.0'), b: [JSON.rawJSON('\"x\"')] }), JSON.stringify(JSON.rawJSON(12345678901234567890n))];", `["{\"a\":1.0,\"b\":[\"x\"]}","12345678901234567890"]`},
		{"made by a replacer, which runs once", "let n = 0; return [JSON.stringify([10n ** 20n, 1], (k, v) => { n++; return typeof v === 'bigint' ? JSON.rawJSON(String(v)) : v; }), n];", `["[100000000000000000000,1]",3]`},
		{"made by toJSON", "BigInt.prototype.toJSON = function () { return JSON.rawJSON(String(this)); }; return JSON.stringify({ a: 1n });", `"{\"a\":1}"`},
		{"the object", "const r = JSON.rawJSON('1'); return [Object.getPrototypeOf(r) === null, Object.isFrozen(r), Reflect.ownKeys(r), r.rawJSON, JSON.isRawJSON(r), JSON.isRawJSON({ rawJSON: '1' }), JSON.isRawJSON(new Proxy(r, {})), JSON.isRawJSON(1)];",
			`[true,true,["rawJSON"],"1",true,false,false,false]`},
		{"texts that it takes", "return ['', ' 1', '1\\n', '{}', '[]', 'x', undefined].map((text) => thrown(() => JSON.rawJSON(text))).concat(thrown(() => JSON.rawJSON(Symbol())));",
			`["SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","SyntaxError","TypeError"]`},
		{"the same texts as before it was made", `const cycle = []; cycle.push(cycle);
  const values = [{ a: [1, 'x\n\ud800', null, undefined, () => 1, Symbol()], b: undefined, c: new Date(0), d: new Number(1), e: Object('s'), f: Object(false) }, [], {}, [[]], -0, NaN, 'x', undefined, new Map([[1, 2]]), { toJSON: (k) => 'key ' + k }];
  const spaces = [undefined, 2, 20, -1, '--', '0123456789abc', new Number(1), Object('ab'), {}, null]; const replacers = [undefined, ['a', 'c', 1, 'a', Object('d')], {}, (k, v) => k === 'a' ? 1 : v];
  const all = () => { const out = []; for (const v of values) for (const s of spaces) for (const r of replacers) out.push(JSON.stringify(v, r, s)); return out; };
  const before = all(); JSON.rawJSON('1'); const after = all(); return [before.length, before.every((text, i) => text === after[i]), thrown(() => JSON.stringify(cycle)), thrown(() => JSON.stringify(1n))];`,
			`[400,true,"TypeError","TypeError"]`},
	})
}
