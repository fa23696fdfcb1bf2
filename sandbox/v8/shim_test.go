//go:build cgo

package v8

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file tests the shim alone, below the guest library: with the smallest
// runtime that boots.

const smallRuntime = `'use strict';
globalThis.made = 0;
globalThis.target = {};
const define = globalThis.__isogate_lazy;
globalThis.defined = [
  define(globalThis, 'lazy', 7, false), define(globalThis, 'unused', 8, false), define(target, Symbol.iterator, 9, true),
  define(globalThis, 'lazy'), define(1, 'x', 1, false),
];
globalThis.__isogate_boot = (host, native) => {
  globalThis.native = native;
  const pending = new Map();
  return [
    (config) => { if (config === 'broken') throw new Error('broken config'); },
    async (fn, input) => {
      globalThis.host = undefined;
      try { host(5, JSON.stringify(await fn(input, { call: (...a) => new Promise((r) => pending.set(host(1, ...a), r)), timer: (ms, again) => new Promise((r) => pending.set(host(3, ms, again), r)), log: (t) => host(2, 'log', t) })) ?? 'undefined'); }
      catch (e) { host(6, String(e && e.stack)); }
    },
    async (evaluation, namespace, input) => {
      try { await evaluation; host(5, JSON.stringify(namespace.default) ?? 'undefined'); } catch (e) { host(6, String(e)); }
    },
    (error) => { host(6, 'thrown ' + String(error)); },
    (id, text) => { const settle = pending.get(id); pending.delete(id); settle(text); },
    (id) => { const settle = pending.get(id); pending.delete(id); settle('fired'); },
    (error, sites) => 'S:' + sites.map((s) => s.getFileName() + ':' + s.getLineNumber()).join(','),
    (reason) => { host(2, 'error', 'unhandled ' + String(reason)); },
    (specifier, importer) => new TypeError('no ' + specifier + ' for ' + importer),
    (name, number) => 'made ' + String(name) + ' ' + number + ' ' + (++globalThis.made),
    (namespace, evaluate) => ({ evaluate, get n() { evaluate(); return namespace.n; } }),
  ];
};`

var (
	snapshotOnce sync.Once
	snapshotBlob []byte
	pinner       runtime.Pinner
)

// onEngineThread runs f on a fresh locked thread, as the package demands.
func onEngineThread(t *testing.T, f func(t *testing.T, blob []byte)) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		Init(Options{})
		snapshotOnce.Do(func() {
			blob, err := Snapshot(smallRuntime, "test:runtime")
			if err != nil {
				t.Errorf("Snapshot: %v", err)
				return
			}
			snapshotBlob = blob
			pinner.Pin(&blob[0])
		})
		if snapshotBlob != nil {
			f(t, snapshotBlob)
		}
	}()
	<-done
}

type recorder struct {
	calls []HostCall
	next  int64
}

func (r *recorder) host(c HostCall) int64 {
	if c.Op == OpLower {
		return 0 // nothing replaces a module that does not parse
	}
	r.calls = append(r.calls, c)
	r.next++
	return r.next
}

func (r *recorder) texts(op Op) []string {
	var out []string
	for _, c := range r.calls {
		if c.Op == op {
			text := c.Texts[0]
			for _, more := range c.Texts[1:] {
				if more != "" {
					text += "|" + more
				}
			}
			out = append(out, text)
		}
	}
	return out
}

func newIsolate(t *testing.T, blob []byte, heap int64) (*Isolate, *recorder) {
	t.Helper()
	r := &recorder{}
	i, err := NewIsolate(blob, heap, r.host)
	if err != nil {
		t.Fatalf("NewIsolate: %v", err)
	}
	if o := i.Begin(1<<20, Allowed{}, "{}"); o.Status != OK {
		t.Fatalf("Begin: %+v", o)
	}
	return i, r
}

