package child

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the role serve: the main loop on the channel. One goroutine
// reads messages; an execution runs in its own, and at most one runs. How a child
// comes so far is in session.go.

// server is the state of a serving child.
type server struct {
	box *sandbox.Sandbox
	out *outlet

	mu       sync.Mutex
	running  *execution // guarded by mu; nil while idle
	draining bool       // guarded by mu

	unsent sync.WaitGroup // results that have not left yet
}

// serve answers messages until the channel ends and returns the exit status.
func (c *Session) serve() int {
	s := &server{box: c.box, out: c.out}
	for {
		message, err := c.Receive()
		if err != nil {
			return channelEnded(err)
		}
		if status, end := s.handle(message); end {
			return status
		}
	}
}

// channelEnded returns the exit status for a channel that can be read no more.
// Its end is how a parent's death shows: not an error, but nothing may run on.
func channelEnded(err error) int {
	//gate:protects no-process-left
	if err == io.EOF {
		return 0
	}
	return fail(ExitProtocol, err.Error())
}

// handle acts on one message. When end is true the child exits with the status,
// at once, whatever is running.
func (s *server) handle(message protocol.Message) (status int, end bool) {
	switch m := message.(type) {
	case *protocol.Execute:
		if !s.begin(m) {
			return fail(ExitProtocol, "execute while an execution is running"), true
		}
	case *protocol.ToolReply:
		// A reply to an execution that has ended is late, and dropped.
		if s.current(m.Execution) != nil {
			s.box.Reply(m.Call, m.Envelope)
		}
	case *protocol.Cancel:
		if e := s.current(m.Execution); e != nil {
			e.cancel(context.Canceled)
		}
	case *protocol.Ping:
		s.out.send(&protocol.Pong{Nonce: m.Nonce})
	case *protocol.Drain:
		if s.drain() {
			s.unsent.Wait()
			return 0, true
		}
	default:
		return fail(ExitProtocol, fmt.Sprintf("a child does not accept %s messages", m.MessageType())), true
	}
	return 0, false
}

// current returns the running execution if it has that id, else nil.
func (s *server) current(id string) *execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil || s.running.id != id {
		return nil
	}
	return s.running
}

// drain refuses further executions and reports whether none is running.
func (s *server) drain() (idle bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draining = true
	return s.running == nil
}

// begin starts an execution and reports whether it could.
func (s *server) begin(m *protocol.Execute) bool {
	ctx, cancel := context.WithCancelCause(context.Background())
	e := &execution{id: m.Execution, cancel: cancel, out: s.out, stream: m.StreamLogs}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil || s.draining {
		cancel(nil)
		return false
	}
	s.running = e
	s.unsent.Go(func() {
		defer cancel(nil)
		result := e.conclude(s.box.Execute(ctx, &m.Request, e))
		// Idle before the result leaves: the parent may answer it with the next
		// execution.
		s.mu.Lock()
		s.running = nil
		draining := s.draining
		s.mu.Unlock()
		s.out.sendResult(m.Execution, result, m.Request.Limits.Result)
		if draining {
			exit(0)
		}
	})
	return true
}
