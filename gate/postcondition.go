package gate

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/isogate/isogate/executor"
)

// This file owns the standing postcondition: what must hold after every attack,
// whatever its outcome.

// postcondition returns what does not hold. Its error says that even the
// executor cannot be had any more.
func (s *stage) postcondition(ctx context.Context, hidden string) ([]string, error) {
	wrong, answered := s.probe(ctx, hidden)
	if !answered {
		return wrong, s.renew(ctx)
	}
	if left := strays(s.target.pids); len(left) > 0 {
		wrong = append(wrong, left...)
		killStrays(s.target.pids)
	}
	return wrong, nil
}

// probe runs a program that uses a tool, a timer and a log, with an answer that
// cannot be guessed, and that looks for traces of the executions before it.
func (s *stage) probe(ctx context.Context, hidden string) (wrong []string, answered bool) {
	n := rand.IntN(1 << 30)
	result, answered := s.target.execute(ctx, executor.Request{
		Source: `async ({n}) => {
			const sum = await tools.add({a: n, b: 1});
			await new Promise(done => setTimeout(done, 1));
			console.log("probe " + n);
			const traces = Object.getOwnPropertyNames(globalThis).filter(name => ["secret", "replied", "bytes", "left"].includes(name));
			return {sum, traces, secret: ({}).secret === undefined, last: RegExp.$1};
		}`,
		Input: map[string]any{"n": n},
		Tools: executor.Tools{"tools": {"add": func(_ context.Context, args []any) (any, error) {
			o, ok := args[0].(map[string]any)
			if !ok {
				return nil, fmt.Errorf("the argument is %T", args[0])
			}
			return o["a"].(float64) + o["b"].(float64), nil
		}}},
	}, unboundedPatience)
	if !answered {
		return []string{fmt.Sprintf("the next execution did not answer within %v", unboundedPatience+stopTimeout)}, false
	}
	want := fmt.Sprintf(`{"sum":%d,"traces":[],"secret":true,"last":""}`, n+1)
	if result.Fault != nil {
		wrong = append(wrong, fmt.Sprintf("the next execution failed: %v", result.Fault))
	} else if string(result.Value) != want {
		wrong = append(wrong, fmt.Sprintf("the next execution returned %s, must return %s", cut(string(result.Value)), want))
	} else if len(result.Logs) != 1 || result.Logs[0].Text != fmt.Sprintf("probe %d", n) {
		wrong = append(wrong, fmt.Sprintf("the next execution logged %v, must log one entry", result.Logs))
	}
	for _, leak := range s.surroundings.leaks("", map[string]string{hidden: "a secret of another execution"}, result) {
		wrong = append(wrong, "after the attack: "+leak)
	}
	return wrong, true
}
