package server

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns what can be observed of a server: its metrics, in Prometheus'
// text format (version 0.0.4), and the line that is logged of each execution.

// metrics are the figures that only grow.
type metrics struct {
	mu             sync.Mutex
	executions     map[outcome]int64    // guarded by mu
	durations      map[string]*duration // guarded by mu; by tenant
	connections    int64                // guarded by mu; opened
	refusedSockets int64                // guarded by mu
	unauthorized   int64                // guarded by mu
	violations     int64                // guarded by mu
	calls          int64                // guarded by mu
	lateReplies    int64                // guarded by mu
	received, sent int64                // guarded by mu; bytes of messages and bodies
}

// outcome is what executions are counted by. The code is "" when there was a value.
type outcome struct {
	tenant string
	code   protocol.Code
}

// bounds are the upper bounds of the buckets of durations, in seconds.
var bounds = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}

// duration is a histogram.
type duration struct {
	counts []int64 // of each bucket alone; one more than bounds
	sum    float64 // seconds
}

func newMetrics() *metrics {
	return &metrics{executions: map[outcome]int64{}, durations: map[string]*duration{}}
}

// count adds one to a figure of m.
func (m *metrics) count(figure *int64) { m.add(figure, 1) }

func (m *metrics) add(figure *int64, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	*figure += n
}

