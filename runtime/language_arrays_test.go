package runtime_test

import "testing"

// This file holds the tests of changing arrays by copy, grouping, Array.fromAsync,
// ArrayBuffer.prototype.transfer, and the upsert methods of maps.

func TestArrayCopies(t *testing.T) {
	testPrograms(t, []program{
		{"the receiver stays", "const a = [3, 1, 2]; return [a.toSorted(), a.toReversed(), a.toSpliced(0, 1), a.with(0, 9), a];",
			"[[1,2,3],[2,1,3],[1,2],[9,1,2],[3,1,2]]"},
		{"order of sorting", "return [10, 9, 1, undefined].toSorted().map(String).concat([10, 9, 1].toSorted((a, b) => b - a));",
			`["1","10","9","undefined",10,9,1]`},
		{"sorting is stable", "return [[1, 'a'], [0, 'b'], [1, 'c'], [0, 'd']].toSorted((a, b) => a[0] - b[0]).map((x) => x[1]).join('');", `"bdac"`},
		{"the comparator is checked first", "return thrown(() => Array.prototype.toSorted.call({ get length() { log.push('length'); } }, null)) + log;", `"TypeError"`},
		{"holes become undefined", "const a = [, 1]; return [0 in a.toReversed(), 1 in a.toReversed(), 0 in a.with(1, 2), 0 in a.toSpliced(1, 0)];",
			"[true,true,true,true]"},
		{"an array-like", "return Array.prototype.toReversed.call({ length: '2', 0: 'a', 1: 'b', 2: 'c' });", `["b","a"]`},
		{"no species", "class A extends Array {} return [new A(1, 2).toSorted().constructor === Array, new A(1, 2).with(0, 1) instanceof A];", "[true,false]"},
		{"bounds of with", "return [thrown(() => [1].with(1, 0)), thrown(() => [1].with(-2, 0)), thrown(() => [].with(0)), [1].with(-1, 2)];",
			`["RangeError","RangeError","RangeError",[2]]`},
		{"arguments of toSpliced", "const a = [1, 2, 3]; return [a.toSpliced(), a.toSpliced(1), a.toSpliced(1, undefined), a.toSpliced(-1, 1, 'x', 'y')];",
			`[[1,2,3],[1],[1,2,3],[1,2,"x","y"]]`},
		{"lengths beyond that of arrays", `const long = { get 0() { log.push('get'); }, length: 2 ** 32 };
  const f = Array.prototype;
  return [thrown(() => f.toReversed.call(long)), thrown(() => f.toSorted.call(long)), thrown(() => f.with.call(long, 0, 0)),
    thrown(() => f.toSpliced.call({ length: 2 ** 53 - 1 }, 0, 0, 1)), log.length];`, `["RangeError","RangeError","RangeError","TypeError",0]`},
		{"order of operations", `const a = new Proxy(['x', 'y'], { get: (o, k) => { log.push(String(k)); return o[k]; } });
  Array.prototype.toReversed.call(a); return log.join();`, `"length,1,0"`},
		{"null and undefined", "return [thrown(() => Array.prototype.with.call(null, 0, 0)), thrown(() => Array.prototype.toSorted.call(undefined))];",
			`["TypeError","TypeError"]`},
		{"unscopables", "const u = Array.prototype[Symbol.unscopables]; return [u.toReversed, u.toSorted, u.toSpliced, 'with' in u];", "[true,true,true,false]"},
		{"typed arrays", "return [...new Int16Array([3, -1, 2]).toSorted(), ...new Float32Array([1, 2]).toReversed(), ...new Uint8Array([1, 2]).with(0, 258)];",
			"[-1,2,3,2,1,2,2]"},
		{"typed arrays of BigInt", "return [String(new BigInt64Array([1n]).with(0, -1n)[0]), thrown(() => new BigUint64Array(1).with(0, 1)), thrown(() => new Uint8Array(1).with(0, 1n))];",
			`["-1","TypeError","TypeError"]`},
		{"detached typed arrays", `const a = new Uint8Array(2); const detach = () => a.buffer.transfer();
  return [thrown(() => a.with(0, { valueOf: () => { detach(); return 1; } })), thrown(() => a.toSorted()), thrown(() => a.toReversed()),
    thrown(() => a.with(0, { valueOf: () => { log.push('converted'); return 1; } })), log.length];`,
			`["RangeError","TypeError","TypeError","TypeError",0]`},
		{"detached while sorting", `const a = new Uint8Array([2, 1]); const r = a.toSorted((x, y) => { a.buffer.transfer(0); return x - y; }); return [...r, a.length];`, "[1,2,0]"},
		{"kinds of typed arrays", `class A extends Uint8Array {} const names = [];
  for (const C of [Int8Array, Uint8ClampedArray, Uint16Array, Int32Array, Uint32Array, Float64Array, BigUint64Array, A]) names.push(new C(1).toReversed().constructor.name);
  return names.join();`, `"Int8Array,Uint8ClampedArray,Uint16Array,Int32Array,Uint32Array,Float64Array,BigUint64Array,Uint8Array"`},
		{"only typed arrays", "const f = Object.getPrototypeOf(Int8Array.prototype); return [thrown(() => f.with.call([], 0, 0)), thrown(() => f.toSorted.call([])), thrown(() => f.toReversed.call(new DataView(new ArrayBuffer(1))))];",
			`["TypeError","TypeError","TypeError"]`},
	})
}

