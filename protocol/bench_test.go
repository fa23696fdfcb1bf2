package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
)

// This file owns the benchmarks of what lies on the path of a tool call, with
// encoding/json as the yardstick.

// payload returns about 1 MiB of plain JSON as programs have it: many small
// objects of strings, numbers and lists.
func payload() any {
	var rows []any
	for i := range 5200 {
		rows = append(rows, map[string]any{
			"id": float64(i), "name": fmt.Sprintf("item number %d", i), "price": float64(i) * 1.25, "active": i%2 == 0,
			"tags": []any{"red", "green", "blue \"quoted\""}, "owner": map[string]any{"name": "Zoë", "mail": "zoe@example.org"}, "note": nil,
			"text": "The quick brown fox jumps over the lazy dog.",
		})
	}
	return map[string]any{"rows": rows}
}

func payloadText(b *testing.B) Value {
	text, err := Encode(payload(), Bounds{})
	if err != nil {
		b.Fatal(err)
	}
	if len(text) < 1<<20 || len(text) > 5<<18 {
		b.Fatalf("the payload has %d bytes", len(text))
	}
	return text
}

// measure runs f on text of the given size.
func measure(b *testing.B, size int, f func() error) {
	b.Helper()
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	v, text := payload(), payloadText(b)
	b.Run("codec", func(b *testing.B) {
		measure(b, len(text), func() error { _, err := Encode(v, Bounds{}); return err })
	})
	b.Run("text", func(b *testing.B) {
		measure(b, len(text), func() error { _, err := Encode(text, Bounds{}); return err })
	})
	b.Run("encodingjson", func(b *testing.B) {
		measure(b, len(text), func() error { _, err := json.Marshal(v); return err })
	})
}

func BenchmarkDecode(b *testing.B) {
	text := payloadText(b)
	b.Run("codec", func(b *testing.B) {
		measure(b, len(text), func() error { _, err := Decode(text, Bounds{}); return err })
	})
	b.Run("check", func(b *testing.B) {
		measure(b, len(text), func() error { return Check(text, Bounds{}) })
	})
	b.Run("encodingjson", func(b *testing.B) {
		measure(b, len(text), func() error { var v any; return json.Unmarshal(text, &v) })
	})
}

func BenchmarkToolCallMessage(b *testing.B) {
	for name, args := range map[string]string{"small": `[{"id":1}]`, "1MiB": string(payloadText(b))} {
		call := &ToolCall{Execution: "e-1", Call: 7, Namespace: "tools", Tool: "read", Args: args}
		text, err := EncodeMessage(call)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("encode/"+name, func(b *testing.B) {
			measure(b, len(text), func() error { _, err := EncodeMessage(call); return err })
		})
		b.Run("decode/"+name, func(b *testing.B) {
			measure(b, len(text), func() error { _, err := DecodeMessage(text); return err })
		})
	}
}

func BenchmarkResultMessage(b *testing.B) {
	result := &ResultMessage{Execution: "e-1", Result: Result{Value: payloadText(b)}}
	text, err := EncodeMessage(result)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		measure(b, len(text), func() error { _, err := EncodeMessage(result); return err })
	})
	b.Run("decode", func(b *testing.B) {
		measure(b, len(text), func() error { _, err := DecodeMessage(text); return err })
	})
}

func BenchmarkEnvelope(b *testing.B) {
	e := Envelope{OK: payloadText(b)}
	text, err := e.Encode()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		measure(b, len(text), func() error { _, err := e.Encode(); return err })
	})
	b.Run("decode", func(b *testing.B) {
		measure(b, len(text), func() error { _, err := DecodeEnvelope(text, Bounds{}); return err })
	})
}

func BenchmarkFrames(b *testing.B) {
	for name, size := range map[string]int{"200B": 200, "1MiB": 1 << 20} {
		payload := make([]byte, size)
		var stream bytes.Buffer
		if err := NewFrameWriter(&stream, DefaultMaxFrame).Write(payload); err != nil {
			b.Fatal(err)
		}
		b.Run("write/"+name, func(b *testing.B) {
			w := NewFrameWriter(io.Discard, DefaultMaxFrame)
			measure(b, size, func() error { return w.Write(payload) })
		})
		b.Run("read/"+name, func(b *testing.B) {
			r := NewFrameReader(&repeating{text: stream.Bytes()}, DefaultMaxFrame)
			measure(b, size, func() error { _, err := r.Read(); return err })
		})
	}
}

// repeating is a stream of one text again and again.
type repeating struct {
	text []byte
	pos  int
}

func (r *repeating) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.pos:])
	r.pos = (r.pos + n) % len(r.text)
	return n, nil
}
