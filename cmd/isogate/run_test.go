package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/isogate/isogate/protocol"
)

// This file owns what run does with good input.

// addScript is the example tool.
func addScript(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../examples/add.sh")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRunPrintsTheValue(t *testing.T) {
	dir := folder(t, map[string]string{
		"double.js":  "export const double = n => 2 * n",
		"greet.ts":   "export function greet(name: string): string { return 'hello ' + name }",
		"input.json": `{"n": 21}`,
		"program.ts": "enum Kind { A = 1, B }\nfunction id<T>(v: T): T { return v }\nexport default (i: { n: number }): number => id<number>(i.n) + Kind.B",
	})
	for _, tc := range []struct {
		name    string
		program string
		args    []string
		want    string
	}{
		{"a function", "() => 1 + 1", nil, "2\n"},
		{"an async function with input", "async ({n}) => { await null; return n }", []string{"--input", `{"n":3}`}, "3\n"},
		{"plain JSON stays plain", "i => i", []string{"--input", `{"b":1,"a":[null,true,"é\n"]}`}, `{"b":1,"a":[null,true,"é\n"]}` + "\n"},
		{"input with a key $ is data", "i => i.$", []string{"--input", `{"$":"undefined"}`}, "\"undefined\"\n"},
		{"input as codec text", "i => typeof i.n", []string{"--codec", "--input", `{"n":{"$":"bigint","v":"7"}}`}, "\"bigint\"\n"},
		{"input from a file", "({n}) => n", []string{"--input", "@" + filepath.Join(dir, "input.json")}, "21\n"},
		{"no input is undefined", "i => i === undefined", nil, "true\n"},
		{"undefined prints nothing", "() => undefined", nil, ""},
		{"null prints null", "() => null", nil, "null\n"},
		{"what JSON cannot hold", "() => [1n, NaN, new Date(0)]", nil,
			`[{"$":"bigint","v":"1"},{"$":"number","v":"NaN"},{"$":"date","v":0}]` + "\n"},
		{"an ES module", "export default 7", nil, "7\n"},
		{"an ES module by its form", "export default n => n + 1", []string{"--form", "module", "--input", "1"}, "2\n"},
		{"a module to import", "import {double} from 'lib'; export default n => double(n)",
			[]string{"--module", "lib=" + filepath.Join(dir, "double.js"), "--input", "4"}, "8\n"},
		{"a TypeScript module to import", "import {greet} from 'lib'; export default greet('you')",
			[]string{"--module", "lib=" + filepath.Join(dir, "greet.ts")}, "\"hello you\"\n"},
		{"TypeScript by its flag", "(n: number): number => { enum E { A = 5 } return n + E.A }", []string{"--ts", "--input", "1"}, "6\n"},
		{"a module of data", "import data from 'data' with { type: 'json' }; export default data.n",
			[]string{"--module", "data=" + filepath.Join(dir, "input.json")}, "21\n"},
		{"no time zone is UTC", "() => new Date(2024, 0, 1).toISOString()", nil, "\"2024-01-01T00:00:00.000Z\"\n"},
		{"a time zone", "() => new Date(2024, 0, 1).toISOString()", []string{"--time-zone", "Asia/Tokyo"}, "\"2023-12-31T15:00:00.000Z\"\n"},
		{"a granted power", "() => eval('1 + 2')", []string{"--grant", "eval"}, "3\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := runProgram(t, tc.program, tc.args...)
			got.wantStatus(t, statusValue)
			if diff := cmp.Diff(tc.want, got.stdout); diff != "" {
				t.Errorf("standard output (-want +got):\n%s", diff)
			}
			if got.stderr != "" {
				t.Errorf("standard error %q, want none", got.stderr)
			}
		})
	}
	t.Run("TypeScript by its extension", func(t *testing.T) {
		got := isogate(t, invocation{args: []string{"run", filepath.Join(dir, "program.ts"), "--input", `{"n":40}`}})
		got.wantStatus(t, statusValue)
		if got.stdout != "42\n" {
			t.Errorf("standard output %q, want 42", got.stdout)
		}
	})
}

