package protocol

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the reading of a request that is in no message.

func TestDecodeRequest(t *testing.T) {
	got, err := DecodeRequest([]byte(`{"source":"() => 1","limits":{"wallMs":5}} `))
	if err != nil || got.Source != "() => 1" || got.Limits.Wall.Milliseconds() != 5 {
		t.Errorf("the request is %+v, %v", got, err)
	}
	for _, test := range []struct{ text, field, reason string }{
		{``, "request", "the text ends where an object should be at byte 0"},
		{`{"source":""} {}`, "request", "more text after the end of the value at byte 14"},
		{`{}`, "source", "is missing from the object at byte 0"},
		{`{"source":"","source":""}`, "request", `the key "source" a second time in one object at byte 13`},
		{`{"source":"","sourc":""}`, "request", `the unknown member "sourc" at byte 13`},
		{`{"source":"","limits":{"wallMs":1.5}}`, "limits.wallMs", "1.5 where an integer of 64 bits should be at byte 32"},
	} {
		_, err := DecodeRequest([]byte(test.text))
		var invalid *InvalidRequest
		if !errors.As(err, &invalid) {
			t.Errorf("%s: the error is %v", test.text, err)
			continue
		}
		if diff := cmp.Diff([]string{test.field, test.reason}, []string{invalid.Field, invalid.Reason}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
	}
}

func FuzzDecodeRequest(f *testing.F) {
	f.Add([]byte(`{"source":"() => 1","input":{"$":"undefined"},"tools":[{"name":"a","tools":["b"]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := DecodeRequest(text)
		if err != nil {
			return
		}
		out, err := EncodeMessage(&Execute{Execution: "e", Request: *r})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if _, err := DecodeMessage(out); err != nil {
			t.Fatalf("%s becomes %s: %v", text, out, err)
		}
	})
}
