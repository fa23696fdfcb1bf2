package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns a server's life: listening, draining, closing.

// Server serves the executor of its configuration. Its methods may be called from
// any goroutine.
type Server struct {
	config   Config
	defaults protocol.Limits // of the executor
	max      protocol.Limits
	http     *http.Server
	metrics  *metrics
	tracer   *tracer
	started  time.Time
	stop     context.Context // done when everything that runs must end
	kill     context.CancelCauseFunc

	mu          sync.Mutex
	connections map[*connection]struct{} // guarded by mu
	accounts    map[string]*account      // guarded by mu; by tenant
	draining    bool                     // guarded by mu
	sockets     int                      // guarded by mu; open ones, of all listeners
	work        sync.WaitGroup           // connections and executions; added to under mu while not draining
}

// stopped is why what still runs ends when a server does not wait for it.
const stopped = "the server was stopped"

// New returns a server that serves nothing yet.
func New(c Config) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{
		config:      c,
		metrics:     newMetrics(),
		tracer:      newTracer(c.Tracer, c.Version),
		started:     time.Now(),
		connections: map[*connection]struct{}{},
		accounts:    map[string]*account{},
	}
	s.defaults, s.max = c.Executor.Limits()
	s.stop, s.kill = context.WithCancelCause(context.Background())
	s.http = &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: c.HandshakeTimeout,
		ReadTimeout:       c.HandshakeTimeout + c.FrameTimeout, // of bodies that nobody reads, too
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ConnContext:       withConnection,
		ErrorLog:          log.New(httpErrors{c.Logger}, "", 0),
	}
	return s, nil
}

// httpErrors gives what net/http reports to the logger. It tells of peers that do
// not speak TLS or HTTP, and of nothing that they sent in a body.
type httpErrors struct{ logger *slog.Logger }

func (w httpErrors) Write(text []byte) (int, error) {
	w.logger.Debug("http", "error", strings.TrimSpace(string(text)))
	return len(text), nil
}

// Serve accepts connections until the server is drained or closed, and then
// returns nil; otherwise it returns what went wrong. It closes the listener. With
// a configuration, see [TLSFiles.Config], it speaks TLS. It may be called for several listeners.
func (s *Server) Serve(l net.Listener, secured *tls.Config) error {
	l = &countedListener{Listener: l, server: s}
	if secured != nil {
		l = tls.NewListener(l, secured) // outside, where package http looks for it
	}
	err := s.http.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Drain refuses new executions, lets those that run end and their results be
// sent, then closes every connection and listener. When ctx is done first, what
// still runs ends with [protocol.Unavailable], and ctx's error is returned. The
// executor is drained too. Close is still to be called.
func (s *Server) Drain(ctx context.Context) error {
	s.mu.Lock()
	s.draining = true
	for c := range s.connections {
		c.helpers.Go(c.announceDrain)
	}
	s.mu.Unlock()
	err := s.config.Executor.Drain(ctx)
	if err == nil {
		err = s.awaitWork(ctx)
	}
	if err != nil {
		s.kill(&protocol.Unavailable{Reason: stopped})
		return err
	}
	return s.http.Shutdown(ctx)
}

// awaitWork returns when no connection and no execution is left, or with ctx's error.
func (s *Server) awaitWork(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close ends everything that runs, with [protocol.Unavailable], and returns when
// no connection and no goroutine of the server is left. It may be called more
// than once and returns nil.
func (s *Server) Close() error {
	s.mu.Lock()
	s.draining = true
	s.mu.Unlock()
	s.kill(&protocol.Unavailable{Reason: stopped})
	// Who waits for the answer to a request is given it, unless the request has not
	// arrived or the answer is not taken.
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_ = s.awaitWork(ctx)
	s.http.Close()
	s.work.Wait()
	return nil
}

// Recheck closes the connections of callers that would not be let in any more,
// see [Identity.Valid]. What runs on them ends with [protocol.Unauthorized].
func (s *Server) Recheck() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.connections {
		if c.who.Valid != nil && !c.who.Valid() {
			c.end(&protocol.Unauthorized{Reason: "the credentials are not valid any more"})
		}
	}
}

// Draining reports whether new executions are refused.
func (s *Server) Draining() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draining
}

// enter counts something that must end before the server has. It returns false
// when nothing may begin any more.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return false
	}
	s.work.Add(1)
	return true
}

// account returns the account of a tenant. One whose tenant has been configured
// anew starts afresh; its connections keep the old.
func (s *Server) account(t *Tenant) *account {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.accounts[t.Name]
	if a == nil || a.tenant != t {
		a = newAccount(t, time.Now())
		s.accounts[t.Name] = a
	}
	return a
}

// countedListener closes connections beyond Config.MaxConnections as soon as they
// have been accepted.
type countedListener struct {
	net.Listener
	server *Server
}

func (l *countedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		s := l.server
		s.mu.Lock()
		full := s.sockets >= s.config.MaxConnections
		if !full {
			s.sockets++
		}
		s.mu.Unlock()
		if !full {
			return &countedConn{Conn: conn, server: s}, nil
		}
		s.metrics.count(&s.metrics.refusedSockets)
		conn.Close()
	}
}

// countedConn is one connection that a listener has counted.
type countedConn struct {
	net.Conn
	server *Server
	once   sync.Once
}

// Close implements net.Conn.
func (c *countedConn) Close() error {
	c.once.Do(func() {
		c.server.mu.Lock()
		c.server.sockets--
		c.server.mu.Unlock()
	})
	return c.Conn.Close()
}

type connectionKey struct{}

// withConnection lets authenticators see the connection of a request.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// connectionOf returns the connection that a request came on, without what this
// package or TLS put around it.
func connectionOf(r *http.Request) net.Conn {
	c, _ := r.Context().Value(connectionKey{}).(net.Conn)
	for {
		switch wrapped := c.(type) {
		case *countedConn:
			c = wrapped.Conn
		case interface{ NetConn() net.Conn }:
			c = wrapped.NetConn()
		default:
			return c
		}
	}
}
