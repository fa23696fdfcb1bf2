// Package otlp sends spans to a collector: OTLP over HTTP, in its binary form, as
// https://opentelemetry.io/docs/specs/otlp/ has it.
//
// It exists because the exporter of OpenTelemetry itself links gRPC and the whole
// of Protocol Buffers, a fifth of the binary that every child process executes and
// a tenth of the time that one takes to start. Spans alone need neither.
package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// This file owns sending: the request, and what is done when it fails.

// Config says where spans go.
type Config struct {
	// Endpoint is the URL that spans are posted to, http or https. It must not be
	// empty.
	Endpoint string
	// Header is sent with each request. Its values are never reported.
	Header http.Header
	// Timeout bounds one request. Default 10 s.
	Timeout time.Duration
	// Backoff is the time before the second try; it doubles with each further one.
	// Default 1 s.
	Backoff time.Duration
	// TLS is for https. Nil: the authorities of this machine, and no certificate.
	TLS *tls.Config
	// Compress sends gzip.
	Compress bool
	// Report is called, by one goroutine at a time, after each batch: with how many
	// spans it had, and what kept it from arriving, if anything did.
	Report func(spans int, err error)
}

// Exporter sends spans. It fails towards [Config.Report] only: what makes spans
// cannot be hurt by it.
type Exporter struct {
	config  Config
	client  *http.Client
	hurried chan struct{} // closed when nothing is to be tried again
	hurry   sync.Once
	stopped context.Context // done when nothing is to be sent any more
	stop    context.CancelFunc
}

var _ sdk.SpanExporter = (*Exporter)(nil)

// New returns an exporter, or what is wrong with its configuration. It connects to
// nobody yet.
func New(c Config) (*Exporter, error) {
	at, err := url.Parse(c.Endpoint)
	switch {
	case err != nil:
		return nil, errors.New("the endpoint is no URL") // err may quote a password
	case at.Scheme != "http" && at.Scheme != "https" || at.Host == "":
		return nil, fmt.Errorf("the endpoint %q: write it as http://host:port/v1/traces, or with https", at.Redacted())
	}
	if c.Timeout == 0 {
		c.Timeout = 10 * time.Second
	}
	if c.Backoff == 0 {
		c.Backoff = time.Second
	}
	if c.Timeout < 0 || c.Backoff < 0 {
		return nil, errors.New("a time is negative")
	}
	if c.Report == nil {
		c.Report = func(int, error) {}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = c.TLS
	e := &Exporter{
		config: c, hurried: make(chan struct{}),
		client: &http.Client{
			Transport: transport,
			// Spans and headers are for the endpoint alone.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	e.stopped, e.stop = context.WithCancel(context.Background())
	return e, nil
}

// ExportSpans implements [sdk.SpanExporter]. It always returns nil.
func (e *Exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.stopped, cancel)()
	e.config.Report(len(spans), e.send(ctx, encode(spans)))
	return nil
}

// Hurry has nothing tried again any more: what fails from now on, or waits for its
// next try, is lost.
func (e *Exporter) Hurry() { e.hurry.Do(func() { close(e.hurried) }) }

// Shutdown implements [sdk.SpanExporter]. It ends what is being sent and lets go of
// connections.
func (e *Exporter) Shutdown(context.Context) error {
	e.Hurry()
	e.stop()
	e.client.CloseIdleConnections()
	return nil
}

// maxTries is how often one batch is sent at most.
const maxTries = 5

// send sends a body until it arrives or there is no hope, and returns why there is none.
func (e *Exporter) send(ctx context.Context, body []byte) error {
	if e.config.Compress {
		var buffer bytes.Buffer
		w := gzip.NewWriter(&buffer)
		w.Write(body) // into memory: neither fails
		w.Close()
		body = buffer.Bytes()
	}
	for try, wait := 1, e.config.Backoff; ; try, wait = try+1, wait*2 {
		err := e.post(ctx, body)
		var later *laterError
		if err == nil || !errors.As(err, &later) || try == maxTries {
			return err
		}
		clock := time.NewTimer(max(wait, later.after))
		select {
		case <-clock.C:
		case <-e.hurried:
			clock.Stop()
			return err
		case <-ctx.Done():
			clock.Stop()
			return err
		}
	}
}

// laterError is a failure that may be over later.
type laterError struct {
	err   error
	after time.Duration // as the collector asks; 0 if it does not
}

func (e *laterError) Error() string { return e.err.Error() }

// post sends a body once.
func (e *Exporter) post(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, e.config.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.config.Endpoint, bytes.NewReader(body))
	if err != nil {
		return errors.New("the endpoint is no URL")
	}
	for name, values := range e.config.Header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	request.Header.Set("User-Agent", "isogate")
	if e.config.Compress {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := e.client.Do(request)
	if err != nil {
		return &laterError{err: err}
	}
	defer response.Body.Close()
	// Read so that the connection can be used again. What a collector says of what
	// it did not like may quote it, so only the status is reported.
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	switch status := response.StatusCode; {
	case status/100 == 2:
		return nil
	case status == http.StatusTooManyRequests || status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout:
		seconds, _ := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 16)
		return &laterError{fmt.Errorf("the collector answered with the status %d", status), time.Duration(seconds) * time.Second}
	default:
		return fmt.Errorf("the collector answered with the status %d", status)
	}
}
