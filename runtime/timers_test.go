package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of timers and microtasks.

func TestTimers(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"in the order of their times", `async () => {
  const out = [];
  setTimeout(() => out.push('c'), 30); setTimeout(() => out.push('a'), 1); setTimeout(() => out.push('b'), 10);
  await new Promise((r) => setTimeout(r, 40));
  return out;
}`, `["a","b","c"]`},
		{"equal times in the order of setting", `async () => {
  const out = [];
  for (let i = 0; i < 5; i++) setTimeout(() => out.push(i), 5);
  await new Promise((r) => setTimeout(r, 10));
  return out;
}`, `[0,1,2,3,4]`},
		{"microtasks before timers, each before the next timer", `async () => {
  const out = [];
  setTimeout(() => { out.push('t1'); queueMicrotask(() => out.push('m1')); Promise.resolve().then(() => out.push('p1')) });
  setTimeout(() => out.push('t2'));
  queueMicrotask(() => out.push('m0'));
  out.push('sync');
  await new Promise((r) => setTimeout(r, 10));
  return out;
}`, `["sync","m0","t1","m1","p1","t2"]`},
		{"microtasks take their turn", `async () => {
  const out = [];
  queueMicrotask(() => out.push(1)); Promise.resolve().then(() => out.push(2)); queueMicrotask(() => out.push(3));
  await null; await null;
  return out;
}`, `[1,2,3]`},
		{"arguments and this", `() => new Promise((r) => setTimeout(function (...args) { r([args, this === globalThis]) }, 0, 'a', { b: 1 }))`, `[["a",{"b":1}],true]`},
		{"clearing", `async () => {
  const out = [];
  clearTimeout(setTimeout(() => out.push('no'), 1));
  clearInterval(setTimeout(() => out.push('no'), 1));
  clearTimeout(); clearTimeout(undefined); clearTimeout(-1); clearTimeout({}); clearTimeout('x'); clearTimeout(12345);
  const id = setTimeout(() => out.push('no'), 1);
  clearTimeout(String(id));
  await new Promise((r) => setTimeout(r, 10));
  return out;
}`, `[]`},
		{"clearing itself and others while firing", `async () => {
  const out = [];
  const a = setTimeout(() => { out.push('a'); clearTimeout(a); clearTimeout(b) }, 1);
  const b = setTimeout(() => out.push('b'), 1);
  await new Promise((r) => setTimeout(r, 10));
  return out;
}`, `["a"]`},
		{"intervals repeat until cleared", `() => new Promise((r) => { let n = 0; const id = setInterval((step) => { n += step; if (n === 6) { clearInterval(id); setTimeout(() => r(n), 20) } }, 1, 2) })`, `6`},
		{"delays that are no numbers", `async () => {
  const out = [];
  for (const delay of [undefined, null, NaN, -5, 'x', '2', Infinity, 2 ** 32, {}, [], true]) setTimeout(() => out.push(1), delay);
  await new Promise((r) => setTimeout(r, 30));
  return out.length;
}`, `11`},
		{"ids are numbers, never the same", `() => { const a = setTimeout(() => {}), b = setInterval(() => {}, 9); clearTimeout(a); clearTimeout(b); return [typeof a, a > 0, a !== b] }`, `["number",true,true]`},
		{"shape", `() => [setTimeout.length, setInterval.length, clearTimeout.length, clearInterval.length, queueMicrotask.length, setTimeout.name,
  'prototype' in setTimeout, Object.getOwnPropertyDescriptor(globalThis, 'setTimeout').enumerable]`, `[1,1,0,0,1,"setTimeout",false,true]`},
		{"strings of code", `() => { try { setTimeout('1 + 1') } catch (e) { return [e instanceof TypeError, e.message] } }`,
			`[true,"setTimeout: a string of code is not run; pass a function, as in setTimeout(() => work(), 100)"]`},
		{"no function", `() => [undefined, null, {}, 5].map((f) => { try { setInterval(f) } catch (e) { return e.message } })`,
			`["setInterval: the first argument must be a function","setInterval: the first argument must be a function","setInterval: the first argument must be a function","setInterval: the first argument must be a function"]`},
		{"microtask without a function", `() => { try { queueMicrotask('x') } catch (e) { return String(e) } }`, `"TypeError: queueMicrotask: the argument must be a function"`},
		{"a delay that throws", `() => { try { setTimeout(() => {}, { valueOf() { throw 'up' } }) } catch (e) { return e } }`, `"up"`},
		{"a bigint delay", `() => { try { setTimeout(() => {}, 1n) } catch (e) { return e.name } }`, `"TypeError"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestTimersArePatientWithTheHost(t *testing.T) {
	source := "() => { let n = 0; try { for (;;) { setTimeout(() => {}, 1e6); n++ } } catch (e) { return [n, e.name, e.message] } }"
	want := `[50,"RangeError","setTimeout: too many timers are pending, the limit is 50"]`
	if got := value(t, source, withLimits(protocol.Limits{Timers: 50})); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// Clearing and firing make room again.
	source = `async () => {
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 49; i++) { const id = setTimeout(() => {}, 1e6); if (i % 2) clearTimeout(id); else setTimeout(() => {}), clearTimeout(id) }
    await new Promise((r) => setTimeout(r, 5));
  }
  return 'room';
}`
	if got := value(t, source, withLimits(protocol.Limits{Timers: 50})); got != `"room"` {
		t.Error(got)
	}
}

// Timers set from within timers slow down to 4 ms, as HTML says, so that an
// endless chain of them is no busy loop.
func TestNestedTimersSlowDown(t *testing.T) {
	source := `() => new Promise((resolve) => {
  const start = Date.now();
  let n = 0;
  const next = () => { if (++n < 25) setTimeout(next, 0); else resolve(Date.now() - start >= 60) };
  setTimeout(next, 0);
})`
	if got := value(t, source); got != "true" {
		t.Error(got)
	}
}

// What nobody can catch is logged and ends nothing.
func TestUncaughtInCallbacks(t *testing.T) {
	body := `
  setTimeout(() => { throw new RangeError('in a timer') });
  setTimeout(() => { throw Object.assign(Object.create(null), { a: 1 }) });
  setTimeout(() => { throw new Proxy({}, { ownKeys() { throw 1 }, getPrototypeOf() { throw 1 } }) });
  queueMicrotask(() => { throw 'text' });
  Promise.reject(new Error('nobody'));
  Promise.reject();
  const late = Promise.reject(new Error('handled at once')); late.catch(() => {});
  await new Promise((r) => setTimeout(r, 10));
  console.log('still here');`
	want := `error: Uncaught exception in a microtask: 'text'
error: Unhandled rejection: Error: nobody
    at program
error: Unhandled rejection: undefined
error: Uncaught exception in a timer: RangeError: in a timer
    at program
error: Uncaught exception in a timer: [Object: null prototype] { a: 1 }
error: Uncaught exception in a timer: <an object that cannot be shown>
still here`
	if diff := cmp.Diff(want, withoutPositions(logged(t, body))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
