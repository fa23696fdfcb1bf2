package native

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server"
)

// This file owns the attacks by bytes that are no WebSocket, or one that never goes on.

var networkFrames = []Attack{
	{Name: "network-frame-unmasked", Source: "W05", Title: "a frame that is not masked ends its connection", Run: rawFrame([]byte{0x81, 2, '{', '}'})},
	{Name: "network-frame-reserved", Source: "W05", Title: "a frame with a reserved bit ends its connection", Run: rawFrame(frame(0xf1, `{"type":"ping","nonce":1}`))},
	{Name: "network-frame-unknown", Source: "W05", Title: "a frame of an unknown kind ends its connection", Run: rawFrame(frame(0x83, "x"))},
	{Name: "network-frame-control-long", Source: "W01", Title: "a control frame that is too long ends its connection", Run: rawFrame(frame(0x89, strings.Repeat("p", 200)))},
	{Name: "network-frame-control-split", Source: "W05", Title: "a control frame in fragments ends its connection", Run: rawFrame(frame(0x09, "p"))},
	{Name: "network-frame-continued", Source: "W05", Title: "a continuation of nothing ends its connection", Run: rawFrame(frame(0x80, `{"type":"ping","nonce":1}`))},
	{Name: "network-frame-length-negative", Source: "W01", Title: "a length with its highest bit set ends its connection", Run: rawFrame(header(0x81, 1<<63))},
	{Name: "network-frame-truncated", Source: "W02", Title: "a frame that ends within its payload ends its connection", Run: rawTruncated(frame(0x81, `{"type":"ping","nonce":1}`))},
	{Name: "network-frame-half-header", Source: "W02", Title: "a frame that ends within its length ends its connection", Run: rawTruncated([]byte{0x81, 0xff, 0, 0, 0})},
	{Name: "network-frame-promised", Source: "W01", Title: "lengths of which no byte follows take no memory", Run: networkPromised},
}

// networkFrameTimeout is the time for a message at servers whose clients are slow.
const networkFrameTimeout = 400 * time.Millisecond

var networkTime = []Attack{
	{Name: "network-message-slow", Source: "W03", Title: "a message sent a byte at a time ends its connection in the time for a message", Run: networkSlowMessage},
	{Name: "network-header-slow", Source: "W03", Title: "a request whose header is sent a byte at a time is cut off", Run: networkSlowHeader},
	{Name: "network-body-slow", Source: "W03", Title: "a body sent a byte at a time is cut off, and nothing runs", Run: networkSlowBody},
	{Name: "network-body-too-long", Source: "W01", Title: "a body above the bound is refused, and nothing runs", Run: networkLongBody},
	{Name: "network-header-too-long", Source: "W01", Title: "a header without an end is cut off", Run: networkLongHeader},
	{Name: "network-silent", Source: "W03 W21", Title: "a connection without hello is closed in the time for it", Run: networkSilent},
	{Name: "network-ping-unanswered", Source: "W17", Title: "a client that answers no ping is cut off, and what it ran is reclaimed", Run: networkUnanswered},
}

// header returns the header of a masked frame whose length is n; the mask is zero.
func header(first byte, n uint64) []byte {
	switch {
	case n < 126:
		return []byte{first, 0x80 | byte(n), 0, 0, 0, 0}
	case n < 1<<16:
		return append(binary.BigEndian.AppendUint16([]byte{first, 0x80 | 126}, uint16(n)), 0, 0, 0, 0)
	}
	return append(binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, n), 0, 0, 0, 0)
}

// frame returns a masked frame; the mask is zero, so the payload is as it is.
func frame(first byte, payload string) []byte {
	return append(header(first, uint64(len(payload))), payload...)
}

// raw is a connection on which bytes are sent as they are.
type raw struct {
	net.Conn
	reader *bufio.Reader
}

// raw connects to the server's socket. Everything on it must end in networkPatience.
func (e *endpoint) raw(ctx context.Context) (*raw, error) {
	c, err := e.dialSocket(ctx, "", "")
	if err != nil {
		return nil, err
	}
	e.h.onClose(func() error { _ = c.Close(); return nil }) // it may be closed already
	return &raw{c, bufio.NewReader(c)}, c.SetDeadline(time.Now().Add(networkPatience))
}

