package otlp

import (
	"encoding/binary"
	"math"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// This file owns the messages: ExportTraceServiceRequest and what is in it, see
// opentelemetry/proto/trace/v1/trace.proto of OTLP 1, in the binary form of Protocol
// Buffers, see https://protobuf.dev/programming-guides/encoding/.

// The types of fields on the wire.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// message is one message in the making. A value that is the default of its field
// is left out, as version 3 of the language has it; those with a choice are not.
type message []byte

func (m *message) tag(field, wire int) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|uint64(wire))
}

func (m *message) number(field int, n uint64) {
	if n != 0 {
		m.tag(field, wireVarint)
		*m = binary.AppendUvarint(*m, n)
	}
}

func (m *message) fixed64(field int, n uint64) {
	m.tag(field, wireFixed64)
	*m = binary.LittleEndian.AppendUint64(*m, n)
}

func (m *message) fixed32(field int, n uint32) {
	m.tag(field, wireFixed32)
	*m = binary.LittleEndian.AppendUint32(*m, n)
}

// always writes a string or a message, also an empty one.
func (m *message) always(field int, value []byte) {
	m.tag(field, wireBytes)
	*m = binary.AppendUvarint(*m, uint64(len(value)))
	*m = append(*m, value...)
}

func (m *message) bytes(field int, value []byte) {
	if len(value) > 0 {
		m.always(field, value)
	}
}

// text writes a string, which must be UTF-8.
func (m *message) text(field int, value string) {
	m.bytes(field, []byte(strings.ToValidUTF8(value, "\uFFFD")))
}

// encode returns an ExportTraceServiceRequest. All spans are of one provider, and
// so of one resource.
func encode(spans []sdk.ReadOnlySpan) []byte {
	if len(spans) == 0 {
		return nil
	}
	var scopes []instrumentation.Scope
	of := map[instrumentation.Scope][]sdk.ReadOnlySpan{}
	for _, s := range spans {
		scope := s.InstrumentationScope()
		if of[scope] == nil {
			scopes = append(scopes, scope)
		}
		of[scope] = append(of[scope], s)
	}
	var resource, ofResource, request message
	resourceOf := spans[0].Resource()
	for _, a := range resourceOf.Attributes() {
		resource.always(1, attributeMessage(a))
	}
	ofResource.always(1, resource)
	for _, scope := range scopes {
		var described, ofScope message
		described.text(1, scope.Name)
		described.text(2, scope.Version)
		ofScope.always(1, described)
		for _, s := range of[scope] {
			ofScope.always(2, spanMessage(s))
		}
		ofScope.text(3, scope.SchemaURL)
		ofResource.always(2, ofScope)
	}
	ofResource.text(3, resourceOf.SchemaURL())
	request.always(1, ofResource)
	return request
}

// The flags of a span beside those of W3C trace context.
const (
	flagHasIsRemote = 1 << 8
	flagIsRemote    = 1 << 9
)

// spanMessage returns a Span. This program makes neither events nor links.
func spanMessage(s sdk.ReadOnlySpan) message {
	var m message
	own, parent := s.SpanContext(), s.Parent()
	traceID, spanID := own.TraceID(), own.SpanID()
	m.bytes(1, traceID[:])
	m.bytes(2, spanID[:])
	m.text(3, own.TraceState().String())
	if id := parent.SpanID(); id.IsValid() {
		m.bytes(4, id[:])
	}
	m.text(5, s.Name())
	m.number(6, kinds[s.SpanKind()])
	m.fixed64(7, uint64(s.StartTime().UnixNano()))
	m.fixed64(8, uint64(s.EndTime().UnixNano()))
	for _, a := range s.Attributes() {
		m.always(9, attributeMessage(a))
	}
	m.number(10, uint64(s.DroppedAttributes()))
	if status := s.Status(); status.Code != codes.Unset {
		var described message
		described.text(2, status.Description)
		described.number(3, statuses[status.Code])
		m.always(15, described)
	}
	flags := uint32(own.TraceFlags()) | flagHasIsRemote
	if parent.IsRemote() {
		flags |= flagIsRemote
	}
	m.fixed32(16, flags)
	return m
}

// kinds and statuses are what the wire calls what the interface has other numbers for.
var (
	kinds = map[trace.SpanKind]uint64{
		trace.SpanKindInternal: 1, trace.SpanKindServer: 2, trace.SpanKindClient: 3, trace.SpanKindProducer: 4, trace.SpanKindConsumer: 5,
	}
	statuses = map[codes.Code]uint64{codes.Ok: 1, codes.Error: 2}
)

// attributeMessage returns a KeyValue.
func attributeMessage(a attribute.KeyValue) message {
	var m message
	m.text(1, string(a.Key))
	m.always(2, valueMessage(a.Value))
	return m
}

// valueMessage returns an AnyValue. Its fields are a choice: the one that is there
// says the type, whatever the value.
func valueMessage(v attribute.Value) message {
	var m message
	switch v.Type() {
	case attribute.BOOL:
		m.tag(2, wireVarint)
		m = append(m, 0)
		if v.AsBool() {
			m[len(m)-1] = 1
		}
	case attribute.INT64:
		m.tag(3, wireVarint)
		m = binary.AppendUvarint(m, uint64(v.AsInt64()))
	case attribute.FLOAT64:
		m.fixed64(4, math.Float64bits(v.AsFloat64()))
	case attribute.STRING:
		m.always(1, []byte(strings.ToValidUTF8(v.AsString(), "\uFFFD")))
	default:
		// Lists; this program has them in its resource only, if anywhere.
		m.always(1, []byte(strings.ToValidUTF8(v.String(), "\uFFFD")))
	}
	return m
}
