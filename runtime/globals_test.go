package runtime_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/runtime"
)

// This file holds the test of what a program finds: the exact set of globals.

var update = flag.Bool("update", false, "rewrite testdata/globals.golden from what the engine has")

const globalsGolden = "testdata/globals.golden"

// globals lists the global object as text: one line for each own key with its
// attributes, and indented lines for the members of what the runtime installs or adds
// to: of each such object, and of a constructor's prototype. What no name on the global
// object stands for comes last.
const globals = `
(installed) => {
  const lines = [];
  const describe = (object, key, indent) => {
    const d = Object.getOwnPropertyDescriptor(object, key);
    const attributes = ['writable', 'enumerable', 'configurable'].filter((name) => d[name]).join(' ') || 'fixed';
    const what = 'value' in d ? typeof d.value : 'accessor';
    const shape = what === 'function' ? ' ' + d.value.name + '/' + d.value.length : '';
    lines.push(indent + String(key) + ': ' + what + shape + ', ' + attributes);
    return d.value;
  };
  const members = (object, indent) => {
    for (const key of Reflect.ownKeys(object)) {
      const member = describe(object, key, indent);
      if (key === 'prototype') members(member, indent + '  ');
    }
  };
  for (const key of Reflect.ownKeys(globalThis).sort((a, b) => String(a) < String(b) ? -1 : 1)) {
    const value = describe(globalThis, key, '');
    if (installed.includes(key)) members(value, '  ');
  }
  lines.push('%TypedArray%');
  members(Object.getPrototypeOf(Uint8Array), '  ');
  lines.push('%AsyncIteratorPrototype%');
  members(Object.getPrototypeOf(Object.getPrototypeOf((async function* () {}).prototype)), '  ');
  lines.push('Intl.Locale');
  members(Intl.Locale, '  ');
  lines.push('Intl.DurationFormat');
  members(Intl.DurationFormat, '  ');
  return lines;
}`

// extended are the objects of the engine that js/language adds to, and those it makes.
var extended = []string{
	"Array", "ArrayBuffer", "AsyncDisposableStack", "DataView", "DisposableStack", "Error", "Iterator", "Map", "Math", "Object",
	"Promise", "RegExp", "Set", "String", "SuppressedError", "Symbol", "Uint8Array", "WeakMap",
}

func TestGlobals(t *testing.T) {
	installed := []string{"console", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "queueMicrotask", "tools"}
	installed = append(installed, extended...)
	for _, part := range runtime.Parts() {
		installed = append(installed, part.Globals...)
	}
	input, err := json.Marshal(installed)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	if err := json.Unmarshal([]byte(value(t, globals, withInput(string(input)))), &lines); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(globalsGolden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(globalsGolden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the globals are not those of %s (-update rewrites it): -want +got:\n%s", globalsGolden, diff)
	}
}

func TestSelf(t *testing.T) {
	for _, c := range []struct{ what, source, want string }{
		{"the global object", "() => [self === globalThis, self.self === self, Object.keys(globalThis).includes('self')]", `[true,true,true]`},
		{"assignment", "() => { self = 1; return [self, globalThis.self, typeof globalThis] }", `[1,1,"object"]`},
		{"deletion", "() => [delete self.self, typeof self]", `[true,"undefined"]`},
		{"a lexical declaration", "const self = 2; () => [self, globalThis.self === globalThis]", `[2,true]`},
		{"a function", "function self() { return 3; } () => self()", `3`},
		{"what it reaches", "() => self.structuredClone(new self.Map([[1, 2]])).get(1)", `2`},
	} {
		if got := value(t, c.source); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// What is not to be had does not come back when something is deleted.
func TestAbsentGlobals(t *testing.T) {
	source := `() => {
  const names = ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'ShadowRealm', '__isogate_boot', 'gc', 'd8', 'process', 'require', 'Buffer', 'fetch'];
  const found = [];
  for (const name of names) {
    if (typeof globalThis[name] !== 'undefined') found.push(name);
    delete globalThis[name];
    if (typeof globalThis[name] !== 'undefined') found.push(name + ' after delete');
  }
  return found;
}`
	if got := value(t, source); got != "[]" {
		t.Error(got)
	}
}

// Every execution finds the globals as they were, whatever the one before did.
func TestGlobalsAreFresh(t *testing.T) {
	leave := `() => {
  globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1; console.left = 1; console.log = null;
  console.group('open'); console.count('c'); console.time('t'); /(a)/.exec('a'); setTimeout(() => {}, 1e6);
}`
	find := "console.count('c'); console.timeEnd('t'); console.log([typeof left, [].left, ({}).left, console.left, RegExp.$1])"
	want := "info: c: 1\nwarn: Timer 't' does not exist\n[ 'undefined', undefined, undefined, undefined, '' ]"
	run(t, leave)
	if diff := cmp.Diff(want, logged(t, find)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The runtime's scope is out of reach: no function it hands out leads to the
// host function, the entry functions or their state.
func TestNothingLeadsIntoTheRuntime(t *testing.T) {
	source := `async () => {
  const reached = new Set();
  const queue = [globalThis, tools, await tools.fail({ name: 'E', message: 'm' }).catch((e) => e), tools.never()];
  setTimeout((...args) => queue.push(...args), 0);
  await new Promise((r) => setTimeout(r, 5));
  while (queue.length > 0) {
    const value = queue.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || reached.has(value)) continue;
    reached.add(value);
    queue.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const d = Object.getOwnPropertyDescriptor(value, key);
      queue.push(d.value, d.get, d.set);
    }
    if (value instanceof Map) for (const entry of value) queue.push(...entry);
  }
  const names = [...reached].filter((f) => typeof f === 'function').map((f) => f.name);
  const hidden = ['boot', 'begin', 'runFunction', 'runModule', 'settle', 'fireTimer', 'prepareStack', 'encodeValue', 'decodeTree', 'host', 'SafeMap', 'callTool'];
  return [reached.size > 500, hidden.filter((name) => names.includes(name))];
}`
	if got := value(t, source); got != "[true,[]]" {
		t.Error(got)
	}
}
