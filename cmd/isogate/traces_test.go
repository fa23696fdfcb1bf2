package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// This file owns the test of who says where traces go.

// TestPrecedenceOfTraces gives an endpoint in one place more each time, each of
// which prevails over those before.
func TestPrecedenceOfTraces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte("traces: {endpoint: http://file/v1/traces}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environment, args := map[string]string{}, []string(nil)
	for _, step := range []struct {
		say  func()
		want string
	}{
		{func() {}, ""},
		{func() { environment["ISOGATE_CONFIG"] = file }, "http://file/v1/traces"},
		{func() { environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://otel" }, "http://otel/v1/traces"},
		{func() { environment["ISOGATE_TRACES"] = "http://own/x" }, "http://own/x"},
		{func() { args = []string{"--traces", "http://flag/x"} }, "http://flag/x"},
		{func() { environment["OTEL_SDK_DISABLED"] = "true" }, "http://flag/x"},
		{func() { args = nil; delete(environment, "ISOGATE_TRACES") }, ""},
	} {
		step.say()
		c, err := configured(t, args, environment)
		if err != nil || c.Traces.Endpoint != step.want {
			t.Errorf("%v %v: the endpoint is %q (%v), want %q", args, environment, c.Traces.Endpoint, err, step.want)
		}
	}
	environment["OTEL_TRACES_EXPORTER"] = "jaeger"
	if _, err := configured(t, nil, environment); err == nil || !strings.Contains(err.Error(), "OTEL_TRACES_EXPORTER") {
		t.Errorf("with an exporter that does not exist: %v", err)
	}
}
