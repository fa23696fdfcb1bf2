package otlp_test

import (
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	wire "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	"github.com/isogate/isogate/server/daemon/internal/otlp"
)

// This file owns the tests of the exporter, against messages as OpenTelemetry's own
// packages read them.

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// receiver is a collector that keeps what it is sent and answers as it is told.
type receiver struct {
	*httptest.Server
	answers func(try int, w http.ResponseWriter) // default: 200
	done    chan struct{}                        // closed when the test ends

	mu       sync.Mutex
	requests []*http.Request                        // guarded by mu
	bodies   []*collector.ExportTraceServiceRequest // guarded by mu
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{done: make(chan struct{})}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		var body io.Reader = request.Body
		if request.Header.Get("Content-Encoding") == "gzip" {
			var err error
			if body, err = gzip.NewReader(body); err != nil {
				t.Error(err)
				return
			}
		}
		text, err := io.ReadAll(body)
		if err != nil {
			t.Error(err)
		}
		m := new(collector.ExportTraceServiceRequest)
		if err := proto.Unmarshal(text, m); err != nil {
			t.Errorf("the message cannot be read: %v", err)
		}
		if left := m.ProtoReflect().GetUnknown(); len(left) > 0 {
			t.Errorf("the message has fields that do not exist: %x", left)
		}
		r.mu.Lock()
		r.requests, r.bodies = append(r.requests, request), append(r.bodies, m)
		try := len(r.requests)
		r.mu.Unlock()
		if r.answers != nil {
			r.answers(try, w)
		}
	}))
	t.Cleanup(func() { close(r.done); r.Close() })
	return r
}

func (r *receiver) received() ([]*http.Request, []*collector.ExportTraceServiceRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests, r.bodies
}

// report is what an exporter says of its batches.
type report struct {
	mu    sync.Mutex
	spans []int
	errs  []error
}

func (r *report) take(spans int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spans, r.errs = append(r.spans, spans), append(r.errs, err)
}

func exporter(t *testing.T, c otlp.Config) (*otlp.Exporter, *report) {
	t.Helper()
	said := &report{}
	c.Report = said.take
	e, err := otlp.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Shutdown(context.Background()) })
	return e, said
}

// spans returns two spans of two scopes, with everything in them that there is.
func spans(t *testing.T) []sdk.ReadOnlySpan {
	t.Helper()
	context := func(span byte, remote bool) trace.SpanContext {
		state, err := trace.ParseTraceState("vendor=state")
		if err != nil {
			t.Fatal(err)
		}
		return trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: trace.TraceID{15: 1}, SpanID: trace.SpanID{7: span}, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: remote,
		})
	}
	described := resource.NewWithAttributes("https://schema", attribute.String("service.name", "isogate"))
	return tracetest.SpanStubs{
		{
			Name: "outer", SpanContext: context(2, false), Parent: context(1, true), SpanKind: trace.SpanKindServer,
			StartTime: time.Unix(1, 2), EndTime: time.Unix(3, 4), DroppedAttributes: 5, Resource: described,
			Status:               sdk.Status{Code: codes.Error, Description: "no"},
			InstrumentationScope: instrumentation.Scope{Name: "scope", Version: "1", SchemaURL: "https://scope"},
			Attributes: []attribute.KeyValue{
				attribute.String("text", "a\xffb"), attribute.String("empty", ""), attribute.Bool("yes", true), attribute.Bool("no", false),
				attribute.Int64("most", math.MaxInt64), attribute.Int64("least", math.MinInt64), attribute.Int64("zero", 0),
				attribute.Float64("number", 1.5), attribute.StringSlice("list", []string{"a", "b"}),
			},
		},
		{Name: "root", SpanContext: context(3, false), SpanKind: trace.SpanKindClient, StartTime: time.Unix(1, 2), EndTime: time.Unix(1, 2), Resource: described, Status: sdk.Status{Code: codes.Ok}},
	}.Snapshots()
}

