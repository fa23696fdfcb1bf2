package protocol

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sync"
)

// This file owns frames: the 4-byte length and the bytes behind it.

// DefaultMaxFrame and MaxMaxFrame are the default and the largest bound on a
// frame, in bytes.
const (
	DefaultMaxFrame = 32 * mib
	MaxMaxFrame     = 64 * mib
)

// frameStep bounds how much is allocated ahead of the bytes that have arrived,
// so that a length alone, without the bytes, costs the receiver little.
const frameStep = 64 << 10

// FrameReader reads frames from a stream. It is not safe for concurrent use.
type FrameReader struct {
	r   *bufio.Reader
	max int64
	err error // the first failure
}

// NewFrameReader returns a reader that refuses frames longer than max bytes. It
// reads ahead, so that the stream is its own from here on.
func NewFrameReader(r io.Reader, max int64) *FrameReader {
	return &FrameReader{r: bufio.NewReader(r), max: max}
}

// Read returns the next frame's bytes, which are the caller's to keep. At the
// end of the stream, between frames, it returns io.EOF. A length of zero, a
// length beyond the bound and a stream that ends within a frame are
// [ProtocolViolation]s; other errors are the stream's own. The first error is
// returned again by every further call.
//
// The buffer grows with what arrives, not with the length that the peer states:
// it is never longer than 64 KiB or twice the bytes that have arrived.
func (r *FrameReader) Read() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	frame, err := r.read()
	r.err = err
	return frame, err
}

func (r *FrameReader) read() ([]byte, error) {
	var head [4]byte
	if n, err := io.ReadFull(r.r, head[:]); err != nil {
		if err == io.ErrUnexpectedEOF {
			return nil, &ProtocolViolation{What: fmt.Sprintf("the stream ended after %d of 4 bytes of a frame's length", n)}
		}
		return nil, err
	}
	length := int64(binary.BigEndian.Uint32(head[:]))
	if length == 0 {
		return nil, &ProtocolViolation{What: "a frame of length 0"}
	}
	//gate:protects frames-checked
	if length > r.max {
		return nil, &ProtocolViolation{What: fmt.Sprintf("a frame of %d bytes, the limit is %d", length, r.max)}
	}
	frame := make([]byte, min(length, frameStep))
	have := 0
	for {
		n, err := io.ReadFull(r.r, frame[have:])
		have += n
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, &ProtocolViolation{What: fmt.Sprintf("the stream ended after %d of %d bytes of a frame", have, length)}
		}
		if err != nil {
			return nil, err
		}
		if int64(have) == length {
			return frame, nil
		}
		grown := make([]byte, min(length, 2*int64(have)))
		copy(grown, frame)
		frame = grown
	}
}

// FrameWriter writes frames to a stream, each whole: writers in several
// goroutines take turns. After a failed write every further one fails too,
// because the stream may hold half a frame.
type FrameWriter struct {
	max int64

	mu     sync.Mutex
	w      io.Writer // guarded by mu
	buffer []byte    // guarded by mu; at most frameStep bytes
	err    error     // guarded by mu; the first failure
}

// NewFrameWriter returns a writer that refuses frames longer than max bytes.
func NewFrameWriter(w io.Writer, max int64) *FrameWriter { return &FrameWriter{w: w, max: max} }

// Write sends one frame. A frame that is empty or beyond the bound is a
// [ProtocolViolation] before anything is written, and the writer stays usable.
// The payload is not kept. It is safe for concurrent use.
func (w *FrameWriter) Write(payload []byte) error {
	if len(payload) == 0 {
		return &ProtocolViolation{What: "a frame of length 0 to be sent"}
	}
	if int64(len(payload)) > w.max || int64(len(payload)) > math.MaxUint32 {
		return &ProtocolViolation{What: fmt.Sprintf("a frame of %d bytes to be sent, the limit is %d", len(payload), w.max)}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = w.send(payload)
	}
	return w.err
}

// send writes a short frame in one piece, and a long one without copying it.
//
// Preconditions: w.mu is held.
func (w *FrameWriter) send(payload []byte) error {
	w.buffer = binary.BigEndian.AppendUint32(w.buffer[:0], uint32(len(payload)))
	if len(payload) <= frameStep-len(w.buffer) {
		w.buffer = append(w.buffer, payload...)
		payload = nil
	}
	if _, err := w.w.Write(w.buffer); err != nil || payload == nil {
		return err
	}
	_, err := w.w.Write(payload)
	return err
}
