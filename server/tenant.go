package server

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns tenants: what the requests of each may ask for, and how much
// all of them together may use.

// Tenant is one whom the server works for. It is not changed once it is in use.
type Tenant struct {
	// Name is 1 to 100 bytes of visible ASCII, without a slash.
	Name string
	// Defaults are the limits of requests that do not state their own, Max is what
	// they may state at most. Zero fields are those of the executor.
	Defaults, Max protocol.Limits
	// Grants are those that requests may ask for.
	Grants []protocol.Grant
	Quotas Quotas
	// Divides lets requests state a tenant of their own: a part of this one, whose
	// programs share no process with other parts. Otherwise stating one is refused,
	// because each part has its own turn in the executor's queue.
	Divides bool
	// Operator lets the tenant read /metrics, which tells of all tenants.
	Operator bool
}

// Quotas bound what all requests of a tenant use together. A zero field takes
// the default in its comment; none is ever unlimited.
type Quotas struct {
	// Executions is how many run or wait at one moment. Default 256. Nested ones
	// are not counted: those that count wait for them.
	Executions int
	// PerSecond is how many may begin in a second, as many at once after a silent
	// second. Default 1000. Nested ones are not counted.
	PerSecond int
	// CPUPerMinute is the processor time that programs may use in a minute. What one
	// uses is known when it ends, so the time may be overdrawn, and is then waited
	// for. Default: a minute for each CPU that Go uses.
	CPUPerMinute time.Duration
	// Connections is how many are open at one moment. Default 256.
	Connections int
}

const maxTenantName = 100

// NewTenant returns the tenant with its zero fields filled, for use with the given
// executor, or what is wrong with it.
func NewTenant(t Tenant, e Executor) (*Tenant, error) {
	defaults, max := e.Limits()
	wrong := func(format string, args ...any) (*Tenant, error) {
		return nil, fmt.Errorf("tenant %.120q: %w", t.Name, fmt.Errorf(format, args...))
	}
	if n := len(t.Name); n < 1 || n > maxTenantName {
		return wrong("its name has %d bytes, 1 to %d are allowed", n, maxTenantName)
	}
	for i := range len(t.Name) {
		if c := t.Name[i]; c < '!' || c > '~' || c == '/' {
			return wrong("byte %d of its name is %q, where only visible ASCII without a slash may be", i, c)
		}
	}
	var err error
	if t.Max, err = t.Max.Resolve(max, max); err != nil {
		return wrong("its maxima: %w", err)
	}
	// A default of the executor that is more than the tenant's maximum is lowered.
	if t.Defaults, err = t.Defaults.Resolve(defaults.Lower(t.Max), t.Max); err != nil {
		return wrong("its defaults: %w", err)
	}
	for _, g := range t.Grants {
		if !slices.Contains(protocol.Grants, g) {
			return wrong("there is no grant %.40q", g)
		}
	}
	fill(&t.Quotas.Executions, 256)
	fill(&t.Quotas.PerSecond, 1000)
	fill(&t.Quotas.CPUPerMinute, time.Duration(runtime.GOMAXPROCS(0))*time.Minute)
	fill(&t.Quotas.Connections, 256)
	if q := t.Quotas; q.Executions < 1 || q.PerSecond < 1 || q.CPUPerMinute < time.Millisecond || q.Connections < 1 {
		return wrong("its quotas must be positive")
	}
	return &t, nil
}

// permit returns the limits and the tenant under which a request of t runs, or
// why it may not.
func (t *Tenant) permit(r *protocol.Request) (protocol.Limits, string, protocol.Fault) {
	for i, g := range r.Grants {
		if !slices.Contains(t.Grants, g) && slices.Contains(protocol.Grants, g) {
			return protocol.Limits{}, "", &protocol.InvalidRequest{
				Field: fmt.Sprintf("grants[%d]", i), Reason: fmt.Sprintf("%q is not granted to the tenant %s", g, t.Name),
			}
		}
	}
	limits, err := r.Limits.Resolve(t.Defaults, t.Max)
	if err != nil {
		return limits, "", asFault(err)
	}
	if r.Tenant == "" {
		return limits, t.Name, nil
	}
	if !t.Divides {
		return limits, "", &protocol.InvalidRequest{Field: "tenant", Reason: "the tenant " + t.Name + " may not state one"}
	}
	return limits, t.Name + "/" + r.Tenant, nil
}