func TestRunWithTools(t *testing.T) {
	dir := folder(t, map[string]string{
		"linger.sh": "#!/bin/sh\n(trap '' TERM HUP; sleep 600) &\necho 1\n",
	})
	echo := "tools.echo=/bin/cat"
	for _, tc := range []struct {
		name    string
		program string
		args    []string
		want    string
	}{
		{"a hundred calls", "async ({n}) => { let s=0; for (let i=0;i<n;i++) s = await tools.add({a:s,b:i}); return s }",
			[]string{"--input", `{"n":100}`, "--tool", "tools.add=" + addScript(t)}, "4950\n"},
		{"one argument as it is", "() => tools.echo({a:[1,'x']})", []string{"--tool", echo}, `{"a":[1,"x"]}` + "\n"},
		{"several arguments as an array", "() => tools.echo(1, 'x', null)", []string{"--tool", echo}, `[1,"x",null]` + "\n"},
		{"no argument as an empty array", "() => tools.echo()", []string{"--tool", echo}, "[]\n"},
		{"nothing is undefined", "async () => typeof await tools.nothing(1)", []string{"--tool", "tools.nothing=true"}, "\"undefined\"\n"},
		{"a shell command", "async () => await tools.count('abc')", []string{"--tool", "tools.count=wc -c | tr -d ' '"}, "5\n"},
		{"a reply with a key $ is data", "async () => (await tools.raw()).$", []string{"--tool", `tools.raw=echo '{"$":"date"}'`}, "\"date\"\n"},
		{"a reply as codec text", "async () => typeof await tools.raw()", []string{"--codec", "--tool", `tools.raw=echo '{"$":"bigint","v":"1"}'`}, "\"bigint\"\n"},
		{"standard error is the error", "async () => { try { await tools.fail() } catch (e) { return [e instanceof Error, e.message] } }",
			[]string{"--tool", "tools.fail=echo ' no such order ' >&2; exit 3"}, `[true,"no such order"]` + "\n"},
		{"a status without standard error", "async () => { try { await tools.fail() } catch (e) { return e.message } }",
			[]string{"--tool", "tools.fail=exit 3"}, "\"tools.fail: exit status 3\"\n"},
		{"a reply that is no JSON", "async () => { try { await tools.bad() } catch (e) { return e.message } }",
			[]string{"--tool", "tools.bad=echo '[1,'; echo oops"},
			"\"tools.bad: the command's output: line 2, column 1: no JSON: 'o' where a value should be\"\n"},
		{"two namespaces", "async () => [await a.one(1), await b.one(2)]", []string{"--tool", "a.one=cat", "--tool", "b.one=cat"}, "[1,2]\n"},
		{"calls at the same time", "() => Promise.all([3,2,1].map(n => tools.echo(n)))", []string{"--tool", echo}, "[3,2,1]\n"},
		{"what a command leaves running ends with it", "() => tools.linger()", []string{"--tool", "tools.linger=" + filepath.Join(dir, "linger.sh")}, "1\n"},
		{"a call that nobody waits for", "() => { tools.slow(); return 1 }", []string{"--tool", "tools.slow=sleep 600"}, "1\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := runProgram(t, tc.program, tc.args...)
			got.wantStatus(t, statusValue)
			if diff := cmp.Diff(tc.want, got.stdout); diff != "" {
				t.Errorf("standard output (-want +got):\n%s", diff)
			}
			if got.stderr != "" {
				t.Errorf("standard error %q, want none", got.stderr)
			}
		})
	}
}

func TestACommandThatSucceedsMayRemark(t *testing.T) {
	got := runProgram(t, "() => tools.f()", "--tool", "tools.f=echo slow today >&2; echo 1")
	got.wantStatus(t, statusValue)
	if got.stdout != "1\n" || got.stderr != "tools.f: slow today\n" {
		t.Errorf("got %q and %q", got.stdout, got.stderr)
	}
}

