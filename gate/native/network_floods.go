package native

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the attacks by more requests, bytes and connections than there is room for.

var networkFloods = []Attack{
	{Name: "network-flood", Source: "W19", Title: "of 100 requests on 2 children with a queue of 10, 88 are answered overloaded at once, and the others are served", Run: networkFlood},
	{Name: "network-flood-in-flight", Source: "W19", Title: "a connection has no more executions than its bound, whatever becomes of its results", Run: floodInFlight},
	{Name: "network-flood-bytes", Source: "W19", Title: "a connection's requests hold no more bytes than their bound", Run: floodBytes},
	{Name: "network-flood-connections", Source: "W19", Title: "connections beyond the bound are closed at once; those that are there are served, and there is room again when they end", Run: floodConnections},
	{Name: "network-flood-of-tenant", Source: "W19 W20", Title: "a tenant that floods is told its quota, and another one is served meanwhile", Run: floodOfTenant},
	{Name: "network-flood-of-connections-of-tenant", Source: "W19", Title: "a tenant has no more connections than its quota", Run: floodConnectionsOfTenant},
	{Name: "network-quota-of-time", Source: "W19 W20", Title: "a tenant that has used up its processor time is refused until some has come in", Run: quotaOfTime},
	{Name: "network-quota-per-second", Source: "W19", Title: "a tenant begins no more executions a second than its quota", Run: quotaPerSecond},
}

