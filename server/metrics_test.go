package server_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/isogate/isogate/server"
)

// This file owns the tests of what can be observed.

// The lines of Prometheus' text format, version 0.0.4.
var (
	helpLine   = regexp.MustCompile(`^# HELP ([a-z_]+) [A-Z].*\.$`)
	typeLine   = regexp.MustCompile(`^# TYPE ([a-z_]+) (counter|gauge|histogram)$`)
	sampleLine = regexp.MustCompile(`^([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\})? ([0-9.e+-]+)$`)
)

func TestMetrics(t *testing.T) {
	e := start(t, server.Config{Authenticator: everybody{tenant(t, server.Tenant{Name: `quote"back\slash`, Operator: true})}})
	w := e.connect(t)
	w.execute("a", "() => 1")
	w.wantResult("a", "1")
	e.post(t, `{"source":"() => { throw 1 }"}`)
	status, text := e.get(t, "/metrics")
	if status != 200 {
		t.Fatalf("%d: %s", status, text)
	}
	family, seen := "", map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if m := helpLine.FindStringSubmatch(line); m != nil {
			if family = m[1]; seen[family] {
				t.Errorf("the family %s a second time", family)
			}
			seen[family] = true
		} else if m := typeLine.FindStringSubmatch(line); m != nil {
			if m[1] != family || (m[2] == "counter") != strings.HasSuffix(family, "_total") {
				t.Errorf("%s, behind the help of %s", line, family)
			}
		} else if m := sampleLine.FindStringSubmatch(line); m == nil || !strings.HasPrefix(m[1], family) {
			t.Errorf("%q is no sample of %s", line, family)
		}
	}
	for _, want := range []string{
		`isogate_executions_total{tenant="quote\"back\\slash",outcome="ok"} 1`, `outcome="thrown"} 1`,
		`isogate_execution_seconds_bucket{tenant="quote\"back\\slash",le="+Inf"} 2`, `isogate_execution_seconds_count{tenant="quote\"back\\slash"} 2`,
		`isogate_children{state="ready"}`, "isogate_connections_total 1", "isogate_draining 0", "isogate_pool_size 2",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	recorder := httptest.NewRecorder()
	e.Observer().ServeHTTP(recorder, httptest.NewRequest("GET", "/metrics", nil))
	if recorder.Code != 200 || !strings.Contains(recorder.Body.String(), "isogate_executions_total") {
		t.Errorf("the observer answers %d", recorder.Code)
	}
	recorder = httptest.NewRecorder()
	e.Observer().ServeHTTP(recorder, httptest.NewRequest("POST", "/v1/execute", strings.NewReader(`{"source":"() => 1"}`)))
	if recorder.Code != 404 {
		t.Errorf("the observer executes: %d", recorder.Code)
	}
}

func TestMetricsAreForOperators(t *testing.T) {
	e := start(t, server.Config{Authenticator: everybody{tenant(t, server.Tenant{})}})
	if status, text := e.get(t, "/metrics"); status != 403 || strings.Contains(text, "isogate_") {
		t.Errorf("%d: %s", status, text)
	}
}

// records is a log handler that keeps what it is given.
type records struct{ text *strings.Builder }

func (r records) Enabled(context.Context, slog.Level) bool { return true }
func (r records) Handle(_ context.Context, record slog.Record) error {
	r.text.WriteString(record.Message)
	record.Attrs(func(a slog.Attr) bool { r.text.WriteString(" " + a.String()); return true })
	r.text.WriteByte('\n')
	return nil
}
func (r records) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r records) WithGroup(string) slog.Handler      { return r }

// TestLogContent checks that texts which may quote a program are logged when that
// is asked for, and not otherwise.
func TestLogContent(t *testing.T) {
	for _, asked := range []bool{false, true} {
		var text strings.Builder
		e := start(t, server.Config{Logger: slog.New(records{&text}), LogContent: asked})
		e.post(t, `{"source":"() => { throw new Error('canary') }"}`)
		e.Close()
		if got := strings.Contains(text.String(), "canary"); got != asked || !strings.Contains(text.String(), "outcome=thrown") {
			t.Errorf("asked: %v; the log is:\n%s", asked, text.String())
		}
	}
}
