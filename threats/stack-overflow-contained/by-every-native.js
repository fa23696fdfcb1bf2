/*---
title: recursion through natives on the thread that really runs programs
source: M18 M17
limits: {wallMs: 20000}
expect: {value: 9}
---*/
() => {
  const ways = {
    toString: () => { const o = { toString: () => `${o}` }; return `${o}` },
    getter: () => { const o = { get a() { return o.a } }; return o.a },
    proxy: () => { let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.a },
    json: () => { const o = { toJSON: () => JSON.parse(JSON.stringify(o)) }; return JSON.stringify(o) },
    sort: () => { const f = () => { [1, 2].sort(f); return 0 }; return f() },
    replace: () => { const f = () => "a".replace(/a/, f); return f() },
    construct: () => { class A { constructor() { new A() } } return new A() },
    bound: () => { let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); return f() },
    regexp: () => new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test(""),
  };
  const out = {};
  for (const name of Object.keys(ways)) {
    try { ways[name](); out[name] = "ended" } catch (error) { out[name] = error.name }
  }
  return Object.values(out).every((name) => ["RangeError", "SyntaxError", "ended"].includes(name)) ? Object.keys(out).length : out;
}
