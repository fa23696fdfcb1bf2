package server

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/isogate/isogate/protocol"
)

// This file owns traces: a span for each execution, below it one for each tool
// call, and where they belong in the trace of a caller. Nothing that a program,
// its input, its logs or its tools say is in a span, and no text of a fault, which
// may quote them: what a span says are names that the caller has given, the codes
// of package protocol, and numbers.

// The names of spans and of their attributes.
const (
	instrumentation = "github.com/isogate/isogate/server"
	spanExecution   = "isogate.execution"
	spanToolCall    = "isogate.tool_call"

	attributeTenant       = attribute.Key("isogate.tenant")
	attributeExecution    = attribute.Key("isogate.execution.id")
	attributeParent       = attribute.Key("isogate.execution.parent")
	attributeOutcome      = attribute.Key("isogate.outcome")
	attributeErrorType    = attribute.Key("error.type")
	attributeSourceBytes  = attribute.Key("isogate.source.bytes")
	attributeWall         = attribute.Key("isogate.usage.wall_ms")
	attributeCPU          = attribute.Key("isogate.usage.cpu_ms")
	attributeQueue        = attribute.Key("isogate.usage.queue_ms")
	attributePeakHeap     = attribute.Key("isogate.usage.peak_heap_bytes")
	attributePeakExternal = attribute.Key("isogate.usage.peak_external_bytes")
	attributeToolCalls    = attribute.Key("isogate.usage.tool_calls")
	attributeChild        = attribute.Key("isogate.child")
	attributeTool         = attribute.Key("isogate.tool.name")
	attributeCall         = attribute.Key("isogate.tool.call")
)

// traceContext reads W3C trace context. What is malformed counts as absent.
var traceContext propagation.TraceContext

// callerTrace returns ctx with the span that the caller names in the header of its
// HTTP request, if it names one.
func callerTrace(ctx context.Context, header http.Header) context.Context {
	if len(header["Traceparent"]) == 0 {
		return ctx
	}
	return traceContext.Extract(ctx, propagation.HeaderCarrier(header))
}

// tracer makes spans. A nil one makes none, at no cost.
type tracer struct{ spans trace.Tracer }

// newTracer returns a tracer, nil if there is nothing that takes spans.
func newTracer(p trace.TracerProvider, version string) *tracer {
	if p == nil {
		return nil
	}
	return &tracer{p.Tracer(instrumentation, trace.WithInstrumentationVersion(version))}
}

// executionSpan is the span of one execution. A nil one does nothing.
type executionSpan struct{ span trace.Span }

// execution begins the span of one execution. It belongs below the span that the
// request names; if that names none, below the one of ctx, which is that of the
// execution in whose tool it was made, or of the HTTP request that brought it. id
// and parent are the caller's names of the execution and of the one that it is nested
// in, or "". The context that is returned has the span, or, without a tracer, the
// one above.
func (t *tracer) execution(ctx context.Context, who *Identity, r *protocol.Request, id, parent string) (context.Context, *executionSpan) {
	if len(r.Trace) > 0 {
		ctx = traceContext.Extract(ctx, propagation.MapCarrier(r.Trace))
	}
	if t == nil {
		return ctx, nil
	}
	ctx, span := t.spans.Start(ctx, spanExecution, trace.WithSpanKind(trace.SpanKindServer))
	if span.IsRecording() {
		span.SetAttributes(attributeTenant.String(who.Tenant.Name), attributeSourceBytes.Int(len(r.Source)))
		if id != "" {
			span.SetAttributes(attributeExecution.String(id))
		}
		if parent != "" {
			span.SetAttributes(attributeParent.String(parent))
		}
	}
	return ctx, &executionSpan{span}
}

// end ends the span with what has become of the execution.
func (s *executionSpan) end(result *protocol.Result) {
	if s == nil {
		return
	}
	defer s.span.End()
	if !s.span.IsRecording() {
		return
	}
	code := protocol.Code("ok")
	if result.Fault != nil {
		code = result.Fault.Code()
		s.span.SetAttributes(attributeErrorType.String(string(code)))
		s.span.SetStatus(codes.Error, "")
	}
	s.span.SetAttributes(attributeOutcome.String(string(code)))
	if u := result.Usage; u.Child != 0 {
		s.span.SetAttributes(
			attributeWall.Float64(u.WallMS), attributeCPU.Float64(u.CPUMS), attributeQueue.Float64(u.QueueMS),
			attributePeakHeap.Int64(u.PeakHeap), attributePeakExternal.Int64(u.PeakExternal),
			attributeToolCalls.Int(u.ToolCalls), attributeChild.Int(u.Child),
		)
	}
}

// callEnd is how a tool call ended, as its span says it.
type callEnd struct {
	outcome protocol.Outcome
	why     string // unless the outcome is ok; "" when the execution is over
}

// The ways in which a tool call ends.
var (
	callAnswered    = callEnd{protocol.OutcomeOK, ""}
	callFailed      = callEnd{protocol.OutcomeError, "tool_error"}
	callMalformed   = callEnd{protocol.OutcomeError, "malformed_reply"}
	callReplyLarge  = callEnd{protocol.OutcomeError, "reply_too_large"}
	callTooLarge    = callEnd{protocol.OutcomeError, "arguments_too_large"}
	callUndelivered = callEnd{protocol.OutcomeError, "undelivered"}
	callLate        = callEnd{protocol.OutcomeError, "timeout"}
	callAbandoned   = callEnd{protocol.OutcomeAbandoned, ""}
)

// call begins the span of a tool call below that of its execution, whose context
// it is given. end must be called.
func (t *tracer) call(ctx context.Context, namespace, tool string, id int64) (end func(callEnd)) {
	if t == nil {
		return func(callEnd) {}
	}
	_, span := t.spans.Start(ctx, spanToolCall, trace.WithSpanKind(trace.SpanKindClient))
	if span.IsRecording() {
		span.SetAttributes(attributeTool.String(namespace+"."+tool), attributeCall.Int64(id))
	}
	return func(how callEnd) {
		defer span.End()
		if !span.IsRecording() {
			return
		}
		span.SetAttributes(attributeOutcome.String(string(how.outcome)))
		if how.outcome == protocol.OutcomeError {
			span.SetAttributes(attributeErrorType.String(how.why))
			span.SetStatus(codes.Error, "")
		}
	}
}

// traceID returns the identifier of the trace that ctx belongs to, or "".
func traceID(ctx context.Context) string {
	if id := trace.SpanContextFromContext(ctx).TraceID(); id.IsValid() {
		return id.String()
	}
	return ""
}
