package child

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the role serve: the main loop on the channel. One goroutine
// reads messages; an execution runs in its own, and at most one runs.

// helloLimit bounds the frame of the first message, whose sender has not yet
// said how long its frames may be.
const helloLimit = 64 << 10

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
func serve(profile string, sealed []string) int {
	channel := os.NewFile(Channel, "channel")
	stream := bufio.NewReaderSize(channel, 64<<10)

	frame, err := protocol.NewFrameReader(stream, helloLimit).Read()
	if err != nil {
		return channelEnded(err)
	}
	message, err := protocol.DecodeMessage(frame)
	if err != nil {
		return fail(ExitProtocol, err.Error())
	}
	hello, ok := message.(*protocol.Hello)
	if !ok {
		return fail(ExitProtocol, fmt.Sprintf("the first message is %s, not hello", message.MessageType()))
	}
	if hello.Version != protocol.Version {
		return fail(ExitVersion, (&protocol.UnsupportedVersion{Version: hello.Version, Supported: protocol.Version}).Error())
	}
	if hello.MaxFrame < helloLimit || hello.MaxFrame > protocol.MaxMaxFrame {
		return fail(ExitProtocol, fmt.Sprintf("hello: maxFrame %d is out of range", hello.MaxFrame))
	}

	// The sandbox comes before the welcome, so that a welcome means: the next
	// execution finds an isolate ready.
	blob, err := mapSnapshot()
	if err != nil {
		return fail(ExitSnapshot, "reading the snapshot: "+err.Error())
	}
	box, err := sandbox.New(sandbox.Config{Snapshot: blob, Profile: profile})
	if err != nil {
		return fail(ExitSnapshot, "restoring the snapshot: "+err.Error())
	}
	s := &server{box: box, out: newOutlet(channel, hello.MaxFrame)}
	s.out.send(&protocol.Welcome{
		Version:  protocol.Version,
		MaxFrame: hello.MaxFrame,
		Agent:    Arg0,
		Engine:   sandbox.EngineVersion(),
		Sealed:   sealed,
	})

	frames := protocol.NewFrameReader(stream, hello.MaxFrame)
	for {
		frame, err := frames.Read()
		if err != nil {
			return channelEnded(err)
		}
		message, err := protocol.DecodeMessage(frame)
		if err != nil {
			return fail(ExitProtocol, err.Error())
		}
		if status, end := s.handle(message); end {
			return status
		}
	}
}

// channelEnded returns the exit status for a channel that can be read no more.
// Its end is how a parent's death shows: not an error, but nothing may run on.
func channelEnded(err error) int {
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