func networkFlood(ctx context.Context, h *Host) error {
	const size, queue, total = 2, 10, 100
	e, err := h.serveWith(ctx, server.Config{}, server.Tenant{}, pool.Config{Size: size, QueueLength: queue, QueueTimeout: time.Minute})
	if err != nil {
		return err
	}
	holder, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	for i := range size {
		if err := holder.enter(ctx, fmt.Sprint(i)); err != nil {
			return err
		}
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	start := time.Now()
	for i := range total - size {
		if err := w.execute(ctx, fmt.Sprint(i), "() => 'served'"); err != nil {
			return err
		}
	}
	for i := range total - size - queue {
		m, err := expect[*protocol.ResultMessage](ctx, w)
		if err != nil {
			return err
		}
		if err := wantFault(fmt.Sprintf("refusal %d", i+1), &m.Result, protocol.CodeOverloaded); err != nil {
			return err
		}
		if f := m.Result.Fault.(*protocol.Overloaded); f.Capacity != queue || f.RetryAfterMS <= 0 || !f.Retryable() || f.Started {
			return violated("the refusal says %+v", f)
		}
	}
	took := time.Since(start)
	h.Note("all refusals came in %v", took.Round(time.Millisecond))
	if most := 2 * time.Second; took > most {
		return violated("the refusals came in %v, must take at most %v", took, most)
	}
	for i := range size {
		if err := holder.reply(ctx, fmt.Sprint(i), 1, `"it"`); err != nil {
			return err
		}
	}
	for range size {
		m, err := expect[*protocol.ResultMessage](ctx, holder)
		if err != nil {
			return err
		}
		if err := wantValue("an execution that ran during the flood", &m.Result, `"got it"`); err != nil {
			return err
		}
	}
	for range queue {
		m, err := expect[*protocol.ResultMessage](ctx, w)
		if err != nil {
			return err
		}
		if err := wantValue("an execution that waited", &m.Result, `"served"`); err != nil {
			return err
		}
	}
	return e.wantServed(ctx, "after the flood")
}

// wantQuota waits for the result of an execution that is refused for a quota.
func (w *wire) wantQuota(ctx context.Context, id, quota string, limit int64) error {
	r, err := w.result(ctx, id)
	if err != nil {
		return err
	}
	return wantQuota(r, quota, limit)
}

func wantQuota(r *protocol.Result, quota string, limit int64) error {
	if err := wantFault("an execution above its quota", r, protocol.CodeQuotaExceeded); err != nil {
		return err
	}
	f := r.Fault.(*protocol.QuotaExceeded)
	if f.Quota != quota || f.Limit != limit || f.Started || !f.Retryable() {
		return violated("the refusal says %+v, must be for %s above %d", f, quota, limit)
	}
	return nil
}

func floodInFlight(ctx context.Context, h *Host) error {
	const most = 2
	e, err := h.serve(ctx, server.Config{MaxExecutions: most}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	for i := range most {
		if err := w.enter(ctx, fmt.Sprint(i)); err != nil {
			return err
		}
	}
	if err := w.execute(ctx, "above", "() => 1"); err != nil {
		return err
	}
	if err := w.wantQuota(ctx, "above", "executions in flight on a connection", most); err != nil {
		return err
	}
	if err := w.reply(ctx, "0", 1, `"it"`); err != nil {
		return err
	}
	if err := w.wantValue(ctx, "an execution within the bound", "0", `"got it"`); err != nil {
		return err
	}
	if err := w.execute(ctx, "next", "() => 1"); err != nil {
		return err
	}
	return w.wantValue(ctx, "the next one", "next", "1")
}

func floodBytes(ctx context.Context, h *Host) error {
	const held = 1 << 20
	e, err := h.serve(ctx, server.Config{MaxFrame: held, MaxHeld: held}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	large := protocol.Value(`"` + strings.Repeat("x", held*2/3) + `"`)
	if err := w.request(ctx, "first", protocol.Request{Source: `async () => "got " + await tools.f()`, Input: large}); err != nil {
		return err
	}
	if _, err := expect[*protocol.ToolCall](ctx, w); err != nil {
		return err
	}
	if err := w.request(ctx, "second", protocol.Request{Source: "() => 1", Input: large}); err != nil {
		return err
	}
	if err := w.wantQuota(ctx, "second", "bytes of requests in flight on a connection", held); err != nil {
		return err
	}
	if err := w.reply(ctx, "first", 1, `"it"`); err != nil {
		return err
	}
	if err := w.wantValue(ctx, "the first one", "first", `"got it"`); err != nil {
		return err
	}
	if err := w.request(ctx, "third", protocol.Request{Source: "() => 1", Input: large}); err != nil {
		return err
	}
	return w.wantValue(ctx, "the third one", "third", "1")
}

func floodConnections(ctx context.Context, h *Host) error {
	const most = 10
	e, err := h.serve(ctx, server.Config{MaxConnections: most}, server.Tenant{})
	if err != nil {
		return err
	}
	first, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	var idle []net.Conn
	for range most - 1 {
		c, err := e.raw(ctx)
		if err != nil {
			return err
		}
		idle = append(idle, c)
	}
	for range 100 {
		r, err := e.raw(ctx)
		if err != nil {
			return err
		}
		if err := r.wantEnd("a connection above the bound"); err != nil {
			return err
		}
	}
	if err := first.execute(ctx, "one", "() => 1"); err != nil {
		return err
	}
	if err := first.wantValue(ctx, "an execution during the flood", "one", "1"); err != nil {
		return err
	}
	for _, c := range idle {
		if err := c.Close(); err != nil {
			return err
		}
	}
	// The server learns of it a moment later.
	return eventually(ctx, networkPatience, func() error { return e.wantServed(ctx, "when the others had gone") })
}

func floodConnectionsOfTenant(ctx context.Context, h *Host) error {
	const most = 3
	e, err := h.serve(ctx, server.Config{}, server.Tenant{Quotas: server.Quotas{Connections: most}})
	if err != nil {
		return err
	}
	for range most {
		if _, err := e.connect(ctx, nil); err != nil {
			return err
		}
	}
	_, response, err := e.dial(ctx, nil)
	if err == nil {
		return violated("a connection above the quota of %d was opened", most)
	}
	if response == nil || response.StatusCode != 429 {
		return violated("a connection above the quota was refused with %v, must be with the status 429", err)
	}
	return nil
}

func floodOfTenant(ctx context.Context, h *Host) error {
	const most, total = 1, 100
	e, keys, err := h.tokens(ctx, pool.Config{Size: 2}, server.Tenant{Name: "flooding", Quotas: server.Quotas{Executions: most}}, server.Tenant{Name: "other"})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, keys.header("flooding"))
	if err != nil {
		return err
	}
	if err := w.enter(ctx, "held"); err != nil {
		return err
	}
	other, err := e.connect(ctx, keys.header("other"))
	if err != nil {
		return err
	}
	for i := range total {
		if err := w.execute(ctx, fmt.Sprint(i), "() => 1"); err != nil {
			return err
		}
		if i%10 == 0 {
			if err := other.execute(ctx, "one", "() => 1"); err != nil {
				return err
			}
			if err := other.wantValue(ctx, "an execution of another tenant", "one", "1"); err != nil {
				return err
			}
		}
	}
	for range total {
		m, err := expect[*protocol.ResultMessage](ctx, w)
		if err != nil {
			return err
		}
		if err := wantQuota(&m.Result, "executions in flight", most); err != nil {
			return err
		}
	}
	if err := w.reply(ctx, "held", 1, `"it"`); err != nil {
		return err
	}
	return w.wantValue(ctx, "the execution within the quota", "held", `"got it"`)
}

func quotaOfTime(ctx context.Context, h *Host) error {
	const quota = 60 * time.Millisecond
	e, err := h.serve(ctx, server.Config{}, server.Tenant{Quotas: server.Quotas{CPUPerMinute: quota}})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.execute(ctx, "busy", `() => { for (let i = 0; i < 2e7; i++); return "spent" }`); err != nil {
		return err
	}
	if err := w.wantValue(ctx, "the execution that spends the time", "busy", `"spent"`); err != nil {
		return err
	}
	if err := w.execute(ctx, "above", "() => 1"); err != nil {
		return err
	}
	return w.wantQuota(ctx, "above", "milliseconds of processor time per minute", quota.Milliseconds())
}

func quotaPerSecond(ctx context.Context, h *Host) error {
	const quota, total = 3, 30
	e, err := h.serve(ctx, server.Config{}, server.Tenant{Quotas: server.Quotas{PerSecond: quota}})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	start := time.Now()
	for i := range total {
		if err := w.execute(ctx, fmt.Sprint(i), "() => 1"); err != nil {
			return err
		}
	}
	served := 0
	for range total {
		m, err := expect[*protocol.ResultMessage](ctx, w)
		if err != nil {
			return err
		}
		if m.Result.Fault == nil {
			served++
		} else if err := wantQuota(&m.Result, "executions per second", quota); err != nil {
			return err
		}
	}
	took := time.Since(start)
	h.Note("%d of %d were served in %v", served, total, took.Round(time.Millisecond))
	if most := quota + int(took.Seconds()*quota) + 1; served == 0 || served > most {
		return violated("%d of %d executions were served in %v, must be 1 to %d", served, total, took, most)
	}
	return nil
}
