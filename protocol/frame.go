package protocol

import (
	"encoding/binary"
	"fmt"
	"io"
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
const frameStep = 64 * kib

// FrameReader reads frames from a stream. It is not safe for concurrent use.
type FrameReader struct {
	r   io.Reader
	max int64
}

// NewFrameReader returns a reader that refuses frames longer than max bytes.
func NewFrameReader(r io.Reader, max int64) *FrameReader { return &FrameReader{r: r, max: max} }

// Read returns the next frame's bytes, which are the caller's to keep. At the
// end of the stream, between frames, it returns io.EOF. A length of zero, a
// length beyond the bound and a stream that ends within a frame are
// [ProtocolViolation]s, after which the stream cannot be read on.
func (r *FrameReader) Read() ([]byte, error) {
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
	if length > r.max {
		return nil, &ProtocolViolation{What: fmt.Sprintf("a frame of %d bytes, the limit is %d", length, r.max)}
	}
	frame := make([]byte, 0, min(length, frameStep))
	for int64(len(frame)) < length {
		if len(frame) == cap(frame) {
			grown := make([]byte, len(frame), min(length, 2*int64(cap(frame))))
			copy(grown, frame)
			frame = grown
		}
		n, err := r.r.Read(frame[len(frame):cap(frame)])
		frame = frame[:len(frame)+n]
		if err != nil && int64(len(frame)) < length {
			if err == io.EOF {
				return nil, &ProtocolViolation{What: fmt.Sprintf("the stream ended after %d of %d bytes of a frame", len(frame), length)}
			}
			return nil, err
		}
	}
	return frame, nil
}

// FrameWriter writes frames to a stream, each whole: writers in several
// goroutines take turns. After a failed write every further one fails too,
// because the stream may hold half a frame.
type FrameWriter struct {
	max int64

	mu  sync.Mutex
	w   io.Writer // guarded by mu
	err error     // guarded by mu; the first failure
}

// NewFrameWriter returns a writer that refuses frames longer than max bytes.
func NewFrameWriter(w io.Writer, max int64) *FrameWriter { return &FrameWriter{w: w, max: max} }

// Write sends one frame. A frame that is empty or beyond the bound is refused
// before anything is written, and the writer stays usable.
func (w *FrameWriter) Write(payload []byte) error {
	if len(payload) == 0 {
		return &ProtocolViolation{What: "a frame of length 0 to be sent"}
	}
	if int64(len(payload)) > w.max {
		return &ProtocolViolation{What: fmt.Sprintf("a frame of %d bytes to be sent, the limit is %d", len(payload), w.max)}
	}
	frame := make([]byte, 4+len(payload))
	binary.BigEndian.PutUint32(frame, uint32(len(payload)))
	copy(frame[4:], payload)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	if _, err := w.w.Write(frame); err != nil {
		w.err = err
		return err
	}
	return nil
}