func TestGrouping(t *testing.T) {
	testPrograms(t, []program{
		{"by property", "return Object.groupBy(['one', 'two', 'three'], (s) => s.length);", `{"3":["one","two"],"5":["three"]}`},
		{"no prototype", "const g = Object.groupBy([1], () => '__proto__'); return [Object.getPrototypeOf(g) === null, Object.keys(g)];", `[true,["__proto__"]]`},
		{"position", "return Object.groupBy('abc', (c, i) => i % 2);", `{"0":["a","c"],"1":["b"]}`},
		{"keys are converted once", "let n = 0; Object.groupBy([1], () => ({ toString: () => { n++; return 'k'; } })); return n;", "1"},
		{"symbols", "const s = Symbol(); return Object.groupBy([1, 2], () => s)[s];", "[1,2]"},
		{"by any value", "const o = {}; const m = Map.groupBy([1, 2, 3], (x) => x > 1 ? o : -0); return [m.get(o), m.get(0), Object.is([...m.keys()][0], 0)];", "[[2,3],[1],true]"},
		{"the iterator is closed", `const it = { [Symbol.iterator]() { return this; }, next: () => ({ value: 1 }), return: () => { log.push('closed'); return {}; } };
  return [thrown(() => Object.groupBy(it, () => { throw new RangeError(); })), thrown(() => Object.groupBy(it, () => ({ toString: () => { throw new EvalError(); } }))), log];`,
			`["RangeError","EvalError",["closed","closed"]]`},
		{"bad arguments", "return [thrown(() => Object.groupBy(null, () => {})), thrown(() => Object.groupBy([], 1)), thrown(() => Map.groupBy(1, () => {}))];",
			`["TypeError","TypeError","TypeError"]`},
	})
}

func TestArrayFromAsync(t *testing.T) {
	testPrograms(t, []program{
		{"an async iterable", "return Array.fromAsync((async function* () { yield 1; yield 2; })());", "[1,2]"},
		{"promises of an iterable", "return Array.fromAsync(new Set([Promise.resolve(1), 2]), (x) => Promise.resolve(x * 2));", "[2,4]"},
		{"an array-like", "return Array.fromAsync({ length: 2, 0: Promise.resolve('a'), 1: 'b' });", `["a","b"]`},
		{"position and receiver of the mapper", "return Array.fromAsync(['x'], function (v, i) { return [v, i, this.t]; }, { t: 1 });", `[["x",0,1]]`},
		{"errors are rejections", "const p = [Array.fromAsync(null), Array.fromAsync([], 1), Array.fromAsync([Promise.reject(new EvalError())])]; return Promise.all(p.map((x) => x.catch((e) => e.name)));",
			`["TypeError","TypeError","EvalError"]`},
		{"the iterator is closed", `const it = (done) => ({ [Symbol.iterator]() { return this; }, next: () => ({ value: Promise.reject(1), done }), return: () => { log.push('closed'); return {}; } });
  await Array.fromAsync(it(false)).catch(() => {}); await Array.fromAsync(it(true)).catch(() => {});
  const other = { [Symbol.asyncIterator]() { return this; }, next: async () => ({ value: 1 }), return: () => { log.push('other'); return {}; } };
  await Array.fromAsync(other, () => { throw 1; }).catch(() => {}); return log;`, `["closed","other"]`},
		{"the receiver constructs", "class A extends Array {} const a = await Array.fromAsync.call(A, [1]); return [a instanceof A, a.length, (await Array.fromAsync.call({}, [1])).constructor === Array];", "[true,1,true]"},
		{"the length is set", "function C(n) { this.given = n; } const c = await Array.fromAsync.call(C, { length: 1, 0: 'a' }); return [c.given, c.length, c[0]];", `[1,1,"a"]`},
		{"async first", "return Array.fromAsync({ [Symbol.asyncIterator]: async function* () { yield 'async'; }, [Symbol.iterator]: function* () { yield 'sync'; } });", `["async"]`},
	})
}

