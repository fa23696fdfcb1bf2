package pool_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of the pool's size and its queue: crashes,
// replacement, retirement, overload, draining, closing.

// TestKilledChild kills the child from outside at different moments.
func TestKilledChild(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1})
	kill := func(t *testing.T, signal syscall.Signal) {
		if err := syscall.Kill(p.Stats().Children[0].PID, signal); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("idle", func(t *testing.T) {
		before := p.Stats()
		kill(t, syscall.SIGKILL)
		waitFor(t, "another child", func() bool {
			s := p.Stats()
			return s.Ready == 1 && s.Children[0].ID != before.Children[0].ID
		})
		if s := p.Stats(); s.Crashes != before.Crashes+1 {
			t.Errorf("%d crashes were counted", s.Crashes-before.Crashes)
		}
	})
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGILL} {
		t.Run(fmt.Sprintf("during a tool call, signal %d", signal), func(t *testing.T) {
			waitReady(t, p)
			r := p.Execute(t.Context(), pool.Job{
				Request: request("async () => { await tools.g(); await tools.f(); return 1 }"),
				Tool: func(ctx context.Context, _, tool, _ string) string {
					if tool == "f" {
						kill(t, signal)
						<-ctx.Done()
					}
					return `{"ok":1}`
				},
			})
			fault := wantFault[*protocol.WorkerCrashed](t, r)
			if fault.Signal == "" || fault.Phase != protocol.PhaseRunning {
				t.Errorf("the fault is %v", fault)
			}
			if fault.Retryable() || !fault.Started || !slices.Equal(fault.Delivered, []string{"tools.g", "tools.f"}) {
				t.Errorf("retryable %v, started %v, delivered %v", fault.Retryable(), fault.Started, fault.Delivered)
			}
			if len(r.Calls) != 2 || r.Calls[0].Outcome != protocol.OutcomeOK || r.Calls[1].Outcome != protocol.OutcomeAbandoned {
				t.Errorf("the calls are %v", r.Calls)
			}
		})
	}
	t.Run("in a loop", func(t *testing.T) {
		waitReady(t, p)
		logged := make(chan struct{})
		done := make(chan *protocol.Result, 1)
		go func() {
			done <- p.Execute(t.Context(), pool.Job{
				Request: request("() => { console.log(1); for (;;); }"), OnLog: func(protocol.LogEntry) { close(logged) },
			})
		}()
		<-logged
		kill(t, syscall.SIGKILL)
		if fault := wantFault[*protocol.WorkerCrashed](t, <-done); fault.Signal != "SIGKILL" || !fault.Retryable() {
			t.Errorf("the fault is %v, retryable %v", fault, fault.Retryable())
		}
	})
	t.Run("stopped", func(t *testing.T) {
		// The parent's clock alone must do.
		waitReady(t, p)
		r := request("async () => { await tools.f(); return 1 }")
		r.Limits.Wall = 500 * time.Millisecond
		result := p.Execute(t.Context(), pool.Job{Request: r, Tool: func(context.Context, string, string, string) string {
			kill(t, syscall.SIGSTOP)
			return `{"ok":1}`
		}})
		if fault := wantFault[*protocol.DeadlineExceeded](t, result); fault.How != protocol.HowKilled {
			t.Errorf("the fault is %v", fault)
		}
	})
	waitReady(t, p)
	wantValue(t, execute(t, p, "() => 1"), "1")
}

// TestKillStorm kills all children at once, again and again.
func TestKillStorm(t *testing.T) {
	p := newPool(t, pool.Config{Size: 3})
	for range 3 {
		before := p.Stats().Children
		for _, c := range before {
			syscall.Kill(c.PID, syscall.SIGKILL)
		}
		waitFor(t, "three other children", func() bool {
			s := p.Stats()
			return s.Ready == 3 && len(s.Children) == 3 && s.Children[0].ID > before[2].ID
		})
		wantValue(t, execute(t, p, "() => 1"), "1")
	}
}

// TestRetirement checks that children are replaced after their uses, without a
// pause, and with none of them lost.
func TestRetirement(t *testing.T) {
	for _, uses := range []int{1, 3} {
		p := newPool(t, pool.Config{Size: 1, MaxUses: uses})
		served := map[int]int{}
		for i := range 6 {
			r := execute(t, p, fmt.Sprint("() => ", i))
			wantValue(t, r, fmt.Sprint(i))
			served[r.Usage.Child]++
		}
		if want := 6 / uses; len(served) != want {
			t.Errorf("%d uses: %d children served: %v", uses, len(served), served)
		}
		waitReady(t, p)
		if s := p.Stats(); s.Retired != int64(6/uses) || s.Crashes+s.Kills > 0 {
			t.Errorf("%d uses: the statistics are %+v", uses, s)
		}
	}
}

