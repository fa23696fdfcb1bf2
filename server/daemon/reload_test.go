package daemon_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server/client"
	"github.com/isogate/isogate/server/daemon"
)

// This file owns the test of certificates that are read again.

// copyFile copies a file over another.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestReloadCertificates has a daemon change its certificate and the authorities of
// its clients, first to files that cannot be used, while a client is connected.
func TestReloadCertificates(t *testing.T) {
	dir, before, after := folder(t), folder(t), folder(t)
	roots := map[string]*x509.CertPool{}
	for _, d := range []string{before, after} {
		authority, key := certificate(t, d, "authority", nil, nil)
		certificate(t, d, "server", authority, key)
		certificate(t, d, "ci", authority, key)
		roots[d] = x509.NewCertPool()
		roots[d].AddCert(authority)
	}
	install := func(from string, names ...string) {
		for _, name := range names {
			copyFile(t, filepath.Join(from, name), filepath.Join(dir, name))
		}
	}
	install(before, "server.pem", "server.key", "authority.pem")
	out, reload := &log{}, make(chan os.Signal)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ready, done := make(chan []string, 1), make(chan error, 1)
	go func() {
		done <- daemon.Run(ctx, daemon.Config{
			Listen: []string{"tcp://127.0.0.1:0"}, Executor: daemon.Executor{Size: 2},
			TLS:          daemon.TLS{Certificate: filepath.Join(dir, "server.pem"), Key: filepath.Join(dir, "server.key"), Authorities: filepath.Join(dir, "authority.pem")},
			Certificates: []daemon.Certificate{{Name: "ci", Tenant: "default"}},
		}, daemon.Options{Logger: slog.New(slog.NewTextHandler(out, nil)), Reload: reload, Ready: func(a []string) { ready <- a }})
	}()
	var address string
	select {
	case addresses := <-ready:
		address = strings.Replace(strings.TrimPrefix(addresses[0], "tcp://"), "127.0.0.1", "localhost", 1)
	case err := <-done:
		t.Fatalf("the daemon ended: %v", err)
	}
	again := func() {
		reload <- os.Interrupt // which signal it is does not matter here
		reload <- os.Interrupt // the second is taken when the first has been acted on
	}
	// as is a client of one authority that trusts the other.
	as := func(from, trusting string) *tls.Config {
		pair, err := tls.LoadX509KeyPair(filepath.Join(from, "ci.pem"), filepath.Join(from, "ci.key"))
		if err != nil {
			t.Fatal(err)
		}
		return &tls.Config{
			RootCAs: roots[trusting], ClientSessionCache: tls.NewLRUClientSessionCache(4),
			GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil },
		}
	}
	run := func(secured *tls.Config, request executor.Request) error {
		e, err := client.Dial(t.Context(), "wss://"+address, client.Config{TLS: secured})
		if err != nil {
			return err
		}
		defer e.Close()
		_, err = e.Execute(t.Context(), request)
		return err
	}
	one := executor.Request{Source: "() => 1"}
	known := as(before, before)
	if err := run(known, one); err != nil {
		t.Fatalf("at first: %v", err)
	}
	// A connection of plain HTTP that is kept.
	transport := &http.Transport{TLSClientConfig: as(before, before)}
	defer transport.CloseIdleConnections()
	post := func() (status int) {
		t.Helper()
		response, err := (&http.Client{Transport: transport}).Post("https://"+address+"/v1/execute", "application/json", strings.NewReader(`{"source":"() => 1"}`))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		_, _ = io.Copy(io.Discard, response.Body)
		return response.StatusCode
	}
	if status := post(); status != http.StatusOK {
		t.Errorf("at first, by HTTP: %d", status)
	}
	// A program whose tool waits.
	called, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- run(as(before, before), executor.Request{Source: "() => host.f()", Tools: executor.Tools{"host": {
			"f": func(ctx context.Context, _ []any) (any, error) { close(called); <-ctx.Done(); return nil, nil },
		}}})
	}()
	<-called

	// What cannot be used changes nothing: a certificate of another key; no authority.
	for _, wrong := range []struct{ from, name string }{{after, "server.pem"}, {before, "server.key"}} {
		install(before, "server.pem", "server.key", "authority.pem")
		install(wrong.from, wrong.name)
		if wrong.from == before {
			copyFile(t, filepath.Join(before, "server.key"), filepath.Join(dir, "authority.pem"))
		}
		logged := len(out.String())
		again()
		if !strings.Contains(out.String()[logged:], "the certificates stay as they were") {
			t.Errorf("the log is\n%s", out)
		}
		if err := run(known, one); err != nil {
			t.Errorf("with files that cannot be used: %v", err)
		}
	}
	if status := post(); status != http.StatusOK {
		t.Errorf("with files that cannot be used, by HTTP: %d", status)
	}

	install(after, "server.pem", "server.key", "authority.pem")
	again()
	if !strings.Contains(out.String(), "the certificates have been read again") {
		t.Errorf("the log is\n%s", out)
	}
	var unauthorized *protocol.Unauthorized
	if err := <-ended; !errors.As(err, &unauthorized) {
		t.Errorf("what ran for a certificate of the authority before ended with %v", err)
	}
	if status := post(); status != http.StatusUnauthorized {
		t.Errorf("a kept connection of the authority before: %d", status)
	}
	if err := run(as(after, after), one); err != nil {
		t.Errorf("with the new certificates: %v", err)
	}
	for name, secured := range map[string]*tls.Config{
		"a session from before": known, "a certificate of the authority before": as(before, after), "trust in the authority before": as(after, before),
	} {
		if err := run(secured, one); err == nil {
			t.Errorf("%s is still good", name)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Errorf("the daemon ended with %v", err)
	}
}
