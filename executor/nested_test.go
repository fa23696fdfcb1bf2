package executor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of executions that a tool of another one makes.

// newExecutor returns an executor that the test's end closes.
func newExecutor(t *testing.T, c executor.Config) *executor.IsolateExecutor {
	t.Helper()
	e, err := executor.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// waitWhole waits until an executor has its children again, and no others.
func waitWhole(t *testing.T, e *executor.IsolateExecutor) {
	t.Helper()
	waitFor(t, e, "it to be whole", func(s pool.Stats) bool { return s.Ready == s.Size && len(s.Children) == s.Size })
}

func waitFor(t *testing.T, e *executor.IsolateExecutor, what string, condition func(pool.Stats) bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !condition(e.Stats()); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s: %+v", what, e.Stats())
		}
	}
}

// descend returns a request whose tool executes the same with n one less, down
// to zero.
func descend(e *executor.IsolateExecutor, n int, at func(ctx context.Context, n int)) executor.Request {
	return executor.Request{
		Source: "async (n) => n === 0 ? 'bottom' : n + ' ' + await host.down()",
		Input:  n,
		Tools: executor.Tools{"host": {"down": func(ctx context.Context, _ []any) (any, error) {
			at(ctx, n)
			inner, err := e.Execute(ctx, descend(e, n-1, at))
			if err != nil {
				return nil, err
			}
			return inner.Value, nil
		}}},
	}
}

// TestNestedWhenFull nests executions in an executor that has one place.
func TestNestedWhenFull(t *testing.T) {
	e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1}})
	var ids []string
	result, err := e.Execute(t.Context(), descend(e, 3, func(ctx context.Context, _ int) { ids = append(ids, executor.ExecutionID(ctx)) }))
	if err != nil || string(result.Value) != `"3 2 1 bottom"` {
		t.Fatalf("the value is %s, the error %v", result.Value, err)
	}
	if len(ids) != 3 || ids[0] == "" || ids[0] == ids[1] || ids[1] == ids[2] {
		t.Errorf("the tools' executions are %q", ids)
	}
	waitWhole(t, e)
	if s := e.Stats(); s.Executions != 4 || s.Nested != 0 || s.Crashes+s.Kills > 0 {
		t.Errorf("the statistics are %+v", s)
	}
	if id := executor.ExecutionID(t.Context()); id != "" {
		t.Errorf("a context of no tool belongs to execution %q", id)
	}
}

// TestNestedConcurrently has eight callers nest at once, in a full executor.
func TestNestedConcurrently(t *testing.T) {
	for _, uses := range []int{0, 1} {
		const size, depth = 2, 3
		e := newExecutor(t, executor.Config{Pool: pool.Config{Size: size, MaxDepth: depth + 1, MaxUses: uses, QueueTimeout: time.Minute}})
		var mu sync.Mutex
		most := 0
		var callers sync.WaitGroup
		for range 8 {
			callers.Go(func() {
				request := descend(e, depth, func(context.Context, int) {
					mu.Lock()
					defer mu.Unlock()
					most = max(most, e.Stats().Busy)
				})
				result, err := e.Execute(t.Context(), request)
				if err != nil || string(result.Value) != `"3 2 1 bottom"` {
					t.Errorf("the value is %s, the error %v", result.Value, err)
				}
			})
		}
		callers.Wait()
		if most <= size || most > size*(depth+1) {
			t.Errorf("%d children worked at once", most)
		}
		t.Logf("at most %d of %d children worked at once", most, size*(depth+1))
		waitWhole(t, e)
		if s := e.Stats(); s.Executions != 8*(depth+1) || s.Nested != 0 || s.Queued != 0 {
			t.Errorf("the statistics are %+v", s)
		}
	}
}

// TestNestedFan has one program make more nested executions at once than there
// are places for them.
func TestNestedFan(t *testing.T) {
	e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1, QueueLength: -1}})
	result, err := e.Execute(t.Context(), executor.Request{
		Source: "async () => (await Promise.all(Array.from({length: 6}, (_, i) => host.square(i)))).join()",
		Tools: executor.Tools{"host": {"square": func(ctx context.Context, args []any) (any, error) {
			inner, err := e.Execute(ctx, executor.Request{Source: "(n) => n * n", Input: args[0]})
			if err != nil {
				return nil, err
			}
			return inner.Value, nil
		}}},
	})
	if err != nil || string(result.Value) != `"0,1,4,9,16,25"` {
		t.Fatalf("the value is %s, the error %v", result.Value, err)
	}
	waitWhole(t, e)
}

