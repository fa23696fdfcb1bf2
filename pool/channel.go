package pool

import (
	"bufio"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns a child's messages: one goroutine that reads them, one that
// writes them, so that neither a silent nor a deaf child holds up its
// supervisor.

// received is one message of a child, or the reason why there will be no more.
type received struct {
	message protocol.Message
	err     error
	arrival arrival
}

// arrival is when a message had arrived, by the clocks that bound executions. It
// is taken before the message is decoded, which may take its time.
type arrival struct {
	at       time.Time
	cpu      time.Duration // that the child has used since its start
	cpuKnown bool
}

// channel is the parent's end of the channel to one child.
type channel struct {
	file     *os.File
	maxFrame int64
	cpuTime  func() (time.Duration, bool) // of the child
	incoming chan received                // unbuffered
	closed   chan struct{}
	loops    sync.WaitGroup

	writing sync.Mutex // held while a message is being written
	written int64      // guarded by writing; messages that were written whole

	// ended is set when the stream could be read no further, to tell a frame cut
	// by the child's death from one that breaks the rules.
	ended atomic.Bool

	mu     sync.Mutex
	outbox [][]byte      // guarded by mu; encoded messages not yet written
	sent   int64         // guarded by mu; messages put in the outbox
	wake   chan struct{} // capacity 1; outbox is not empty
}

func newChannel(file *os.File, maxFrame int64, cpuTime func() (time.Duration, bool)) *channel {
	c := &channel{
		file: file, maxFrame: maxFrame, cpuTime: cpuTime,
		incoming: make(chan received), closed: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	c.loops.Go(c.readLoop)
	c.loops.Go(c.writeLoop)
	return c
}

// send puts an encoded message in the outbox and returns its number at once. The
// outbox is bounded by what may be in it: one execute, a cancel, and the replies
// of the calls in flight. A message that can no longer be written is dropped: the
// end of the stream, which the reader sees, says so.
func (c *channel) send(payload []byte) (number int64) {
	c.mu.Lock()
	c.outbox = append(c.outbox, payload)
	c.sent++
	number = c.sent
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return number
}

// handedOver ends all writing and reports whether all bytes of a message had left
// this process. If not, the child cannot have read it.
func (c *channel) handedOver(number int64) bool {
	// A write that is under way returns at once.
	if err := c.file.SetWriteDeadline(time.Now()); err != nil {
		return true // which is not known
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.written >= number
}

// sendMessage encodes and sends a message that cannot be too long.
func (c *channel) sendMessage(m protocol.Message) error {
	payload, err := protocol.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.send(payload)
	return nil
}

func (c *channel) writeLoop() {
	frames := protocol.NewFrameWriter(c.file, c.maxFrame)
	for {
		select {
		case <-c.wake:
		case <-c.closed:
			return
		}
		c.mu.Lock()
		batch := c.outbox
		c.outbox = nil
		c.mu.Unlock()
		for _, payload := range batch {
			if c.write(frames, payload) != nil {
				return
			}
		}
	}
}

func (c *channel) write(frames *protocol.FrameWriter, payload []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	err := frames.Write(payload)
	if err == nil {
		c.written++
	}
	return err
}

func (c *channel) readLoop() {
	frames := protocol.NewFrameReader(bufio.NewReaderSize(endNoting{c}, 64<<10), c.maxFrame)
	for {
		var in received
		var frame []byte
		if frame, in.err = frames.Read(); in.err == nil {
			in.arrival.at = time.Now()
			in.arrival.cpu, in.arrival.cpuKnown = c.cpuTime()
			in.message, in.err = protocol.DecodeMessage(frame)
		}
		select {
		case c.incoming <- in:
		case <-c.closed:
			return
		}
		if in.err != nil {
			return
		}
	}
}

// endNoting reads the channel's file and notes when it can be read no further.
type endNoting struct{ c *channel }

func (r endNoting) Read(p []byte) (int, error) {
	n, err := r.c.file.Read(p)
	if err != nil {
		r.c.ended.Store(true)
	}
	return n, err
}

// lost says what an error from incoming means: nil for a stream that ended, as
// it does when the process dies, else what the child did wrong.
func (c *channel) lost(err error) *protocol.ProtocolViolation {
	if c.ended.Load() || errors.Is(err, io.EOF) {
		return nil
	}
	var violation *protocol.ProtocolViolation
	if errors.As(err, &violation) {
		return &protocol.ProtocolViolation{What: cut(violation.What)}
	}
	return &protocol.ProtocolViolation{What: cut(err.Error())}
}

// close ends both loops and waits for them.
func (c *channel) close() {
	close(c.closed)
	c.file.Close()
	c.loops.Wait()
}

// cut bounds text that may quote a child.
func cut(text string) string {
	const limit = 300
	if len(text) > limit {
		return text[:limit] + "…"
	}
	return text
}
