package gate_test

import (
	"context"
	"fmt"
	"regexp"
	"runtime/debug"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/reports"
)

// This file owns the example of the gate as a library: another executor under the same
// attacks.

// talkative is an executor of somebody's own. It keeps every promise but one: to the
// text of what a program throws it adds where it stood itself.
type talkative struct{ executor.Interface }

func (t talkative) Execute(ctx context.Context, r executor.Request) (*protocol.Result, error) {
	result, err := t.Interface.Execute(ctx, r)
	if thrown, ok := result.Fault.(*protocol.Thrown); ok {
		thrown.Message += "\n" + string(debug.Stack())
	}
	return result, err
}

// Processes returns those of the executor inside.
func (t talkative) Processes() []int {
	var pids []int
	for _, child := range t.Interface.(*executor.IsolateExecutor).Stats().Children {
		pids = append(pids, child.PID)
	}
	return pids
}

// Lacks says what it cannot be asked for.
func (talkative) Lacks(r executor.Request) string {
	if r.Language == protocol.TypeScript {
		return "it runs JavaScript only"
	}
	return ""
}

// Another executor is put under the attacks by registering it. Verify tries the attacks
// of the threat model on it, with the postcondition after each.
func Example() {
	err := gate.RegisterTarget(gate.TargetKind{
		Name: "talkative", Title: "an executor that says too much",
		Start: func(ctx context.Context) (gate.Target, error) {
			e, err := executor.New(ctx, executor.Config{Pool: pool.Config{Size: 1}})
			if err != nil {
				return nil, err
			}
			return talkative{e}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := gate.FindTarget("talkative")
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := gate.LoadModel("")
	if err != nil {
		fmt.Println(err)
		return
	}
	claims, err := gate.Verify(context.Background(), gate.VerifyOptions{
		Model: model, Target: target, Seed: 1, Progress: gate.NoProgress(),
		Run: regexp.MustCompile("^(stalled-at-once/never|programs-work/typescript|stack-traces-clean/uncaught|nothing-inherited/environment-inherited)$"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range claims {
		fmt.Printf("%s: %s\n", c.ID, c.Verdict)
		for _, a := range c.Attacks {
			if a.Outcome == reports.AttackUnsupported {
				fmt.Printf("  %s: %s\n", a.Name, a.Wrong[0])
			}
		}
	}
	// Output:
	// nothing-inherited: unsupported
	//   environment-inherited: attacks in Go drive package executor from inside; the target talkative is another
	// programs-work: unsupported
	//   typescript: the target talkative cannot be given it: it runs JavaScript only
	// stack-traces-clean: violated
	// stalled-at-once: held
}
