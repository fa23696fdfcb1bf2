package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/internal/contracttest"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
	"github.com/isogate/isogate/server/client"
)

// This file owns the tests of the client against a real server.

// shared is the executor behind the servers of the tests.
var shared *executor.IsolateExecutor

type running struct{ m *testing.M }

func (r running) Run() int {
	var err error
	shared, err = executor.New(context.Background(), executor.Config{Pool: pool.Config{Size: 2, StartTimeout: time.Minute}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer shared.Close()
	return r.m.Run()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(running{m}) }

// kept is an executor that outlives the servers in front of it.
type kept struct{ *executor.IsolateExecutor }

func (kept) Drain(context.Context) error { return nil }

// everybody lets every caller in, as one tenant.
type everybody struct{ tenant *server.Tenant }

func (e everybody) Authenticate(*http.Request) (*server.Identity, error) {
	return &server.Identity{Tenant: e.tenant, How: "test"}, nil
}

// folder returns a new folder with a short name: the path of a socket has 107 bytes.
func folder(t *testing.T) string {
	t.Helper()
	name, err := os.MkdirTemp("", "isogate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(name) })
	return name
}

// serve starts a server on a socket. stop ends it; crash ends it as the death of its
// process would look to clients: without a word.
func serve(t *testing.T, path string) (stop, crash func()) {
	t.Helper()
	tenant, err := server.NewTenant(server.Tenant{Name: "test", Divides: true, Grants: []protocol.Grant{protocol.GrantEval, protocol.GrantWasm}}, shared)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Config{Executor: kept{shared}, Authenticator: everybody{tenant}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	cut := &cuttable{Listener: l}
	done := make(chan error, 1)
	go func() { done <- s.Serve(cut, nil) }()
	stop = sync.OnceFunc(func() {
		s.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop, func() {
		cut.cut()
		stop()
	}
}

// cuttable is a listener whose connections can all be ended at once.
type cuttable struct {
	net.Listener
	mu          sync.Mutex
	connections []net.Conn // guarded by mu
}

func (c *cuttable) Accept() (net.Conn, error) {
	connection, err := c.Listener.Accept()
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.connections = append(c.connections, connection)
	}
	return connection, err
}

func (c *cuttable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, connection := range c.connections {
		connection.Close()
	}
}

func dial(t *testing.T, address string, c client.Config) *client.Client {
	t.Helper()
	e, err := client.Dial(t.Context(), address, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestContract runs the suite that the executor in process passes too.
func TestContract(t *testing.T) {
	contracttest.Run(t, func(t *testing.T) executor.Interface {
		path := filepath.Join(folder(t), "s")
		serve(t, path)
		return dial(t, "unix://"+path, client.Config{})
	})
}

// TestServerStops stops the server while a program runs.
func TestServerStops(t *testing.T) {
	path := filepath.Join(folder(t), "s")
	stop, _ := serve(t, path)
	e := dial(t, "unix://"+path, client.Config{})
	result, err := e.Execute(t.Context(), executor.Request{Source: "() => host.f()", Tools: executor.Tools{"host": {"f": func(ctx context.Context, _ []any) (any, error) {
		go stop()
		<-ctx.Done()
		return nil, nil
	}}}})
	stop()
	var stopped *protocol.Unavailable
	if !errors.As(err, &stopped) || stopped.Reason != "the server was stopped" || len(stopped.Delivered) != 1 || stopped.Retryable() {
		t.Errorf("the execution ended with %v", err)
	}
	if len(result.Calls) != 1 || result.Usage.Child == 0 {
		t.Errorf("the result is not the server's: %+v", result)
	}
}

// TestServerGoesAway has a server close its connection, as one that goes away
// does, without an answer for what runs.
func TestServerGoesAway(t *testing.T) {
	e := dial(t, impostor(t, func(ctx context.Context, c *websocket.Conn) {
		if c.Write(ctx, websocket.MessageText, []byte(welcome)) != nil {
			return
		}
		if _, _, err := c.Read(ctx); err == nil {
			_ = c.Close(websocket.StatusGoingAway, "enough")
		}
	}), client.Config{})
	_, err := e.Execute(t.Context(), executor.Request{Source: "() => 1"})
	var gone *protocol.Unavailable
	if !errors.As(err, &gone) || gone.Reason != "the server went away: enough" || !gone.Started || !gone.Retryable() {
		t.Errorf("the execution ended with %v", err)
	}
}

// TestReconnect loses the server while a program runs: that program ends with a
// fault and is not run again, the next one finds the new server.
func TestReconnect(t *testing.T) {
	path := filepath.Join(folder(t), "s")
	_, crash := serve(t, path)
	e := dial(t, "unix://"+path, client.Config{})
	runs := 0
	_, err := e.Execute(t.Context(), executor.Request{Source: "() => host.f()", Tools: executor.Tools{"host": {"f": func(ctx context.Context, _ []any) (any, error) {
		runs++
		go crash()
		<-ctx.Done()
		return nil, nil
	}}}})
	var lost *protocol.Disconnected
	if !errors.As(err, &lost) || !lost.Started || len(lost.Delivered) != 1 || lost.Retryable() || runs != 1 {
		t.Errorf("after %d calls the execution ended with %v", runs, err)
	}
	crash()
	var none *protocol.Unavailable
	if _, err := e.Execute(t.Context(), executor.Request{Source: "() => 1"}); !errors.As(err, &none) || !none.Retryable() {
		t.Errorf("without a server an execution ended with %v", err)
	}
	serve(t, path)
	result, err := e.Execute(t.Context(), executor.Request{Source: "() => 1"})
	if err != nil || string(result.Value) != "1" {
		t.Errorf("with a new server: %s, %v", result.Value, err)
	}
}

// TestDialRefuses checks addresses that cannot be dialled.
func TestDialRefuses(t *testing.T) {
	for _, address := range []string{"", "/run/socket", "http://host", "unix://", "unix://host/path", "ws://", "ws://host/path", "ws://user@host", "://"} {
		if _, err := client.Dial(t.Context(), address, client.Config{}); err == nil {
			t.Errorf("%q was dialled", address)
		}
	}
	var none *protocol.Unavailable
	if _, err := client.Dial(t.Context(), "unix://"+filepath.Join(folder(t), "none"), client.Config{}); !errors.As(err, &none) {
		t.Errorf("where nobody listens the error is %v", err)
	}
	if _, err := client.Dial(t.Context(), "ws://localhost:1", client.Config{MaxFrame: 1}); err == nil {
		t.Error("a frame of one byte was accepted")
	}
}

// TestDeaf dials something that accepts connections and never answers.
func TestDeaf(t *testing.T) {
	path := filepath.Join(folder(t), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var none *protocol.Unavailable
	if _, err := client.Dial(t.Context(), "unix://"+path, client.Config{HandshakeTimeout: 100 * time.Millisecond}); !errors.As(err, &none) {
		t.Errorf("the error is %v", err)
	}
}
