package sandbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of which time counts against the wall clock.

func TestWallClock(t *testing.T) {
	const limit = 250 * time.Millisecond
	slow := tools{
		"tools.slow":  func(string) string { <-time.After(2 * limit); return `{"ok":1}` },
		"tools.never": func(string) string { return "" },
	}
	cases := []struct {
		name, source string
		clock        protocol.WallClock
		want         string // "" for a deadline
	}{
		{"a slow tool, all time counts", "async () => await tools.slow()", "", ""},
		{"a slow tool", "async () => await tools.slow()", protocol.WallClockProgram, "1"},
		{"two slow tools, and work between", "async () => { await tools.slow(); for (let i = 0; i < 1e4; i++); return await tools.slow() }", protocol.WallClockProgram, "1"},
		{"timers that are due now and then", "async () => { const i = setInterval(() => {}, 10); const v = await tools.slow(); clearInterval(i); return v }", protocol.WallClockProgram, "1"},
		{"work after a tool", "async () => { await tools.slow(); for (;;); }", protocol.WallClockProgram, ""},
		{"work while a tool is open", "async () => { tools.never(); await null; for (;;); }", protocol.WallClockProgram, ""},
		{"timers only", "() => new Promise((r) => setTimeout(r, 1e6))", protocol.WallClockProgram, ""},
		{"a microtask flood while a tool is open", "() => { tools.never(); const f = () => Promise.resolve().then(f); f(); return new Promise(() => {}) }", protocol.WallClockProgram, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := shared.Execute(context.Background(), request(t, c.source, withTools("slow", "never"), withLimits(protocol.Limits{Wall: limit}),
				func(r *protocol.Request) { r.WallClock = c.clock }), &testHost{tools: slow})
			if c.want != "" {
				if text(r) != c.want {
					t.Fatal(text(r))
				}
				if r.Usage.WallMS < 490 {
					t.Errorf("the usage says %v ms", r.Usage.WallMS)
				}
				return
			}
			var deadline *protocol.DeadlineExceeded
			if !errors.As(r.Fault, &deadline) || deadline.Kind != protocol.ClockWall || deadline.LimitMS != limit.Milliseconds() {
				t.Fatal(text(r))
			}
			if deadline.ElapsedMS < 250 || deadline.ElapsedMS > 490 && c.clock != "" {
				t.Errorf("%d ms are said to have counted", deadline.ElapsedMS)
			}
		})
	}
}
