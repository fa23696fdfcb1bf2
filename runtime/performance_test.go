package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of performance and navigator.

func TestPerformance(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"whole milliseconds, from 1 on", `() => { const now = performance.now(); return [Number.isInteger(now), now >= 1, now < 60000] }`, `[true,true,true]`},
		{"never back", `() => { let last = 0, steps = 0; for (let i = 0; i < 20000; i++) { const now = performance.now(); if (now < last) return 'back'; if (now > last) steps++; last = now } return steps >= 1 }`, `true`},
		// Both clocks tick at the same time, unless the wall clock is set meanwhile.
		{"the ticks of Date", `() => { let same = 0; for (let i = 0; i < 2000; i++) { const a = Date.now(), b = performance.timeOrigin + performance.now(), c = Date.now(); if (a <= b && b <= c) same++ } return same > 1900 }`, `true`},
		{"time goes on", `async () => { const start = performance.now(); await new Promise((r) => setTimeout(r, 20)); return performance.now() - start >= 19 }`, `true`},
		{"the origin", `() => { const o = performance.timeOrigin; return [Number.isInteger(o), o > 1.7e12, Object.keys(performance.toJSON()), performance.toJSON().timeOrigin === o, JSON.stringify(performance) === '{"timeOrigin":' + o + '}'] }`,
			`[true,true,["timeOrigin"],true,true]`},
		{"an EventTarget", `() => { let n = 0; performance.addEventListener('x', () => n++); performance.dispatchEvent(new Event('x')); return [n, performance instanceof EventTarget, performance instanceof Performance] }`, `[1,true,true]`},
		{"replaceable", `() => { const d = Object.getOwnPropertyDescriptor(globalThis, 'performance'); performance = 1; const e = Object.getOwnPropertyDescriptor(globalThis, 'performance'); return [typeof d.get, typeof d.set, d.enumerable, d.configurable, performance, e.writable, e.enumerable] }`,
			`["function","function",true,true,1,true,true]`},
		{"other receivers", `() => [() => Performance.prototype.now(), () => Performance.prototype.timeOrigin, () => new Performance(), () => Object.getOwnPropertyDescriptor(globalThis, 'performance').get.call({})].map((f) => { try { f() } catch (e) { return e.constructor.name } }).join()`,
			`"TypeError,TypeError,TypeError,TypeError"`},
		{"the agent", `() => [/^isogate\/[0-9.]+$/.test(navigator.userAgent), navigator instanceof Navigator, Object.getOwnPropertyNames(Navigator.prototype), typeof navigator.hardwareConcurrency]`, `[true,true,["constructor","userAgent"],"undefined"]`},
		{"no navigator of one's own", `() => { try { new Navigator() } catch (e) { return e.message } }`, `"Illegal constructor"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
