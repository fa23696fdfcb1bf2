//go:build cgo

package v8

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file tests the native function and the lazy globals, with the smallest runtime
// that boots, which gives the function to the program.

func TestNative(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"kinds", `() => [{}, new Proxy({}, {}), new TypeError(), Promise.resolve(), (function () { return arguments; })(),
			(function* () {})(), new WeakMap(), new WeakSet(), new WeakRef({}), new Map().keys(), new Set().values(), 1, null,
			Object.create(Error.prototype), new Proxy(new Error(), {})].map((v) => native(1, v))`,
			`[0,1,2,4,8,32,64,64,64,128,128,0,0,0,1]`},
		{"kinds that a prototype does not decide", `() => [Object(false), Object(1), Object(1n), Object(''), Object(Symbol()), new Date(), /a/, new Map(), new Set(),
			new ArrayBuffer(1), new Uint8Array(1), new DataView(new ArrayBuffer(1)), []].map((v) => native(1, Object.setPrototypeOf(v, null)))
			.concat([Date, RegExp, Map, Set, ArrayBuffer, Uint8Array].map((c) => native(1, Object.create(c.prototype))))`,
			`[512,1024,2048,4096,8192,16384,32768,65536,131072,262144,524288,524288,0,0,0,0,0,0,0]`},
		{"transfer", `() => {
			const a = new Uint8Array([1, 2, 3]).buffer;
			const b = native(2, a);
			return [a.byteLength, b.byteLength, [...new Uint8Array(b)], native(2, {}) === undefined, native(2) === undefined];
		}`, `[0,3,[1,2,3],true,true]`},
		{"transfer of what is detached or empty", `() => {
			const a = new ArrayBuffer(1);
			native(2, a);
			return [native(2, a).byteLength, native(2, new ArrayBuffer(0)).byteLength];
		}`, `[0,0]`},
		{"length in UTF-8", `() => ['', 'a', '\u00e9', '\u20ac', '\ud83d\ude00', '\ud800', 'a\udc00b', 7].map((s) => native(3, s))`, `[0,1,2,3,4,3,5,0]`},
		{"writing UTF-8", `() => [['a\u00e9\u20ac\ud83d\ude00\ud800', 13], ['\ud83d\ude00', 3], ['a\u20ac', 3], ['abc', 0], ['', 4], [7, 4]].map(([s, n]) => {
			const bytes = new Uint8Array(n);
			const done = native(4, s, bytes);
			return [done[0], done[1], [...bytes].map((b) => b.toString(16)).join('')];
		})`, `[[6,13,"61c3a9e282acf09f9880efbfbd"],[0,0,"000"],[1,1,"6100"],[0,0,""],[0,0,"0000"],[0,0,"0000"]]`},
		{"writing into a part of a buffer", `() => {
			const whole = new Uint8Array(4);
			native(4, 'xy', new DataView(whole.buffer, 1, 2));
			return [...whole];
		}`, `[0,120,121,0]`},
		{"reading UTF-8", `() => [[0x61, 0xc3, 0xa9], [0xef, 0xbb, 0xbf, 0x61], [0xf0, 0x9f, 0x98, 0x80], [0x80], [0xe2, 0x82], [0xf0, 0x80, 0x80, 0x41],
			[0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], []].map((b) => [native(5, new Uint8Array(b), false), native(5, new Uint8Array(b), true) === undefined])`,
			`[["aé",false],["\ufeffa",false],["😀",false],["\ufffd",true],["\ufffd",true],["\ufffd\ufffd\ufffdA",true],["\ufffd\ufffd\ufffd",true],["\ufffd\ufffd",true],["\ufffd\ufffd\ufffd\ufffd",true],["",false]]`},
		{"reading what is detached", `() => {
			const bytes = new Uint8Array(3);
			native(2, bytes.buffer);
			return [native(5, bytes, true), native(4, 'abc', bytes)];
		}`, `["",[0,0]]`},
		{"unknown operations", `() => [0, -1, 6, 31, -1e9, 1.5, 'x', {}, undefined].map((op) => typeof native(op, 'a', 1))`,
			`["undefined","undefined","undefined","undefined","undefined","undefined","undefined","undefined","undefined"]`},
		{"the library", `() => {
			const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
			return [native(32, 'one', 2.5, bytes, 'two', true, 'three'), [...bytes], native(33), native(34, '\ud800'), native(35), native(36)];
		}`, `[["32 one two [2.5 1] [2 3]",4],[9,3],7,"\ud83d","33",""]`},
		{"is no constructor", `() => { try { new native(1, {}); } catch (e) { return e.name; } }`, `"TypeError"`},
	}
	onEngineThread(t, func(t *testing.T, blob []byte) {
		for _, c := range cases {
			i, r := newIsolate(t, blob, 32<<20)
			i.SetNative(answerForTest)
			if got := i.Run(c.source, "program", false, ""); got.Status != OK {
				t.Errorf("%s: %+v", c.name, got)
			}
			if faults := r.texts(OpFault); len(faults) > 0 {
				t.Errorf("%s: %v", c.name, faults)
			}
			for _, got := range r.texts(OpResult) {
				if diff := cmp.Diff(normal(t, c.want), normal(t, got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", c.name, diff)
				}
			}
			i.Dispose()
		}
	})
}