// upgraded connects to the server and speaks as far as welcome, by hand.
func (e *endpoint) upgraded(ctx context.Context) (*raw, error) {
	r, err := e.raw(ctx)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(r, "GET /v1/connect HTTP/1.1\r\nHost: isogate\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n\r\n")
	if err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(r.reader, nil)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		return nil, violated("an upgrade was answered with %s", response.Status)
	}
	hello, err := protocol.EncodeMessage(&protocol.Hello{Version: protocol.Version, MaxFrame: protocol.DefaultMaxFrame})
	if err != nil {
		return nil, err
	}
	if _, err := r.Write(frame(0x81, string(hello))); err != nil {
		return nil, err
	}
	return r, r.awaitFrame()
}

// awaitFrame reads one frame of the server.
func (r *raw) awaitFrame() error {
	var start [2]byte
	if _, err := io.ReadFull(r.reader, start[:]); err != nil {
		return err
	}
	length := uint64(start[1])
	extended := map[uint64]int{126: 2, 127: 8}[length]
	if extended > 0 {
		var text [8]byte
		if _, err := io.ReadFull(r.reader, text[8-extended:]); err != nil {
			return err
		}
		length = binary.BigEndian.Uint64(text[:])
	}
	_, err := io.CopyN(io.Discard, r.reader, int64(length))
	return err
}

// wantEnd reads until the server ends the connection.
func (r *raw) wantEnd(what string) error {
	_, err := io.Copy(io.Discard, r.reader)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return violated("%s: the connection did not end within %v", what, networkPatience)
	}
	return nil // it has ended, with an error or without
}

// drip sends a text a byte at a time, until the server ends the connection. The text
// must be so long that this takes longer than networkPatience.
func (r *raw) drip(what, text string) error {
	ended := make(chan error, 1)
	go func() { ended <- r.wantEnd(what) }()
	tick := time.NewTicker(networkFrameTimeout / 10)
	defer tick.Stop()
	for i := range text {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
			// It fails when the connection has ended, which is told above.
			_, _ = io.WriteString(r, text[i:i+1])
		}
	}
	return errors.Join(<-ended, fmt.Errorf("%s: the text was too short to be slow", what))
}

// dripping is longer than what is dripped in networkPatience.
const dripping = int(10*networkPatience/networkFrameTimeout) + 100

// rawFrame returns an attack by one frame.
func rawFrame(bytes []byte) func(context.Context, *Host) error {
	return func(ctx context.Context, h *Host) error {
		return rawAttack(ctx, h, func(r *raw) error {
			if _, err := r.Write(bytes); err != nil {
				return err
			}
			return r.wantEnd("after the frame")
		})
	}
}

// rawTruncated returns an attack by bytes after which the client is gone.
func rawTruncated(bytes []byte) func(context.Context, *Host) error {
	bytes = bytes[:len(bytes)-1]
	return func(ctx context.Context, h *Host) error {
		return rawAttack(ctx, h, func(r *raw) error {
			if _, err := r.Write(bytes); err != nil {
				return err
			}
			if err := r.Conn.(*net.UnixConn).CloseWrite(); err != nil {
				return err
			}
			return r.wantEnd("after the end")
		})
	}
}

// rawAttack carries out an attack on a connection with an execution in a tool.
func rawAttack(ctx context.Context, h *Host, attack func(*raw) error) error {
	e, err := h.serve(ctx, server.Config{MaxFrame: networkMaxFrame, FrameTimeout: networkFrameTimeout}, server.Tenant{})
	if err != nil {
		return err
	}
	r, err := e.upgraded(ctx)
	if err != nil {
		return err
	}
	text, err := protocol.EncodeMessage(&protocol.Execute{Execution: "held", Request: protocol.Request{
		Source: "() => tools.f()", Tools: []protocol.Namespace{{Name: "tools", Tools: []string{"f"}}},
	}})
	if err != nil {
		return err
	}
	if _, err := r.Write(frame(0x81, string(text))); err != nil {
		return err
	}
	if err := r.awaitFrame(); err != nil { // the tool's call
		return err
	}
	if err := attack(r); err != nil {
		return err
	}
	if err := e.wantIdle(ctx, "after the connection ended"); err != nil {
		return err
	}
	return e.wantServed(ctx, "after the attack")
}

