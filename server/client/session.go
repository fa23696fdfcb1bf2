package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server/internal/link"
)

// This file owns one connection: its opening, what the server may send on it,
// and what becomes of its executions when it ends.

// session is one connection to the server.
type session struct {
	client  *Client
	link    *link.Link
	welcome *protocol.Welcome
	live    context.Context // done, with the fault for what runs, when the session ends
	end     context.CancelCauseFunc

	mu       sync.Mutex
	running  map[string]*execution // guarded by mu
	draining bool                  // guarded by mu; nothing new may begin
}

// connect opens a connection and exchanges hello and welcome.
func (c *Client) connect(ctx context.Context) (*session, protocol.Fault) {
	ctx, cancel := context.WithTimeout(ctx, c.config.HandshakeTimeout)
	defer cancel()
	defer context.AfterFunc(c.closing, cancel)()
	header := http.Header{}
	if c.config.Token != "" {
		header.Set("Authorization", "Bearer "+c.config.Token)
	}
	socket, response, err := websocket.Dial(ctx, c.address, &websocket.DialOptions{
		HTTPClient: c.http, HTTPHeader: header, Subprotocols: []string{"isogate"},
	})
	if err != nil {
		return nil, c.refusal(ctx, response, err)
	}
	s := &session{client: c, running: map[string]*execution{}, link: link.New(socket, link.Options{
		MaxFrame: c.config.MaxFrame, MaxQueued: c.config.MaxQueued,
		FrameTimeout: c.config.FrameTimeout, PingInterval: c.config.PingInterval,
	})}
	s.live, s.end = context.WithCancelCause(c.closing)
	text, err := protocol.EncodeMessage(&protocol.Hello{Version: protocol.Version, MaxFrame: c.config.MaxFrame, Agent: c.config.Agent})
	if err == nil {
		err = socket.Write(ctx, websocket.MessageText, text)
	}
	var m protocol.Message
	if err == nil {
		m, _, err = s.link.Receive(ctx)
	}
	if err != nil {
		s.link.Close(0, "")
		return nil, c.failed(ctx, err)
	}
	welcome, ok := m.(*protocol.Welcome)
	switch {
	case !ok:
		fault := &protocol.ProtocolViolation{What: fmt.Sprintf("the server sent a %s message where welcome should be", m.MessageType())}
		s.link.Close(websocket.StatusProtocolError, fault.What)
		return nil, fault
	case welcome.Version != protocol.Version:
		s.link.Close(websocket.StatusNormalClosure, "")
		return nil, &protocol.UnsupportedVersion{Version: welcome.Version, Supported: protocol.Version}
	}
	// What a server leaves out of its limits is what the contract has.
	if welcome.Max, err = welcome.Max.Resolve(protocol.MaxLimits, protocol.MaxLimits); err == nil {
		welcome.Defaults, err = welcome.Defaults.Resolve(protocol.DefaultLimits.Lower(welcome.Max), welcome.Max)
	}
	if err != nil {
		fault := &protocol.ProtocolViolation{What: "welcome: " + err.Error()}
		s.link.Close(websocket.StatusProtocolError, fault.What)
		return nil, fault
	}
	s.welcome = welcome
	return s, nil
}

// refusal returns the fault with which the server answered the opening.
func (c *Client) refusal(ctx context.Context, response *http.Response, err error) protocol.Fault {
	if response != nil && response.Body != nil {
		body, failed := io.ReadAll(response.Body)
		var result protocol.Result
		if failed == nil && json.Unmarshal(body, &result) == nil && result.Fault != nil {
			return result.Fault
		}
	}
	return c.failed(ctx, err)
}

// failed returns the fault for a connection that could not be opened.
func (c *Client) failed(ctx context.Context, err error) protocol.Fault {
	var violation *protocol.ProtocolViolation
	switch {
	case c.closing.Err() != nil:
		return closedFault()
	case errors.As(err, &violation):
		return violation
	case errors.Is(context.Cause(ctx), context.Canceled):
		return &protocol.Cancelled{}
	}
	return &protocol.Unavailable{Reason: "no connection to the server: " + err.Error()}
}

