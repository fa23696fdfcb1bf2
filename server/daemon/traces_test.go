package daemon_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	wire "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/server/client"
	"github.com/isogate/isogate/server/daemon"
)

// This file owns the tests of a daemon's traces: where they go, and that a
// collector cannot hurt a daemon.

// log is a log that can be read while it is written.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// serveOnce runs a daemon, n programs with a tool each on it, and ends it. It
// returns what the daemon has logged.
func serveOnce(t *testing.T, traces daemon.Traces, n int) string {
	t.Helper()
	socket := "unix://" + filepath.Join(folder(t), "s")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &log{}
	ready, done := make(chan []string, 1), make(chan error, 1)
	go func() {
		c := daemon.Config{Listen: []string{socket}, Executor: daemon.Executor{Size: 1}, Traces: traces, Drain: 300 * time.Millisecond}
		done <- daemon.Run(ctx, c, daemon.Options{Version: "1.2", Logger: slog.New(slog.NewTextHandler(out, nil)), Ready: func(a []string) { ready <- a }})
	}()
	select {
	case <-ready:
	case err := <-done:
		t.Fatalf("the daemon ended: %v", err)
	}
	e, err := client.Dial(t.Context(), socket, client.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		result, err := e.Execute(t.Context(), executor.Request{
			Source: "async (s) => { console.log('canary'); return await host.f('canary', s) }", Input: "canary",
			Tools: executor.Tools{"host": {"f": func(context.Context, []any) (any, error) { return "canary", nil }}},
			Trace: map[string]string{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
		})
		if err != nil || string(result.Value) != `"canary"` {
			t.Errorf("the program ended with %v", err)
		}
	}
	e.Close()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("the daemon ended with %v", err)
	}
	if strings.Contains(out.String(), "canary") || strings.Contains(out.String(), "secret") {
		t.Errorf("the log holds what it must not:\n%s", out)
	}
	return out.String()
}

// TestTracesArrive has a collector receive the spans of a daemon that ends at once.
func TestTracesArrive(t *testing.T) {
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	var mu sync.Mutex
	var raw []byte
	var spans []*wire.ResourceSpans
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		m := new(collector.ExportTraceServiceRequest)
		if err := proto.Unmarshal(body, m); err != nil {
			t.Error(err)
		}
		if r.URL.Path != "/v1/traces" || r.Header.Get("Authorization") != "secret" {
			t.Errorf("the request is for %s, with %v", r.URL, r.Header)
		}
		mu.Lock()
		defer mu.Unlock()
		raw, spans = append(raw, body...), append(spans, m.ResourceSpans...)
	})
	secured := httptest.NewTLSServer(handler)
	defer secured.Close()
	dir := folder(t)
	authorities := filepath.Join(dir, "authorities.pem")
	if err := os.WriteFile(authorities, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secured.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	logged := serveOnce(t, daemon.Traces{Endpoint: secured.URL + "/v1/traces", Headers: map[string]string{"Authorization": "secret"}, Authorities: authorities}, 2)
	if strings.Contains(logged, "do not arrive") || !strings.Contains(logged, "trace=0af7651916cd43dd8448eb211c80319c") {
		t.Errorf("the log is\n%s", logged)
	}
	described, names := map[string]string{}, map[string]int{}
	for _, of := range spans {
		for _, a := range of.Resource.Attributes {
			described[a.Key] = a.Value.GetStringValue()
		}
		for _, scope := range of.ScopeSpans {
			for _, s := range scope.Spans {
				names[s.Name]++
			}
		}
	}
	if described["service.name"] != "isogate" || described["service.version"] != "1.2" || described["deployment.environment.name"] != "test" {
		t.Errorf("the resource is %v", described)
	}
	if diff := cmp.Diff(map[string]int{"isogate.execution": 2, "isogate.tool_call": 2}, names); diff != "" {
		t.Errorf("the spans (-want +got):\n%s", diff)
	}
	if bytes.Contains(raw, []byte("canary")) {
		t.Errorf("what was sent holds what it must not: %q", raw)
	}
}

// TestCollectorsCannotHurt runs programs while nobody takes the spans.
func TestCollectorsCannotHurt(t *testing.T) {
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "1") // so that some are sent, or not, meanwhile
	done := make(chan struct{})
	answering := func(answer http.HandlerFunc) string {
		s := httptest.NewServer(answer)
		t.Cleanup(s.Close)
		return s.URL
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, endpoint := range map[string]string{
		"gone":      gone.URL,
		"refuses":   answering(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }),
		"is busy":   answering(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }),
		"is silent": answering(func(http.ResponseWriter, *http.Request) { <-done }),
	} {
		logged := serveOnce(t, daemon.Traces{Endpoint: endpoint, Headers: map[string]string{"X-Key": "secret"}}, 5)
		// Said once, not for each batch; and of a silent one at the latest at the end.
		if n := strings.Count(logged, "traces do not arrive"); n > 1 || n == 0 && !strings.Contains(logged, "the last traces did not arrive") {
			t.Errorf("a collector that %s: the log is\n%s", name, logged)
		}
	}
	close(done)
}