func networkPromised(ctx context.Context, h *Host) error {
	const clients, longest = 50, 32 << 20
	e, err := h.serve(ctx, server.Config{MaxFrame: longest}, server.Tenant{})
	if err != nil {
		return err
	}
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	for range clients {
		r, err := e.upgraded(ctx)
		if err != nil {
			return err
		}
		if _, err := r.Write(append(header(0x81, longest), `{"type":"ping"`...)); err != nil {
			return err
		}
	}
	if err := e.wantServed(ctx, "beside the promises"); err != nil {
		return err
	}
	grown := heap() - before
	h.Note("%d promises of %d MiB: %d KiB more memory in use", clients, longest>>20, grown>>10)
	if most := int64(longest); grown > most {
		return violated("%d promises took %d bytes of memory, must take at most %d", clients, grown, most)
	}
	return nil
}

func networkSlowMessage(ctx context.Context, h *Host) error {
	return rawAttack(ctx, h, func(r *raw) error {
		if _, err := r.Write(header(0x81, uint64(dripping))); err != nil {
			return err
		}
		return r.drip("a slow message", strings.Repeat(" ", dripping))
	})
}

// slowHTTP attacks with a request that is sent slowly after its beginning.
func slowHTTP(ctx context.Context, h *Host, what, start, rest string) error {
	e, err := h.serve(ctx, server.Config{HandshakeTimeout: networkFrameTimeout, FrameTimeout: networkFrameTimeout}, server.Tenant{})
	if err != nil {
		return err
	}
	r, err := e.raw(ctx)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(r, start); err != nil {
		return err
	}
	if err := r.drip(what, rest); err != nil {
		return err
	}
	if n := e.executor.Stats().Executions; n != 0 {
		return violated("%s: %d programs ran", what, n)
	}
	return e.wantServed(ctx, "after the attack")
}

func networkSlowHeader(ctx context.Context, h *Host) error {
	return slowHTTP(ctx, h, "a slow header", "GET /v1/connect HTTP/1.1\r\nHost: isogate\r\nX-Slow: ", strings.Repeat("x", dripping))
}

func networkSlowBody(ctx context.Context, h *Host) error {
	return slowHTTP(ctx, h, "a slow body", fmt.Sprintf("POST /v1/execute HTTP/1.1\r\nHost: isogate\r\nContent-Length: %d\r\n\r\n", dripping), strings.Repeat(" ", dripping))
}

func networkLongBody(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{MaxFrame: networkMaxFrame}, server.Tenant{})
	if err != nil {
		return err
	}
	_, result, err := e.post(ctx, `{"source":"() => 1"}`+strings.Repeat(" ", networkMaxFrame), nil)
	if err != nil {
		return err
	}
	if err := wantFault("a body above the bound", result, protocol.CodeInvalidRequest); err != nil {
		return err
	}
	if n := e.executor.Stats().Executions; n != 0 {
		return violated("%d programs ran", n)
	}
	return e.wantServed(ctx, "after the attack")
}

func networkLongHeader(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{}, server.Tenant{})
	if err != nil {
		return err
	}
	r, err := e.raw(ctx)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(r, "GET /v1/info HTTP/1.1\r\nHost: isogate\r\nX-Long: "); err != nil {
		return err
	}
	sent := 0
	for ; sent < 64<<20; sent += 64 << 10 {
		if _, err := io.WriteString(r, strings.Repeat("x", 64<<10)); err != nil {
			break
		}
	}
	h.Note("%d KiB of a header were taken or on their way", sent>>10)
	if most := 4 << 20; sent > most {
		return violated("%d bytes of a header were taken, must be at most %d", sent, most)
	}
	return e.wantServed(ctx, "after the attack")
}

func networkSilent(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{HandshakeTimeout: networkFrameTimeout}, server.Tenant{})
	if err != nil {
		return err
	}
	w, _, err := e.dial(ctx, nil)
	if err != nil {
		return err
	}
	if err := w.wantClosed(ctx, "without hello", 0); err != nil {
		return err
	}
	return e.wantServed(ctx, "after the attack")
}

func networkUnanswered(ctx context.Context, h *Host) error {
	e, err := h.serve(ctx, server.Config{PingInterval: 100 * time.Millisecond, FrameTimeout: networkFrameTimeout}, server.Tenant{})
	if err != nil {
		return err
	}
	w, err := e.connect(ctx, nil)
	if err != nil {
		return err
	}
	// Nothing reads after this, and so nothing answers.
	if err := w.enter(ctx, "held"); err != nil {
		return err
	}
	if err := e.wantIdle(ctx, "with a client that answers no ping"); err != nil {
		return err
	}
	return e.wantServed(ctx, "after the attack")
}
