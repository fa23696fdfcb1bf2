// Package link carries messages over one WebSocket, for both of its ends: it
// bounds what waits to be sent and how long a message may be on its way, and
// finds out about peers that are gone.
package link

import (
	"context"
	"io"
	"time"

	"github.com/coder/websocket"

	"github.com/isogate/isogate/protocol"
)

// This file owns sending and receiving.

// Options are the bounds of a link. All must be positive.
type Options struct {
	// MaxFrame is the longest message that is received, in bytes.
	MaxFrame int64
	// MaxQueued is how many bytes wait to be sent before senders wait too.
	MaxQueued int64
	// FrameTimeout bounds the time in which one message arrives, from its first
	// byte, and in which one is sent.
	FrameTimeout time.Duration
	// PingInterval is how often the peer is asked whether it is there.
	PingInterval time.Duration
	// Received and Sent, if set, are told the bytes of each message.
	Received, Sent func(bytes int64)
}

// Link is one end of a WebSocket. Its methods may be called from any goroutine,
// but for Receive, Write and Ping, which have one each.
type Link struct {
	socket  *websocket.Conn
	options Options
	out     *queue
	wire    context.Context // done when nothing may be read or written any more
	cut     context.CancelFunc
}

// New returns the link over a socket. The caller runs Write and Ping.
func New(socket *websocket.Conn, o Options) *Link {
	socket.SetReadLimit(o.MaxFrame)
	l := &Link{socket: socket, options: o, out: newQueue(o.MaxQueued)}
	l.wire, l.cut = context.WithCancel(context.Background())
	return l
}

// ErrBinary is a message that is no text.
var ErrBinary = &protocol.ProtocolViolation{What: "a binary message, where text should be"}

// Receive waits for one message, also longer than ctx says once it has begun to
// arrive. It returns the message and its length in bytes. What is allocated grows
// with what arrives. After an error the link cannot be used.
func (l *Link) Receive(ctx context.Context) (protocol.Message, int64, error) {
	until, cancel := context.WithCancel(l.wire)
	defer cancel()
	waiting := context.AfterFunc(ctx, cancel)
	kind, r, err := l.socket.Reader(until)
	if !waiting() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, 0, err
	}
	slow := time.AfterFunc(l.options.FrameTimeout, cancel)
	defer slow.Stop()
	if kind != websocket.MessageText {
		return nil, 0, ErrBinary
	}
	text, err := io.ReadAll(r)
	if l.options.Received != nil {
		l.options.Received(int64(len(text)))
	}
	if err != nil {
		return nil, 0, err
	}
	m, err := protocol.DecodeMessage(text)
	return m, int64(len(text)), err
}

// Send queues a message. It waits while the queue is full, until ctx is done or
// the link ends.
func (l *Link) Send(ctx context.Context, m protocol.Message) error {
	text, err := protocol.EncodeMessage(m)
	if err != nil {
		return err
	}
	return l.out.send(ctx, text, nil)
}

// SendText queues the text of a message, as Send does. If queued is set, it is
// called once the message is certain to be next or to follow what is queued,
// before the peer can have it; it must not use the link.
func (l *Link) SendText(ctx context.Context, text []byte, queued func()) error {
	return l.out.send(ctx, text, queued)
}

// Write sends what is queued until the link ends, and returns nil, or until the
// peer does not take a message in time.
func (l *Link) Write() error {
	for {
		text, ok := l.out.next()
		if !ok {
			return nil
		}
		ctx, cancel := context.WithTimeout(l.wire, l.options.FrameTimeout)
		err := l.socket.Write(ctx, websocket.MessageText, text)
		cancel()
		l.out.sent(text)
		if err != nil {
			l.out.close()
			return err
		}
		if l.options.Sent != nil {
			l.options.Sent(int64(len(text)))
		}
	}
}

// Ping asks the peer again and again whether it is there, until ctx is done, and
// returns nil, or until it does not answer. A message that is on its way, either
// way, delays the answer by as long as it may take.
func (l *Link) Ping(ctx context.Context) error {
	ticker := time.NewTicker(l.options.PingInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		answer, cancel := context.WithTimeout(ctx, 2*l.options.FrameTimeout)
		err := l.socket.Ping(answer)
		cancel()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Flush returns when everything that was queued has been sent, or when ctx is
// done, or the link has ended.
func (l *Link) Flush(ctx context.Context) { l.out.flush(ctx) }

// Waiting returns the bytes that wait to be sent.
func (l *Link) Waiting() int64 { return l.out.waiting() }

// Close tells the peer why the link ends, which takes a few seconds at most, and
// ends it. What is queued may be lost. A code of zero tells nothing.
func (l *Link) Close(code websocket.StatusCode, reason string) {
	if code == 0 {
		l.cut()
		l.socket.CloseNow()
	} else {
		// It fails when the peer has gone already.
		_ = l.socket.Close(code, CutReason(reason))
	}
	l.out.close()
	l.cut()
}

// CutReason shortens a reason to what a close frame holds: 123 bytes of UTF-8.
func CutReason(text string) string {
	const most = 123
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && text[end]&0xc0 == 0x80 {
		end--
	}
	return text[:end]
}
