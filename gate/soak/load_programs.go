package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns the mix of a load. What a program must return depends on its
// input, so that no answer can pass for another's.

// loadKinds returns the mix of well-behaved clients. The clients of the kinds
// "closes" and "vanishes" are gone before the answer comes.
func loadKinds() []kind {
	return []kind{
		{"trivial", 30, trivial},
		{"tools", 18, callTools},
		{"processor", 12, busy},
		{"memory", 4, hungry},
		{"logs", 10, chatty},
		{"payload", 10, payload},
		{"failing tool", 6, failingTool},
		{"throws", 4, throws},
		{"closes", 3, held},
		{"vanishes", 3, held},
	}
}

func trivial(random *rand.Rand) job {
	n := random.IntN(1 << 30)
	return job{request: executor.Request{Source: "(n) => n + 1", Input: n}, judge: returns(fmt.Sprint(n + 1))}
}

// busy computes for some tens of milliseconds.
func busy(random *rand.Rand) job {
	n := 200_000 + random.IntN(400_000)
	return job{
		request: executor.Request{Source: "(n) => { let sum = 0; for (let i = 1; i <= n; i++) sum += i; return sum }", Input: n},
		judge:   returns(fmt.Sprint(n * (n + 1) / 2)),
	}
}

// hungry takes more memory than it may have.
func hungry(*rand.Rand) job {
	return job{
		request: executor.Request{
			Source: "() => { const list = []; for (;;) list.push('x'.repeat(100) + list.length) }",
			Limits: protocol.Limits{Heap: 32 << 20},
		},
		judge: func(_ *protocol.Result, err error) string {
			var memory *protocol.MemoryExceeded
			if errors.As(err, &memory) {
				return ""
			}
			return fmt.Sprintf("ended in %v, must exceed its memory", err)
		},
	}
}

// chatty logs, and has its logs sent as they happen.
func chatty(random *rand.Rand) job {
	n, salt := 1+random.IntN(100), random.IntN(1<<30)
	seen := 0
	return job{
		request: executor.Request{
			Source: "({n, salt}) => { for (let i = 0; i < n; i++) console.log(salt + i); return n }",
			Input:  map[string]any{"n": n, "salt": salt},
			OnLog: func(entry protocol.LogEntry) {
				if entry.Text == fmt.Sprint(salt+seen) {
					seen++
				}
			},
		},
		judge: func(r *protocol.Result, err error) string {
			if what := returns(fmt.Sprint(n))(r, err); what != "" {
				return what
			}
			if seen != n {
				return fmt.Sprintf("%d log entries came as they were logged, must be %d", seen, n)
			}
			return ""
		},
	}
}

func throws(random *rand.Rand) job {
	n := random.IntN(1 << 30)
	return job{
		request: executor.Request{Source: "(n) => { throw new RangeError('failure ' + n) }", Input: n},
		judge: func(_ *protocol.Result, err error) string {
			var thrown *protocol.Thrown
			if errors.As(err, &thrown) && strings.Contains(thrown.Error(), fmt.Sprint("failure ", n)) {
				return ""
			}
			return fmt.Sprintf("ended in %v, must throw failure %d", err, n)
		},
	}
}

// held calls a tool that does not return before the execution has ended. Who runs
// it replaces the tool.
func held(*rand.Rand) job {
	return job{
		request: executor.Request{
			Source: "() => tools.hold()",
			Tools: executor.Tools{"tools": {"hold": func(ctx context.Context, _ []any) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}}},
		},
		judge: func(_ *protocol.Result, err error) string {
			return fmt.Sprintf("ended in %v, although its client was gone", err)
		},
	}
}
