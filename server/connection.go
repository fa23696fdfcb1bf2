package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server/internal/link"
)

// This file owns one WebSocket from its opening to its end: what a peer may send
// when, and how it is cut off when it does not keep to that.

// connection is one caller's WebSocket.
type connection struct {
	server  *Server
	who     *Identity
	account *account
	link    *link.Link
	peerMax int64 // the longest message that the peer takes; set before welcome is sent

	// live is done, with the fault for what runs, when the connection is to end.
	live    context.Context
	end     context.CancelCauseFunc
	greeted chan struct{}  // closed when welcome has been queued
	work    sync.WaitGroup // executions; added to under mu while over is nil
	helpers sync.WaitGroup // other goroutines

	mu       sync.Mutex
	running  map[string]*execution // guarded by mu
	held     int64                 // guarded by mu; bytes of their requests
	draining error                 // guarded by mu; errPeerDrained or errServerDrained, once one side takes nothing new
	finished bool                  // guarded by mu; draining, and nothing runs any more
	over     protocol.Fault        // guarded by mu; once the connection ends: what nothing begins for any more
}

// connect answers GET /v1/connect.
func (s *Server) connect(w http.ResponseWriter, r *http.Request, who *Identity) {
	account := s.account(who.Tenant)
	if fault := account.connect(); fault != nil {
		s.refuse(w, fault)
		return
	}
	defer account.disconnect()
	if !s.enter() {
		s.refuse(w, &protocol.Draining{})
		return
	}
	defer s.work.Done()
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{Subprotocol}})
	if err != nil {
		s.config.Logger.Debug("no WebSocket", "tenant", who.Tenant.Name, "error", err)
		return // Accept has answered
	}
	c := &connection{
		server: s, who: who, account: account,
		link: link.New(socket, link.Options{
			MaxFrame: s.config.MaxFrame, MaxQueued: s.config.MaxQueued,
			FrameTimeout: s.config.FrameTimeout, PingInterval: s.config.PingInterval,
			Received: func(n int64) { s.metrics.add(&s.metrics.received, n) },
			Sent:     func(n int64) { s.metrics.add(&s.metrics.sent, n) },
		}),
		greeted: make(chan struct{}),
		running: map[string]*execution{},
	}
	c.live, c.end = context.WithCancelCause(callerTrace(s.stop, r.Header))
	c.serve()
}

// serve runs the connection to its end. Nothing of it is left when it returns.
func (c *connection) serve() {
	s := c.server
	s.mu.Lock()
	s.connections[c] = struct{}{}
	late := s.draining
	s.mu.Unlock()
	s.metrics.count(&s.metrics.connections)
	s.config.Logger.Debug("connected", "tenant", c.who.Tenant.Name, "by", c.who.How)
	if late {
		c.helpers.Go(c.announceDrain)
	}
	reading := make(chan error, 1)
	c.helpers.Go(func() { reading <- c.read() })
	c.helpers.Go(func() {
		if c.link.Write() != nil {
			c.end(&protocol.Disconnected{Reason: "the client does not read"})
		}
	})
	c.helpers.Go(func() {
		if c.link.Ping(c.live) != nil {
			c.end(&protocol.Disconnected{Reason: "the client does not answer"})
		}
	})
	var err error
	select {
	case err = <-reading:
	case <-c.live.Done():
		err = context.Cause(c.live)
	}
	fault := lost(err)
	c.end(fault)
	c.mu.Lock()
	c.over = fault
	c.mu.Unlock()
	if _, is := errors.AsType[*protocol.ProtocolViolation](err); is || errors.Is(err, websocket.ErrMessageTooBig) {
		s.metrics.count(&s.metrics.violations)
		s.config.Logger.Warn("violation", "tenant", c.who.Tenant.Name, s.content("what", err))
	}
	if _, is := errors.AsType[*protocol.Unavailable](err); is {
		c.answerForAll()
	}
	c.close(err)
	s.mu.Lock()
	delete(s.connections, c)
	s.mu.Unlock()
	c.work.Wait()
	c.helpers.Wait()
	s.config.Logger.Debug("disconnected", "tenant", c.who.Tenant.Name, s.content("reason", err))
}

// farewell bounds the time in which a server that stops answers for what runs: as
// long as a program takes to be interrupted, or killed, and its answer to be sent.
const farewell = 5 * time.Second

// answerForAll returns when everything that ran has ended, and its results have
// been sent, or when farewell has passed.
func (c *connection) answerForAll() {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	ended := make(chan struct{})
	c.helpers.Go(func() {
		c.work.Wait()
		close(ended)
	})
	select {
	case <-ended:
		c.link.Flush(ctx)
	case <-ctx.Done():
	}
}

// The reasons for which a connection ends without being at fault.
var (
	errPeerDrained   = errors.New("the client drained")
	errServerDrained = errors.New("the server drained")
)

// lost returns the fault with which what still runs ends.
func lost(err error) protocol.Fault {
	var fault protocol.Fault
	if errors.As(err, &fault) {
		return fault
	}
	return &protocol.Disconnected{Reason: "the client's connection ended"}
}

