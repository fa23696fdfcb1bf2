package runtime_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds what the tests of the language's extensions (js/language) share, and the
// tests that hold for all of them: the shape of the functions, and that no patch of a
// built-in changes what they do. The language_*_test.go files have one area each.

// program is the body of an async function, and the text of the value that it returns.
// The body has thrown(f), the name of what f throws, and log, an empty array.
type program struct{ name, body, want string }

const programHead = `async () => {
  const log = [];
  const thrown = (f) => { try { f(); return 'nothing'; } catch (error) { return error.name; } };
`

func testPrograms(t *testing.T, programs []program) {
	t.Helper()
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(p.want, value(t, programHead+p.body+"\n}")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// languageFunctions lists every function that js/language adds to a built-in object, with
// its length.
const languageFunctions = `
Array.fromAsync/1 Array.prototype.toReversed/0 Array.prototype.toSorted/1 Array.prototype.toSpliced/2 Array.prototype.with/2
ArrayBuffer.prototype.transfer/0 ArrayBuffer.prototype.transferToFixedLength/0
AsyncDisposableStack.prototype.adopt/2 AsyncDisposableStack.prototype.defer/1 AsyncDisposableStack.prototype.disposeAsync/0
AsyncDisposableStack.prototype.move/0 AsyncDisposableStack.prototype.use/1
DataView.prototype.getFloat16/1 DataView.prototype.setFloat16/2
Date.prototype.setDate/1 Date.prototype.setHours/4 Date.prototype.setMilliseconds/1 Date.prototype.setMinutes/3
Date.prototype.setMonth/2 Date.prototype.setSeconds/2 Date.prototype.setUTCDate/1 Date.prototype.setUTCHours/4
Date.prototype.setUTCMilliseconds/1 Date.prototype.setUTCMinutes/3 Date.prototype.setUTCMonth/2 Date.prototype.setUTCSeconds/2
DisposableStack.prototype.adopt/2 DisposableStack.prototype.defer/1 DisposableStack.prototype.dispose/0
DisposableStack.prototype.move/0 DisposableStack.prototype.use/1
Error.isError/1
Intl.Locale.prototype.getCalendars/0 Intl.Locale.prototype.getCollations/0 Intl.Locale.prototype.getHourCycles/0
Intl.Locale.prototype.getNumberingSystems/0 Intl.Locale.prototype.getTextInfo/0 Intl.Locale.prototype.getTimeZones/0
Intl.Locale.prototype.getWeekInfo/0
Iterator.concat/0 Iterator.from/1 Iterator.zip/1 Iterator.zipKeyed/1
Iterator.prototype.chunks/1 Iterator.prototype.drop/1 Iterator.prototype.every/1 Iterator.prototype.filter/1
Iterator.prototype.find/1 Iterator.prototype.flatMap/1 Iterator.prototype.forEach/1 Iterator.prototype.includes/1
Iterator.prototype.join/1 Iterator.prototype.map/1 Iterator.prototype.reduce/1 Iterator.prototype.some/1
Iterator.prototype.take/1 Iterator.prototype.toArray/0 Iterator.prototype.windows/1
JSON.isRawJSON/1 JSON.parse/2 JSON.rawJSON/1 JSON.stringify/3
Map.groupBy/2 Map.prototype.getOrInsert/2 Map.prototype.getOrInsertComputed/2
Math.f16round/1 Math.sumPrecise/1
Object.groupBy/2
Promise.allKeyed/1 Promise.allSettledKeyed/1 Promise.try/1 Promise.withResolvers/0
RegExp.escape/1
Set.prototype.difference/1 Set.prototype.intersection/1 Set.prototype.isDisjointFrom/1 Set.prototype.isSubsetOf/1
Set.prototype.isSupersetOf/1 Set.prototype.symmetricDifference/1 Set.prototype.union/1
String.prototype.isWellFormed/0 String.prototype.toWellFormed/0
Uint8Array.fromBase64/1 Uint8Array.fromHex/1 Uint8Array.prototype.setFromBase64/1 Uint8Array.prototype.setFromHex/1
Uint8Array.prototype.toBase64/0 Uint8Array.prototype.toHex/0
WeakMap.prototype.getOrInsert/2 WeakMap.prototype.getOrInsertComputed/2
`

func TestLanguageFunctionsHaveTheShapeOfBuiltIns(t *testing.T) {
	functions := strings.Fields(languageFunctions)
	list, err := json.Marshal(append(functions,
		"(typed).toReversed/0", "(typed).toSorted/1", "(typed).with/2"))
	if err != nil {
		t.Fatal(err)
	}
	source := `() => {
  const wrong = [];
  for (const entry of ` + string(list) + `) {
    const [path, length] = entry.split('/');
    const keys = path.split('.');
    const name = keys.pop();
    let owner = globalThis;
    for (const key of keys) owner = key === '(typed)' ? Object.getPrototypeOf(Uint8Array.prototype) : owner[key];
    const d = Object.getOwnPropertyDescriptor(owner, name);
    const complain = (what) => wrong.push(path + ' ' + what);
    if (d === undefined) { complain('is absent'); continue; }
    const f = d.value;
    if (d.enumerable || !d.writable || !d.configurable) complain('has the wrong attributes');
    if (Object.getPrototypeOf(f) !== Function.prototype) complain('is no ordinary function');
    if (Object.hasOwn(f, 'prototype')) complain('has a prototype');
    if (Reflect.ownKeys(f).join() !== 'length,name') complain('has the own keys ' + String(Reflect.ownKeys(f)));
    const n = Object.getOwnPropertyDescriptor(f, 'name');
    if (n.value !== name || n.writable || n.enumerable || !n.configurable) complain('is called ' + f.name);
    const l = Object.getOwnPropertyDescriptor(f, 'length');
    if (l.value !== Number(length) || l.writable || l.enumerable || !l.configurable) complain('has the length ' + f.length);
    try { Reflect.construct(Object, [], f); complain('is a constructor'); } catch (error) {}
  }
  return wrong;
}`
	if got := value(t, source); got != "[]" {
		t.Error(got)
	}
}

// hostileHead replaces every method of the built-in objects, except those that js/language
// adds and those that a program asks for through an iterator, by one that throws, and puts
// setters and values on the prototypes of all objects and arrays.
const hostileHead = `() => {
  const added = new Set(%FUNCTIONS%.map((entry) => entry.split('/')[0].split('.').pop()));
  const { ownKeys, getPrototypeOf, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const text = String;
  let called = '';
  const generator = function* (...values) { for (let i = 0; i < values.length; i++) yield values[i]; };
  const targets = [Reflect, Math, JSON, Iterator.prototype];
  for (const object of [
    Object, Function, Array, Map, Set, WeakMap, WeakSet, Promise, RegExp, String, Number, Symbol, BigInt, Date, Error, TypeError,
    RangeError, ArrayBuffer, DataView, Uint8Array, getPrototypeOf(Uint8Array), Proxy,
  ]) {
    targets.push(object);
    if (object.prototype) targets.push(object.prototype);
  }
  for (const iterable of [[], new Map(), new Set(), '']) targets.push(getPrototypeOf(iterable[Symbol.iterator]()));
  const plan = [];
  for (const target of targets) for (const key of ownKeys(target)) {
    const d = getOwnPropertyDescriptor(target, key);
    if (!d.configurable || added.has(key) || key === 'detached') continue;
    if (typeof key === 'symbol' && (key !== Symbol.iterator || target === Iterator.prototype) && key !== Symbol.species) continue;
    const fail = () => { called += text(key) + ' '; throw 'patched'; };
    if (typeof d.value === 'function') d.value = fail;
    else if (d.get !== undefined) d.get = fail;
    else continue;
    plan.push({ target, key, d });
  }
  for (const key of ['enumerable', 'get', 'set', 'writable', 'configurable', 'size', 'has', 'keys', 'alphabet', 'iterator', 0, 1, 2, 3])
    plan.push({ target: typeof key === 'number' ? Array.prototype : Object.prototype, key, d: {
      __proto__: null, configurable: true, get: () => { called += text(key) + ' '; throw 'polluted'; }, set: () => { called += text(key) + ' '; throw 'polluted'; } } });
  for (const step of plan) Object.setPrototypeOf(step.d, null);
  for (let i = 0; i < plan.length; i++) defineProperty(plan[i].target, plan[i].key, plan[i].d);
  const results = { __proto__: null };
`

func TestPatchesOfBuiltInsDoNotReachTheLanguage(t *testing.T) {
	list, err := json.Marshal(append(strings.Fields(languageFunctions), "x.toReversed", "x.values"))
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Replace(hostileHead, "%FUNCTIONS%", string(list), 1)
	for _, p := range []struct{ expression, want string }{
		{"[3, 1, 2].toSorted()", "[1,2,3]"},
		{"[3, 1, 2].toReversed()", "[2,1,3]"},
		{"[3, 1, 2].toSpliced(1, 1, 7, 8)", "[3,7,8,2]"},
		{"[3, 1, 2].with(-1, 9)", "[3,1,9]"},
		{"new Uint8Array(2).with(1, 9).toReversed().toSorted().toHex()", `"0009"`},
		{"generator(1, 2, 3).map((x) => x * 2).filter((x) => x > 2).toArray()", "[4,6]"},
		{"generator(1, 2, 3).flatMap((x) => generator(x, x)).drop(1).take(3).toArray()", "[1,2,2]"},
		{"generator(1, 2, 3).reduce((a, b) => a + b)", "6"},
		{"generator(1, 2, 3).chunks(2).toArray()", "[[1,2],[3]]"},
		{"generator(1, 2, 3).windows(2).toArray()", "[[1,2],[2,3]]"},
		{"generator(1, 2, 3).join('-')", `"1-2-3"`},
		{"generator(1, 2, 3).includes(2)", "true"},
		{"Iterator.concat(generator(1), generator(2)).toArray()", "[1,2]"},
		{"Iterator.zip(generator(generator(1, 2), generator(3, 4))).toArray()", "[[1,3],[2,4]]"},
		{"Iterator.zipKeyed({ a: generator(1) }).toArray()", `[{"a":1}]`},
		{"Iterator.from({ next: () => ({ done: true }) }).toArray()", "[]"},
		{"Object.groupBy(generator(1, 2, 3), (x) => x % 2 ? 'odd' : 'even')", `{"odd":[1,3],"even":[2]}`},
		{"Map.groupBy(generator(1, 2), (x) => x)", `{"$":"map","v":[[1,[1]],[2,[2]]]}`},
		{"Map.groupBy(generator(1, 2), (x) => x).getOrInsert(5, 6)", "6"},
		{"new WeakMap().getOrInsertComputed({}, () => 1)", "1"},
		{"new Set().union({ __proto__: null, size: 1, has: () => true, keys: () => generator(4) })", `{"$":"set","v":[4]}`},
		{"new Set().isSubsetOf({ __proto__: null, size: 1, has: () => true, keys: () => generator(4) })", "true"},
		{"Uint8Array.fromBase64('AQID').toBase64()", `"AQID"`},
		{"Uint8Array.fromHex('ff00').toHex()", `"ff00"`},
		{"new ArrayBuffer(3).transfer(5).detached", "false"},
		{"RegExp.escape('a.b')", `"\\x61\\.b"`},
		{"Math.sumPrecise(generator(1e308, 1e308, -1e308, -1e308, 0.5))", "0.5"},
		{"Math.f16round(1.337)", "1.3369140625"},
		{"new DataView(new ArrayBuffer(2)).getFloat16(0)", "0"},
		{"JSON.parse('{\"a\":[1.0]}', (k, v, context) => context.source ?? v)", `{"a":["1.0"]}`},
		{"JSON.stringify({ __proto__: null, a: JSON.rawJSON('1.0') }, (k, v) => v, 1)", `"{\n \"a\": 1.0\n}"`},
		{"'a\\ud800'.toWellFormed()", `"a�"`},
		{"Error.isError(new SuppressedError(1, 2))", "true"},
		{"{ const s = new DisposableStack(); let n = 0; s.defer(() => { n = 1; }); s.move().dispose(); results.value = [n, s.disposed]; }", "[1,true]"},
	} {
		statement := "results.value = " + p.expression + ";"
		if strings.HasPrefix(p.expression, "{") {
			statement = p.expression
		}
		source := head + "  try { " + statement + " } catch (error) { return ['threw', typeof error === 'string' ? error : error.message, called]; }\n" +
			"  return results.value;\n}"
		if diff := cmp.Diff(p.want, value(t, source)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", p.expression, diff)
		}
	}
}