func TestArrayBufferTransfer(t *testing.T) {
	testPrograms(t, []program{
		{"the memory moves", "const a = new Uint8Array([1, 2, 3]).buffer; const b = a.transfer(); return [a.detached, a.byteLength, b.detached, ...new Uint8Array(b)];", "[true,0,false,1,2,3]"},
		{"another length", "const b = new Uint8Array([1, 2, 3]).buffer.transfer(5); return [...new Uint8Array(b), ...new Uint8Array(b.transferToFixedLength(2))];", "[1,2,3,0,0,1,2]"},
		{"to nothing", "const a = new ArrayBuffer(4); return [a.transfer(0).byteLength, a.detached, new ArrayBuffer(0).detached];", "[0,true,false]"},
		{"views are detached", "const v = new Uint8Array(4); v.buffer.transfer(); return [v.length, v.byteLength, thrown(() => new DataView(v.buffer))];", `[0,0,"TypeError"]`},
		{"detached while converting", "const a = new ArrayBuffer(4); return thrown(() => a.transfer({ valueOf: () => { a.transfer(); return 1; } }));", `"TypeError"`},
		{"bad receivers and lengths", `const f = ArrayBuffer.prototype; const a = new ArrayBuffer(1);
  return [thrown(() => f.transfer.call({})), thrown(() => f.transfer.call(new Uint8Array(1))), thrown(() => a.transfer(-1)), thrown(() => a.transfer(2 ** 53)),
    thrown(() => a.transfer(2 ** 52)), thrown(() => a.transfer(1n)), a.detached];`,
			`["TypeError","TypeError","RangeError","RangeError","RangeError","TypeError",false]`},
		{"detached as a getter", "const d = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'detached'); return [d.get.name, d.set === undefined, d.enumerable, thrown(() => d.get.call([]))];",
			`["get detached",true,false,"TypeError"]`},
	})
}

func TestUpsert(t *testing.T) {
	testPrograms(t, []program{
		{"Map", "const m = new Map([[1, 'a']]); return [m.getOrInsert(1, 'b'), m.getOrInsert(2, 'c'), m.getOrInsertComputed(3, (k) => k * 2), m.getOrInsertComputed(3, () => { throw 1; }), m.size];",
			`["a","c",6,6,3]`},
		{"undefined is a value", "const m = new Map([[1, undefined]]); return [m.getOrInsert(1, 2) === undefined, m.size];", "[true,1]"},
		{"the key of the callback", "let key; new Map().getOrInsertComputed(-0, (k) => { key = k; }); return Object.is(key, 0);", "true"},
		{"a callback that inserts", "const m = new Map(); return [m.getOrInsertComputed('k', () => { m.set('k', 1); return 2; }), m.get('k'), m.size];", "[2,2,1]"},
		{"WeakMap", "const k = {}; const m = new WeakMap(); return [m.getOrInsert(k, 1), m.getOrInsert(k, 2), m.getOrInsertComputed(k, () => 3)];", "[1,1,1]"},
		{"keys that cannot be held", "const m = new WeakMap(); const f = () => log.push(1); return [thrown(() => m.getOrInsert(1, 1)), thrown(() => m.getOrInsertComputed('k', f)), thrown(() => m.getOrInsertComputed(Symbol.for('k'), f)), log.length];",
			`["TypeError","TypeError","TypeError",0]`},
		{"receivers and callbacks", "return [thrown(() => Map.prototype.getOrInsert.call(new WeakMap(), {}, 1)), thrown(() => new Map([[1, 1]]).getOrInsertComputed(1)), thrown(() => WeakMap.prototype.getOrInsertComputed.call(new Map(), {}, () => 1))];",
			`["TypeError","TypeError","TypeError"]`},
	})
}