// TestSpare checks that the replacement of a child is ready while the child
// still works for its last time, and that it does not make the pool larger.
func TestSpare(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1, MaxUses: 1})
	release := occupy(t, p)
	waitFor(t, "the spare", func() bool { s := p.Stats(); return s.Busy == 1 && s.Ready == 1 })
	waiting := make(chan *protocol.Result, 1)
	go func() { waiting <- execute(t, p, "() => 1") }()
	waitFor(t, "the queue", func() bool { return p.Stats().Queued == 1 })
	if s := p.Stats(); s.Busy != 1 || s.Ready != 1 {
		t.Errorf("the statistics are %+v", s)
	}
	release()
	wantValue(t, <-waiting, "1")
}

// TestOldAge checks that idle children are replaced when they are too old, and
// that the pool can work all the while.
func TestOldAge(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1, MaxAge: 200 * time.Millisecond, QueueLength: -1})
	first := p.Stats().Children[0].ID
	waitFor(t, "two younger children in turn", func() bool {
		wantValue(t, execute(t, p, "() => 1"), "1") // never refused
		return p.Stats().Children[0].ID >= first+2
	})
	idle := p.Stats().Children[0].ID
	waitFor(t, "a younger child, with nothing to do", func() bool { return p.Stats().Children[0].ID > idle })
}

// TestTenants checks that no child serves two tenants, however many take turns.
func TestTenants(t *testing.T) {
	p := newPool(t, pool.Config{Size: 2})
	of := map[int]string{}
	for i := range 8 {
		r := request("() => 1")
		r.Tenant = fmt.Sprint("tenant-", i%4)
		result := p.Execute(t.Context(), pool.Job{Request: r})
		wantValue(t, result, "1")
		if other, ok := of[result.Usage.Child]; ok && other != r.Tenant {
			t.Errorf("child %d served %s and %s", result.Usage.Child, other, r.Tenant)
		}
		of[result.Usage.Child] = r.Tenant
	}
	if len(of) < 4 {
		t.Errorf("%d children for 4 tenants", len(of))
	}
	shared := newPool(t, pool.Config{Size: 1, ShareTenants: true})
	for i := range 3 {
		r := request("() => 1")
		r.Tenant = fmt.Sprint("tenant-", i)
		wantValue(t, shared.Execute(t.Context(), pool.Job{Request: r}), "1")
	}
	if s := shared.Stats(); s.Retired != 0 {
		t.Errorf("%d children were retired although tenants share them", s.Retired)
	}
}

// TestOverload sends a hundred executions at once to a pool of two with a queue
// of ten: each ends in a value or is refused.
func TestOverload(t *testing.T) {
	p := newPool(t, pool.Config{Size: 2, QueueLength: 10})
	const callers = 100
	// No program ends before everybody has been admitted or refused.
	allAsked := make(chan struct{})
	results := make(chan *protocol.Result, callers)
	for range callers {
		go func() {
			results <- p.Execute(t.Context(), pool.Job{
				Request: request("async () => await tools.f()"),
				Tool: func(context.Context, string, string, string) string {
					<-allAsked
					return `{"ok":1}`
				},
			})
		}()
	}
	values, refused := 0, 0
	for range callers {
		r := <-results
		if r.Fault == nil {
			wantValue(t, r, "1")
			values++
			continue
		}
		fault := wantFault[*protocol.Overloaded](t, r)
		if fault.Queued != 10 || fault.Capacity != 10 || fault.RetryAfterMS < 10 || fault.RetryAfterMS > 60_000 || !fault.Retryable() || fault.Started {
			t.Errorf("the fault is %v, retryable %v, started %v", fault, fault.Retryable(), fault.Started)
		}
		if refused++; refused == callers-12 {
			close(allAsked)
		}
	}
	if values != 12 || refused != 88 {
		t.Errorf("%d values and %d refusals", values, refused)
	}
	if s := p.Stats(); s.Overloaded != 88 || s.Executions != 12 || s.Queued != 0 {
		t.Errorf("the statistics are %+v", s)
	}
}

// occupy keeps every child of a pool busy until the test, or what it returns,
// ends it.
func occupy(t *testing.T, p *pool.Pool) (release func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	size := p.Stats().Size
	for range size {
		running.Go(func() {
			p.Execute(ctx, pool.Job{Request: request("async () => await tools.f()"), Tool: func(ctx context.Context, _, _, _ string) string {
				<-ctx.Done()
				return `{"ok":1}`
			}})
		})
	}
	waitFor(t, "all children to be busy", func() bool { return p.Stats().Busy == size })
	release = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(release)
	return release
}

