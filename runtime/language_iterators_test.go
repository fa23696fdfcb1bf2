package runtime_test

import "testing"

// This file holds the tests of Iterator and its helpers, and of the methods of sets.

// An iterator that logs what is done with it.
const loggedIterator = `const logged = (values) => ({
    __proto__: Iterator.prototype,
    i: 0,
    next() { log.push('next'); return this.i < values.length ? { value: values[this.i++], done: false } : { value: undefined, done: true }; },
    return() { log.push('return'); return {}; },
  });
`

func TestIterator(t *testing.T) {
	testPrograms(t, []program{
		{"abstract", "return [thrown(() => Iterator()), thrown(() => new Iterator()), new (class extends Iterator {})() instanceof Iterator];", `["TypeError","TypeError",true]`},
		{"the prototype of all iterators", "return [[].values() instanceof Iterator, (function* () {})() instanceof Iterator, Iterator.prototype === Object.getPrototypeOf(Object.getPrototypeOf([].values()))];", "[true,true,true]"},
		{"shape", `const d = Object.getOwnPropertyDescriptor(Iterator, 'prototype'); const g = Object.getOwnPropertyDescriptor(globalThis, 'Iterator');
  return [d.writable, d.enumerable, d.configurable, g.writable, g.enumerable, g.configurable, Iterator.name, Iterator.length, Reflect.ownKeys(Iterator).slice(0, 3)];`,
			`[false,false,false,true,false,true,"Iterator",0,["length","name","prototype"]]`},
		{"the accessors", `const c = Object.getOwnPropertyDescriptor(Iterator.prototype, 'constructor'); const s = Object.getOwnPropertyDescriptor(Iterator.prototype, Symbol.toStringTag);
  return [c.get.call(1) === Iterator, s.get.call(1), s.set.name, c.enumerable, thrown(() => s.set.call(Iterator.prototype, '')), thrown(() => c.set.call(1, 1))];`,
			`[true,"Iterator","set [Symbol.toStringTag]",false,"TypeError","TypeError"]`},
		{"assigning what the accessors guard", "class A extends Iterator {} A.prototype[Symbol.toStringTag] = 'A'; const i = [].values(); i.constructor = 1; return [Object.hasOwn(A.prototype, Symbol.toStringTag), String(new A()), Object.hasOwn(i, 'constructor')];",
			`[true,"[object A]",true]`},
		{"a prototype that is no object", "function F() {} F.prototype = 1; return Object.getPrototypeOf(Reflect.construct(Iterator, [], F)) === Iterator.prototype;", "true"},
		{"from an iterable, an iterator, a string", "return [Iterator.from([1, 2]).toArray(), Iterator.from({ i: 0, next() { return { value: this.i, done: this.i++ > 1 }; } }).toArray(), Iterator.from('ab').toArray()];",
			`[[1,2],[0,1],["a","b"]]`},
		{"from wraps what is no Iterator", `const raw = { next: () => ({ done: true }), return: () => ({ value: 5 }) }; const w = Iterator.from(raw); const values = [].values();
  return [w === raw, w instanceof Iterator, w.return().value, Iterator.from(values) === values, Iterator.from({ next: 1 }).return().done, thrown(() => Iterator.from(5))];`,
			`[false,true,5,true,true,"TypeError"]`},
		{"concat", "return [...Iterator.concat([1], new Set([2]), 'x'.matchAll(/x/g))].length + [...Iterator.concat()].length;", "3"},
		{"concat checks at once and opens late", `const it = { [Symbol.iterator]() { log.push('open'); return [1].values(); } };
  const c = Iterator.concat(it, it); log.push('made'); c.next(); c.return(); return [log, thrown(() => Iterator.concat('ab')), thrown(() => Iterator.concat({}))];`,
			`[["made","open"],"TypeError","TypeError"]`},
		{"zip", "return [Iterator.zip([[1, 2], [3]]).toArray(), Iterator.zip([[1, 2], [3]], { mode: 'longest', padding: ['p', 'q'] }).toArray(), thrown(() => Iterator.zip([[1, 2], [3]], { mode: 'strict' }).toArray())];",
			`[[[1,3]],[[1,3],[2,"q"]],"TypeError"]`},
		{"zip closes the others", loggedIterator + "const a = logged([1, 2]); Iterator.zip([a, []]).next(); return log;", `["next","return"]`},
		{"zipKeyed", "const [first] = Iterator.zipKeyed({ a: [1], b: [2], c: undefined }); return [first, Object.getPrototypeOf(first) === null, Iterator.zipKeyed({ a: [1], b: [] }, { mode: 'longest', padding: { b: 0 } }).toArray()];",
			`[{"a":1,"b":2},true,[{"a":1,"b":0}]]`},
	})
}