// TestNestedTooDeep checks the bound on depth.
func TestNestedTooDeep(t *testing.T) {
	for _, depth := range []int{1, 2} {
		e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1, MaxDepth: depth}})
		var refused error
		request := executor.Request{Source: "async () => await host.down()"}
		request.Tools = executor.Tools{"host": {"down": func(ctx context.Context, _ []any) (any, error) {
			inner, err := e.Execute(ctx, request)
			if err != nil {
				if refused == nil {
					refused = err
				}
				return "refused", nil
			}
			return inner.Value, nil
		}}}
		result, err := e.Execute(t.Context(), request)
		if err != nil || string(result.Value) != `"refused"` {
			t.Fatalf("the value is %s, the error %v", result.Value, err)
		}
		f := wantFault[*protocol.InvalidRequest](t, refused)
		want := fmt.Sprintf("executions may be nested %d deep, this one would be at depth %d", depth, depth+1)
		if f.Field != "parent" || f.Reason != want || f.Started || f.Retryable() {
			t.Errorf("the fault is %v", f)
		}
		if s := e.Stats(); s.Executions != int64(depth) {
			t.Errorf("%d executions ran", s.Executions)
		}
	}
}

// TestParent checks which executions can be a request's parent.
func TestParent(t *testing.T) {
	e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1}})
	refused := func(ctx context.Context, r executor.Request) string {
		r.Source = "() => 1"
		_, err := e.Execute(ctx, r)
		var invalid *protocol.InvalidRequest
		if !errors.As(err, &invalid) || invalid.Field != "parent" {
			return fmt.Sprint("not refused: ", err)
		}
		return invalid.Reason
	}
	var of string
	var inTool context.Context
	result, err := e.Execute(t.Context(), executor.Request{
		Source: "async () => await host.f()",
		Tenant: "acme",
		Tools: executor.Tools{"host": {"f": func(ctx context.Context, _ []any) (any, error) {
			of, inTool = executor.ExecutionID(ctx), ctx
			var got []any
			// The id alone will do, with the tenant.
			inner, err := e.Execute(t.Context(), executor.Request{Source: "() => 'stated'", Parent: of, Tenant: "acme"})
			got = append(got, inner.Value, err == nil)
			got = append(got,
				refused(t.Context(), executor.Request{Parent: of}),
				refused(t.Context(), executor.Request{Parent: of, Tenant: "other"}),
				refused(t.Context(), executor.Request{Parent: "12345", Tenant: "acme"}),
				refused(ctx, executor.Request{Tenant: "other"}),
			)
			return got, nil
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const another = `"the execution in whose tool this request was made belongs to another tenant"`
	none := fmt.Sprintf(`"no execution \"%s\" is running"`, of)
	want := fmt.Sprintf(`["stated",true,%s,%s,%s,%s]`, none, none, strings.ReplaceAll(none, of, "12345"), another)
	if string(result.Value) != want {
		t.Errorf("the tool got %s, want %s", result.Value, want)
	}
	// It has ended: it cannot be named, and a context that outlived it says nothing.
	if got := refused(t.Context(), executor.Request{Parent: of, Tenant: "acme"}); !strings.Contains(got, "is running") {
		t.Error(got)
	}
	if result, err := e.Execute(context.WithoutCancel(inTool), executor.Request{Source: "() => 1"}); err != nil {
		t.Errorf("%v, %v", result, err)
	}
	// Nor does the context of another executor's tool.
	if _, err := shared.Execute(context.WithoutCancel(inTool), executor.Request{Source: "() => 1"}); err != nil {
		t.Error(err)
	}
	waitWhole(t, e)
}

// TestNestedWhileDraining checks that what runs can end, nested executions and all.
func TestNestedWhileDraining(t *testing.T) {
	e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1}})
	drained := make(chan error, 1)
	request := descend(e, 2, func(_ context.Context, n int) {
		if n == 2 {
			go func() { drained <- e.Drain(t.Context()) }()
			for { // until Drain has begun
				_, err := e.Execute(t.Context(), executor.Request{Source: "() => 1", Limits: protocol.Limits{Wall: time.Second}})
				var draining *protocol.Draining
				if errors.As(err, &draining) {
					return
				}
			}
		}
	})
	result, err := e.Execute(t.Context(), request)
	if err != nil || string(result.Value) != `"2 1 bottom"` {
		t.Errorf("the value is %s, the error %v", result.Value, err)
	}
	if err := <-drained; err != nil {
		t.Error(err)
	}
}
