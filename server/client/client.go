// Package client executes programs on a server elsewhere, with tools that are Go
// functions here. A [Client] is an executor.Interface: it can take the place of an
// executor in this process, and its faults are the same.
package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns a client's life: the connection that new executions use, and
// when there is a new one.

// Config configures a client. A zero field takes the default in its comment.
type Config struct {
	// Token is the bearer token, where the server wants one.
	Token string
	// TLS is for wss addresses: authorities, and a certificate where the server
	// wants one. Default: the system's authorities.
	TLS *tls.Config
	// Agent names this side for people. Default "isogate".
	Agent string
	// MaxFrame is the longest message that is taken, in bytes. Default
	// [protocol.DefaultMaxFrame], at least 64 KiB, at most [protocol.MaxMaxFrame].
	MaxFrame int64
	// MaxQueued bounds the bytes that wait to be sent: once there are so many,
	// replies and requests wait too. Default 16 MiB.
	MaxQueued int64
	// HandshakeTimeout bounds the time from dialling to the server's welcome, and
	// the time that a cancelled execution may take to end. Default 10 s.
	HandshakeTimeout time.Duration
	// FrameTimeout bounds the time in which one message arrives, from its first
	// byte, and in which one is sent. Default 30 s.
	FrameTimeout time.Duration
	// PingInterval is how often a silent server is asked whether it is there.
	// Default 15 s.
	PingInterval time.Duration
	// Logger receives what no caller is told: panics of tools. Default: nothing is
	// logged.
	Logger *slog.Logger
}

const minFrame = 64 << 10

func (c Config) withDefaults() (Config, error) {
	fill(&c.Agent, "isogate")
	fill(&c.MaxFrame, protocol.DefaultMaxFrame)
	fill(&c.MaxQueued, 16<<20)
	fill(&c.HandshakeTimeout, 10*time.Second)
	fill(&c.FrameTimeout, 30*time.Second)
	fill(&c.PingInterval, 15*time.Second)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	switch {
	case c.MaxFrame < minFrame || c.MaxFrame > protocol.MaxMaxFrame:
		return c, fmt.Errorf("client: Config.MaxFrame is out of range: it must be %d to %d", minFrame, protocol.MaxMaxFrame)
	case c.MaxQueued < 1 || c.HandshakeTimeout < 0 || c.FrameTimeout < 0 || c.PingInterval < 0:
		return c, errors.New("client: Config: MaxQueued, HandshakeTimeout, FrameTimeout and PingInterval must be positive")
	}
	return c, nil
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Client executes programs on a server. Its methods may be called from any
// goroutine.
//
// All executions share one connection. When it is lost, those that run on it end
// with [protocol.Disconnected] and are not taken up again, because their tool
// calls may have had effects; the next execution connects anew.
type Client struct {
	config  Config
	address string // for the WebSocket
	http    *http.Client
	closing context.Context // done when the client is closed
	close   context.CancelFunc
	dialing chan struct{} // capacity 1; held by who looks for a session or makes one

	mu      sync.Mutex
	current *session       // guarded by mu; for new executions, or nil
	lastID  int64          // guarded by mu; of executions, of all sessions
	closed  bool           // guarded by mu
	work    sync.WaitGroup // sessions and executions; added to under mu while not closed
}

var _ executor.Interface = (*Client)(nil)

// Dial connects to a server: unix:///path for a unix socket, ws://host:port, or
// wss://host:port with TLS. ctx bounds the connecting only. The error is a
// [protocol.Fault] when the server refused, [protocol.Unavailable] when there was
// none to ask.
func Dial(ctx context.Context, address string, c Config) (*Client, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	to, transport, err := target(address, c.TLS)
	if err != nil {
		return nil, err
	}
	client := &Client{config: c, address: to, http: &http.Client{Transport: transport}, dialing: make(chan struct{}, 1)}
	client.closing, client.close = context.WithCancel(context.Background())
	if _, fault := client.session(ctx); fault != nil {
		client.Close()
		return nil, fault
	}
	return client, nil
}

// target returns the URL of the WebSocket and how it is reached.
func target(address string, config *tls.Config) (string, *http.Transport, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", nil, fmt.Errorf("client: %w", err)
	}
	// No proxy: the environment does not decide who sees programs and tools.
	transport := &http.Transport{TLSClientConfig: config, DisableKeepAlives: true, Protocols: new(http.Protocols)}
	transport.Protocols.SetHTTP1(true) // which WebSockets are upgraded from
	switch u.Scheme {
	case "unix":
		if u.Path == "" || u.Host != "" {
			return "", nil, fmt.Errorf("client: %q: write the address of a socket as unix:///path", address)
		}
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", u.Path)
		}
		return "ws://isogate/v1/connect", transport, nil
	case "ws", "wss":
		if u.Host == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.User != nil {
			return "", nil, fmt.Errorf("client: %q: write the address as %s://host:port", address, u.Scheme)
		}
		return u.Scheme + "://" + u.Host + "/v1/connect", transport, nil
	}
	return "", nil, fmt.Errorf("client: %q: it must begin with unix://, ws:// or wss://", address)
}

