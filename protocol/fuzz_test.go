package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// This file owns the fuzz targets: one for everything that parses bytes of a
// peer. Besides not failing in other ways than with its own errors, what is
// accepted must survive being written and read again.

func FuzzFrameReader(f *testing.F) {
	f.Add([]byte(frame(1, "a")+frame(3, "abc")), int64(100))
	f.Add([]byte(frame(0, "")), int64(1))
	f.Add([]byte(frame(1<<31, "x")), int64(1<<32))
	f.Add([]byte("\x00\x00"), int64(0))
	f.Fuzz(func(t *testing.T, stream []byte, max int64) {
		r := NewFrameReader(bytes.NewReader(stream), max)
		var again bytes.Buffer
		w := NewFrameWriter(&again, max)
		for {
			payload, err := r.Read()
			if err == io.EOF {
				break
			}
			var violation *ProtocolViolation
			if errors.As(err, &violation) {
				return
			}
			if err != nil {
				t.Fatalf("an error of another kind: %v", err)
			}
			if int64(len(payload)) > max || len(payload) == 0 {
				t.Fatalf("a frame of %d bytes with a limit of %d", len(payload), max)
			}
			if err := w.Write(payload); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(again.Bytes(), stream) {
			t.Fatalf("%x was read, %x written", stream, again.Bytes())
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, v := range readVectors(f) {
		f.Add([]byte(v.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		agree(t, text, Bounds{})
		agree(t, text, Bounds{Bytes: 64, Depth: 3, Nodes: 8})
		if err := Check(text, Bounds{}); err == nil && len(text) > 0 {
			through, err := Encode(Value(text), Bounds{})
			if err != nil || !bytes.Equal(through, text) {
				t.Fatalf("%q was passed through as %q, %v", text, through, err)
			}
		}
		if codec, err := FromJSON(text, Bounds{}); err == nil {
			if err := Check(codec, Bounds{Depth: 2000}); err != nil {
				t.Fatalf("%q became %q, which is no codec text: %v", text, codec, err)
			}
		}
	})
}

func addGolden(f *testing.F, pattern string) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "wire", pattern))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		f.Add(readFile(f, file))
	}
}

func FuzzDecodeMessage(f *testing.F) {
	addGolden(f, "message_*.json")
	for _, sample := range sampleFaults() {
		text, err := EncodeMessage(&ResultMessage{Execution: "e", Result: Result{Fault: sample.fault}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := DecodeMessage(text)
		if err != nil {
			var violation *ProtocolViolation
			if !errors.As(err, &violation) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		again, err := EncodeMessage(m)
		if err != nil {
			t.Fatalf("%q was decoded to what cannot be encoded: %v", text, err)
		}
		back, err := DecodeMessage(again)
		if err != nil {
			t.Fatalf("%q is refused: %v", again, err)
		}
		if diff := cmp.Diff(m, back, cmpopts.EquateEmpty(), cmp.AllowUnexported(faultTypes...)); diff != "" {
			t.Fatalf("%q became %q:\n%s", text, again, diff)
		}
		if x, ok := m.(*Execute); ok {
			// Whatever a request holds, validation gives a fault of its own kind.
			var invalid *InvalidRequest
			if err := x.Request.Validate(); err != nil && !errors.As(err, &invalid) {
				t.Fatalf("an error of another kind: %v", err)
			}
		}
	})
}

func FuzzDecodeEnvelope(f *testing.F) {
	for _, v := range readVectors(f) {
		f.Add(`{"ok":` + v.Text + `}`)
		f.Add(`{"error":{"name":"E","message":"m","stack":"s","cause":` + v.Text + `,"fields":{"x":` + v.Text + `}}}`)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := DecodeEnvelope(text, Bounds{})
		if err != nil {
			return
		}
		again, err := e.Encode()
		if err != nil {
			t.Fatalf("%q was decoded to what cannot be encoded: %v", text, err)
		}
		back, err := DecodeEnvelope(again, Bounds{})
		if err != nil {
			t.Fatalf("%q is refused: %v", again, err)
		}
		if diff := cmp.Diff(e, back); diff != "" {
			t.Fatalf("%q became %q:\n%s", text, again, diff)
		}
	})
}

func FuzzDecodeFault(f *testing.F) {
	addGolden(f, "fault_*.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		fault, err := DecodeFault(text)
		if err != nil {
			return
		}
		again, err := EncodeFault(fault)
		if err != nil {
			t.Fatalf("%q was decoded to what cannot be encoded: %v", text, err)
		}
		back, err := DecodeFault(again)
		if err != nil {
			t.Fatalf("%q is refused: %v", again, err)
		}
		if diff := cmp.Diff(fault, back, cmp.AllowUnexported(faultTypes...), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q became %q:\n%s", text, again, diff)
		}
		if fmt.Sprint(fault) != fmt.Sprint(back) {
			t.Fatalf("%q became %q", fault, back)
		}
	})
}