func TestRun(t *testing.T) {
	cases := []struct {
		name    string
		source  string
		module  bool
		modules map[string]string
		input   string
		want    Outcome
		results []string
		faults  []string
		logs    []string
	}{
		{name: "function", source: "(i) => i + '!'", input: "in", results: []string{`"in!"`}},
		{name: "no input", source: "(i) => typeof i", results: []string{`"undefined"`}},
		{name: "async", source: "async () => { await null; return 1 }", results: []string{"1"}},
		{name: "module", source: "export default await Promise.resolve(7)", module: true, results: []string{"7"}},
		{name: "static import", source: "import {a} from 'm'; export default a", module: true,
			modules: map[string]string{"m": "import b from 'n'; export const a = b + 1", "n": "export default 1"}, results: []string{"2"}},
		{name: "dynamic import", source: "async () => { const m = await import('m'); return [m.default, m === await import('m')] }",
			modules: map[string]string{"m": "await null; export default 3"}, results: []string{"[3,true]"}},
		{name: "dynamic import of nothing", source: "async () => { try { await import('fs') } catch (e) { return [e.name, e.message] } }",
			results: []string{`["TypeError","no fs for program"]`}},
		{name: "dynamic import that throws", source: "async () => { try { await import('m') } catch (e) { return e } }",
			modules: map[string]string{"m": "throw 'no'"}, results: []string{`"no"`}},
		{name: "import of nothing", source: "import 'm'", module: true, modules: map[string]string{"m": "import 'q'"},
			want: Outcome{Status: ModuleNotFound, Message: "q", Resource: "m"}},
		{name: "syntax", source: "1;\n2;\n  let let = 3", want: Outcome{Status: Syntax, Resource: "program", Line: 3, Column: 7, SourceLine: "  let let = 3"}},
		{name: "syntax in a module", source: "import 'm'", module: true, modules: map[string]string{"m": "]"},
			want: Outcome{Status: Syntax, Resource: "m", Line: 1, Column: 1, SourceLine: "]"}},
		{name: "wrapper breakout", source: "}); (async () => {", want: Outcome{Status: Syntax, Resource: "program", Line: 1, Column: 1, SourceLine: "}); (async () => {"}},
		{name: "thrown", source: "throw new TypeError('x')", want: Outcome{Status: Thrown}, faults: []string{"thrown TypeError: x"}},
		{name: "stack", source: "\n() => { throw Error('x') }", faults: []string{"S:program:2,test:runtime:16"}},
		{name: "eval is off", source: "() => { try { eval('1') } catch (e) { return e.name } }", results: []string{`"EvalError"`}},
		{name: "unhandled rejection", source: "() => { Promise.reject(5); return 1 }", results: []string{"1"}, logs: []string{"error|unhandled 5"}},
		{name: "handled rejection", source: "() => { const p = Promise.reject(5); p.catch(() => {}); return 1 }", results: []string{"1"}},
		{name: "late names are gone", source: "() => ['WebAssembly', 'SharedArrayBuffer', 'Atomics'].map((n) => (delete globalThis[n], typeof globalThis[n]))",
			results: []string{`["undefined","undefined","undefined"]`}},
		{name: "nul and text beyond ASCII", source: "() => 'a\x00é😀'", results: []string{"\"a\\u0000é😀\""}},
	}
	onEngineThread(t, func(t *testing.T, blob []byte) {
		for _, c := range cases {
			i, r := newIsolate(t, blob, 32<<20)
			for specifier, source := range c.modules {
				i.AddModule(specifier, source)
			}
			got := i.Run(c.source, "program", c.module, c.input)
			if got.Status == Syntax && got.Message == "" {
				t.Errorf("%s: a syntax error without a message", c.name)
			}
			if got.Status == Syntax {
				got.Message = ""
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: outcome (-want +got):\n%s", c.name, diff)
			}
			for op, want := range map[Op][]string{OpResult: c.results, OpFault: c.faults, OpLog: c.logs} {
				if diff := cmp.Diff(want, r.texts(op)); diff != "" {
					t.Errorf("%s: host calls %d (-want +got):\n%s", c.name, op, diff)
				}
			}
			i.Dispose()
			i.Dispose()
		}
	})
}

