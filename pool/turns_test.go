package pool_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of fairness between tenants, in counts and not in time.

// crowd is a pool that is full, with what waits for it.
type crowd struct {
	t    *testing.T
	pool *pool.Pool
	all  sync.WaitGroup

	mu      sync.Mutex
	ran     []string                    // tenants, in the order in which their executions ran
	results map[string][]protocol.Fault // by tenant
}

// come lets an execution of a tenant wait.
func (c *crowd) come(tenant string) {
	c.all.Go(func() {
		r := request("async () => await tools.f()")
		r.Tenant = tenant
		result := c.pool.Execute(c.t.Context(), pool.Job{Request: r, Tool: func(context.Context, string, string, string) string {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.ran = append(c.ran, tenant)
			return `{"ok":1}`
		}})
		c.mu.Lock()
		defer c.mu.Unlock()
		c.results[tenant] = append(c.results[tenant], result.Fault)
	})
}

// newCrowd returns a pool whose children are busy until release is called.
func newCrowd(t *testing.T, c pool.Config) (_ *crowd, release func()) {
	c.ShareTenants, c.QueueTimeout = true, time.Minute
	p := newPool(t, c)
	return &crowd{t: t, pool: p, results: map[string][]protocol.Fault{}}, occupy(t, p)
}

func (c *crowd) waitQueued(n int) {
	waitFor(c.t, fmt.Sprint(n, " in the queue"), func() bool { return c.pool.Stats().Queued == n })
}

// faults returns how many of a tenant's executions ended in a fault.
func (c *crowd) faults(tenant string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, fault := range c.results[tenant] {
		if fault != nil {
			n++
		}
	}
	return n
}

// TestFlood has one tenant flood the queue, and another come after that.
func TestFlood(t *testing.T) {
	for _, size := range []int{1, 2} {
		c, release := newCrowd(t, pool.Config{Size: size, QueueLength: 64})
		const flood = 50
		for i := range flood {
			c.come("flood")
			c.waitQueued(i + 1)
		}
		for i := range 3 {
			c.come("quiet")
			c.waitQueued(flood + i + 1)
		}
		release()
		c.all.Wait()
		seen := 0
		for i, tenant := range c.ran {
			if tenant == "quiet" {
				seen++
				// Turn about, and as many as there are children may be dispatched
				// before one of them is seen to run.
				if bound := 2*seen + size; i > bound {
					t.Errorf("size %d: execution %d of the quiet tenant ran as number %d, after more than %d", size, seen, i+1, bound)
				}
			}
		}
		if seen != 3 || len(c.ran) != flood+3 || c.faults("flood")+c.faults("quiet") > 0 {
			t.Errorf("size %d: %d executions ran, %d of the quiet tenant", size, len(c.ran), seen)
		}
	}
}

// TestFullOfOneTenant has a tenant come that finds the queue full of another.
func TestFullOfOneTenant(t *testing.T) {
	c, release := newCrowd(t, pool.Config{Size: 1, QueueLength: 8})
	for i := range 8 {
		c.come("flood")
		c.waitQueued(i + 1)
	}
	c.come("flood") // one too many, and nobody holds more
	waitFor(t, "the refusal", func() bool { return c.faults("flood") == 1 })
	for i := range 4 {
		c.come("quiet")
		waitFor(t, "another one to give way", func() bool { return c.faults("flood") == 2+i })
	}
	c.come("quiet") // holds its part now
	waitFor(t, "the refusal", func() bool { return c.faults("quiet") == 1 })
	c.come("third") // of the two that hold as much, one gives way
	waitFor(t, "another one to give way", func() bool { return c.faults("flood")+c.faults("quiet") == 7 })
	c.waitQueued(8)
	release()
	c.all.Wait()
	for _, faults := range c.results {
		for _, fault := range faults {
			if fault == nil {
				continue
			}
			f, ok := fault.(*protocol.Overloaded)
			if !ok || f.Capacity != 8 || f.Queued < 7 || f.Queued > 8 || f.RetryAfterMS < 10 || f.Started || !f.Retryable() {
				t.Errorf("the fault is %v", fault)
			}
		}
	}
	if c.faults("third") != 0 || len(c.ran) != 8 {
		t.Errorf("%v ran, the third had %d faults", c.ran, c.faults("third"))
	}
	if s := c.pool.Stats(); s.Overloaded != 7 || s.Executions != 9 {
		t.Errorf("the statistics are %+v", s)
	}
}
