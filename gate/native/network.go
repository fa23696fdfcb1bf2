package native

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
	"github.com/isogate/isogate/server/client"
)

// This file owns what attacks over the network share: a real server, and clients of
// it that send what they like.

// networkAttacks returns the attacks on a server and on its clients.
func networkAttacks() []Attack {
	all := slices.Concat(networkMessages(), networkFrames, networkTime, networkIDs, networkDisconnects, networkFloods, networkCallers, networkSockets, networkTenants, networkClients())
	for i := range all {
		all[i].Network = true
	}
	return all
}

// networkPatience is how long one step of an attack over the network may take.
const networkPatience = 8 * time.Second

// endpoint is a server on a unix socket, in front of an executor of its own.
type endpoint struct {
	h        *Host
	executor *executor.IsolateExecutor
	server   *server.Server
	tenant   *server.Tenant // of every caller, where the configuration has no authenticator
	path     string         // of the socket
}

// serve starts a server with two children, which is closed with the attack. Without an
// authenticator processes of this user are let in, for the given tenant.
func (h *Host) serve(ctx context.Context, c server.Config, t server.Tenant) (*endpoint, error) {
	return h.serveWith(ctx, c, t, pool.Config{Size: 2})
}

func (h *Host) serveWith(ctx context.Context, c server.Config, t server.Tenant, p pool.Config) (*endpoint, error) {
	e, err := h.start(ctx, executor.Config{Pool: p})
	if err != nil {
		return nil, err
	}
	return h.serveBefore(e, c, t)
}

// serveBefore starts a server in front of an executor.
func (h *Host) serveBefore(e *executor.IsolateExecutor, c server.Config, t server.Tenant) (*endpoint, error) {
	if t.Name == "" {
		t.Name = "gate"
	}
	tenant, err := server.NewTenant(t, e)
	if err != nil {
		return nil, err
	}
	if c.Authenticator == nil {
		c.Authenticator = server.Peers{uint32(os.Geteuid()): tenant}
	}
	c.Executor = e
	s, err := server.New(c)
	if err != nil {
		return nil, err
	}
	folder, err := h.tempDir()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "socket")
	l, err := server.ListenUnix(path, 0)
	if err != nil {
		return nil, err
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l, nil) }()
	h.onClose(func() error { return errors.Join(within("the server's Close", s.Close), <-served) })
	return &endpoint{h: h, executor: e, server: s, tenant: tenant, path: path}, nil
}

// within calls a function that must return in time, or is given up.
func within(what string, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	timeout := time.NewTimer(closeTimeout)
	defer timeout.Stop()
	select {
	case err := <-done:
		return err
	case <-timeout.C:
		return fmt.Errorf("%s did not return within %v", what, closeTimeout)
	}
}

// http returns what sends plain requests to the server.
func (e *endpoint) http() *http.Client {
	return &http.Client{Timeout: networkPatience, Transport: &http.Transport{DisableKeepAlives: true, DialContext: e.dialSocket}}
}

func (e *endpoint) dialSocket(ctx context.Context, _, _ string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "unix", e.path)
}

// wantIdle waits until nothing runs or waits in the executor, and all children are
// ready: what a client held has been reclaimed.
func (e *endpoint) wantIdle(ctx context.Context, what string) error { return e.wantBusy(ctx, what, 0) }

// wantBusy waits until exactly so many executions run and none waits.
func (e *endpoint) wantBusy(ctx context.Context, what string, busy int) error {
	return eventually(ctx, networkPatience, func() error {
		s := e.executor.Stats()
		if s.Busy != busy || s.Queued != 0 || busy == 0 && s.Ready != s.Size {
			return violated("%s: of %d children %d are busy and %d ready, and %d executions wait; must be %d busy and none waiting", what, s.Size, s.Busy, s.Ready, s.Queued, busy)
		}
		return nil
	})
}

// wantServed demands that an honest client is served, with a tool call.
func (e *endpoint) wantServed(ctx context.Context, what string) error {
	c, err := client.Dial(ctx, "unix://"+e.path, client.Config{})
	if err != nil {
		return violated("%s: an honest client was refused: %v", what, err)
	}
	defer c.Close() // which returns nil
	return e.h.probe(ctx, what, c)
}

// wire is a client that sends and receives messages as they are. Its methods take at
// most networkPatience.
type wire struct {
	h      *Host
	socket *websocket.Conn
}

// dial opens a WebSocket and sends nothing on it.
func (e *endpoint) dial(ctx context.Context, header http.Header) (*wire, *http.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, networkPatience)
	defer cancel()
	socket, response, err := websocket.Dial(ctx, "ws://isogate/v1/connect", &websocket.DialOptions{HTTPClient: e.http(), HTTPHeader: header, Subprotocols: []string{server.Subprotocol}})
	if err != nil {
		return nil, response, err
	}
	socket.SetReadLimit(-1)
	e.h.onClose(func() error { _ = socket.CloseNow(); return nil }) // it may have ended already
	return &wire{e.h, socket}, response, nil
}