// TestRefusesTraces checks configurations of traces that cannot be meant.
func TestRefusesTraces(t *testing.T) {
	dir := folder(t)
	certificate(t, dir, "a", nil, nil)
	pemFile, keyFile := filepath.Join(dir, "a.pem"), filepath.Join(dir, "a.key")
	const endpoint = "https://127.0.0.1:1/v1/traces"
	for _, test := range []struct {
		traces daemon.Traces
		want   string
	}{
		{daemon.Traces{Endpoint: "collector:4317"}, "write it as http://"},
		{daemon.Traces{Endpoint: endpoint, Compression: "zstd"}, "neither gzip nor none"},
		{daemon.Traces{Endpoint: endpoint, Timeout: -1}, "negative"},
		{daemon.Traces{Endpoint: endpoint, Certificate: pemFile}, "a certificate and a key"},
		{daemon.Traces{Endpoint: endpoint, Certificate: keyFile, Key: keyFile}, "traces: "},
		{daemon.Traces{Endpoint: endpoint, Authorities: keyFile}, "holds no certificate"},
		{daemon.Traces{Endpoint: endpoint, Authorities: filepath.Join(dir, "none")}, "no such file"},
		{daemon.Traces{Endpoint: endpoint, Headers: map[string]string{"X Key": "secret"}}, `the header "X Key"`},
		{daemon.Traces{Endpoint: endpoint, Headers: map[string]string{"X-Key": "secret\r\nX: y"}}, `the header "X-Key"`},
	} {
		c := daemon.Config{Listen: []string{"unix://" + filepath.Join(dir, "s")}, Executor: daemon.Executor{Size: 1}, Traces: test.traces}
		err := daemon.Run(t.Context(), c, daemon.Options{Logger: slog.New(slog.DiscardHandler)})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: the error is %v, want %q", test.traces, err, test.want)
		}
	}
}

// TestEnvironmentOfTraces reads OpenTelemetry's variables.
func TestEnvironmentOfTraces(t *testing.T) {
	file := daemon.Traces{Endpoint: "http://file/v1/traces", Timeout: time.Second}
	with := func(change func(*daemon.Traces)) daemon.Traces {
		out := file
		change(&out)
		return out
	}
	for _, test := range []struct {
		environment map[string]string
		want        daemon.Traces
	}{
		{nil, file},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, file},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://all:4318/"}, with(func(t *daemon.Traces) { t.Endpoint = "http://all:4318/v1/traces" })},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://all:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://own/x"}, with(func(t *daemon.Traces) { t.Endpoint = "http://own/x" })},
		{map[string]string{"OTEL_EXPORTER_OTLP_TIMEOUT": "250", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, with(func(t *daemon.Traces) { t.Timeout = 250 * time.Millisecond })},
		{map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "a=b%20c, X-Key = d=e"}, with(func(t *daemon.Traces) { t.Headers = map[string]string{"a": "b c", "X-Key": "d=e"} })},
		{map[string]string{"OTEL_EXPORTER_OTLP_CERTIFICATE": "ca", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE": "c", "OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY": "k", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"},
			with(func(t *daemon.Traces) { t.Authorities, t.Certificate, t.Key, t.Compression = "ca", "c", "k", "gzip" })},
		{map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, file},
		{map[string]string{"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, with(func(t *daemon.Traces) { t.Endpoint = "" })},
		{map[string]string{"OTEL_SDK_DISABLED": "True"}, with(func(t *daemon.Traces) { t.Endpoint = "" })},
	} {
		got := file
		err := got.ReadEnvironment(func(name string) (string, bool) { value, ok := test.environment[name]; return value, ok })
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%v: %v\n%s", test.environment, err, diff)
		}
	}
	for name, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "10s", "OTEL_TRACES_EXPORTER": "zipkin",
		"OTEL_EXPORTER_OTLP_HEADERS": "secret", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "a=secret%zz",
	} {
		got := file
		environment := map[string]string{name: value}
		err := got.ReadEnvironment(func(asked string) (string, bool) { value, ok := environment[asked]; return value, ok })
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s=%s: the error is %v", name, value, err)
		}
	}
}
