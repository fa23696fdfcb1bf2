package native

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks on those who wait: a tenant that floods the queue,
// and executions that wait for executions of their own.

var turns = []Attack{
	{Name: "tenant-floods-queue", Source: "W20", Title: "one tenant has 30 executions waiting; another's runs next but one", Run: tenantFloodsQueue},
	{Name: "nested-in-full-pool", Source: "own", Title: "tools on a pool of one execute programs whose tools execute programs", Run: nestedInFullPool},
	{Name: "nested-too-deep", Source: "own", Title: "a program that nests executions without end is refused at the bound", Run: nestedTooDeep},
}

func tenantFloodsQueue(ctx context.Context, h *Host) error {
	const flood = 30
	// One child for all tenants, so that nothing but the turn decides the order.
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, QueueLength: flood + 1, QueueTimeout: time.Minute, ShareTenants: true}})
	if err != nil {
		return err
	}
	inside, release := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var order []string
	request := func(tenant string, hold bool) executor.Request {
		return executor.Request{Source: "() => tools.note()", Tenant: tenant, Tools: executor.Tools{"tools": {
			"note": func(ctx context.Context, _ []any) (any, error) {
				mu.Lock()
				order = append(order, tenant)
				mu.Unlock()
				if hold {
					close(inside)
					select {
					case <-release:
					case <-ctx.Done():
					}
				}
				return tenant, nil
			},
		}}}
	}
	results := make(chan error, flood+2)
	var all sync.WaitGroup
	run := func(tenant string, hold bool) {
		all.Go(func() {
			results <- wantValue("an execution of tenant "+tenant, h.execute(ctx, e, request(tenant, hold)), fmt.Sprintf("%q", tenant))
		})
	}
	run("loud", true)
	<-inside
	for range flood {
		run("loud", false)
	}
	if err := queued(ctx, e, flood); err != nil {
		close(release)
		return err
	}
	run("quiet", false)
	err = queued(ctx, e, flood+1)
	close(release)
	if err != nil {
		return err
	}
	all.Wait()
	close(results)
	for err := range results {
		if err != nil {
			return err
		}
	}
	at := slices.Index(order, "quiet")
	h.Note("the quiet tenant's execution was number %d of %d", at+1, len(order))
	if at > 2 {
		return violated("the quiet tenant's execution was number %d of %d, must be among the first 3", at+1, len(order))
	}
	return h.probe(ctx, "after the flood", e)
}

// queued waits until so many executions wait.
func queued(ctx context.Context, e *executor.IsolateExecutor, want int) error {
	return eventually(ctx, 10*time.Second, func() error {
		if n := e.Stats().Queued; n != want {
			return violated("%d executions wait, must be %d", n, want)
		}
		return nil
	})
}

// nest executes a program that counts down by executions of the same program
// from its tool.
func nest(ctx context.Context, h *Host, e *executor.IsolateExecutor, depth int) *protocol.Result {
	return h.execute(ctx, e, executor.Request{
		Source: "async (depth) => depth === 1 ? 1 : 1 + await tools.inner(depth - 1)",
		Input:  depth,
		Tools: executor.Tools{"tools": {"inner": func(ctx context.Context, args []any) (any, error) {
			result := nest(ctx, h, e, int(args[0].(float64)))
			if result.Fault != nil {
				return nil, result.Fault
			}
			return result.Decode()
		}}},
	})
}

func nestedInFullPool(ctx context.Context, h *Host) error {
	const depth, callers = 3, 4
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, QueueTimeout: 8 * time.Second}})
	if err != nil {
		return err
	}
	results := make(chan error, callers)
	for range callers {
		go func() {
			results <- wantValue("an execution with others in it", nest(ctx, h, e, depth), fmt.Sprint(depth))
		}()
	}
	for range callers {
		if err := <-results; err != nil {
			return err
		}
	}
	err = eventually(ctx, 10*time.Second, func() error {
		if n := len(e.Stats().Children); n != 1 {
			return violated("the pool has %d children, must return to 1", n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return h.probe(ctx, "afterwards", e)
}

func nestedTooDeep(ctx context.Context, h *Host) error {
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, MaxDepth: 3, QueueTimeout: 5 * time.Second}})
	if err != nil {
		return err
	}
	if err := wantValue("nesting within the bound", nest(ctx, h, e, 3), "3"); err != nil {
		return err
	}
	result := nest(ctx, h, e, 50)
	if err := wantFault("nesting without end", result, protocol.CodeThrown); err != nil {
		return err
	}
	// The innermost refusal reaches the outermost program as the error of its tool.
	const refusal = "executions may be nested 3 deep"
	if text := result.Fault.Error(); !strings.Contains(text, refusal) {
		return violated("the fault is %q, must say that %s", text, refusal)
	}
	return h.probe(ctx, "after nesting too deep", e)
}
