package codemode_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/codemode"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of what executors and limits do to a run.

// TestDroppedLogs checks the bound on logs, and that it is told what passed it.
func TestDroppedLogs(t *testing.T) {
	r := run(t, "for (let i = 0; i < 10010; i++) console.log(i)")
	if len(r.Logs) != 10_000 || r.Usage.DroppedLogs != 10 {
		t.Errorf("%d entries, %d dropped", len(r.Logs), r.Usage.DroppedLogs)
	}
}

// TestOnLog checks the entries that arrive as they are written.
func TestOnLog(t *testing.T) {
	var got []string
	r := codemode.New(native, codemode.Config{}).Execute(t.Context(), codemode.Request{
		Code:  "console.log('a'); console.warn('b'); console.error('c'); console.info('d'); console.debug('e'); Promise.reject(1); await null",
		OnLog: func(e protocol.LogEntry) { got = append(got, string(e.Level)+" "+e.Text) },
	})
	wantError(t, r, "")
	want := []string{"log a", "warn b", "error c", "info d", "debug e", "error Unhandled rejection: 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the entries (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "[warn] b", "[error] c", "[info] d", "[debug] e"}, r.Logs); diff != "" {
		t.Errorf("the logs (-want +got):\n%s", diff)
	}
}

func TestModules(t *testing.T) {
	e := codemode.New(native, codemode.Config{Modules: map[string]string{
		"helpers.js": "export const a = 1;", "./other.js": "export { a } from './helpers.js';", "broken.js": "export const ;",
	}})
	for code, want := range map[string]any{
		"(await import('helpers.js')).a": 1.0, "(await import('./helpers.js')).a": 1.0, "(await import('other.js')).a": 1.0,
		"await import('broken.js').catch((e) => e.message)": "Unexpected token ';'",
	} {
		wantValue(t, e.Execute(t.Context(), codemode.Request{Code: code}), want)
	}
}

// TestNarrowExecutor runs a program on an executor that allows less than the dialect asks for.
func TestNarrowExecutor(t *testing.T) {
	narrow, err := executor.New(t.Context(), executor.Config{
		Pool: pool.Config{Size: 1}, Max: protocol.Limits{Wall: 5 * time.Second, CallsInFlight: 8, ToolCalls: 50, Source: 1 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer narrow.Close()
	e := codemode.New(narrow, codemode.Config{})
	wantValue(t, e.Execute(t.Context(), codemode.Request{Code: "await codemode.echo(1)", Providers: tools(functions{"echo": echo})}), 1.0)
	r := e.Execute(t.Context(), codemode.Request{Code: "1", Limits: protocol.Limits{ToolCalls: 60}})
	var invalid *protocol.InvalidRequest
	if !errors.As(r.Fault, &invalid) || invalid.Field != "limits.toolCalls" {
		t.Errorf("a limit that was stated is not insisted on: %v", r.Fault)
	}
	r = e.Execute(t.Context(), codemode.Request{Code: "'" + strings.Repeat("x", 1<<20) + "'"})
	if r.Fault == nil || r.Fault.Code() != protocol.CodeSourceTooLarge {
		t.Errorf("the fault is %v", r.Fault)
	}
}

// TestLargeProgram runs a program of some megabytes, as one with an API's description in it.
func TestLargeProgram(t *testing.T) {
	code := "async () => { const spec = {" + strings.Repeat(`"/a": {"get": {"operationId": "x"}}, `, 130_000) + "}; return Object.keys(spec).length }"
	if int64(len(code)) <= protocol.DefaultLimits.Source {
		t.Fatalf("it has %d bytes", len(code))
	}
	wantValue(t, run(t, code), 1.0)
}
