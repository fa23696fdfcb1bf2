package protocol

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// This file owns the tests of frames.

// frame returns the bytes of one frame whose length says length.
func frame(length uint32, payload string) string {
	return string(binary.BigEndian.AppendUint32(nil, length)) + payload
}

func TestFrameReader(t *testing.T) {
	tests := []struct {
		name, stream string
		want         []string
		err          string // of the last read; a violation, or EOF
	}{
		{"nothing", "", nil, "EOF"},
		{"two frames", frame(1, "a") + frame(3, "b\x00c"), []string{"a", "b\x00c"}, "EOF"},
		{"the longest frame", frame(100, string(make([]byte, 100))), []string{string(make([]byte, 100))}, "EOF"},
		{"half a length", "\x00\x00\x00", nil, "protocol violation: the stream ended after 3 of 4 bytes of a frame's length"},
		{"length without bytes", frame(5, ""), nil, "protocol violation: the stream ended after 0 of 5 bytes of a frame"},
		{"cut frame", frame(1, "a") + frame(5, "abcd"), []string{"a"}, "protocol violation: the stream ended after 4 of 5 bytes of a frame"},
		{"length 0", frame(1, "a") + frame(0, "") + frame(1, "b"), []string{"a"}, "protocol violation: a frame of length 0"},
		{"one byte too long", frame(101, string(make([]byte, 101))), nil, "protocol violation: a frame of 101 bytes, the limit is 100"},
		{"negative length", frame(1<<31, ""), nil, "protocol violation: a frame of 2147483648 bytes, the limit is 100"},
		{"all ones", frame(math.MaxUint32, ""), nil, "protocol violation: a frame of 4294967295 bytes, the limit is 100"},
	}
	streams := map[string]func(string) io.Reader{
		"whole":         func(s string) io.Reader { return bytes.NewReader([]byte(s)) },
		"byte by byte":  func(s string) io.Reader { return iotest.OneByteReader(bytes.NewReader([]byte(s))) },
		"EOF with data": func(s string) io.Reader { return iotest.DataErrReader(bytes.NewReader([]byte(s))) },
	}
	for _, tc := range tests {
		for how, open := range streams {
			t.Run(tc.name+", "+how, func(t *testing.T) {
				r := NewFrameReader(open(tc.stream), 100)
				var got []string
				var err error
				for {
					var payload []byte
					if payload, err = r.Read(); err != nil {
						break
					}
					got = append(got, string(payload))
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("frames (-want +got):\n%s", diff)
				}
				if err.Error() != tc.err {
					t.Errorf("got %v, want %s", err, tc.err)
				}
				var violation *ProtocolViolation
				if (err == io.EOF) == errors.As(err, &violation) {
					t.Errorf("%v is neither a violation nor the end", err)
				}
				if _, again := r.Read(); again != err {
					t.Errorf("read again: %v, want the same error", again)
				}
			})
		}
	}
}

// A stream's own error is returned as it is.
func TestFrameReaderPassesOnErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, prefix := range []string{"", "\x00", frame(9, "abc")} {
		r := NewFrameReader(io.MultiReader(bytes.NewReader([]byte(prefix)), iotest.ErrReader(broken)), 100)
		if _, err := r.Read(); !errors.Is(err, broken) {
			t.Errorf("after %q: %v", prefix, err)
		}
	}
}

// A length alone makes the reader allocate little, however large it is.
func TestFrameReaderAllocatesForWhatArrives(t *testing.T) {
	for _, arrived := range []int{0, 1, 100 << 10, 3 << 20} {
		stream := frame(1<<30, string(make([]byte, arrived)))
		bytesOf := allocated(func() {
			if _, err := NewFrameReader(bytes.NewReader([]byte(stream)), math.MaxUint32).Read(); err == nil {
				t.Error("a cut frame was accepted")
			}
		})
		// Growing costs each size before, and the stream's own copy.
		if limit := int64(6*arrived + 256<<10); bytesOf > limit {
			t.Errorf("%d bytes arrived, %d were allocated", arrived, bytesOf)
		}
	}
	// A length beyond the bound costs nothing but the error.
	r := bytes.NewReader([]byte(frame(math.MaxUint32, "")))
	if n := allocated(func() { _, _ = NewFrameReader(r, DefaultMaxFrame).Read() }); n > 16<<10 {
		t.Errorf("%d bytes were allocated for a length that is refused", n)
	}
}