func TestACommandThatNeverStopsWriting(t *testing.T) {
	got := runProgram(t, "() => tools.flood()", "--tool", "tools.flood=yes")
	got.wantFailure(t, statusLimit, "reply too large", "tools.flood", fmt.Sprint(protocol.DefaultLimits.Reply))
}

func TestLogsAppearAsTheyHappen(t *testing.T) {
	got := runProgram(t, "() => { console.log('one', 2); console.warn('three'); console.error('four\\nisogate: five'); return 1 }")
	got.wantStatus(t, statusValue)
	want := "log: one 2\nwarn: three\nerror: four\n  isogate: five\n"
	if diff := cmp.Diff(want, got.stderr); diff != "" {
		t.Errorf("standard error (-want +got):\n%s", diff)
	}

	// The program waits for a tool that waits for the log line to be there.
	dir := t.TempDir()
	logs, err := os.Create(filepath.Join(dir, "logs"))
	if err != nil {
		t.Fatal(err)
	}
	defer logs.Close()
	live := isogate(t, invocation{
		args:   []string{"run", "-", "--wall", "20s", "--tool", "tools.seen=until grep -q now " + logs.Name() + "; do sleep 0.01; done; echo true"},
		stdin:  "async () => { console.log('now'); return await tools.seen() }",
		stderr: logs,
	})
	live.wantStatus(t, statusValue)
	if live.stdout != "true\n" {
		t.Errorf("standard output %q", live.stdout)
	}
}

func TestJSONIsTheResult(t *testing.T) {
	got := runProgram(t, "async () => { console.log('hi'); return await tools.echo([1]) }", "--json", "--tool", "tools.echo=cat")
	got.wantStatus(t, statusValue)
	var result protocol.Result
	if err := json.Unmarshal([]byte(got.stdout), &result); err != nil {
		t.Fatalf("%v in %s", err, got.stdout)
	}
	if string(result.Value) != "[1]" || result.Fault != nil || len(result.Logs) != 1 || result.Logs[0].Text != "hi" {
		t.Errorf("result %s", got.stdout)
	}
	if len(result.Calls) != 1 || result.Calls[0].Name != "tools.echo" || result.Calls[0].Outcome != protocol.OutcomeOK {
		t.Errorf("calls %v", result.Calls)
	}
	if result.Usage.WallMS <= 0 || result.Usage.PeakHeap <= 0 || result.Usage.ToolCalls != 1 {
		t.Errorf("usage %+v", result.Usage)
	}

	failed := runProgram(t, "() => { throw new TypeError('no') }", "--json")
	failed.wantStatus(t, statusProgram)
	if err := json.Unmarshal([]byte(failed.stdout), &result); err != nil {
		t.Fatalf("%v in %s", err, failed.stdout)
	}
	thrown, ok := result.Fault.(*protocol.Thrown)
	if !ok || thrown.Name != "TypeError" || thrown.Message != "no" {
		t.Errorf("fault %v", result.Fault)
	}
}

