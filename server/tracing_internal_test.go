package server

import (
	"context"
	"net/http"
	"testing"

	"github.com/isogate/isogate/protocol"
)

// This file owns the test that traces cost nothing where nobody takes them.

func TestNoTracerCostsNothing(t *testing.T) {
	ctx, header := context.Background(), http.Header{}
	who, request, result := &Identity{Tenant: &Tenant{Name: "a"}}, &protocol.Request{Source: "1"}, &protocol.Result{}
	tracer := newTracer(nil, "")
	if allocations := testing.AllocsPerRun(100, func() {
		live, span := tracer.execution(ctx, who, request, "a", "")
		tracer.call(live, "tools", "f", 1)(callAnswered)
		span.end(result)
		if live != ctx || traceID(callerTrace(live, header)) != "" {
			t.Error("the context has changed")
		}
	}); allocations != 0 {
		t.Errorf("without a tracer %v allocations are made", allocations)
	}
}
