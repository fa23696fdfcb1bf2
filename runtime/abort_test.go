package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of AbortController and AbortSignal.

func TestAbort(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"abort", `() => { const c = new AbortController(), out = []; c.signal.onabort = (e) => out.push(['handler', e.type, e.isTrusted]); c.signal.addEventListener('abort', () => out.push(c.signal.reason.name));
  out.push(c.signal.aborted, c.signal.reason === undefined); c.abort(); c.abort('again'); out.push(c.signal.aborted, c.signal.reason.message); return out }`,
			`[false,true,["handler","abort",true],"AbortError",true,"This operation was aborted"]`},
		{"a reason", `() => { const c = new AbortController(); c.abort('why'); try { c.signal.throwIfAborted() } catch (e) { return [e, AbortSignal.abort(1).reason, AbortSignal.abort(null).reason, AbortSignal.abort().reason.code] } }`, `["why",1,null,20]`},
		{"timeout", `async () => { const s = AbortSignal.timeout(1); const before = s.aborted; await new Promise((r) => s.addEventListener('abort', r)); return [before, s.aborted, s.reason.name, s.reason.code, s.reason.message] }`,
			`[false,true,"TimeoutError",23,"The operation was aborted due to timeout"]`},
		{"a timeout keeps nothing alive", `() => { AbortSignal.timeout(2 ** 40); return 'over' }`, `"over"`},
		{"a timeout cannot be cleared", `async () => { const s = AbortSignal.timeout(20); for (let id = 0; id < 1000; id++) clearTimeout(id), clearInterval(id); await new Promise((r) => { s.onabort = r }); return s.reason.name }`, `"TimeoutError"`},
		{"a timeout does not use what a program patches", `async () => { const real = setTimeout; let n = 0; globalThis.setTimeout = () => n++; const s = AbortSignal.timeout(1); await new Promise((r) => real(r, 10)); return [n, s.aborted] }`, `[0,true]`},
		{"times that cannot be", `() => [-1, NaN, 2 ** 53, undefined, 'x', Symbol()].map((ms) => { try { AbortSignal.timeout(ms) } catch (e) { return e.name } }).join()`, `"TypeError,TypeError,TypeError,TypeError,TypeError,TypeError"`},
		{"any", `() => { const a = new AbortController(), b = new AbortController(), out = []; const s = AbortSignal.any([a.signal, b.signal]); const d = AbortSignal.any(new Set([s]));
  s.onabort = () => out.push('s', d.aborted); d.onabort = () => out.push('d'); b.abort('b'); a.abort('a'); return [out, s.reason, d.reason, AbortSignal.any([]).aborted, AbortSignal.any([a.signal, b.signal]).reason] }`,
			`[["s",true,"d"],"b","b",false,"a"]`},
		{"any of others", `() => { try { AbortSignal.any([{}]) } catch (e) { return e.message } }`, `"AbortSignal.any: the signals: element 0 is not an AbortSignal"`},
		{"listeners that go with a signal", `() => { const t = new EventTarget(), c = new AbortController(); let n = 0; t.addEventListener('x', () => n++, { signal: c.signal }); t.dispatchEvent(new Event('x')); c.abort(); t.dispatchEvent(new Event('x'));
  t.addEventListener('x', () => n++, { signal: c.signal }); t.dispatchEvent(new Event('x')); return n }`, `1`},
		{"the handler", `() => { const s = new AbortController().signal; const f = () => {}; const out = [s.onabort]; s.onabort = f; out.push(s.onabort === f); s.onabort = 1; out.push(s.onabort); s.onabort = {}; out.push(typeof s.onabort); return out }`, `[null,true,null,"object"]`},
		{"no constructor", `() => { try { new AbortSignal() } catch (e) { return e.message } }`, `"Illegal constructor"`},
		{"other receivers", `() => [() => AbortSignal.prototype.aborted, () => AbortController.prototype.signal, () => AbortController.prototype.abort.call({}), () => Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'onabort').get.call(new EventTarget())]
  .map((f) => { try { f() } catch (e) { return e.message } })`, `["AbortSignal.aborted: Illegal invocation","AbortController.signal: Illegal invocation","AbortController.abort: Illegal invocation","onabort: Illegal invocation"]`},
		{"as a result", `() => ({ s: AbortSignal.abort() })`, `unserializable: unserializable: AbortSignal at $.s of the result cannot cross the isolate's boundary`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Timeouts count among the timers that a program may have.
func TestTimeoutSignalsAreBounded(t *testing.T) {
	source := "() => { let n = 0; try { for (;;) { AbortSignal.timeout(1e6); n++ } } catch (e) { return [n, e.name, e.message] } }"
	want := `[50,"RangeError","AbortSignal.timeout: too many timers are pending, the limit is 50"]`
	if got := value(t, source, withLimits(protocol.Limits{Timers: 50})); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