// close tells the peer why the connection ends, where there is something to tell
// and someone who reads. It takes a few seconds at most.
func (c *connection) close(err error) {
	var violation *protocol.ProtocolViolation
	var unauthorized *protocol.Unauthorized
	var unavailable *protocol.Unavailable
	code, reason := websocket.StatusCode(0), ""
	switch {
	case errors.Is(err, errPeerDrained):
		code, reason = websocket.StatusNormalClosure, "drained"
	case errors.Is(err, errServerDrained):
		code, reason = websocket.StatusGoingAway, "drained"
	case errors.Is(err, link.ErrBinary):
		code, reason = websocket.StatusUnsupportedData, link.ErrBinary.Error()
	case errors.As(err, &violation):
		code, reason = websocket.StatusProtocolError, violation.What
	case errors.As(err, &unauthorized):
		code, reason = websocket.StatusPolicyViolation, unauthorized.Reason
	case errors.As(err, &unavailable):
		code, reason = websocket.StatusGoingAway, unavailable.Reason
	default:
		// The peer is gone, or was told by the WebSocket itself.
	}
	c.link.Close(code, reason)
}

// read takes in messages until the connection is to end, and returns why.
func (c *connection) read() error {
	if err := c.greet(); err != nil {
		return err
	}
	for {
		m, size, err := c.link.Receive(context.Background())
		if err != nil {
			return err
		}
		if err := c.take(m, size); err != nil {
			return err
		}
	}
}

// greet exchanges hello and welcome.
func (c *connection) greet() error {
	s := c.server
	ctx, cancel := context.WithTimeout(context.Background(), s.config.HandshakeTimeout)
	defer cancel()
	m, _, err := c.link.Receive(ctx)
	if err != nil {
		return err
	}
	hello, ok := m.(*protocol.Hello)
	if !ok {
		return &protocol.ProtocolViolation{What: fmt.Sprintf("a %s message, before hello", m.MessageType())}
	}
	if hello.MaxFrame < minFrame {
		return &protocol.ProtocolViolation{What: fmt.Sprintf("hello: maxFrame: %d, at least %d bytes are needed", hello.MaxFrame, minFrame)}
	}
	c.peerMax = min(hello.MaxFrame, protocol.MaxMaxFrame)
	err = c.link.Send(c.live, &protocol.Welcome{
		Version: protocol.Version, MaxFrame: s.config.MaxFrame, Agent: s.agent(),
		Engine: s.config.Executor.Stats().Engine, Defaults: c.who.Tenant.Defaults, Max: c.who.Tenant.Max,
	})
	if err != nil {
		return err
	}
	if hello.Version != protocol.Version {
		c.link.Flush(c.live)
		return &protocol.ProtocolViolation{What: (&protocol.UnsupportedVersion{Version: hello.Version, Supported: protocol.Version}).Error()}
	}
	close(c.greeted)
	return nil
}

// take acts on one message. An error ends the connection.
func (c *connection) take(m protocol.Message, size int64) error {
	switch m := m.(type) {
	case *protocol.Execute:
		return c.execute(m, size)
	case *protocol.ToolReply:
		if x := c.find(m.Execution); x != nil {
			return x.reply(m)
		}
		c.server.metrics.count(&c.server.metrics.lateReplies)
	case *protocol.Cancel:
		if x := c.find(m.Execution); x != nil {
			x.cancel(&protocol.Cancelled{Reason: m.Reason})
		}
	case *protocol.Ping:
		return c.link.Send(c.live, &protocol.Pong{Nonce: m.Nonce})
	case *protocol.Pong:
	case *protocol.Drain:
		return c.drain()
	default:
		return &protocol.ProtocolViolation{What: fmt.Sprintf("a client may not send %s messages", m.MessageType())}
	}
	return nil
}

// find returns the execution that runs on this connection under an id, or nil.
func (c *connection) find(id string) *execution {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running[id]
}

// drain acts on the peer's drain: the connection ends when nothing runs on it.
func (c *connection) drain() error {
	c.mu.Lock()
	again := c.draining == errPeerDrained
	c.mu.Unlock()
	if again {
		return &protocol.ProtocolViolation{What: "a second drain"}
	}
	c.finishSoon(errPeerDrained)
	return nil
}

// announceDrain tells the peer that the server drains, and ends the connection
// when nothing runs on it.
func (c *connection) announceDrain() {
	select {
	case <-c.greeted:
	case <-c.live.Done():
		return
	}
	if c.link.Send(c.live, &protocol.Drain{}) == nil {
		c.finishSoon(errServerDrained)
	}
}

// finishSoon ends the connection for the given reason when everything that runs
// on it has ended and been answered for. Nested executions may still begin.
func (c *connection) finishSoon(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.draining == nil {
		c.draining = reason
	}
	c.finishLocked()
}

// finishLocked ends a draining connection on which nothing runs, once what is
// queued has been sent.
func (c *connection) finishLocked() {
	if c.draining == nil || len(c.running) > 0 || c.finished {
		return
	}
	c.finished = true
	c.helpers.Go(func() {
		c.link.Flush(c.live)
		c.end(c.draining)
	})
}

// agent names this side for people.
func (s *Server) agent() string {
	if s.config.Version == "" {
		return "isogate"
	}
	return "isogate " + s.config.Version
}
