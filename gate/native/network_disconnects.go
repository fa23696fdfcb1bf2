package native

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the attacks by clients that are gone, or read nothing.

var networkDisconnects = []Attack{
	{Name: "network-gone-while-busy", Source: "W18 T19", Title: "a client that vanishes takes its programs with it, also those that nothing but a kill ends", Run: goneWhile(
		`async () => { await tools.f(); for (;;) {} }`,
		`async () => { await tools.f(); Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1) }`)},
	{Name: "network-gone-while-idle", Source: "W18", Title: "a client that vanishes takes a program with it that waits", Run: goneWhile(
		`async () => { await tools.f(); await new Promise(done => setTimeout(done, 60_000)) }`)},
	{Name: "network-gone-with-calls", Source: "W18", Title: "a client that vanishes with 50 calls open takes its program with it", Run: goneWithCalls},
	{Name: "network-gone-while-queued", Source: "W18", Title: "what waits for a vanished client never runs", Run: goneWhileQueued},
	{Name: "network-gone-while-nested", Source: "W18", Title: "a client that vanishes takes nested programs with it", Run: goneWhileNested},
	{Name: "network-gone-during-post", Source: "W18", Title: "a caller that hangs up takes its program with it", Run: goneDuringPost},
	{Name: "network-deaf-results", Source: "W17", Title: "a client that reads no results is cut off, and what it may leave unread is bounded", Run: deafResults},
	{Name: "network-deaf-calls", Source: "W17", Title: "a client that reads no calls is cut off, and what it runs is reclaimed", Run: deafCalls},
	{Name: "network-deaf-logs", Source: "W17", Title: "a client that reads no logs is cut off, and what it runs is reclaimed", Run: deafLogs},
}

// goneWhile returns an attack by a client that vanishes when its program has returned
// from its tool.
func goneWhile(sources ...string) func(context.Context, *Host) error {
	return func(ctx context.Context, h *Host) error {
		e, err := h.serve(ctx, server.Config{}, server.Tenant{})
		if err != nil {
			return err
		}
		for _, source := range sources {
			w, err := e.connect(ctx, nil)
			if err != nil {
				return err
			}
			if err := w.execute(ctx, "one", source); err != nil {
				return err
			}
			if _, err := expect[*protocol.ToolCall](ctx, w); err != nil {
				return err
			}
			if err := w.reply(ctx, "one", 1, "1"); err != nil {
				return err
			}
			if err := w.vanish(ctx, e); err != nil {
				return err
			}
		}
		return e.wantServed(ctx, "after the clients have gone")
	}
}

// vanish ends the connection without a word, and demands that everything that ran on
// it is reclaimed soon.
func (w *wire) vanish(ctx context.Context, e *endpoint) error {
	start := time.Now()
	_ = w.socket.CloseNow() // that it told nobody is what is wanted
	if err := e.wantIdle(ctx, "when the client had gone"); err != nil {
		return err
	}
	took := time.Since(start)
	w.h.Note("reclaimed in %v", took.Round(time.Millisecond))
	if most := 2 * time.Second; took > most {
		return violated("what ran was reclaimed in %v, must take at most %v", took, most)
	}
	return nil
}

func goneWithCalls(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	const calls = 50
	if err := w.execute(ctx, "one", fmt.Sprintf(`() => Promise.all(Array.from({length: %d}, () => tools.f()))`, calls)); err != nil {
		return err
	}
	for range calls {
		if _, err := expect[*protocol.ToolCall](ctx, w); err != nil {
			return err
		}
	}
	if err := w.vanish(ctx, e); err != nil {
		return err
	}
	return e.wantServed(ctx, "after the client has gone")
}

