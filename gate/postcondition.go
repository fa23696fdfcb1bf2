package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
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
	wrong = append(wrong, s.strays()...)
	if s.alone {
		if left := s.rest.left(); len(left) > 0 {
			wrong = append(wrong, left...)
			s.rest = restNow() // one attack that left something does not spoil the next
		}
	}
	return wrong, nil
}

// probing is a program that uses a tool, a timer and a log, with an answer that cannot
// be guessed, and looks for traces of the executions before it: their names, what
// regular expressions matched last, and the shape of the whole world that it can
// reach, down to the flags of each property.
const probing = `async ({n}) => {
	const world = (() => {
		const seen = new Map([[globalThis, 0]]), queue = [globalThis], parts = [];
		const name = (v) => {
			if (typeof v === "symbol") return v.toString();
			if (v === null || typeof v !== "object" && typeof v !== "function") return typeof v + " " + v;
			if (!seen.has(v)) { seen.set(v, queue.length); queue.push(v) }
			return "#" + seen.get(v);
		};
		for (let i = 0; i < queue.length; i++) {
			const o = queue[i];
			parts.push(name(Object.getPrototypeOf(o)), Object.isExtensible(o));
			if (typeof o === "function") parts.push(Function.prototype.toString.call(o));
			for (const key of Reflect.ownKeys(o)) {
				const d = Object.getOwnPropertyDescriptor(o, key);
				const flags = (d.writable ? 1 : 0) + (d.enumerable ? 2 : 0) + (d.configurable ? 4 : 0);
				if ("value" in d) parts.push(name(key), flags, name(d.value)); else parts.push(name(key), flags, name(d.get), name(d.set));
			}
		}
		return parts.join("\n");
	})();
	const last = RegExp.$1;
	const sum = await tools.add({a: n, b: 1});
	await new Promise(done => setTimeout(done, 1));
	console.log("probe " + n);
	return {sum, last, world};
}`

// probe runs the probing program and returns what is wrong with its outcome.
func (s *stage) probe(ctx context.Context, hidden string) (wrong []string, answered bool) {
	result, n, calls, answered := s.ask(ctx)
	if !answered {
		return []string{fmt.Sprintf("the next execution did not answer within %v", unboundedPatience+stopTimeout)}, false
	}
	var said struct {
		Sum         int
		Last, World string
	}
	switch err := json.Unmarshal([]byte(result.Value), &said); {
	case result.Fault != nil:
		wrong = append(wrong, fmt.Sprintf("the next execution failed: %v", result.Fault))
	case err != nil || said.Sum != n+1 || said.Last != "":
		wrong = append(wrong, fmt.Sprintf("the next execution returned the sum %d and the last match %q (%v), must return %d and none", said.Sum, cut(said.Last), err, n+1))
	case calls != 1 || len(result.Calls) != 1:
		wrong = append(wrong, fmt.Sprintf("the next execution called its tool once; it ran %d times, and the result has %d calls", calls, len(result.Calls)))
	case len(result.Logs) != 1 || result.Logs[0].Text != fmt.Sprintf("probe %d", n):
		wrong = append(wrong, fmt.Sprintf("the next execution logged %v, must log one entry", result.Logs))
	case s.world == "":
		wrong = append(wrong, "the target did not answer rightly even before any attack")
	case said.World != s.world:
		wrong = append(wrong, "the next execution sees another world than before any attack: "+difference(s.world, said.World))
	}
	for _, leak := range s.surroundings.leaks("", map[string]string{hidden: "a secret of another execution"}, everything(result)...) {
		wrong = append(wrong, "after the attack: "+leak)
	}
	return wrong, true
}

// difference describes where two worlds begin to differ. Each is a line for every
// prototype, flag, name and value, object by object.
func difference(before, now string) string {
	old, fresh := strings.Split(before, "\n"), strings.Split(now, "\n")
	at := 0
	for at < len(old) && at < len(fresh) && old[at] == fresh[at] {
		at++
	}
	around := func(lines []string) string { return cut(strings.Join(lines[max(at-4, 0):min(at+4, len(lines))], " ")) }
	return fmt.Sprintf("of %d lines the %dth is the first that differs; around it was %q and is %q", len(old), at+1, around(old), around(fresh))
}

// see returns what a program sees of its world, or "".
func (s *stage) see(ctx context.Context) string {
	var said struct{ World string }
	result, _, _, answered := s.ask(ctx)
	if !answered || result.Fault != nil || json.Unmarshal([]byte(result.Value), &said) != nil {
		return ""
	}
	return said.World
}

// ask runs the probing program with the number n. calls is how often its tool ran.
func (s *stage) ask(ctx context.Context) (result *protocol.Result, n, calls int, answered bool) {
	n = rand.IntN(1 << 30)
	var ran atomic.Int64
	result, answered = s.subject.execute(ctx, executor.Request{
		Source: probing, Input: map[string]any{"n": n},
		Tools: executor.Tools{"tools": {"add": func(_ context.Context, args []any) (any, error) {
			ran.Add(1)
			if len(args) == 1 {
				if o, ok := args[0].(map[string]any); ok {
					a, okA := o["a"].(float64)
					b, okB := o["b"].(float64)
					if okA && okB {
						return a + b, nil
					}
				}
			}
			return nil, fmt.Errorf("the arguments are %v", args)
		}}},
	}, unboundedPatience)
	return result, n, int(ran.Load()), answered
}