// answerForTest shows what arrives, and answers in each of the possible ways.
func answerForTest(c NativeCall) NativeAnswer {
	switch c.Op {
	case 32:
		text, _ := json.Marshal(c.Numbers)
		bytes, _ := json.Marshal([]int{int(c.Bytes[0]), int(c.Bytes[1])})
		c.Bytes[0] = 9
		clean := func(b []byte) string {
			s := string(b)
			out := ""
			for _, r := range s {
				if r == ',' {
					r = ' '
				}
				out += string(r)
			}
			return out
		}
		return NativeAnswer{HasText: true, Text: "32 " + c.Texts[0] + " " + c.Texts[1] + " " + clean(text) + " " + clean(bytes), HasNumber: true, Number: 4}
	case 33:
		return NativeAnswer{HasNumber: true, Number: 7}
	case 34:
		return NativeAnswer{UTF16: []uint16{0xd83d}}
	case 35:
		return NativeAnswer{HasText: true, Text: "33"}
	}
	return NativeAnswer{UTF16: []uint16{}}
}

// normal brings JSON into one form.
func normal(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func TestLazyProperties(t *testing.T) {
	source := `() => {
		const before = made;
		const d = Object.getOwnPropertyDescriptor(globalThis, 'lazy');
		const s = Object.getOwnPropertyDescriptor(target, Symbol.iterator);
		return [before, d.value, d.writable, d.enumerable, d.configurable, lazy, globalThis.lazy, s.value, s.enumerable, made,
			'unused' in globalThis, defined, '__isogate_lazy' in globalThis];
	}`
	onEngineThread(t, func(t *testing.T, blob []byte) {
		i, r := newIsolate(t, blob, 32<<20)
		defer i.Dispose()
		if got := i.Run(source, "program", false, ""); got.Status != OK {
			t.Fatalf("%+v", got)
		}
		want := []string{`[0,"made lazy 7 1",true,false,true,"made lazy 7 1","made lazy 7 1","made Symbol(Symbol.iterator) 9 2",true,2,true,[true,true,true,false,false],false]`}
		if diff := cmp.Diff(want, r.texts(OpResult)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestRunPlain(t *testing.T) {
	onEngineThread(t, func(t *testing.T, blob []byte) {
		times, err := RunPlain("() => 1", 64<<20)
		if err != nil {
			t.Fatal(err)
		}
		if times.Isolate <= 0 || times.Context <= 0 || times.Whole < times.Isolate+times.Context {
			t.Errorf("%+v", times)
		}
		if _, err := RunPlain("1", 64<<20); err == nil {
			t.Error("a script that gives no function is no error")
		}
		i, _ := newIsolate(t, blob, 32<<20)
		defer i.Dispose()
		if isolate, context := i.RestoreTimes(); isolate <= 0 || context <= 0 {
			t.Errorf("%v %v", isolate, context)
		}
	})
}