// connect opens a WebSocket and exchanges hello and welcome.
func (e *endpoint) connect(ctx context.Context, header http.Header) (*wire, error) {
	w, _, err := e.dial(ctx, header)
	if err != nil {
		return nil, violated("a connection was refused: %v", err)
	}
	if err := w.send(ctx, &protocol.Hello{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame}); err != nil {
		return nil, err
	}
	_, err = expect[*protocol.Welcome](ctx, w)
	return w, err
}

// text sends one text message.
func (w *wire) text(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeout(ctx, networkPatience)
	defer cancel()
	return w.socket.Write(ctx, websocket.MessageText, []byte(text))
}

// send sends one message of the protocol.
func (w *wire) send(ctx context.Context, m protocol.Message) error {
	text, err := protocol.EncodeMessage(m)
	if err != nil {
		return err
	}
	return w.text(ctx, string(text))
}

// execute sends a program that may call tools.f.
func (w *wire) execute(ctx context.Context, id, source string) error {
	return w.request(ctx, id, protocol.Request{Source: source})
}

// request sends a request, with the tool tools.f.
func (w *wire) request(ctx context.Context, id string, r protocol.Request) error {
	r.Tools = []protocol.Namespace{{Name: "tools", Tools: []string{"f"}}}
	return w.send(ctx, &protocol.Execute{Execution: id, Request: r})
}

// reply answers a call of an execution with a value in codec text.
func (w *wire) reply(ctx context.Context, id string, call int64, value string) error {
	envelope, err := protocol.Envelope{OK: protocol.Value(value)}.Encode()
	if err != nil {
		return err
	}
	return w.send(ctx, &protocol.ToolReply{Execution: id, Call: call, Envelope: envelope})
}

// receive waits for one message.
func (w *wire) receive(ctx context.Context) (protocol.Message, error) {
	ctx, cancel := context.WithTimeout(ctx, networkPatience)
	defer cancel()
	_, text, err := w.socket.Read(ctx)
	if err != nil {
		return nil, err
	}
	m, err := protocol.DecodeMessage(text)
	if err != nil {
		return nil, violated("the server sent %s: %v", brief(string(text)), err)
	}
	if r, ok := m.(*protocol.ResultMessage); ok {
		w.h.mu.Lock()
		w.h.observed = append(w.h.observed, &r.Result)
		w.h.mu.Unlock()
	}
	return m, nil
}

// expect waits for one message, which must be of type M.
func expect[M protocol.Message](ctx context.Context, w *wire) (M, error) {
	var none M
	m, err := w.receive(ctx)
	if err != nil {
		return none, violated("no %T came: %v", none, err)
	}
	wanted, ok := m.(M)
	if !ok {
		return none, violated("a %s message came, must be a %T", m.MessageType(), none)
	}
	return wanted, nil
}

// result waits for the result of an execution.
func (w *wire) result(ctx context.Context, id string) (*protocol.Result, error) {
	m, err := expect[*protocol.ResultMessage](ctx, w)
	if err != nil {
		return nil, err
	}
	if m.Execution != id {
		return nil, violated("the result of %q came, must be that of %q", m.Execution, id)
	}
	return &m.Result, nil
}

// wantValue waits for the result of an execution, which must be this value.
func (w *wire) wantValue(ctx context.Context, what, id, value string) error {
	r, err := w.result(ctx, id)
	if err != nil {
		return err
	}
	return wantValue(what, r, value)
}

// wantFault waits for the result of an execution, which must be this fault.
func (w *wire) wantFault(ctx context.Context, what, id string, code protocol.Code) error {
	r, err := w.result(ctx, id)
	if err != nil {
		return err
	}
	return wantFault(what, r, code)
}

// enter starts a program on the connection and waits until it is in its tool.
func (w *wire) enter(ctx context.Context, id string) error {
	if err := w.execute(ctx, id, `async () => "got " + await tools.f()`); err != nil {
		return err
	}
	_, err := expect[*protocol.ToolCall](ctx, w)
	return err
}

// wantClosed waits until the server closes the connection with the code; 0 stands for
// an end that tells none. Messages before that are dropped.
func (w *wire) wantClosed(ctx context.Context, what string, code websocket.StatusCode) error {
	for {
		_, err := w.receive(ctx)
		var closed websocket.CloseError
		switch {
		case err == nil:
		case errors.Is(err, context.DeadlineExceeded):
			return violated("%s: the connection did not end", what)
		case code == 0, errors.As(err, &closed) && closed.Code == code:
			return nil
		default:
			return violated("%s: the connection ended with %v, must end with the code %d", what, err, code)
		}
	}
}
