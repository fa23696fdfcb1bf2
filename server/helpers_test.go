package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns what the tests of the server share: an executor with real child
// processes, a server on a unix socket, and a client that speaks bare messages.

// shared is the executor of the tests that do not drain it.
var shared *executor.IsolateExecutor

type running struct{ m *testing.M }

func (r running) Run() int {
	var err error
	shared, err = executor.New(context.Background(), executor.Config{Pool: pool.Config{Size: 2, QueueLength: 256, StartTimeout: time.Minute}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer shared.Close()
	return r.m.Run()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(running{m}) }

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// kept is an executor that outlives the servers in front of it.
type kept struct{ *executor.IsolateExecutor }

func (kept) Drain(context.Context) error { return nil }

// everybody lets every caller in, as one tenant.
type everybody struct{ tenant *server.Tenant }

func (e everybody) Authenticate(*http.Request) (*server.Identity, error) {
	return &server.Identity{Tenant: e.tenant, How: "test"}, nil
}

// tenant returns a checked tenant.
func tenant(t *testing.T, with server.Tenant) *server.Tenant {
	t.Helper()
	if with.Name == "" {
		with.Name = "test"
	}
	checked, err := server.NewTenant(with, shared)
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

// endpoint is a server on a unix socket.
type endpoint struct {
	*server.Server
	path string
}

// start starts a server and closes it with the test. Zero fields of the
// configuration are the shared executor and a tenant that may do everything.
func start(t *testing.T, c server.Config) *endpoint {
	t.Helper()
	if c.Executor == nil {
		c.Executor = kept{shared}
	}
	if c.Authenticator == nil {
		c.Authenticator = everybody{tenant(t, server.Tenant{Grants: []protocol.Grant{protocol.GrantEval}, Operator: true})}
	}
	s, err := server.New(c)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "isogate") // short: the path of a socket has 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l, nil) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		os.RemoveAll(folder)
	})
	return &endpoint{s, path}
}

// http returns a client whose every request goes to the server.
func (e *endpoint) http(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", e.path)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// post sends a body to /v1/execute and returns the status and the result.
func (e *endpoint) post(t *testing.T, body string) (*http.Response, *protocol.Result) {
	t.Helper()
	response, err := e.http(t).Post("http://isogate/v1/execute", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	result := new(protocol.Result)
	if err := json.NewDecoder(response.Body).Decode(result); err != nil {
		t.Fatal(err)
	}
	return response, result
}

// get returns what an address answers.
func (e *endpoint) get(t *testing.T, address string) (int, string) {
	t.Helper()
	response, err := e.http(t).Get("http://isogate" + address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// wire is a client that sends and receives messages as they are.
type wire struct {
	t      *testing.T
	socket *websocket.Conn
	ctx    context.Context
}

// dial opens a WebSocket and sends nothing on it.
func (e *endpoint) dial(t *testing.T) *wire {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	socket, _, err := websocket.Dial(ctx, "ws://isogate/v1/connect", &websocket.DialOptions{HTTPClient: e.http(t), Subprotocols: []string{server.Subprotocol}})
	if err != nil {
		t.Fatal(err)
	}
	socket.SetReadLimit(-1)
	t.Cleanup(func() { socket.CloseNow() })
	return &wire{t, socket, ctx}
}

// connect opens a WebSocket and exchanges hello and welcome.
func (e *endpoint) connect(t *testing.T) *wire {
	t.Helper()
	w := e.dial(t)
	w.send(&protocol.Hello{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame})
	receive[*protocol.Welcome](w)
	return w
}

func (w *wire) text(text string) {
	w.t.Helper()
	if err := w.socket.Write(w.ctx, websocket.MessageText, []byte(text)); err != nil {
		w.t.Fatalf("sending: %v", err)
	}
}

func (w *wire) send(m protocol.Message) {
	w.t.Helper()
	text, err := protocol.EncodeMessage(m)
	if err != nil {
		w.t.Fatal(err)
	}
	w.text(string(text))
}

func (w *wire) execute(id, source string, tools ...protocol.Namespace) {
	w.t.Helper()
	w.send(&protocol.Execute{Execution: id, Request: protocol.Request{Source: source, Tools: tools}})
}

// tools is the namespace that the programs of the tests call.
var tools = protocol.Namespace{Name: "tools", Tools: []string{"f"}}

// receive waits for a message, which must be of the given type.
func receive[M protocol.Message](w *wire) M {
	w.t.Helper()
	_, text, err := w.socket.Read(w.ctx)
	if err != nil {
		w.t.Fatalf("receiving a %T: %v", *new(M), err)
	}
	m, err := protocol.DecodeMessage(text)
	if err != nil {
		w.t.Fatalf("%.200s: %v", text, err)
	}
	wanted, ok := m.(M)
	if !ok {
		w.t.Fatalf("received %.300s, want a %T", text, wanted)
	}
	return wanted
}

// wantResult waits for the result of an execution with this value.
func (w *wire) wantResult(id, value string) *protocol.Result {
	w.t.Helper()
	m := receive[*protocol.ResultMessage](w)
	if m.Execution != id || m.Result.Fault != nil || string(m.Result.Value) != value {
		w.t.Fatalf("the result of %s is %s, %v, want that of %s: %s", m.Execution, m.Result.Value, m.Result.Fault, id, value)
	}
	return &m.Result
}

// wantFault waits for the result of an execution that is a fault of type F.
func wantFault[F protocol.Fault](w *wire, id string) F {
	w.t.Helper()
	m := receive[*protocol.ResultMessage](w)
	fault, ok := m.Result.Fault.(F)
	if m.Execution != id || !ok {
		w.t.Fatalf("the result of %s is %s, %v, want for %s a %T", m.Execution, m.Result.Value, m.Result.Fault, id, fault)
	}
	return fault
}

// wantClosed waits until the server closes the connection, and returns its reason.
func (w *wire) wantClosed(code websocket.StatusCode) string {
	w.t.Helper()
	for {
		_, text, err := w.socket.Read(w.ctx)
		var closed websocket.CloseError
		switch {
		case err == nil:
			w.t.Logf("before it closed: %.200s", text)
		case errors.As(err, &closed) && closed.Code == code:
			return closed.Reason
		default:
			w.t.Fatalf("the connection ended with %v, want the code %v", err, code)
		}
	}
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for !condition() {
		select {
		case <-look.C:
		case <-deadline.C:
			t.Fatalf("it did not happen: %s", what)
		}
	}
}
