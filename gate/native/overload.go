package native

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks on the pool's room.

var overload = []Attack{
	{Name: "queue-full", Source: "W19", Title: "100 executions at once on 2 children with a queue of 10: 12 are served, 88 are refused at once", Run: queueFull},
	{Name: "queue-too-old", Source: "W19", Title: "an execution that waits longer than the queue's age is refused, and nothing of it runs", Run: queueTooOld},
	{Name: "tenants-share", Source: "S06", Title: "executions of different tenants never run in one process", Run: tenantsShare},
}

func queueFull(ctx context.Context, h *Host) error {
	const size, queue, total = 2, 10, 100
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: size, QueueLength: queue, QueueTimeout: time.Minute}})
	if err != nil {
		return err
	}
	release := make(chan struct{})
	hold := executor.Tools{"tools": {"hold": func(ctx context.Context, _ []any) (any, error) {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return "held", nil
	}}}
	type answer struct {
		result *protocol.Result
		took   time.Duration
	}
	answers := make(chan answer, total)
	var all sync.WaitGroup
	for range total {
		all.Go(func() {
			start := time.Now()
			result := h.execute(ctx, e, executor.Request{Source: `() => tools.hold()`, Tools: hold})
			answers <- answer{result, time.Since(start)}
		})
	}
	// While all served ones are held, exactly the others can answer.
	slowest := time.Duration(0)
	timeout := time.NewTimer(10 * time.Second)
	defer timeout.Stop()
	for i := range total - size - queue {
		select {
		case a := <-answers:
			if err := wantFault(fmt.Sprintf("refusal %d", i+1), a.result, protocol.CodeOverloaded); err != nil {
				close(release)
				return err
			}
			f := a.result.Fault.(*protocol.Overloaded)
			if f.Capacity != queue || f.Queued != queue || f.RetryAfterMS <= 0 || !f.Retryable() || f.Started {
				close(release)
				return violated("the refusal says %+v", f)
			}
			slowest = max(slowest, a.took)
		case <-timeout.C:
			close(release)
			return violated("only %d of %d executions were refused within 10 s; the queue takes more than %d", i, total-size-queue, queue)
		}
	}
	close(release)
	h.Note("the slowest refusal took %v", slowest.Round(time.Microsecond))
	all.Wait()
	close(answers)
	served := 0
	for a := range answers {
		if err := wantValue("an admitted execution", a.result, `"held"`); err != nil {
			return err
		}
		served++
	}
	if served != size+queue {
		return violated("%d executions were served, must be %d", served, size+queue)
	}
	if most := 2 * time.Second; slowest > most {
		return violated("the slowest refusal took %v, must take at most %v", slowest, most)
	}
	return h.probe(ctx, "after the flood", e)
}

func queueTooOld(ctx context.Context, h *Host) error {
	const age = 150 * time.Millisecond
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1, QueueLength: 5, QueueTimeout: age}})
	if err != nil {
		return err
	}
	inside, release := make(chan struct{}), make(chan struct{})
	first := make(chan *protocol.Result, 1)
	go func() {
		first <- h.execute(ctx, e, executor.Request{Source: `() => tools.hold()`, Limits: protocol.Limits{Wall: 5 * time.Second}, Tools: executor.Tools{"tools": {
			"hold": func(context.Context, []any) (any, error) { close(inside); <-release; return "held", nil },
		}}})
	}()
	select {
	case <-inside:
	case result := <-first:
		return violated("the first execution ended early: %v", result.Fault)
	}
	ran := false
	start := time.Now()
	second := h.execute(ctx, e, executor.Request{Source: `() => tools.run()`, Tools: executor.Tools{"tools": {
		"run": func(context.Context, []any) (any, error) { ran = true; return nil, nil },
	}}})
	took := time.Since(start)
	close(release)
	if err := wantValue("the first execution", <-first, `"held"`); err != nil {
		return err
	}
	if err := wantFault("the waiting execution", second, protocol.CodeQueueDeadline); err != nil {
		return err
	}
	h.Note("refused after %v", took.Round(time.Millisecond))
	if f := second.Fault.(*protocol.QueueDeadline); ran || f.Started || !f.Retryable() || f.LimitMS != age.Milliseconds() {
		return violated("the refusal says %+v, and the program ran: %v", f, ran)
	}
	if took < age || took > age+2*time.Second {
		return violated("the refusal took %v, must take %v", took, age)
	}
	return h.probe(ctx, "after the refusal", e)
}

func tenantsShare(ctx context.Context, h *Host) error {
	e, err := h.start(ctx, executor.Config{Pool: pool.Config{Size: 1}})
	if err != nil {
		return err
	}
	owner := map[int]string{}
	for i := range 6 {
		tenant := []string{"red", "blue"}[i/2%2]
		result := h.execute(ctx, e, executor.Request{Source: "() => 1", Tenant: tenant})
		if err := wantValue("an execution of "+tenant, result, "1"); err != nil {
			return err
		}
		child := result.Usage.Child
		if other, ok := owner[child]; ok && other != tenant {
			return violated("child %d ran executions of %s and of %s", child, other, tenant)
		}
		owner[child] = tenant
	}
	h.Note("children %v", owner)
	if len(owner) < 2 {
		return fmt.Errorf("the results name no children: %v", owner)
	}
	return nil
}