// TestMessage checks every field of a message as another reader sees it.
func TestMessage(t *testing.T) {
	r := newReceiver(t)
	e, said := exporter(t, otlp.Config{Endpoint: r.URL + "/v1/traces", Header: http.Header{"Authorization": {"secret"}}})
	if err := e.ExportSpans(t.Context(), spans(t)); err != nil {
		t.Fatal(err)
	}
	requests, bodies := r.received()
	if len(requests) != 1 || said.errs[0] != nil || said.spans[0] != 2 {
		t.Fatalf("%d requests, reports %v of %v spans", len(requests), said.errs, said.spans)
	}
	if q := requests[0]; q.Method != "POST" || q.URL.Path != "/v1/traces" || q.Header.Get("Content-Type") != "application/x-protobuf" || q.Header.Get("Authorization") != "secret" {
		t.Errorf("the request is %s %s %v", q.Method, q.URL, q.Header)
	}
	text := func(v string) *common.AnyValue {
		return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: v}}
	}
	number := func(v int64) *common.AnyValue {
		return &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: v}}
	}
	truth := func(v bool) *common.AnyValue {
		return &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: v}}
	}
	pair := func(key string, v *common.AnyValue) *common.KeyValue {
		return &common.KeyValue{Key: key, Value: v}
	}
	traceID := append(make([]byte, 15), 1)
	spanID := func(n byte) []byte { return append(make([]byte, 7), n) }
	resourceSpans := bodies[0].ResourceSpans
	want := &collector.ExportTraceServiceRequest{ResourceSpans: []*wire.ResourceSpans{{
		Resource: resourceSpans[0].Resource, SchemaUrl: "https://schema",
		ScopeSpans: []*wire.ScopeSpans{
			{
				Scope: &common.InstrumentationScope{Name: "scope", Version: "1"}, SchemaUrl: "https://scope",
				Spans: []*wire.Span{{
					TraceId: traceID, SpanId: spanID(2), ParentSpanId: spanID(1), TraceState: "vendor=state", Name: "outer",
					Kind: wire.Span_SPAN_KIND_SERVER, StartTimeUnixNano: 1e9 + 2, EndTimeUnixNano: 3e9 + 4, DroppedAttributesCount: 5,
					Status: &wire.Status{Code: wire.Status_STATUS_CODE_ERROR, Message: "no"},
					Flags:  1 | uint32(wire.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK) | uint32(wire.SpanFlags_SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK),
					Attributes: []*common.KeyValue{
						pair("text", text("a\uFFFDb")), pair("empty", text("")), pair("yes", truth(true)), pair("no", truth(false)),
						pair("most", number(math.MaxInt64)), pair("least", number(math.MinInt64)), pair("zero", number(0)),
						pair("number", &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: 1.5}}), pair("list", text(`["a","b"]`)),
					},
				}},
			},
			{
				Scope: &common.InstrumentationScope{},
				Spans: []*wire.Span{{
					TraceId: traceID, SpanId: spanID(3), TraceState: "vendor=state", Name: "root", Kind: wire.Span_SPAN_KIND_CLIENT,
					StartTimeUnixNano: 1e9 + 2, EndTimeUnixNano: 1e9 + 2, Status: &wire.Status{Code: wire.Status_STATUS_CODE_OK},
					Flags: 1 | uint32(wire.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK),
				}},
			},
		},
	}}}
	if !proto.Equal(want, bodies[0]) {
		t.Errorf("the message is\n%v\nwant\n%v", bodies[0], want)
	}
	if diff := cmp.Diff("isogate", resourceSpans[0].Resource.Attributes[0].Value.GetStringValue()); diff != "" {
		t.Error(diff)
	}
}

// TestAgainAndAgain checks what is sent again, how often, and what is reported.
func TestAgainAndAgain(t *testing.T) {
	status := func(codes ...int) func(int, http.ResponseWriter) {
		return func(try int, w http.ResponseWriter) { w.WriteHeader(codes[min(try, len(codes))-1]) }
	}
	for _, test := range []struct {
		name    string
		answers func(int, http.ResponseWriter)
		tries   int
		want    string // of the report; "": it arrived
	}{
		{"at once", status(200), 1, ""},
		{"another success", status(202), 1, ""},
		{"the third time", status(503, 429, 200), 3, ""},
		{"never", status(502), 5, "502"},
		{"without hope", status(400), 1, "400"},
		{"later without hope", status(504, 401), 2, "401"},
		{"a redirect", func(_ int, w http.ResponseWriter) { w.Header().Set("Location", "/elsewhere"); w.WriteHeader(307) }, 1, "307"},
		{"cut off", func(int, http.ResponseWriter) { panic(http.ErrAbortHandler) }, 5, "EOF"},
	} {
		r := newReceiver(t)
		r.answers = test.answers
		e, said := exporter(t, otlp.Config{Endpoint: r.URL, Backoff: time.Millisecond, Compress: true, Header: http.Header{"X-Key": {"secret"}}})
		if err := e.ExportSpans(t.Context(), spans(t)); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		requests, _ := r.received()
		if len(requests) < test.tries || test.name != "cut off" && len(requests) != test.tries { // a cut connection is tried again by net/http too
			t.Errorf("%s: it was sent %d times, want %d", test.name, len(requests), test.tries)
		}
		err := said.errs[0]
		if (err == nil) != (test.want == "") || err != nil && (!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: the report is %v, want %q", test.name, err, test.want)
		}
	}
}