func TestSettleAndFire(t *testing.T) {
	onEngineThread(t, func(t *testing.T, blob []byte) {
		i, r := newIsolate(t, blob, 32<<20)
		defer i.Dispose()
		i.Run("async (_, h) => [await h.call('ns', 'tool', '[]'), await h.timer(5, 0)]", "program", false, "")
		if diff := cmp.Diff([]string{"ns|tool|[]"}, r.texts(OpCall)); diff != "" {
			t.Fatal(diff)
		}
		if o := i.Settle(1, "reply"); o.Status != OK {
			t.Fatalf("%+v", o)
		}
		if got := r.calls[len(r.calls)-1]; got.Op != OpTimerStart || got.Numbers != [2]float64{5, 0} {
			t.Fatalf("%+v", got)
		}
		i.Fire(2)
		if diff := cmp.Diff([]string{`["reply","fired"]`}, r.texts(OpResult)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestTerminate(t *testing.T) {
	sources := map[string]string{
		"loop":            "() => { for (;;); }",
		"catching loop":   "() => { for (;;) try { for (;;); } catch {} finally { for (;;); } }",
		"microtask flood": "() => { const f = () => Promise.resolve().then(f); f() }",
		"endless array":   "() => { const a = []; for (;;) a.push({}) }",
	}
	onEngineThread(t, func(t *testing.T, blob []byte) {
		for name, source := range sources {
			i, _ := newIsolate(t, blob, 1<<30)
			stop := time.AfterFunc(50*time.Millisecond, i.Terminate)
			if o := i.Run(source, "program", false, ""); o.Status != Terminated {
				t.Errorf("%s: %+v", name, o)
			}
			stop.Stop()
			i.Dispose()
			i.Terminate() // harmless by now
		}
	})
}

func TestMemory(t *testing.T) {
	onEngineThread(t, func(t *testing.T, blob []byte) {
		i, _ := newIsolate(t, blob, 16<<20)
		if o := i.Run("() => { const a = []; for (;;) try { a.push([1.5, {}]) } catch {} }", "program", false, ""); o.Status != Terminated || !i.HeapExceeded() {
			t.Errorf("heap: %+v, exceeded %v", o, i.HeapExceeded())
		}
		if s := i.Stats(); s.PeakHeap < 8<<20 {
			t.Errorf("the peak heap is %d, although the limit of 16 MiB was reached", s.PeakHeap)
		}
		i.Dispose()

		i, r := newIsolate(t, blob, 64<<20)
		i.Run("() => { const a = []; try { for (;;) a.push(new ArrayBuffer(1 << 16)) } catch (e) { return [e.name, a.length] } }", "program", false, "")
		if diff := cmp.Diff([]string{`["RangeError",16]`}, r.texts(OpResult)); diff != "" {
			t.Errorf("external: %s", diff)
		}
		if s := i.Stats(); s.PeakExternal != 1<<20 || s.ExternalRefused == 0 {
			t.Errorf("external: %+v", s)
		}
		i.Dispose()
	})
}

func TestRefusals(t *testing.T) {
	onEngineThread(t, func(t *testing.T, blob []byte) {
		if _, err := NewIsolate(nil, 16<<20, nil); err == nil {
			t.Error("an empty snapshot was taken")
		}
		if _, err := Snapshot("throw new Error('no')", "x"); err == nil || !strings.Contains(err.Error(), "Error: no at line 1") {
			t.Errorf("a failing runtime: %v", err)
		}
		bad, err := Snapshot("globalThis.__isogate_boot = () => []", "x")
		if err != nil {
			t.Fatal(err)
		}
		var pin runtime.Pinner
		pin.Pin(&bad[0])
		defer pin.Unpin()
		if _, err := NewIsolate(bad, 16<<20, nil); err == nil || !strings.Contains(err.Error(), "did not boot") {
			t.Errorf("a runtime without entries: %v", err)
		}
		i, err := NewIsolate(blob, 16<<20, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer i.Dispose()
		if o := i.Begin(1, Allowed{}, "broken"); o.Status != Internal || !strings.Contains(o.Message, "broken config") {
			t.Errorf("%+v", o)
		}
	})
}
