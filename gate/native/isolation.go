package native

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
)

// This file owns the attacks of one execution on the next in the same child.

var isolation = []Attack{
	{Name: "globals-survive", Source: "L01 L02 L04",
		Title: "globals, patched prototypes and legacy RegExp state of one execution are not seen by the next",
		Run:   globalsSurvive},
	{Name: "timers-survive", Source: "L05",
		Title: "a timer that one execution left pending never fires in the next",
		Run:   timersSurvive},
	{Name: "reply-crosses-executions", Source: "L05 W10",
		Title: "the late reply to a tool call of one execution does not settle a call of the next",
		Run:   replyCrosses},
	{Name: "rejection-crosses-executions", Source: "L06",
		Title: "a rejection left unhandled by one execution is not reported to another",
		Run:   rejectionCrosses},
	{Name: "random-repeats", Source: "own",
		Title: "no two isolates draw the same random numbers, in one child or in two",
		Run:   randomRepeats},
}

// oneChild starts an executor with one child, so that executions follow each
// other in one process.
func (h *Host) oneChild(ctx context.Context) (*executor.IsolateExecutor, error) {
	return h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, MaxUses: 1000}})
}

func globalsSurvive(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	first := h.execute(ctx, e, executor.Request{Source: `() => {
		globalThis.left = "behind";
		Object.prototype.polluted = true;
		Array.prototype.map = () => "patched";
		Promise.prototype.then = function () { return "patched" };
		JSON.stringify = () => "patched";
		Math.random = () => 0.5;
		Date.now = () => 0;
		delete globalThis.Map;
		Symbol.for("left").description;
		RegExp("(secret)").test("a secret text");
		console.log = () => {};
		return [left, ({}).polluted, RegExp.$1];
	}`})
	if err := wantValue("the first execution", first, `["behind",true,"secret"]`); err != nil {
		return err
	}
	second := h.execute(ctx, e, executor.Request{Source: `async () => [
		typeof left, typeof ({}).polluted, [1, 2].map(x => x * 2), await Promise.resolve(1).then(x => x + 1),
		JSON.stringify({a: 1}), Math.random() === 0.5 && Math.random() === 0.5, Date.now() > 1e12, typeof Map, RegExp.$1,
		(console.log("heard"), true)]`})
	if err := wantValue("the second execution", second, `["undefined","undefined",[2,4],2,"{\"a\":1}",false,true,"function","",true]`); err != nil {
		return err
	}
	if len(second.Logs) != 1 || second.Logs[0].Text != "heard" {
		return violated("the second execution logged %v, must log one entry", second.Logs)
	}
	return h.sameChild(first.Usage.Child, second.Usage.Child)
}

// sameChild demands that both executions ran in one process: otherwise nothing
// could have leaked, and nothing was tried.
func (h *Host) sameChild(a, b int) error {
	h.Note("children %d and %d", a, b)
	if a != b || a == 0 {
		return fmt.Errorf("the executions ran in children %d and %d, so that nothing was tried", a, b)
	}
	return nil
}

func timersSurvive(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	var late atomic.Int32
	tools := executor.Tools{"tools": {"late": func(context.Context, []any) (any, error) { late.Add(1); return nil, nil }}}
	first := h.execute(ctx, e, executor.Request{Tools: tools, Source: `() => {
		setTimeout(() => { console.log("late"); tools.late() }, 20);
		setInterval(() => { console.log("late"); tools.late() }, 10);
		return "left";
	}`})
	if err := wantValue("the first execution", first, `"left"`); err != nil {
		return err
	}
	second := h.execute(ctx, e, executor.Request{Source: `() => new Promise(done => setTimeout(() => done("own timer"), 120))`})
	if err := wantValue("the second execution", second, `"own timer"`); err != nil {
		return err
	}
	if n := late.Load(); n != 0 || len(second.Logs) != 0 {
		return violated("timers of the first execution called its tool %d times and logged %v in the second", n, second.Logs)
	}
	return h.sameChild(first.Usage.Child, second.Usage.Child)
}

func replyCrosses(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	answer := make(chan struct{})
	answered := make(chan struct{})
	first := h.execute(ctx, e, executor.Request{
		Source: `() => { tools.ask(); return "left" }`,
		Tools: executor.Tools{"tools": {"ask": func(context.Context, []any) (any, error) {
			defer close(answered)
			<-answer // also after the execution is over
			return "of the first", nil
		}}},
	})
	if err := wantValue("the first execution", first, `"left"`); err != nil {
		close(answer)
		return err
	}
	second := h.execute(ctx, e, executor.Request{
		Source: `() => tools.ask()`,
		Tools: executor.Tools{"tools": {"ask": func(ctx context.Context, _ []any) (any, error) {
			close(answer)
			<-answered
			// The reply of the first is on its way; give it time to be wrongly taken.
			timer := time.NewTimer(50 * time.Millisecond)
			defer timer.Stop()
			<-timer.C
			return "of the second", nil
		}}},
	})
	if err := wantValue("the second execution", second, `"of the second"`); err != nil {
		return err
	}
	return h.sameChild(first.Usage.Child, second.Usage.Child)
}

func rejectionCrosses(ctx context.Context, h *Host) error {
	e, err := h.oneChild(ctx)
	if err != nil {
		return err
	}
	first := h.execute(ctx, e, executor.Request{Source: `() => {
		setTimeout(() => Promise.reject(new Error("of the first")), 1);
		Promise.resolve().then(() => {}).then(() => { throw new Error("of the first") });
		return "left";
	}`})
	if err := wantValue("the first execution", first, `"left"`); err != nil {
		return err
	}
	second := h.execute(ctx, e, executor.Request{Source: `async () => {
		Promise.reject(new Error("of the second"));
		await new Promise(done => setTimeout(done, 30));
		return "right";
	}`})
	if err := wantValue("the second execution", second, `"right"`); err != nil {
		return err
	}
	reported := false
	for _, entry := range second.Logs {
		if strings.Contains(entry.Text, "of the first") {
			return violated("the second execution was told %q", entry.Text)
		}
		reported = reported || strings.Contains(entry.Text, "of the second")
	}
	if !reported {
		return violated("the second execution's own unhandled rejection was not reported: %v", second.Logs)
	}
	return h.sameChild(first.Usage.Child, second.Usage.Child)
}

func randomRepeats(ctx context.Context, h *Host) error {
	seen := map[string]string{}
	for name, size := range map[string]int{"one child": 1, "another child": 1} {
		e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: size}})
		if err != nil {
			return err
		}
		for i := range 6 {
			result := h.execute(ctx, e, executor.Request{Source: `() => [Math.random(), Math.random(), Math.random()].join()`})
			if result.Fault != nil {
				return violated("drawing random numbers: %v", result.Fault)
			}
			where := fmt.Sprintf("execution %d of %s", i+1, name)
			if other, ok := seen[string(result.Value)]; ok {
				return violated("%s drew the same numbers %s as %s", where, result.Value, other)
			}
			seen[string(result.Value)] = where
		}
	}
	h.Note("%d different sequences", len(seen))
	return nil
}