// TestHangingCollector checks that one that does not answer is not waited for
// longer than asked, and not at all when there is no time.
func TestHangingCollector(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(e *otlp.Exporter, cancel context.CancelFunc)
	}{
		{"cancelled", func(_ *otlp.Exporter, cancel context.CancelFunc) { cancel() }},
		{"shut down", func(e *otlp.Exporter, _ context.CancelFunc) { _ = e.Shutdown(context.Background()) }},
	} {
		r := newReceiver(t)
		reached := make(chan struct{})
		r.answers = func(int, http.ResponseWriter) { close(reached); <-r.done }
		e, said := exporter(t, otlp.Config{Endpoint: r.URL, Timeout: time.Hour, Backoff: time.Hour})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-reached; test.end(e, cancel) }()
		_ = e.ExportSpans(ctx, spans(t))
		if !errors.Is(said.errs[0], context.Canceled) {
			// Reported as what may be over later, so the cause is in its text.
			if said.errs[0] == nil || !strings.Contains(said.errs[0].Error(), "context canceled") {
				t.Errorf("%s: the report is %v", test.name, said.errs[0])
			}
		}
		cancel()
	}
	// In no hurry it would wait an hour to try again.
	r := newReceiver(t)
	var e *otlp.Exporter
	r.answers = func(_ int, w http.ResponseWriter) { e.Hurry(); w.WriteHeader(503) }
	e, said := exporter(t, otlp.Config{Endpoint: r.URL, Backoff: time.Hour})
	_ = e.ExportSpans(t.Context(), spans(t))
	if said.errs[0] == nil || !strings.Contains(said.errs[0].Error(), "503") {
		t.Errorf("in a hurry: the report is %v", said.errs[0])
	}
	// Its own limit.
	r = newReceiver(t)
	r.answers = func(int, http.ResponseWriter) { <-r.done }
	e, said = exporter(t, otlp.Config{Endpoint: r.URL, Timeout: time.Millisecond})
	e.Hurry()
	_ = e.ExportSpans(t.Context(), spans(t))
	if said.errs[0] == nil || !strings.Contains(said.errs[0].Error(), "deadline exceeded") {
		t.Errorf("a request that takes too long: the report is %v", said.errs[0])
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []otlp.Config{
		{}, {Endpoint: "collector:4318"}, {Endpoint: "ftp://collector"}, {Endpoint: "http://"}, {Endpoint: "http://u:secret@h:x"},
		{Endpoint: "grpc://u:secret@h:1"}, {Endpoint: "http://h", Timeout: -1}, {Endpoint: "http://h", Backoff: -1},
	} {
		if _, err := otlp.New(c); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// FuzzMessage sends spans with any names and values and reads them back.
func FuzzMessage(f *testing.F) {
	f.Add("name", "key", "value", int64(1), 1.5, true, []byte{1})
	f.Add("", "\xff", strings.Repeat("x", 300), int64(-1), math.Inf(-1), false, []byte(nil))
	f.Fuzz(func(t *testing.T, name, key, value string, n int64, x float64, yes bool, id []byte) {
		r := newReceiver(t)
		e, said := exporter(t, otlp.Config{Endpoint: r.URL})
		var traceID trace.TraceID
		copy(traceID[:], id)
		_ = e.ExportSpans(t.Context(), tracetest.SpanStubs{{
			Name: name, SpanContext: trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: trace.SpanID{1}}),
			Attributes: []attribute.KeyValue{attribute.String(key, value), attribute.Int64(key, n), attribute.Float64(key, x), attribute.Bool(key, yes)},
		}}.Snapshots())
		if said.errs[0] != nil {
			t.Fatal(said.errs[0])
		}
		_, bodies := r.received()
		span := bodies[0].ResourceSpans[0].ScopeSpans[0].Spans[0]
		whole := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
		got := []any{span.Name, span.Attributes[0].Key, span.Attributes[0].Value.GetStringValue(), span.Attributes[1].Value.GetIntValue(),
			math.Float64bits(span.Attributes[2].Value.GetDoubleValue()), span.Attributes[3].Value.GetBoolValue(), hex.EncodeToString(span.TraceId)}
		want := []any{whole(name), whole(key), whole(value), n, math.Float64bits(x), yes, traceID.String()}
		if diff := cmp.Diff(want, got); diff != "" || !utf8.ValidString(fmt.Sprint(got...)) {
			t.Error(diff)
		}
	})
}