func TestFramesOfAllSizes(t *testing.T) {
	var stream bytes.Buffer
	w := NewFrameWriter(&stream, 1<<20)
	sizes := []int{1, 2, 4095, 4096, frameStep - 5, frameStep - 4, frameStep - 3, frameStep, frameStep + 1, 200_000, 1 << 20}
	payload := func(n int) []byte {
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(i*7 + n)
		}
		return p
	}
	for _, n := range sizes {
		if err := w.Write(payload(n)); err != nil {
			t.Fatal(err)
		}
	}
	r := NewFrameReader(&stream, 1<<20)
	for _, n := range sizes {
		got, err := r.Read()
		if err != nil || !bytes.Equal(got, payload(n)) {
			t.Fatalf("a frame of %d bytes came back as %d bytes, %v", n, len(got), err)
		}
	}
	if _, err := r.Read(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func TestFrameWriterRefuses(t *testing.T) {
	var stream bytes.Buffer
	w := NewFrameWriter(&stream, 3)
	for _, payload := range []string{"", "four"} {
		var violation *ProtocolViolation
		if err := w.Write([]byte(payload)); !errors.As(err, &violation) {
			t.Errorf("%q: %v", payload, err)
		}
	}
	if err := w.Write([]byte("abc")); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
	if got, want := stream.String(), frame(3, "abc"); got != want {
		t.Errorf("the stream holds %q, want %q", got, want)
	}
}

// failingWriter fails once it has taken n writes.
type failingWriter struct {
	n   int
	err error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.n--; w.n < 0 {
		return 0, w.err
	}
	return len(p), nil
}

// After half a frame nothing may follow.
func TestFrameWriterStaysBroken(t *testing.T) {
	broken := errors.New("broken")
	for _, tc := range []struct {
		name   string
		writes int
		size   int
	}{{"short frame", 0, 10}, {"length of a long frame", 0, 1 << 20}, {"bytes of a long frame", 1, 1 << 20}} {
		out := &failingWriter{n: tc.writes, err: broken}
		w := NewFrameWriter(out, 2<<20)
		if err := w.Write(make([]byte, tc.size)); !errors.Is(err, broken) {
			t.Errorf("%s: %v", tc.name, err)
		}
		out.n = 100
		if err := w.Write([]byte("x")); !errors.Is(err, broken) || out.n != 100 {
			t.Errorf("%s: the writer went on: %v", tc.name, err)
		}
	}
}

// Frames of several goroutines arrive whole.
func TestFrameWriterIsSafeForConcurrentUse(t *testing.T) {
	here, there := net.Pipe()
	w := NewFrameWriter(here, 1<<20)
	const writers, frames = 8, 50
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for j := range frames {
				size := 1 + (i*7919+j*104729)%(3*frameStep)
				payload := bytes.Repeat([]byte{byte(i)}, size)
				if err := w.Write(payload); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done := make(chan error, 1)
	go func() {
		r := NewFrameReader(there, 1<<20)
		for range writers * frames {
			payload, err := r.Read()
			if err != nil {
				done <- err
				return
			}
			if i := bytes.IndexFunc(payload, func(c rune) bool { return c != rune(payload[0]) }); i >= 0 {
				done <- fmt.Errorf("a frame of writer %d has a byte of %d", payload[0], payload[i])
				return
			}
		}
		done <- nil
	}()
	err := <-done
	_ = there.Close() // lets writers end if the reader gave up
	all.Wait()
	if err != nil {
		t.Error(err)
	}
}