func TestIteratorHelpers(t *testing.T) {
	testPrograms(t, []program{
		{"in a chain", "function* naturals() { for (let i = 0; ; i++) yield i; } return naturals().filter((x) => x % 2).map((x) => x * x).drop(1).take(3).toArray();", "[9,25,49]"},
		{"lazy", loggedIterator + "const it = logged([1, 2, 3]).map((x) => x).filter(() => true); log.push('made'); it.next(); return log;", `["made","next"]`},
		{"flatMap", "return [[1, 2].values().flatMap((x) => [x, x]).toArray(), thrown(() => [1].values().flatMap(() => 'ab').toArray()), [1].values().flatMap(() => new String('ab')).toArray()];",
			`[[1,1,2,2],"TypeError",["a","b"]]`},
		{"take closes", loggedIterator + "logged([1, 2, 3]).take(1).toArray(); return log;", `["next","return"]`},
		{"limits", "const it = [1].values(); return [thrown(() => it.take(-1)), thrown(() => it.take(NaN)), thrown(() => it.drop()), thrown(() => it.drop(2 ** 53)), it.take(Infinity).toArray(), [1].values().drop(Infinity).toArray()];",
			`["RangeError","RangeError","RangeError","RangeError",[1],[]]`},
		{"a bad argument closes", loggedIterator + "thrown(() => logged([]).map(1)); thrown(() => logged([]).take(-1)); thrown(() => logged([]).reduce()); return log;", `["return","return","return"]`},
		{"a callback that throws closes", loggedIterator + "return [thrown(() => logged([1]).map(() => { throw new EvalError(); }).next()), log];", `["EvalError",["next","return"]]`},
		{"an iterator that throws is not closed", "const it = { __proto__: Iterator.prototype, next() { throw new EvalError(); }, return() { log.push('return'); } }; const m = it.map((x) => x); return [thrown(() => m.next()), log, m.next().done];",
			`["EvalError",[],true]`},
		{"return", loggedIterator + "const m = logged([1]).map((x) => x); const r = m.return(); m.return(); return [r.done, log, m.next().done];", `[true,["return"],true]`},
		{"running already", "let m; const it = { __proto__: Iterator.prototype, next() { return m.next(); } }; m = it.map((x) => x); return thrown(() => m.next());", `"TypeError"`},
		{"the next method is read once", "let n = 0; const it = { __proto__: Iterator.prototype, get next() { n++; return () => ({ done: n > 5 }); } }; const m = it.filter(() => true); m.next(); m.next(); return n;", "1"},
		{"brand and names", `const m = [].values().map((x) => x); const p = Object.getPrototypeOf(m);
  return [String(m), Reflect.ownKeys(p).map(String), Object.getPrototypeOf(p) === Iterator.prototype, thrown(() => p.next.call({})), p.next.length];`,
			`["[object Iterator Helper]",["next","return","Symbol(Symbol.toStringTag)"],true,"TypeError",0]`},
		{"reduce", "return [[1, 2, 3].values().reduce((a, b) => a + b), [].values().reduce((a) => a, 7), thrown(() => [].values().reduce((a) => a)), [1].values().reduce((a) => a, undefined) === undefined];",
			`[6,7,"TypeError",true]`},
		{"some, every, find, forEach", loggedIterator + `const r = [logged([1, 2, 3]).some((x) => x === 2), logged([1, 2]).every((x) => x < 2), logged([5, 6]).find((x, i) => i === 1), [].values().some(() => true), [].values().every(() => false)];
  [7].values().forEach((x, i) => r.push(x, i)); return [r, log.join()];`,
			`[[true,false,6,false,true,7,0],"next,next,return,next,next,return,next,next,return"]`},
		{"chunks and windows", "const v = () => [1, 2, 3].values(); return [v().chunks(2).toArray(), v().windows(2).toArray(), v().windows(4).toArray(), v().windows(4, 'allow-partial').toArray(), thrown(() => v().chunks(0)), thrown(() => v().chunks('1'))];",
			`[[[1,2],[3]],[[1,2],[2,3]],[],[[1,2,3]],"RangeError","TypeError"]`},
		{"includes and join", "return [[NaN].values().includes(NaN), [0].values().includes(-0), [1, 2].values().includes(1, 1), [1, null, 'a'].values().join(), [1, 2].values().join('')];",
			`[true,true,false,"1,,a","12"]`},
		{"Symbol.dispose", loggedIterator + "logged([])[Symbol.dispose](); [].values()[Symbol.dispose](); return [log, Iterator.prototype[Symbol.dispose].name];", `[["return"],"[Symbol.dispose]"]`},
		{"receivers of helpers", "const p = Object.getPrototypeOf([].values().map(() => 1)); const w = Object.getPrototypeOf(Iterator.from({})); return [p, w].flatMap((q) => [thrown(() => q.next.call({})), thrown(() => q.return.call(1))]);", `["TypeError","TypeError","TypeError","TypeError"]`},
		{"a receiver that is no object", "return ['map', 'take', 'toArray', 'some', 'chunks'].map((name) => thrown(() => Iterator.prototype[name].call(1, () => {})));", `["TypeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"no setter sees a result", "Object.defineProperty(Array.prototype, 0, { set() { log.push('set'); }, configurable: true }); return [[1].values().toArray(), log];", "[[1],[]]"},
	})
}

func TestSetMethods(t *testing.T) {
	testPrograms(t, []program{
		{"all", `const a = new Set([1, 2, 3]); const b = new Set([3, 2, 4]);
  return [[...a.union(b)], [...a.intersection(b)], [...a.difference(b)], [...a.symmetricDifference(b)], a.isSubsetOf(b), new Set([2]).isSubsetOf(a), a.isSupersetOf(new Set([3])), a.isDisjointFrom(b), a.isDisjointFrom(new Set())];`,
			"[[1,2,3,4],[2,3],[1],[1,4],false,true,true,false,true]"},
		{"a map is a set of keys", "return [...new Set([1]).union(new Map([[2, 'x']]))];", "[1,2]"},
		{"order of intersection", "return [[...new Set([1, 2, 3]).intersection(new Set([3, 2]))], [...new Set([1, 2]).intersection(new Set([2, 1, 0]))]];", "[[3,2],[1,2]]"},
		{"what is read of the other", `const other = new Proxy({ size: 1, has: () => false, keys: () => [].values() }, { get: (o, k) => { log.push(k); return o[k]; } });
  new Set().union(other); return log;`, `["size","has","keys"]`},
		{"bad others", `const o = (x) => thrown(() => new Set().union(x)); const keys = () => {}; const has = () => {};
  return [o([]), o(1), o({ size: NaN, has, keys }), o({ size: -1, has, keys }), o({ size: 1, keys }), o({ size: 1, has }), o({ size: 1n, has, keys }), o({ size: 1, has, keys })];`,
			`["TypeError","TypeError","TypeError","RangeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"no species", "class S extends Set { add() { throw 1; } } const r = new S().union(new Set([1])); return [r.constructor === Set, r.size];", "[true,1]"},
		{"-0", "return Object.is([...new Set().union({ size: 1, has: () => true, keys: () => [-0].values() })][0], 0);", "true"},
		{"changed while walked through", `const a = new Set([1, 2]); let n = 0;
  a.isSubsetOf({ size: 10, has: (x) => { if (n++ < 3) { a.delete(x); a.add(x + 10); } return true; }, keys: () => {} }); return [n, [...a]];`, "[5,[12,21]]"},
		{"the iterator is closed early", `const other = { size: 1, has: () => true, keys: () => ({ next: () => ({ value: 9 }), return: () => { log.push('closed'); return {}; } }) };
  return [new Set([1, 2]).isSupersetOf(other), new Set([9, 1]).isDisjointFrom(other), log];`, `[false,false,["closed","closed"]]`},
		{"receivers", "return [thrown(() => Set.prototype.union.call(new Map(), new Set())), thrown(() => Set.prototype.isSubsetOf.call({}, { get size() { log.push(1); } })), log.length];", `["TypeError","TypeError",0]`},
	})
}
