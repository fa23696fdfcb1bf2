package daemon

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/net/http/httpguts"

	"github.com/isogate/isogate/server/daemon/internal/otlp"
)

// This file owns where traces go: the configuration of OpenTelemetry as its own
// variables have it, and the SDK behind the server's spans.

// Traces says where spans are sent: to a collector, by OTLP over HTTP in its binary
// form. Which traces are kept, how spans are gathered and what they say of this
// process is left to OpenTelemetry's own variables, as OTEL_TRACES_SAMPLER,
// OTEL_BSP_SCHEDULE_DELAY and OTEL_RESOURCE_ATTRIBUTES.
type Traces struct {
	// Endpoint is the URL that spans are posted to, as http://host:4318/v1/traces.
	// Default: there are no traces.
	Endpoint string `yaml:"endpoint"`
	// Headers are sent along, and never logged.
	Headers map[string]string `yaml:"headers"`
	// Timeout bounds one request. Default 10 s.
	Timeout time.Duration `yaml:"timeout"`
	// Authorities is a PEM file with those whose certificate the collector may
	// have. Default: those of this machine.
	Authorities string `yaml:"authorities"`
	// Certificate and Key are PEM files that prove to the collector who this is;
	// both or none.
	Certificate string `yaml:"certificate"`
	Key         string `yaml:"key"`
	// Compression is gzip or none. Default none.
	Compression string `yaml:"compression"`
}

// ReadEnvironment takes over what OpenTelemetry's variables say. An empty one counts
// as one that is not set. Those that ask for what is not there are errors.
//
// See https://opentelemetry.io/docs/specs/otel/protocol/exporter/.
func (t *Traces) ReadEnvironment(lookup func(string) (string, bool)) error {
	// One for traces prevails over the one for every signal.
	get := func(name string) (value, from string) {
		for _, from := range []string{"OTEL_EXPORTER_OTLP_TRACES_" + name, "OTEL_EXPORTER_OTLP_" + name} {
			if value, _ := lookup(from); value != "" {
				return value, from
			}
		}
		return "", ""
	}
	if value, from := get("ENDPOINT"); value != "" {
		t.Endpoint = value
		if from == "OTEL_EXPORTER_OTLP_ENDPOINT" {
			t.Endpoint = strings.TrimSuffix(value, "/") + "/v1/traces"
		}
	}
	for name, field := range map[string]*string{"CERTIFICATE": &t.Authorities, "CLIENT_CERTIFICATE": &t.Certificate, "CLIENT_KEY": &t.Key, "COMPRESSION": &t.Compression} {
		if value, _ := get(name); value != "" {
			*field = value
		}
	}
	if value, from := get("TIMEOUT"); value != "" {
		ms, err := strconv.ParseUint(value, 10, 31)
		if err != nil || ms == 0 {
			return fmt.Errorf("%s=%.40s: it is no number of milliseconds", from, value)
		}
		t.Timeout = time.Duration(ms) * time.Millisecond
	}
	if value, from := get("HEADERS"); value != "" {
		headers := map[string]string{}
		for _, pair := range strings.Split(value, ",") {
			name, text, ok := strings.Cut(pair, "=")
			plain, err := url.PathUnescape(strings.TrimSpace(text))
			if !ok || err != nil {
				return fmt.Errorf("%s: write headers as name=value,name=value, values as in a URL", from)
			}
			headers[strings.TrimSpace(name)] = plain
		}
		t.Headers = headers
	}
	if value, _ := lookup("OTEL_TRACES_EXPORTER"); value == "none" {
		t.Endpoint = ""
	} else if value != "" && value != "otlp" {
		return fmt.Errorf("OTEL_TRACES_EXPORTER=%.40s: there is only otlp, or none", value)
	}
	if value, _ := lookup("OTEL_SDK_DISABLED"); strings.EqualFold(value, "true") {
		t.Endpoint = ""
	}
	if value, from := get("PROTOCOL"); t.Endpoint != "" && value != "" && value != "http/protobuf" {
		return fmt.Errorf("%s=%.40s: there is only http/protobuf, which collectors take at port 4318", from, value)
	}
	return nil
}

// flushTimeout bounds how long a daemon that ends waits for its last spans to
// arrive; so does the time for draining, if that is shorter.
const flushTimeout = 5 * time.Second

// traces is what takes spans, and sends them.
type traces struct {
	exporter *otlp.Exporter
	provider *sdk.TracerProvider
	logger   *slog.Logger
}

// openTraces returns what takes spans, nil if nothing does, or what is wrong with
// the configuration.
func openTraces(ctx context.Context, c Traces, version string, logger *slog.Logger) (*traces, error) {
	if c.Endpoint == "" {
		return nil, nil
	}
	secured, err := c.tls()
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	header := http.Header{}
	for name, value := range c.Headers {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, fmt.Errorf("traces: the header %.40q cannot be sent", name)
		}
		header.Set(name, value)
	}
	if c.Compression != "" && c.Compression != "none" && c.Compression != "gzip" {
		return nil, fmt.Errorf("traces: compression: %.40q is neither gzip nor none", c.Compression)
	}
	exporter, err := otlp.New(otlp.Config{
		Endpoint: c.Endpoint, Header: header, Timeout: c.Timeout, TLS: secured, Compress: c.Compression == "gzip", Report: newReporter(logger),
	})
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	described, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "isogate"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("traces: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	return &traces{exporter, sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(described)), logger}, nil
}

// tls returns how a collector is spoken to, nil if as Go does by itself.
func (t *Traces) tls() (*tls.Config, error) {
	if (t.Certificate == "") != (t.Key == "") {
		return nil, errors.New("a certificate and a key are needed, or none of them")
	}
	if t.Authorities == "" && t.Certificate == "" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.Authorities != "" {
		text, err := os.ReadFile(t.Authorities)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s holds no certificate", t.Authorities)
		}
	}
	if t.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(t.Certificate, t.Key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// newReporter returns a function that logs when spans begin to be lost, and when
// they arrive again: not each loss, of which there may be many.
func newReporter(logger *slog.Logger) func(spans int, err error) {
	lost := 0
	return func(spans int, err error) {
		switch {
		case err != nil && lost == 0:
			logger.Warn("traces do not arrive", "error", err)
			lost += spans
		case err != nil:
			lost += spans
		case lost > 0:
			logger.Info("traces arrive again", "lost", lost)
			lost = 0
		}
	}
}

// tracer returns what a server is given, nil for none.
func (t *traces) tracer() trace.TracerProvider {
	if t == nil {
		return nil
	}
	return t.provider
}

// close sends what is left, within that time, and ends.
func (t *traces) close(within time.Duration) {
	if t == nil {
		return
	}
	t.exporter.Hurry()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		t.logger.Warn("the last traces did not arrive", "error", err)
	}
	// The processor ends once what it sends has ended.
	_ = t.exporter.Shutdown(ctx)
}