func TestQueueDeadline(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1, QueueTimeout: 50 * time.Millisecond})
	occupy(t, p)
	begun := time.Now()
	fault := wantFault[*protocol.QueueDeadline](t, execute(t, p, "() => 1"))
	if took := time.Since(begun); took < 50*time.Millisecond || took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if fault.LimitMS != 50 || fault.WaitedMS < 50 || !fault.Retryable() || fault.Started {
		t.Errorf("the fault is %v, started %v", fault, fault.Started)
	}
	if s := p.Stats(); s.Queued != 0 {
		t.Errorf("%d executions are in the queue", s.Queued)
	}
}

// TestOrder checks that executions run in the order in which they came.
func TestOrder(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1})
	release := occupy(t, p)
	var mu sync.Mutex
	var order []int
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			wantValue(t, p.Execute(t.Context(), pool.Job{Request: request("async () => await tools.f()"), Tool: func(context.Context, string, string, string) string {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, i)
				return `{"ok":1}`
			}}), "1")
		})
		waitFor(t, "the queue", func() bool { return p.Stats().Queued == i+1 })
	}
	release()
	all.Wait()
	if !slices.IsSorted(order) || len(order) != 5 {
		t.Errorf("the order was %v", order)
	}
}

func TestDrain(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1})
	finish := make(chan struct{})
	running, queued := make(chan *protocol.Result, 1), make(chan *protocol.Result, 1)
	go func() {
		running <- p.Execute(t.Context(), pool.Job{Request: request("async () => await tools.f()"), Tool: func(context.Context, string, string, string) string {
			<-finish
			return `{"ok":1}`
		}})
	}()
	waitFor(t, "the child to be busy", func() bool { return p.Stats().Busy == 1 })
	go func() { queued <- execute(t, p, "() => 1") }()
	waitFor(t, "the queue", func() bool { return p.Stats().Queued == 1 })

	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := p.Drain(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Drain returned %v while an execution ran", err)
	}
	wantFault[*protocol.Draining](t, <-queued)
	wantFault[*protocol.Draining](t, execute(t, p, "() => 1"))
	close(finish)
	if err := p.Drain(t.Context()); err != nil {
		t.Errorf("Drain returned %v", err)
	}
	wantValue(t, <-running, "1")
}

// TestClose closes a pool that is in use.
func TestClose(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1})
	running, queued := make(chan *protocol.Result, 1), make(chan *protocol.Result, 1)
	called := make(chan struct{})
	go func() {
		running <- p.Execute(t.Context(), pool.Job{Request: request("async () => await tools.f()"), Tool: func(ctx context.Context, _, _, _ string) string {
			close(called)
			<-ctx.Done()
			return `{"ok":1}`
		}})
	}()
	<-called
	go func() { queued <- execute(t, p, "() => 1") }()
	waitFor(t, "the queue", func() bool { return p.Stats().Queued == 1 })
	var closers sync.WaitGroup
	for range 3 {
		closers.Go(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	closers.Wait()
	if fault := wantFault[*protocol.Unavailable](t, <-running); fault.Retryable() || len(fault.Delivered) != 1 {
		t.Errorf("the fault of the running execution is %v, retryable %v", fault, fault.Retryable())
	}
	if fault := wantFault[*protocol.Unavailable](t, <-queued); !fault.Retryable() || fault.Started {
		t.Errorf("the fault of the queued execution is %v, started %v", fault, fault.Started)
	}
	wantFault[*protocol.Unavailable](t, execute(t, p, "() => 1"))
	if err := p.Drain(t.Context()); err != nil {
		t.Errorf("Drain of a closed pool returned %v", err)
	}
}

func TestConfig(t *testing.T) {
	for _, test := range []struct {
		c    pool.Config
		want string
	}{
		{pool.Config{Size: -1}, "pool: Config.Size is out of range: it must be 1 to 1024"},
		{pool.Config{Size: 1, MaxUses: -1}, "pool: Config.MaxUses is out of range: it must be at least 1"},
		{pool.Config{Size: 1, Profile: "fast"}, "pool: Config.Profile is out of range: it must be hardened or jit"},
		{pool.Config{Size: 1, MaxFrame: 1}, "pool: Config.MaxFrame is out of range: it must be 65536 to 67108864"},
		{pool.Config{Size: 1, Grace: -1}, "pool: Config.Grace is out of range: it must be at least 1ms"},
	} {
		p, err := pool.New(t.Context(), test.c)
		if err == nil {
			p.Close()
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("the error is %v, want %s", err, test.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("changed my mind"))
	if p, err := pool.New(ctx, pool.Config{Size: 1}); err == nil {
		p.Close()
		t.Error("New with a context that is done returned a pool")
	}
	if p, err := pool.New(t.Context(), pool.Config{Size: 1, ChildPath: "/nowhere/to/be/found"}); err == nil {
		p.Close()
		t.Error("New with a child that does not exist returned a pool")
	}
}
