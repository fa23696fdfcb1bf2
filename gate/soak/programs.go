package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/threats"
)

// This file owns the mix: the kinds of executions and what each must end in.

// job is one execution and the judge of its ending.
type job struct {
	kind    string
	request executor.Request
	// cancelAfter, if not zero, is when the caller gives up.
	cancelAfter time.Duration
	// judge returns what is wrong with an ending; a death by the soak's own kill
	// does not reach it.
	judge func(*protocol.Result, error) string
}

// kind makes the jobs of one sort, with a weight in the mix.
type kind struct {
	name   string
	weight int
	make   func(random *rand.Rand) job
}

// kinds returns the mix. attacks are those of the threat model.
func kinds(attacks []*threats.Attack) []kind {
	return []kind{
		{"compute", 25, compute},
		{"tools", 20, callTools},
		{"timers", 10, timers},
		{"payload", 8, payload},
		{"typescript", 7, typescript},
		{"failing tool", 8, failingTool},
		{"cancelled", 7, cancelled},
		{"attack", 15, func(random *rand.Rand) job { return attack(attacks[random.IntN(len(attacks))]) }},
	}
}

// pick draws a job from the mix.
func pick(mix []kind, random *rand.Rand) job {
	total := 0
	for _, k := range mix {
		total += k.weight
	}
	at := random.IntN(total)
	for _, k := range mix {
		if at < k.weight {
			j := k.make(random)
			j.kind = k.name
			return j
		}
		at -= k.weight
	}
	panic("unreachable: the weights add up")
}

// returns judges that an execution has exactly this codec text as value.
func returns(want string) func(*protocol.Result, error) string {
	return func(r *protocol.Result, err error) string {
		if err != nil {
			return "failed: " + err.Error()
		}
		if got := string(r.Value); got != want {
			return fmt.Sprintf("returned %.100s, must return %.100s", got, want)
		}
		return ""
	}
}

func compute(random *rand.Rand) job {
	n := random.IntN(20_000)
	return job{
		request: executor.Request{
			Source: "(n) => { let sum = 0; for (let i = 1; i <= n; i++) sum += i; globalThis.left = n; return [n, sum, typeof globalThis.before] }",
			Input:  n,
		},
		judge: returns(fmt.Sprintf(`[%d,%d,"undefined"]`, n, n*(n+1)/2)),
	}
}

func callTools(random *rand.Rand) job {
	n, salt := 1+random.IntN(20), random.IntN(1<<30)
	want := make([]string, n)
	for i := range want {
		want[i] = fmt.Sprint(salt + i)
	}
	return job{
		request: executor.Request{
			Source: "({n}) => Promise.all(Array.from({length: n}, (_, i) => tools.salted(i)))",
			Input:  map[string]any{"n": n},
			Tools: executor.Tools{"tools": {"salted": func(_ context.Context, args []any) (any, error) {
				return float64(salt) + args[0].(float64), nil
			}}},
		},
		judge: returns("[" + strings.Join(want, ",") + "]"),
	}
}

func timers(random *rand.Rand) job {
	n := random.IntN(1 << 30)
	return job{
		request: executor.Request{
			Source: "async (n) => { const seen = []; for (const ms of [3, 1, 2]) setTimeout(() => seen.push(ms), ms); await new Promise((done) => setTimeout(done, 10)); return [n, seen.length] }",
			Input:  n,
		},
		judge: returns(fmt.Sprintf("[%d,3]", n)),
	}
}

func payload(random *rand.Rand) job {
	text := strings.Repeat(fmt.Sprintf("%08x", random.Uint32()), 1024+random.IntN(4096))
	return job{request: executor.Request{Source: "(text) => text", Input: text}, judge: returns(`"` + text + `"`)}
}

func typescript(random *rand.Rand) job {
	n := random.IntN(1 << 30)
	return job{
		request: executor.Request{
			Source:   "enum Sign { Plus = 1 }\nconst identity = <T,>(value: T): T => value;\n(n: number): number => identity(n + Sign.Plus)",
			Language: protocol.TypeScript, Input: n,
		},
		judge: returns(fmt.Sprint(n + 1)),
	}
}

func failingTool(random *rand.Rand) job {
	n := random.IntN(1 << 30)
	return job{
		request: executor.Request{
			Source: "async () => { try { await tools.fail() } catch (error) { return error.message } }",
			Tools: executor.Tools{"tools": {"fail": func(context.Context, []any) (any, error) {
				return nil, fmt.Errorf("failure %d", n)
			}}},
		},
		judge: returns(fmt.Sprintf(`"failure %d"`, n)),
	}
}

// cancelled runs what would run for ever, and is given up.
func cancelled(random *rand.Rand) job {
	sources := []string{
		"() => { for (;;); }",
		"() => new Promise((done) => setTimeout(done, 60000))",
		"() => tools.never()",
		"() => { const list = []; for (;;) list.push(list.length % 7); }",
	}
	return job{
		request: executor.Request{
			Source: sources[random.IntN(len(sources))],
			Tools: executor.Tools{"tools": {"never": func(ctx context.Context, _ []any) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}}},
		},
		cancelAfter: time.Duration(1+random.IntN(40)) * time.Millisecond,
		judge: func(_ *protocol.Result, err error) string {
			var cancelled *protocol.Cancelled
			var memory *protocol.MemoryExceeded
			if errors.As(err, &cancelled) || errors.As(err, &memory) {
				return ""
			}
			return fmt.Sprintf("ended in %v, must be cancelled", err)
		},
	}
}

// attack replays an attack of the threat model. Lateness is for gate verify,
// which runs them one at a time.
func attack(a *threats.Attack) job {
	toolbox := new(threats.Toolbox)
	start := time.Now()
	return job{
		request: a.Request(toolbox),
		judge: func(r *protocol.Result, _ error) string {
			wrong := a.Judge(threats.Observation{Result: r, Wall: time.Since(start), Toolbox: toolbox})
			if len(wrong) == 0 {
				return ""
			}
			return a.ID + ": " + strings.Join(wrong, "; ")
		},
	}
}
