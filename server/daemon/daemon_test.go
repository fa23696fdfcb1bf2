package daemon_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
	"github.com/isogate/isogate/server/client"
	"github.com/isogate/isogate/server/daemon"
)

// This file owns the tests of the daemon: its file, and its life.

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const whole = `
listen: [unix:///run/isogate/s, "tcp://127.0.0.1:0"]
socketMode: 0o660
observe: 127.0.0.1:9090
tls: {certificate: c.pem, key: k.pem, authorities: a.pem}
tokens: tokens
peers: [{user: self, tenant: acme}]
certificates: [{name: ci.example, tenant: acme}]
tenants:
  acme:
    limits: {wallMs: 5000, heap: 33554432}
    defaults: {wallMs: 1000}
    grants: [eval]
    quotas: {executions: 4, perSecond: 10, cpuPerMinute: 30s, connections: 2}
    operator: true
executor: {size: 1, profile: jit, sealing: {landlock: required}}
bounds: {maxFrame: 1048576, frameTimeout: 5s}
drain: 1m
log: {level: debug, format: json}
`

func TestRead(t *testing.T) {
	c, err := daemon.Read([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	acme := c.Tenants["acme"]
	got := []any{len(c.Listen), c.SocketMode, acme.Limits.Wall, acme.Limits.Heap, acme.Defaults.Wall, acme.Quotas.CPUPerMinute, c.Drain, c.Bounds.FrameTimeout, c.TLS.Authorities}
	want := []any{2, uint32(0o660), 5 * time.Second, int64(32 << 20), time.Second, 30 * time.Second, time.Minute, 5 * time.Second, "a.pem"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := daemon.Read(nil); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"drain: 1s\nlissten: []\n", `line 2: unknown key "lissten"`},
		{"tenants:\n  a:\n    quotas: {perMinute: 1}\n", `line 3: unknown key "perMinute"`},
		{"tenants:\n  a:\n    limits:\n      wall: 1\n", `line 4: "wall" is no limit`},
		{"tenants:\n  a:\n    limits:\n      heap: 1GiB\n", `line 4: "heap" is no limit with a whole number`},
		{"tenants:\n  a:\n    limits:\n      heap: 1\n", "line 4: "},
		{"tenants:\n  a:\n    limits: 5\n", "line 3: limits are written as"},
		{"drain: 1s\ndrain: 2s\n", `the key "drain" is given twice`},
		{"drain: soon\n", "line 1: "},
		{"executor: {size: many}\n", "line 1: "},
		{"drain: 1s\n---\ndrain: 2s\n", "a second document"},
		{"drain: [\n", "line "},
	} {
		_, err := daemon.Read([]byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "daemon.") {
			t.Errorf("%q: the error is %v, want %q", test.text, err, test.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("tenants: {a: {limits: {heap: 1}}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := daemon.Read(text); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}

// folder returns a new folder that is closed to others and has a short name.
func folder(t *testing.T) string {
	t.Helper()
	name, err := os.MkdirTemp("", "isogate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(name) })
	return name
}

// run starts a daemon. It returns its addresses, what ends it and its outcome.
func run(t *testing.T, c daemon.Config, reload chan os.Signal) (addresses []string, stop func(), done chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready := make(chan []string, 1)
	done = make(chan error, 1)
	go func() {
		done <- daemon.Run(ctx, c, daemon.Options{Logger: slog.New(slog.DiscardHandler), Reload: reload, Ready: func(a []string) { ready <- a }})
	}()
	t.Cleanup(cancel)
	select {
	case addresses = <-ready:
	case err := <-done:
		t.Fatalf("the daemon ended: %v", err)
	}
	return addresses, cancel, done
}

// TestRun runs a program through a daemon, and drains it meanwhile.
func TestRun(t *testing.T) {
	socket := "unix://" + filepath.Join(folder(t), "s")
	_, stop, done := run(t, daemon.Config{Listen: []string{socket}, Executor: daemon.Executor{Size: 1}}, nil)
	e, err := client.Dial(t.Context(), socket, client.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	result, err := e.Execute(t.Context(), executor.Request{Source: "() => host.f()", Tools: executor.Tools{"host": {
		"f": func(context.Context, []any) (any, error) { stop(); return 42, nil },
	}}})
	if err != nil || string(result.Value) != "42" {
		t.Errorf("the program ended with %v", err)
	}
	if err := <-done; err != nil {
		t.Errorf("the daemon ended with %v", err)
	}
}

// TestDrainLimit has a daemon end although a program goes on.
func TestDrainLimit(t *testing.T) {
	socket := "unix://" + filepath.Join(folder(t), "s")
	_, stop, done := run(t, daemon.Config{Listen: []string{socket}, Executor: daemon.Executor{Size: 1}, Drain: 50 * time.Millisecond}, nil)
	e, err := client.Dial(t.Context(), socket, client.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, err = e.Execute(t.Context(), executor.Request{Source: "() => host.f()", Tools: executor.Tools{"host": {
		"f": func(ctx context.Context, _ []any) (any, error) { stop(); <-ctx.Done(); return nil, nil },
	}}})
	var stopped *protocol.Unavailable
	if !errors.As(err, &stopped) || stopped.Reason != "the server was stopped" || len(stopped.Delivered) != 1 || stopped.Retryable() {
		t.Errorf("the program ended with %v", err)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "did not end within") {
		t.Errorf("the daemon ended with %v", err)
	}
}

// TestRefusesToStart checks the configurations that would let in anybody.
func TestRefusesToStart(t *testing.T) {
	dir := folder(t)
	tokens := filepath.Join(dir, "tokens")
	if err := os.WriteFile(tokens, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	socket := "unix://" + filepath.Join(dir, "s")
	for _, test := range []struct {
		c    daemon.Config
		want string
	}{
		{daemon.Config{}, "no address"},
		{daemon.Config{Listen: []string{"127.0.0.1:0"}}, "write it as"},
		{daemon.Config{Listen: []string{"tcp://127.0.0.1:0"}}, "nobody could be told apart"},
		{daemon.Config{Listen: []string{socket, "tcp://127.0.0.1:0"}}, "nobody could be told apart"},
		{daemon.Config{Listen: []string{"tcp://127.0.0.1:0"}, Certificates: []daemon.Certificate{{Name: "a", Tenant: "default"}}}, "nobody could be told apart"},
		{daemon.Config{Listen: []string{"tcp://0.0.0.0:0"}, Tokens: tokens}, "without TLS"},
		{daemon.Config{Listen: []string{socket}, TLS: daemon.TLS{Certificate: "x"}}, "certificate and a key"},
		{daemon.Config{Listen: []string{socket}, TLS: daemon.TLS{Authorities: "x"}}, "of no use"},
		{daemon.Config{Listen: []string{socket}, Tokens: filepath.Join(dir, "none")}, "no such file"},
		{daemon.Config{Listen: []string{socket}, Peers: []daemon.Peer{{User: "self", Tenant: "none"}}}, `there is no tenant "none"`},
		{daemon.Config{Listen: []string{socket}, Tenants: map[string]daemon.Tenant{"a/b": {}}}, "visible ASCII"},
		{daemon.Config{Listen: []string{socket}, Tenants: map[string]daemon.Tenant{"a": {Grants: []string{"fly"}}}}, `no grant "fly"`},
	} {
		test.c.Executor.Size = 1
		err := daemon.Run(t.Context(), test.c, daemon.Options{Logger: slog.New(slog.DiscardHandler)})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: the error is %v, want %q", test.c, err, test.want)
		}
		if _, err := os.Lstat(filepath.Join(dir, "s")); err == nil {
			t.Error("the socket is left behind")
		}
	}
}

// certificate makes a certificate and its key, as PEM files in a folder.
func certificate(t *testing.T, dir, name string, issuer *x509.Certificate, issuerKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name, "localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true, IsCA: issuer == nil,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if issuer == nil {
		issuer, issuerKey = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, &key.PublicKey, issuerKey)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name + ".pem": {Type: "CERTIFICATE", Bytes: der}, name + ".key": {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return made, key
}

// TestTLS lets callers in by a token and by a certificate, over TLS, and takes a
// token away with the signal that a daemon is sent for it.
func TestTLS(t *testing.T) {
	dir := folder(t)
	authority, key := certificate(t, dir, "authority", nil, nil)
	certificate(t, dir, "server", authority, key)
	certificate(t, dir, "ci", authority, key)
	certificate(t, dir, "stranger", authority, key)
	certificate(t, dir, "self-made", nil, nil)
	tokens := filepath.Join(dir, "tokens")
	token, line, err := server.NewToken("acme")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tokens, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	reload := make(chan os.Signal)
	addresses, stop, done := run(t, daemon.Config{
		Listen: []string{"tcp://127.0.0.1:0"}, Executor: daemon.Executor{Size: 1}, Tokens: tokens,
		TLS:          daemon.TLS{Certificate: filepath.Join(dir, "server.pem"), Key: filepath.Join(dir, "server.key"), Authorities: filepath.Join(dir, "authority.pem")},
		Tenants:      map[string]daemon.Tenant{"acme": {}},
		Certificates: []daemon.Certificate{{Name: "ci", Tenant: "acme"}},
	}, reload)
	address := strings.Replace(strings.Replace(addresses[0], "tcp://", "wss://", 1), "127.0.0.1", "localhost", 1)
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	with := func(name, token string) error {
		config := client.Config{Token: token, TLS: &tls.Config{RootCAs: roots}}
		if name != "" {
			pair, err := tls.LoadX509KeyPair(filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key"))
			if err != nil {
				t.Fatal(err)
			}
			config.TLS.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
		}
		e, err := client.Dial(t.Context(), address, config)
		if err != nil {
			return err
		}
		defer e.Close()
		_, err = e.Execute(t.Context(), executor.Request{Source: "() => 1"})
		return err
	}
	var unauthorized *protocol.Unauthorized
	if err := with("", token); err != nil {
		t.Errorf("with a token: %v", err)
	}
	if err := with("ci", ""); err != nil {
		t.Errorf("with a certificate: %v", err)
	}
	for _, test := range []struct{ certificate, token string }{{"", ""}, {"stranger", ""}, {"ci", token + "x"}} {
		if err := with(test.certificate, test.token); !errors.As(err, &unauthorized) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	if err := with("self-made", token); err == nil || errors.As(err, &unauthorized) {
		t.Errorf("with a certificate of nobody: %v, want TLS to refuse it", err)
	}
	if _, err := client.Dial(t.Context(), address, client.Config{Token: token}); err == nil {
		t.Error("a server whose authority is not known was trusted")
	}
	if err := os.WriteFile(tokens, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	reload <- os.Interrupt // which signal it is does not matter here
	reload <- os.Interrupt // the second is taken when the first has been acted on
	if err := with("", token); !errors.As(err, &unauthorized) {
		t.Errorf("with a token that was taken away: %v", err)
	}
	stop()
	if err := <-done; err != nil {
		t.Errorf("the daemon ended with %v", err)
	}
}