// account is what a tenant uses at this moment.
type account struct {
	tenant *Tenant

	mu          sync.Mutex
	executions  int       // guarded by mu
	connections int       // guarded by mu
	begun       bucket    // guarded by mu; of executions
	cpu         bucket    // guarded by mu; of seconds
	now         time.Time // guarded by mu; of the last look at the buckets
}

// bucket is what is left of a quota that fills up again with time.
type bucket struct{ left, capacity, perSecond float64 }

// fill adds what has come in since the last look.
func (b *bucket) fill(passed time.Duration) {
	b.left = min(b.capacity, b.left+b.perSecond*passed.Seconds())
}

// wait returns how long it takes until so much is there.
func (b *bucket) wait(amount float64) time.Duration {
	return time.Duration(math.Ceil((amount - b.left) / b.perSecond * float64(time.Second)))
}

func newAccount(t *Tenant, now time.Time) *account {
	cpu := t.Quotas.CPUPerMinute.Seconds()
	return &account{
		tenant: t, now: now,
		begun: bucket{float64(t.Quotas.PerSecond), float64(t.Quotas.PerSecond), float64(t.Quotas.PerSecond)},
		cpu:   bucket{cpu, cpu, cpu / 60},
	}
}

// The quotas as faults name them.
const (
	quotaExecutions  = "executions in flight"
	quotaPerSecond   = "executions per second"
	quotaCPU         = "milliseconds of processor time per minute"
	quotaConnections = "connections"
)

// begin takes in one execution, or says which quota it would pass. Without a
// fault, end must be called.
func (a *account) begin(nested bool, now time.Time) protocol.Fault {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lookLocked(now)
	q := &a.tenant.Quotas
	retry := func(d time.Duration) int64 { return max(1, d.Milliseconds()) }
	switch {
	case a.cpu.left <= 0:
		// A millisecond's worth, so that the answer is not "at once".
		return &protocol.QuotaExceeded{Quota: quotaCPU, Limit: q.CPUPerMinute.Milliseconds(), RetryAfterMS: retry(a.cpu.wait(0.001))}
	case nested:
		return nil
	case a.executions >= q.Executions:
		return &protocol.QuotaExceeded{Quota: quotaExecutions, Limit: int64(q.Executions)}
	case a.begun.left < 1:
		return &protocol.QuotaExceeded{Quota: quotaPerSecond, Limit: int64(q.PerSecond), RetryAfterMS: retry(a.begun.wait(1))}
	}
	a.executions++
	a.begun.left--
	return nil
}

// charge takes off what an execution has used.
func (a *account) charge(cpuMS float64, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lookLocked(now)
	a.cpu.left -= cpuMS / 1000
}

// end gives back the place that begin took.
func (a *account) end(nested bool) {
	if nested {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.executions--
}

// lookLocked brings the buckets up to now.
func (a *account) lookLocked(now time.Time) {
	if passed := now.Sub(a.now); passed > 0 {
		a.begun.fill(passed)
		a.cpu.fill(passed)
		a.now = now
	}
}

// connect takes in one connection, or refuses it. Without a fault, disconnect
// must be called.
func (a *account) connect() protocol.Fault {
	a.mu.Lock()
	defer a.mu.Unlock()
	if most := a.tenant.Quotas.Connections; a.connections >= most {
		return &protocol.QuotaExceeded{Quota: quotaConnections, Limit: int64(most)}
	}
	a.connections++
	return nil
}

func (a *account) disconnect() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.connections--
}

// inUse returns what the tenant uses at this moment.
func (a *account) inUse() (executions, connections int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.executions, a.connections
}
