package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the configuration of a server and its defaults.

// Executor is what runs the programs: [executor.IsolateExecutor].
type Executor interface {
	// Relay runs one request and returns its result, never nil.
	Relay(ctx context.Context, r *protocol.Request, tools pool.ToolHandler, onLog func(protocol.LogEntry)) *protocol.Result
	// Limits returns the default limits and the most that a request may state.
	Limits() (defaults, max protocol.Limits)
	// Drain refuses new programs and returns when those that run have ended.
	Drain(ctx context.Context) error
	// Stats returns the state of the pool.
	Stats() pool.Stats
}

var _ Executor = (*executor.IsolateExecutor)(nil)

// Config configures a server. A zero field takes the default in its comment.
type Config struct {
	// Executor runs the programs. It must not be nil, and stays the caller's to close.
	Executor Executor
	// Authenticator says who calls. It must not be nil.
	Authenticator Authenticator
	// Version of the program around the server, for welcome and /v1/info.
	Version string
	// MaxFrame is the longest message, and the longest body of a request, that is
	// taken, in bytes. Default [protocol.DefaultMaxFrame], at least 64 KiB, at most
	// [protocol.MaxMaxFrame].
	MaxFrame int64
	// MaxConnections is how many connections are open at one moment, with or
	// without a caller that is known. One more is closed at once. Default 4096.
	MaxConnections int
	// MaxExecutions is how many executions run, or wait, on one connection.
	// Default 256.
	MaxExecutions int
	// MaxHeld bounds the bytes of the requests that run, or wait, on one
	// connection. Default 128 MiB, at least MaxFrame.
	MaxHeld int64
	// MaxQueued bounds the bytes that wait to be sent on one connection: once there
	// are so many, what would send more waits too. Default 16 MiB.
	MaxQueued int64
	// HandshakeTimeout bounds the time to a request's header, and from there to
	// hello. Default 10 s.
	HandshakeTimeout time.Duration
	// FrameTimeout bounds the time in which one message arrives, from its first
	// byte, and in which one is sent. Default 30 s.
	FrameTimeout time.Duration
	// PingInterval is how often a silent peer is asked whether it is there. It must
	// answer within twice FrameTimeout. Default 15 s.
	PingInterval time.Duration
	// Logger receives what the server does: never a program, an input, a log of a
	// program, a tool's arguments or reply. Default: nothing is logged.
	Logger *slog.Logger
	// Tracer takes a span for each execution and, below it, for each tool call: who,
	// how it ended, what it cost, and nothing that is not logged either. The spans
	// belong to the trace that the request names, or the header of the HTTP request
	// that brought it. Default: there are no spans.
	Tracer trace.TracerProvider
	// LogContent lets the log have the texts of faults and of violations too, which may
	// quote any of these.
	LogContent bool
}

const minFrame = 64 << 10

// withDefaults returns the configuration with its zero fields filled, or an
// error that names the field that cannot be.
func (c Config) withDefaults() (Config, error) {
	if c.Executor == nil {
		return c, errors.New("server: Config.Executor is nil: there is nothing to run programs")
	}
	if c.Authenticator == nil {
		return c, errors.New("server: Config.Authenticator is nil: nobody could be told apart")
	}
	fill(&c.MaxFrame, protocol.DefaultMaxFrame)
	fill(&c.MaxConnections, 4096)
	fill(&c.MaxExecutions, 256)
	fill(&c.MaxHeld, max(128<<20, c.MaxFrame))
	fill(&c.MaxQueued, 16<<20)
	fill(&c.HandshakeTimeout, 10*time.Second)
	fill(&c.FrameTimeout, 30*time.Second)
	fill(&c.PingInterval, 15*time.Second)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	checks := []struct {
		field string
		ok    bool
		want  string
	}{
		{"MaxFrame", c.MaxFrame >= minFrame && c.MaxFrame <= protocol.MaxMaxFrame, fmt.Sprintf("%d to %d", minFrame, protocol.MaxMaxFrame)},
		{"MaxConnections", c.MaxConnections >= 1, "at least 1"},
		{"MaxExecutions", c.MaxExecutions >= 1, "at least 1"},
		{"MaxHeld", c.MaxHeld >= c.MaxFrame, "at least MaxFrame"},
		{"MaxQueued", c.MaxQueued >= 1, "at least 1"},
		{"HandshakeTimeout", c.HandshakeTimeout > 0, "positive"},
		{"FrameTimeout", c.FrameTimeout > 0, "positive"},
		{"PingInterval", c.PingInterval > 0, "positive"},
	}
	for _, check := range checks {
		if !check.ok {
			return c, fmt.Errorf("server: Config.%s is out of range: it must be %s", check.field, check.want)
		}
	}
	return c, nil
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
