package runtime_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of the language's extensions with arguments that mean harm.

// hostileCalls calls each function with each pair of arguments on each receiver, uses what
// it returns, and reports how many calls there were and what was thrown that is no error.
const hostileCalls = `async () => {
  const revoked = () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; };
  const trap = () => { throw new EvalError('trap'); };
  const traps = new Proxy(function () {}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap, apply: trap, construct: trap, getOwnPropertyDescriptor: trap });
  const detached = () => { const b = new Uint8Array(8); b.buffer.transfer(); return b; };
  const iterator = () => ({ __proto__: Iterator.prototype, i: 0, next() { return { value: this.i, done: this.i++ > 2 }; }, return: trap });
  const long = () => ({ length: 2 ** 53 - 1, get 0() { throw new EvalError('0'); } });
  const makers = [
    () => undefined, () => null, () => -1, () => NaN, () => 2 ** 53, () => 1n, () => '\ud800', () => Symbol.iterator, () => ({}), () => [1, , 2], () => revoked(),
    () => traps, () => detached(), () => detached().buffer, () => new Uint8Array(3), () => new DataView(new ArrayBuffer(4)), () => new Map([[1, 2]]), () => new Set([1, 2]), () => new WeakMap(),
    () => iterator(), () => iterator().map((x) => x), long, () => ({ size: Infinity, has: () => true, keys: () => iterator() }),
    () => ({ valueOf: trap, toString: trap }), () => ({ next: 1 }), () => (x) => x, () => trap, () => class {}, () => Promise, () => Object.create(Error.prototype),
    () => new DisposableStack(), () => new AsyncDisposableStack(), () => ({ [Symbol.iterator]: () => null }), () => new Intl.Locale('en'), () => new Date(NaN), () => /x/g,
  ];
  let calls = 0;
  let strange = '';
  for (const path of %FUNCTIONS%) {
    const keys = path.split('/')[0].split('.');
    let owner = globalThis;
    let f = globalThis;
    for (const key of keys) { owner = f; f = f[key]; }
    for (const receiver of [() => owner, ...makers]) for (const first of makers) for (const second of calls % 3 ? [makers[calls % makers.length]] : [() => undefined, makers[(calls * 7) % makers.length]]) {
      const [r, a, b] = [receiver(), first(), second()];
      // A result that is no array may be as long as it likes: the next test is of that.
      if (path.startsWith('Array.fromAsync') && first === long) continue;
      calls++;
      try {
        const result = f.call(r, a, b);
        if (result instanceof Promise) { result.catch(() => {}); continue; }
        if (typeof result === 'object' && result !== null && result !== traps && typeof result.next === 'function') for (let i = 0; i < 4; i++) result.next();
      } catch (error) {
        if (!(error instanceof Error)) strange += path + ' ';
      }
    }
  }
  return [calls > 50000, strange];
}`

func TestLanguageWithHostileArguments(t *testing.T) {
	list, err := json.Marshal(strings.Fields(languageFunctions))
	if err != nil {
		t.Fatal(err)
	}
	source := strings.Replace(hostileCalls, "%FUNCTIONS%", string(list), 1)
	if got := value(t, source, withLimits(protocol.Limits{Wall: 30 * time.Second, CPU: 30 * time.Second})); got != `[true,""]` {
		t.Error(got)
	}
}

// What has no end is ended by the execution's time, and nothing is left behind.
func TestEndlessLoopsOfTheLanguageAreEnded(t *testing.T) {
	endless := "{ __proto__: Iterator.prototype, next: () => ({ value: 1, done: false }) }"
	for _, expression := range []string{
		"(" + endless + ").drop(Infinity).next()",
		"(" + endless + ").some(() => false)",
		"(" + endless + ").filter(() => false).next()",
		"(" + endless + ").includes(2)",
		"Math.sumPrecise({ [Symbol.iterator]: () => (" + endless + ") })",
		"new Set([1]).isSupersetOf({ size: 1, has: () => true, keys: () => (" + endless + ") })",
		"new Set([1]).union({ size: 1, has: () => true, keys: () => (" + endless + ") })",
		"Iterator.prototype.join.call({ next: () => ({}) }, '')",
		"Array.fromAsync.call(Object, { length: 2 ** 53 - 1 })",
		"Array.prototype.with.call(new Proxy({}, { get: (o, k) => k === 'length' ? 2 ** 32 - 1 : 0 }), 0, { length: 1 })",
		"JSON.parse('[1,[]]', function (k, v) { if (v === 1) this[1].length = 2 ** 32 - 1; return v; })",
	} {
		t.Run(expression, func(t *testing.T) {
			t.Parallel()
			result, _ := run(t, "async () => "+expression, withLimits(protocol.Limits{Wall: 400 * time.Millisecond}))
			if result.Fault == nil {
				t.Fatalf("it ended by itself with %s", result.Value)
			}
			ended, ok := result.Fault.(*protocol.DeadlineExceeded)
			if !ok || ended.How != protocol.HowInterrupted {
				t.Errorf("%s: %s", result.Fault.Code(), result.Fault.Error())
			}
			if got := value(t, "() => 1"); got != "1" {
				t.Errorf("afterwards: %s", got)
			}
		})
	}
}