// open reports whether new executions may begin.
func (s *session) open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.draining && s.live.Err() == nil
}

// run serves the connection to its end.
func (s *session) run() {
	var helpers sync.WaitGroup
	helpers.Go(func() {
		if s.link.Write() != nil {
			s.end(&protocol.Disconnected{Reason: "the server does not read"})
		}
	})
	helpers.Go(func() {
		if s.link.Ping(s.live) != nil {
			s.end(&protocol.Disconnected{Reason: "the server does not answer"})
		}
	})
	reading := make(chan error, 1)
	helpers.Go(func() { reading <- s.read() })
	var err error
	select {
	case err = <-reading:
	case <-s.live.Done():
		err = context.Cause(s.live)
	}
	code, reason := websocket.StatusCode(0), ""
	var violation *protocol.ProtocolViolation
	switch {
	case errors.As(err, &violation) && websocket.CloseStatus(err) == -1:
		code, reason = websocket.StatusProtocolError, violation.What
	case context.Cause(s.live) != nil && context.Cause(s.live) == context.Cause(s.client.closing):
		// Not where the connection had ended already and the client was closed for it: a
		// server that is gone is not waited for.
		code = websocket.StatusNormalClosure
	}
	s.end(s.lost(err))
	s.link.Close(code, reason)
	helpers.Wait()
}

// lost returns the fault with which what runs ends when the connection does.
func (s *session) lost(err error) protocol.Fault {
	if s.client.closing.Err() != nil {
		return closedFault()
	}
	var fault protocol.Fault
	if errors.As(err, &fault) {
		return fault
	}
	var closed websocket.CloseError
	if !errors.As(err, &closed) {
		return &protocol.Disconnected{Reason: err.Error()}
	}
	switch closed.Code {
	case websocket.StatusProtocolError, websocket.StatusUnsupportedData, websocket.StatusMessageTooBig:
		return &protocol.ProtocolViolation{What: "the server closed the connection: " + closed.Reason}
	case websocket.StatusPolicyViolation:
		return &protocol.Unauthorized{Reason: closed.Reason}
	case websocket.StatusGoingAway: // and it has not answered for what runs
		return &protocol.Unavailable{Reason: "the server went away: " + closed.Reason}
	}
	return &protocol.Disconnected{Reason: fmt.Sprintf("the server closed the connection (%d): %s", closed.Code, closed.Reason)}
}

// read takes in messages until the connection ends, and returns why.
func (s *session) read() error {
	for {
		m, _, err := s.link.Receive(context.Background())
		if err != nil {
			return err
		}
		if err := s.take(m); err != nil {
			return err
		}
	}
}

// take acts on one message. An error ends the session. A message for an execution
// that runs no more has crossed with its end, and is dropped.
func (s *session) take(m protocol.Message) error {
	switch m := m.(type) {
	case *protocol.ToolCall:
		if x := s.find(m.Execution); x != nil {
			return x.call(m)
		}
	case *protocol.CallEnded:
		if x := s.find(m.Execution); x != nil {
			x.endCall(m)
		}
	case *protocol.Log:
		if x := s.find(m.Execution); x != nil {
			return x.log(m.Entry)
		}
	case *protocol.ResultMessage:
		if x := s.find(m.Execution); x != nil {
			if err := x.check(&m.Result); err != nil {
				return err
			}
			s.remove(x)
			x.done <- &m.Result // has room for the one result
		}
	case *protocol.Ping:
		return s.link.Send(s.live, &protocol.Pong{Nonce: m.Nonce})
	case *protocol.Pong:
	case *protocol.Drain:
		s.mu.Lock()
		s.draining = true
		s.mu.Unlock()
	default:
		return &protocol.ProtocolViolation{What: fmt.Sprintf("a server may not send %s messages", m.MessageType())}
	}
	return nil
}

func (s *session) find(id string) *execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[id]
}

func (s *session) add(x *execution) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[x.id] = x
}

func (s *session) remove(x *execution) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, x.id)
}