// executed counts one execution. One that was refused took no time.
func (m *metrics) executed(tenant string, fault protocol.Fault, took time.Duration) {
	by := outcome{tenant: tenant}
	if fault != nil {
		by.code = fault.Code()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.executions[by]++
	d := m.durations[tenant]
	if d == nil {
		d = &duration{counts: make([]int64, len(bounds)+1)}
		m.durations[tenant] = d
	}
	i, _ := slices.BinarySearch(bounds, took.Seconds())
	d.counts[i]++
	d.sum += took.Seconds()
}

// exposition writes Prometheus' text format.
type exposition struct{ w *bufio.Writer }

func (e exposition) family(name, kind, help string) {
	fmt.Fprintf(e.w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// sample writes one sample; labels are names and values in turn.
func (e exposition) sample(name string, value float64, labels ...string) {
	e.w.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		e.w.WriteString(separator + labels[i] + `="` + labelEscapes.Replace(labels[i+1]) + `"`)
	}
	if len(labels) > 0 {
		e.w.WriteByte('}')
	}
	e.w.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}

// single writes a family of one sample.
func (e exposition) single(name, kind, help string, value float64) {
	e.family(name, kind, help)
	e.sample(name, value)
}

// writeMetrics answers /metrics.
func (s *Server) writeMetrics(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	buffered := bufio.NewWriter(w)
	e := exposition{buffered}
	s.writePool(e)
	s.writeUse(e)
	s.metrics.write(e)
	// Writing fails when the reader has gone.
	_ = buffered.Flush()
}

// writePool writes the state of the executor.
func (s *Server) writePool(e exposition) {
	p := s.config.Executor.Stats()
	e.family("isogate_children", "gauge", "Child processes by state.")
	e.sample("isogate_children", float64(p.Ready), "state", "ready")
	e.sample("isogate_children", float64(p.Busy), "state", "busy")
	e.sample("isogate_children", float64(p.Starting), "state", "starting")
	e.single("isogate_pool_size", "gauge", "Executions that run at one moment at most.", float64(p.Size))
	e.single("isogate_queued", "gauge", "Executions that wait for a child process.", float64(p.Queued))
	e.single("isogate_nested", "gauge", "Executions, running and waiting, that a tool of another one made.", float64(p.Nested))
	e.single("isogate_dispatched_total", "counter", "Executions that were given to a child process.", float64(p.Executions))
	e.single("isogate_overloaded_total", "counter", "Executions that were refused because the queue was full.", float64(p.Overloaded))
	e.single("isogate_child_crashes_total", "counter", "Child processes that ended by themselves.", float64(p.Crashes))
	e.single("isogate_child_kills_total", "counter", "Child processes that had to be killed.", float64(p.Kills))
	e.single("isogate_child_retired_total", "counter", "Child processes that were replaced as planned.", float64(p.Retired))
	e.single("isogate_service_seconds", "gauge", "Moving average of the time that an execution occupies a child process.", p.Service.Seconds())
}

// writeUse writes what is in use at this moment.
func (s *Server) writeUse(e exposition) {
	s.mu.Lock()
	sockets, draining := s.sockets, 0.0
	if s.draining {
		draining = 1
	}
	accounts := maps.Clone(s.accounts)
	var waiting int64
	for c := range s.connections {
		waiting += c.link.Waiting()
	}
	s.mu.Unlock()
	e.single("isogate_sockets", "gauge", "Open connections, those included whose caller is not known yet.", float64(sockets))
	e.single("isogate_draining", "gauge", "Whether new executions are refused: 1 or 0.", draining)
	e.single("isogate_queued_bytes", "gauge", "Bytes that wait to be sent to clients.", float64(waiting))
	e.family("isogate_tenant_executions", "gauge", "Executions in flight by tenant, as its quota counts them.")
	tenants := slices.Sorted(maps.Keys(accounts))
	for _, name := range tenants {
		executions, _ := accounts[name].inUse()
		e.sample("isogate_tenant_executions", float64(executions), "tenant", name)
	}
	e.family("isogate_tenant_connections", "gauge", "Open WebSockets by tenant.")
	for _, name := range tenants {
		_, connections := accounts[name].inUse()
		e.sample("isogate_tenant_connections", float64(connections), "tenant", name)
	}
}

// write writes the figures that only grow.
func (m *metrics) write(e exposition) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.family("isogate_executions_total", "counter", "Executions by tenant and outcome: ok, or the code of the fault.")
	for _, by := range slices.SortedFunc(maps.Keys(m.executions), func(a, b outcome) int {
		return strings.Compare(a.tenant+"\x00"+string(a.code), b.tenant+"\x00"+string(b.code))
	}) {
		code := string(by.code)
		if code == "" {
			code = "ok"
		}
		e.sample("isogate_executions_total", float64(m.executions[by]), "tenant", by.tenant, "outcome", code)
	}
	const seconds = "isogate_execution_seconds"
	e.family(seconds, "histogram", "Time from a request to its result by tenant, waiting included.")
	for _, tenant := range slices.Sorted(maps.Keys(m.durations)) {
		d, below := m.durations[tenant], int64(0)
		for i, n := range d.counts {
			below += n
			bound := "+Inf"
			if i < len(bounds) {
				bound = strconv.FormatFloat(bounds[i], 'g', -1, 64)
			}
			e.sample(seconds+"_bucket", float64(below), "tenant", tenant, "le", bound)
		}
		e.sample(seconds+"_sum", d.sum, "tenant", tenant)
		e.sample(seconds+"_count", float64(below), "tenant", tenant)
	}
	e.single("isogate_connections_total", "counter", "WebSockets that were opened.", float64(m.connections))
	e.single("isogate_refused_sockets_total", "counter", "Connections that were closed because too many were open.", float64(m.refusedSockets))
	e.single("isogate_unauthorized_total", "counter", "Requests of callers that may not use the server.", float64(m.unauthorized))
	e.single("isogate_violations_total", "counter", "Connections that were closed for a violation of the protocol.", float64(m.violations))
	e.single("isogate_tool_calls_total", "counter", "Tool calls that were sent to clients.", float64(m.calls))
	e.single("isogate_late_replies_total", "counter", "Replies to tool calls that were over.", float64(m.lateReplies))
	e.single("isogate_received_bytes_total", "counter", "Bytes of the messages and bodies that came in.", float64(m.received))
	e.single("isogate_sent_bytes_total", "counter", "Bytes of the messages that went out.", float64(m.sent))
}

// content returns an error for the log when its text, which may quote what a
// client sent, is asked for.
func (s *Server) content(key string, err error) slog.Attr {
	if !s.config.LogContent || err == nil {
		return slog.Attr{}
	}
	return slog.String(key, err.Error())
}

// logExecution logs the end of an execution: who, how it ended, what it cost. The
// text of a fault may quote the program, so only its code is logged.
func (s *Server) logExecution(ctx context.Context, who *Identity, r *protocol.Request, result *protocol.Result) {
	code, text := "ok", slog.Attr{}
	if result.Fault != nil {
		code, text = string(result.Fault.Code()), s.content("fault", result.Fault)
	}
	s.config.Logger.LogAttrs(ctx, slog.LevelInfo, "execution",
		slog.String("tenant", who.Tenant.Name), slog.String("outcome", code),
		slog.Float64("wallMs", result.Usage.WallMS), slog.Float64("cpuMs", result.Usage.CPUMS), slog.Float64("queueMs", result.Usage.QueueMS),
		slog.Int("toolCalls", result.Usage.ToolCalls), slog.Int("child", result.Usage.Child), slog.Int("sourceBytes", len(r.Source)),
		slog.String("trace", traceID(ctx)), text)
}