func TestFaults(t *testing.T) {
	const grace = 250 * time.Millisecond // the pool's default
	for _, tc := range []struct {
		name    string
		program string
		args    []string
		status  int
		stderr  []string
		within  time.Duration // 0: not asked
	}{
		{"an endless loop", "() => { while (true) {} }", []string{"--wall", "500ms"}, statusLimit, []string{"deadline exceeded", "wall-clock"}, 500*time.Millisecond + grace},
		{"an endless loop at the top", "while(true){}", []string{"--wall", "500ms"}, statusLimit, []string{"deadline exceeded"}, 500*time.Millisecond + grace},
		{"processor time", "() => { while (true) {} }", []string{"--cpu", "300ms"}, statusLimit, []string{"deadline exceeded", "CPU-time"}, 0},
		{"an endless array", "() => { const a = []; for (;;) a.push({}) }", nil, statusLimit, []string{"memory exceeded"}, 0},
		{"a huge array at the top", "new Array(2**32-2).fill(0)", []string{"--wall", "3s"}, statusLimit, []string{"exceeded"}, 0},
		{"a huge array", "() => new Array(2**32-2).fill(0)", []string{"--wall", "3s"}, statusLimit, []string{"exceeded"}, 0},
		{"a promise that nothing settles", "async () => { await new Promise(()=>{}) }", nil, statusProgram, []string{"stalled"}, time.Second},
		{"the same at the top of a module", "await new Promise(()=>{})", nil, statusProgram, []string{"stalled"}, time.Second},
		{"a syntax error", "() => {\n  const a = 1;\n  const b = = 2;\n}", nil, statusProgram, []string{"program:3:13", "const b = = 2"}, 0},
		{"a syntax error in TypeScript", "(a: number) => {\n  const b: number = 1;\n  const c: = 2;\n}", []string{"--ts"}, statusProgram, []string{"program:3:"}, 0},
		{"a thrown error", "() => {\n  throw new RangeError('too far')\n}", nil, statusProgram, []string{"uncaught RangeError: too far", "program:2:9"}, 0},
		{"a thrown string", "() => { throw 'plain' }", nil, statusProgram, []string{"plain"}, 0},
		{"deep recursion", "function f() { return f() } f", nil, statusProgram, []string{"stack exceeded"}, 0},
		{"a value that cannot leave", "() => ({items: [() => 1]})", nil, statusProgram, []string{"unserializable", "$.items[0]"}, 0},
		{"a module that is not there", "import 'fs'; export default 1", nil, statusProgram, []string{"module not found", "fs"}, 0},
		{"code from strings", "() => eval('1')", nil, statusProgram, []string{"EvalError"}, 0},
		{"no function", "42", []string{"--form", "function"}, statusProgram, []string{"function"}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			// The kind has to be right every time; being late once may be the
			// machine's fault, being late three times is not.
			late := ""
			for range 3 {
				got := runProgram(t, tc.program, tc.args...)
				got.wantStatus(t, tc.status)
				if got.stdout != "" {
					t.Errorf("standard output %q, want none", got.stdout)
				}
				if !strings.HasPrefix(got.stderr, "isogate: ") {
					t.Errorf("standard error %q", got.stderr)
				}
				got.wantStderr(t, tc.stderr...)
				next := runProgram(t, "() => 1")
				next.wantStatus(t, statusValue)
				// What starting takes is measured, not guessed.
				slack := 200*time.Millisecond + next.elapsed
				if tc.within == 0 || got.elapsed <= tc.within+slack {
					return
				}
				late = fmt.Sprintf("it took %v, want at most %v and %v", got.elapsed, tc.within, slack)
			}
			t.Error(late)
		})
	}
}

// interrupted runs a program whose tool never ends, and sends the signal once
// the tool has started.
func interrupted(t *testing.T, signal os.Signal) outcome {
	t.Helper()
	started := filepath.Join(t.TempDir(), "started")
	return isogate(t, invocation{
		args:  []string{"run", "-", "--tool", "tools.start=touch " + started + "; exec sleep 600"},
		stdin: "() => tools.start()",
		after: func(p *os.Process) {
			waitFor(t, func() bool { _, err := os.Stat(started); return err == nil })
			if err := p.Signal(signal); err != nil {
				t.Error(err)
			}
		},
	})
}

func TestInterrupt(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		interrupted(t, signal).wantFailure(t, statusInterrupted, "cancelled")
	}
}

func TestKilledCommandLeavesNothing(t *testing.T) {
	if got := interrupted(t, syscall.SIGKILL); got.status != -1 {
		t.Errorf("exit status %d, want none", got.status)
	}
}
