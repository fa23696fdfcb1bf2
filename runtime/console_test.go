package runtime_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of the console: https://console.spec.whatwg.org/

func TestConsole(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"levels", "console.debug(1); console.log(2); console.info(3); console.warn(4); console.error(5)", "debug: 1\n2\ninfo: 3\nwarn: 4\nerror: 5"},
		{"nothing", "console.log(); console.log('')", "\n"},
		{"strings are raw, others inspected", "console.log('a', 'b\\n', ['c'], 1, null, undefined)", "a b\n [ 'c' ] 1 null undefined"},
		{"strings", "console.log('%s|%s|%s|%s|%s', 'a', 1, -0, 2n, null)", "a|1|-0|2n|null"},
		{"symbol as string", "console.log('%s', Symbol('q'))", "Symbol(q)"},
		{"object as string", "console.log('%s %s %s', { a: { b: 1 } }, [1, [2]], () => 1)", "{ a: [Object] } [ 1, [Array] ] [Function (anonymous)]"},
		{"object with its own toString", "class P { toString() { return 'P!' } } console.log('%s %s', new P, { toString() { throw 1 } })", "P! { toString: [Function: toString] }"},
		{"error as string", "const e = new Error('m'); e.stack = ''; console.log('%s', e)", "[Error: m]"},
		{"numbers", "console.log('%d %d %d %i %i %f %f', 1.5, '42', {}, 1.9, '12px', '1.5x', 'x')", "1.5 42 NaN 1 12 1.5 NaN"},
		{"numbers that are none", "console.log('%d %i %f %d', Symbol(), Symbol(), Symbol(), 3n)", "NaN NaN NaN 3n"},
		{"objects", "console.log('%o %O', { a: 1 }, [1])", "{ a: 1 } [ 1 ]"},
		{"styles are dropped", "console.log('%cred%c plain', 'color: red', '')", "red plain"},
		{"percent", "console.log('100%', 1); console.log('%%s', 1); console.log('%x %', 1); console.log('50% off')", "100% 1\n%s 1\n%x % 1\n50% off"},
		{"more specifiers than arguments", "console.log('%s %s', 'a')", "a %s"},
		{"more arguments than specifiers", "console.log('%s', 'a', 'b', { c: 1 })", "a b { c: 1 }"},
		{"specifiers in later arguments mean nothing", "console.log(1, '%s', 2)", "1 %s 2"},
		{"specifiers in what is put in mean nothing", "console.log('%s %s', '%s', 'b', 'c')", "%s b c"},
		{"groups", "console.group('A', 1); console.log('in\\nside'); console.groupCollapsed(); console.warn('deeper'); console.groupEnd(); console.groupEnd(); console.groupEnd(); console.log('out')",
			"A 1\n  in\n  side\nwarn:     deeper\nout"},
		{"clear ends groups", "console.group(); console.clear(); console.log('out')", "out"},
		{"assert", "console.assert(true, 'no'); console.assert(false); console.assert(); console.assert(0, 'is %d', 1); console.assert(null, { a: 1 })",
			"error: Assertion failed\nerror: Assertion failed\nerror: Assertion failed: is 1\nerror: Assertion failed { a: 1 }"},
		{"count", "console.count(); console.count(); console.count('x'); console.countReset(); console.count(); console.countReset('y'); console.count(undefined); console.count(null)",
			"info: default: 1\ninfo: default: 2\ninfo: x: 1\ninfo: default: 1\nwarn: Count for 'y' does not exist\ninfo: default: 2\ninfo: null: 1"},
		{"labels are converted", "console.count({ toString: () => 'L' }); try { console.count(Symbol()) } catch (e) { console.log(e.name) }", "info: L: 1\nTypeError"},
		{"timers that do not exist", "console.timeEnd('t'); console.timeLog('t')", "warn: Timer 't' does not exist\nwarn: Timer 't' does not exist"},
		{"dir", "console.dir({ a: { b: {} } }, { depth: 0 }); console.dir('s'); console.dir({ a: [] }, { get depth() { throw 1 } })", "{ a: [Object] }\n's'\n{ a: [] }"},
		{"dir without end", "console.dir([[[[[[[1]]]]]]], { depth: null })", "[\n  [\n    [\n      [\n        [ [ [ 1 ] ] ]\n      ]\n    ]\n  ]\n]"},
		{"dirxml", "console.dirxml('a', { b: 1 })", "a { b: 1 }"},
		{"trace", "function here() { console.trace('at %s', 'x') } here()", "Trace: at x\n    at here (program:2:27)\n    at program:2:49"},
		{"a method alone", "const { log } = console; log(1); [2].forEach(console.warn)", "1\nwarn: 2 0 [ 2 ]"},
		{"it is a namespace object", "console.log(Object.prototype.toString.call(console), Object.keys(console).length, Object.getPrototypeOf(Object.getPrototypeOf(console)) === Object.prototype, Object.keys(Object.getPrototypeOf(console)).length)",
			"[object console] 19 true 0"},
		{"methods are no constructors", "try { new console.log() } catch (e) { console.log(e.name, console.log.length, 'prototype' in console.log, console.log.name) }", "TypeError 0 false log"},
		{"deleting it reveals nothing", "const { log } = console; log(delete globalThis.console, typeof console)", "true undefined"},
		{"it can be replaced", "const { log } = console; console = 5; log(console); globalThis.console = { log }; console.log(6)", "5\n6"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, logged(t, c.body)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestConsoleTime(t *testing.T) {
	got := logged(t, "console.time(); console.time(); console.timeLog('default', { a: 1 }); console.timeEnd(); console.timeEnd()")
	want := regexp.MustCompile(`^warn: Timer 'default' already exists
default: \d+ms \{ a: 1 \}
info: default: \d+ms
warn: Timer 'default' does not exist$`)
	if !want.MatchString(got) {
		t.Error(got)
	}
}

func TestConsoleTable(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"rows of objects", "console.table([{ a: 1, b: 'x' }, { a: 2, c: true }])", `
┌─────────┬───┬─────┬──────┐
│ (index) │ a │ b   │ c    │
├─────────┼───┼─────┼──────┤
│ 0       │ 1 │ 'x' │      │
│ 1       │ 2 │     │ true │
└─────────┴───┴─────┴──────┘`},
		{"rows of values", "console.table(['a', 1, { b: [1] }])", `
┌─────────┬───────┬────────┐
│ (index) │ b     │ Values │
├─────────┼───────┼────────┤
│ 0       │       │ 'a'    │
│ 1       │       │ 1      │
│ 2       │ [ 1 ] │        │
└─────────┴───────┴────────┘`},
		{"chosen columns", "console.table({ x: { a: 1, b: 2 }, y: { b: 3 } }, ['b', 'z'])", `
┌─────────┬───┬───┐
│ (index) │ b │ z │
├─────────┼───┼───┤
│ x       │ 2 │   │
│ y       │ 3 │   │
└─────────┴───┴───┘`},
		{"map", "console.table(new Map([['k', { v: 1 }]]))", `
┌───────────────────┬─────┬──────────┐
│ (iteration index) │ Key │ Values   │
├───────────────────┼─────┼──────────┤
│ 0                 │ 'k' │ { v: 1 } │
└───────────────────┴─────┴──────────┘`},
		{"set", "console.table(new Set([7]))", `
┌───────────────────┬────────┐
│ (iteration index) │ Values │
├───────────────────┼────────┤
│ 0                 │ 7      │
└───────────────────┴────────┘`},
		{"getters are not called", "console.table([{ get a() { console.log('called') } }])", `
┌─────────┬──────────┐
│ (index) │ a        │
├─────────┼──────────┤
│ 0       │ [Getter] │
└─────────┴──────────┘`},
		{"no rows", "console.table([])", `
┌─────────┐
│ (index) │
├─────────┤
└─────────┘`},
		{"no collection", "console.table(5); console.table('s'); console.table(null)", "\n5\ns\nnull"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, "\n"+logged(t, c.body)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	long := logged(t, "console.table(Array.from({ length: 1000 }, (_, i) => Object.fromEntries(Array.from({ length: 60 }, (_, c) => ['c' + c, i]))))")
	if lines := strings.Split(long, "\n"); len(lines) != 205 || lines[204] != "... 800 more rows" || strings.Contains(long, "c30") {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

// Logs are cut where the run's bound is, and never cost much more than it.
func TestConsoleIsBounded(t *testing.T) {
	const bound = 2000
	cases := []struct{ name, body string }{
		{"one long line", "console.log('x'.repeat(2 ** 26))"},
		{"long lines in a group", "console.group(); console.log('x\\n'.repeat(2 ** 24))"},
		{"a long format", "console.log('%s'.repeat(100), ...Array(100).fill('y'.repeat(2 ** 20)))"},
		{"many long arguments", "console.log(...Array(1000).fill('y'.repeat(2 ** 20)))"},
		{"a huge array", "console.log(new Array(2 ** 32 - 1), Array(1e6).fill({ a: [{ b: [{ c: 'x'.repeat(1000) }] }] }))"},
		{"a wide tree", "let v = 1; for (let i = 0; i < 30; i++) v = [v, v, v, v, v, v, v, v]; console.log(v); console.dir(v, { depth: null }); console.table(v)"},
		{"a huge map", "console.log(new Map(Array.from({ length: 2e5 }, (_, i) => [i, { i }])), new Set(Array.from({ length: 2e5 }, (_, i) => i)))"},
		{"a huge object", "const o = {}; for (let i = 0; i < 1e5; i++) o['key' + i] = i; console.log(o)"},
		{"long keys", "console.log({ ['k'.repeat(2 ** 24)]: 1, [Symbol('s'.repeat(2 ** 24))]: 2 })"},
		{"long names", "const f = () => 1; Object.defineProperty(f, 'name', { value: 'n'.repeat(2 ** 24) }); console.log(f)"},
		{"a long chain", "let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); console.log(o)"},
		{"an endless chain", "const p = new Proxy({}, { getPrototypeOf: () => p }); console.log(p, '%s'); console.log('%s', p)"},
		{"a long error", "console.log(new Error('m'.repeat(2 ** 24)))"},
		{"many groups", "for (let i = 0; i < 1e5; i++) console.group(); console.log('x\\n'.repeat(1e5))"},
		{"a long bigint", "console.log(2n ** 100000n)"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result, _ := run(t, "() => {"+c.body+"}", withLimits(protocol.Limits{LogBytes: bound}))
			if result.Fault != nil {
				t.Fatal(result.Fault)
			}
			total := 0
			for _, entry := range result.Logs {
				total += len(entry.Text)
			}
			if total > bound || total == 0 || result.Usage.CPUMS > 5000 {
				t.Errorf("%d bytes are logged, in %v ms", total, result.Usage.CPUMS)
			}
		})
	}
}