func goneWhileQueued(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	holder, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	for _, id := range []string{"a", "b"} {
		if err := holder.enter(ctx, id); err != nil {
			return err
		}
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	const waiting = 20
	for i := range waiting {
		if err := w.execute(ctx, fmt.Sprint(i), "() => 1"); err != nil {
			return err
		}
	}
	if err := eventually(ctx, networkPatience, func() error {
		if n := e.executor.Stats().Queued; n != waiting {
			return violated("%d executions wait, must be %d", n, waiting)
		}
		return nil
	}); err != nil {
		return err
	}
	_ = w.socket.CloseNow() // that it told nobody is what is wanted
	if err := e.wantBusy(ctx, "when the client had gone", 2); err != nil {
		return err
	}
	if n := e.executor.Stats().Executions; n != 2 {
		return violated("%d programs ran, must be the 2 of the other client", n)
	}
	for _, id := range []string{"a", "b"} {
		if err := holder.reply(ctx, id, 1, `"it"`); err != nil {
			return err
		}
		if err := holder.wantValue(ctx, "the other client's execution", id, `"got it"`); err != nil {
			return err
		}
	}
	return nil
}

func goneWhileNested(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.enter(ctx, "outer"); err != nil {
		return err
	}
	if err := w.request(ctx, "inner", protocol.Request{Source: "() => tools.f()", Parent: "outer"}); err != nil {
		return err
	}
	if _, err := expect[*protocol.ToolCall](ctx, w); err != nil {
		return err
	}
	if err := w.vanish(ctx, e); err != nil {
		return err
	}
	return e.wantServed(ctx, "after the client has gone")
}

func goneDuringPost(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	r, err := e.raw(ctx)
	if err != nil {
		return err
	}
	const body = `{"source":"() => { for (;;) {} }"}`
	if _, err := fmt.Fprintf(r, "POST /v1/execute HTTP/1.1\r\nHost: isogate\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		return err
	}
	if err := e.wantBusy(ctx, "during the request", 1); err != nil {
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	start := time.Now()
	if err := e.wantIdle(ctx, "when the caller had hung up"); err != nil {
		return err
	}
	// Without it the program would end at its deadline.
	if took, most := time.Since(start), 2*time.Second; took > most {
		return violated("what ran was reclaimed in %v, must take at most %v", took, most)
	}
	return e.wantServed(ctx, "after the caller has hung up")
}

// deaf starts a server with small bounds, whose pings come too late to matter, and a
// client that reads nothing more when send has been called.
func deaf(ctx context.Context, h *Host, send func(*wire) error) error {
	const queued, message = 256 << 10, 110_000
	e, err := h.serve(ctx, server.Config{MaxQueued: queued, FrameTimeout: 8 * networkFrameTimeout, PingInterval: time.Hour}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	if err := send(w); err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- e.wantServed(ctx, "beside a client that reads nothing") }()
	most := 0.0
	gone := func() error {
		waiting, err := e.metric(ctx, "isogate_queued_bytes")
		if err != nil {
			return err
		}
		most = max(most, waiting)
		// The server counts a connection until nothing of it is left.
		n, err := e.metric(ctx, `isogate_tenant_connections{tenant="gate"}`)
		if err == nil && n != 0 {
			err = violated("the server has %v connections, must have cut the one off that reads nothing", n)
		}
		return err
	}
	err = eventually(ctx, networkPatience, gone)
	if err := errors.Join(err, <-served); err != nil {
		return err
	}
	h.Note("%.0f bytes at most waited for it", most)
	// One message begins to wait when the bound is not reached yet, one is being sent.
	if bound := float64(queued + 2*message); most > bound {
		return violated("%.0f bytes waited for a client that reads nothing, must be at most %.0f", most, bound)
	}
	return e.wantIdle(ctx, "after it was cut off")
}

// metric returns a figure of the server.
func (e *endpoint) metric(ctx context.Context, name string) (float64, error) {
	r := &recorder{header: http.Header{}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "/metrics", nil)
	if err != nil {
		return 0, err
	}
	e.server.Observer().ServeHTTP(r, request)
	for line := range strings.Lines(r.text.String()) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("the server tells no %s", name)
}

// recorder keeps the body of an answer.
type recorder struct {
	header http.Header
	text   strings.Builder
}

func (r *recorder) Header() http.Header            { return r.header }
func (r *recorder) WriteHeader(int)                {}
func (r *recorder) Write(text []byte) (int, error) { return r.text.Write(text) }

func deafResults(ctx context.Context, h *Host) error {
	return deaf(ctx, h, func(w *wire) error {
		for i := range 40 {
			if err := w.execute(ctx, fmt.Sprint(i), `() => "x".repeat(100_000)`); err != nil {
				return err
			}
		}
		return nil
	})
}

func deafCalls(ctx context.Context, h *Host) error {
	return deaf(ctx, h, func(w *wire) error {
		return w.execute(ctx, "one", `() => Promise.all(Array.from({length: 60}, () => tools.f("x".repeat(100_000))))`)
	})
}

func deafLogs(ctx context.Context, h *Host) error {
	return deaf(ctx, h, func(w *wire) error {
		return w.send(ctx, &protocol.Execute{Execution: "one", StreamLogs: true, Request: protocol.Request{
			Source: `async () => { for (let i = 0; i < 60; i++) console.log("x".repeat(100_000)); await new Promise(done => setTimeout(done, 60_000)) }`,
			Limits: protocol.Limits{LogBytes: 8 << 20, LogEntries: 1000},
		}})
	})
}