// closedFault is what executions on a closed client end with.
func closedFault() protocol.Fault { return &protocol.Unavailable{Reason: "the client was closed"} }

// session returns the session that new executions use. It connects when there is
// none, one attempt at a time.
func (c *Client) session(ctx context.Context) (*session, protocol.Fault) {
	select {
	case c.dialing <- struct{}{}:
		defer func() { <-c.dialing }()
	case <-ctx.Done():
		return nil, cancellation(ctx)
	case <-c.closing.Done():
		return nil, closedFault()
	}
	c.mu.Lock()
	s, closed := c.current, c.closed
	if !closed {
		c.work.Add(1) // for the session that may be made
	}
	c.mu.Unlock()
	if closed {
		return nil, closedFault()
	}
	if s != nil && s.open() {
		c.work.Done()
		return s, nil
	}
	s, fault := c.connect(ctx)
	if fault != nil {
		c.work.Done()
		return nil, fault
	}
	c.mu.Lock()
	c.current = s
	c.mu.Unlock()
	go func() {
		defer c.work.Done()
		s.run()
	}()
	return s, nil
}

// Execute runs one program on the server, as executor.IsolateExecutor does here:
// the result is never nil, and the error is its fault.
//
// A tool may execute programs of its own with its context, or one that descends
// from it: they are nested in the execution that called the tool, on its
// connection. Tools that still run when the program has ended have their context
// cancelled and are waited for a moment.
func (c *Client) Execute(ctx context.Context, r executor.Request) (*protocol.Result, error) {
	result := c.execute(ctx, &r)
	if result.Fault != nil {
		return result, result.Fault
	}
	return result, nil
}

func (c *Client) execute(ctx context.Context, r *executor.Request) *protocol.Result {
	refused := func(fault protocol.Fault) *protocol.Result { return &protocol.Result{Fault: fault} }
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return refused(closedFault())
	}
	c.work.Add(1)
	c.lastID++
	id := strconv.FormatInt(c.lastID, 10)
	c.mu.Unlock()
	defer c.work.Done()
	if ctx.Err() != nil {
		return refused(cancellation(ctx))
	}
	s, fault := c.sessionFor(ctx, r)
	if fault != nil {
		return refused(fault)
	}
	return s.execute(ctx, id, r)
}

// sessionFor returns the session that a request has to use: that of the tool
// which makes it, or the current one.
func (c *Client) sessionFor(ctx context.Context, r *executor.Request) (*session, protocol.Fault) {
	if outer, _ := ctx.Value(originKey{}).(*session); outer != nil && outer.client == c {
		if r.Parent == "" {
			r.Parent = pool.ExecutionID(ctx)
		}
		return outer, nil
	}
	return c.session(ctx)
}

// originKey is the key of the session in the contexts of tools.
type originKey struct{}

// Close ends everything that runs, with [protocol.Unavailable], and returns when
// nothing of the client is left, but for tools that ignore their context. It may
// be called more than once and returns nil.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.close()
	c.work.Wait()
	c.http.CloseIdleConnections()
	return nil
}

// cancellation returns the fault for a context that is done, as package pool does.
func cancellation(ctx context.Context) protocol.Fault {
	cause := context.Cause(ctx)
	var fault protocol.Fault
	switch {
	case errors.As(cause, &fault):
		return protocol.CopyFault(fault) // the context may be that of other executions too
	case errors.Is(cause, context.Canceled):
		return &protocol.Cancelled{}
	}
	return &protocol.Cancelled{Reason: cause.Error()}
}
