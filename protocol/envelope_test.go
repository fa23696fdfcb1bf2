package protocol

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the examples of envelopes.

func TestEnvelopeRoundTrip(t *testing.T) {
	tests := []struct {
		in   Envelope
		text string
		want Envelope
	}{
		{Envelope{OK: Value(`[1,{"$":"undefined"}]`)}, `{"ok":[1,{"$":"undefined"}]}`, Envelope{OK: Value(`[1,{"$":"undefined"}]`)}},
		{Envelope{}, `{"ok":{"$":"undefined"}}`, Envelope{OK: Value(`{"$":"undefined"}`)}},
		{Envelope{OK: Value(`{"error":{}}`)}, `{"ok":{"error":{}}}`, Envelope{OK: Value(`{"error":{}}`)}},
		{Envelope{Error: &ToolError{Name: "", Message: ""}}, `{"error":{"name":"","message":""}}`, Envelope{Error: &ToolError{}}},
		{
			Envelope{OK: Value(`1`), Error: &ToolError{Name: "HTTPError", Message: "404 \"x\"", Stack: "s", Cause: Value(`null`), Fields: Value(`{"status":404}`)}},
			`{"error":{"name":"HTTPError","message":"404 \"x\"","stack":"s","cause":null,"fields":{"status":404}}}`,
			Envelope{Error: &ToolError{Name: "HTTPError", Message: "404 \"x\"", Stack: "s", Cause: Value(`null`), Fields: Value(`{"status":404}`)}},
		},
		{
			Envelope{Error: &ToolError{Fields: Value(`{"$":"object","v":{"$":1}}`)}},
			`{"error":{"name":"","message":"","fields":{"$":"object","v":{"$":1}}}}`,
			Envelope{Error: &ToolError{Fields: Value(`{"$":"object","v":{"$":1}}`)}},
		},
	}
	for _, tc := range tests {
		text, err := tc.in.Encode()
		if err != nil || text != tc.text {
			t.Errorf("encoded: %s, %v, want %s", text, err, tc.text)
			continue
		}
		got, err := DecodeEnvelope(text, Bounds{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestDecodeEnvelopeRefuses(t *testing.T) {
	tests := []struct{ text, want string }{
		{``, "envelope: the text ends where an object should be at byte 0"},
		{`null`, "envelope: 'n' where an object should be at byte 0"},
		{`{}`, `envelope: neither "ok" nor "error" at byte 0`},
		{`{"result":1}`, `envelope: the member "result", which is neither "ok" nor "error", at byte 1`},
		{`{"ok":1,"ok":2}`, "envelope: a second member at byte 8"},
		{`{"ok":1,"error":{"name":"","message":""}}`, "envelope: a second member at byte 8"},
		{`{"ok":1} 2`, "envelope: more text after the end of the value at byte 9"},
		{`{"ok":}`, "envelope: ok: '}' where a value should be at byte 6"},
		{`{"ok":{"$":"x"}}`, `envelope: ok: the escape "x", which does not exist, at byte 11`},
		{`{"ok":{"a":1,"a":1}}`, `envelope: ok: the key "a" a second time in one object at byte 13`},
		{`{"error":"failed"}`, `envelope: error: '"' where an object should be at byte 9`},
		{`{"error":{"message":"m"}}`, "envelope: error.name: is missing from the object at byte 9"},
		{`{"error":{"name":"E","message":"m","code":1}}`, `envelope: error: the unknown member "code" at byte 35`},
		{`{"error":{"name":"E","message":1}}`, "envelope: error.message: '1' where a string should be at byte 31"},
		{`{"error":{"name":"E","message":"m","cause":{"$":"x"}}}`, `envelope: error.cause: the escape "x", which does not exist, at byte 5`},
		{`{"error":{"name":"E","message":"m","fields":[]}}`, "envelope: error.fields: '[' where '{' should be at byte 0"},
		{`{"error":{"name":"E","message":"m","fields":{"$":"map","v":[]}}}`, `envelope: error.fields: "map" where the fields of an error should be, a plain object at byte 5`},
		{`{"error":{"name":"E","message":"m","fields":{"a":1,"a":2}}}`, `envelope: error.fields: the key "a" a second time in one object at byte 7`},
	}
	for _, tc := range tests {
		if e, err := DecodeEnvelope(tc.text, Bounds{}); err == nil || err.Error() != tc.want {
			t.Errorf("%s:\n got  %v, %v\n want %s", tc.text, e, err, tc.want)
		}
	}
}

func TestEnvelopeBounds(t *testing.T) {
	b := Bounds{Bytes: 100, Depth: 3, Nodes: 5}
	tests := []struct{ text, what string }{
		{`{"ok":[[[1]]]}`, ""},
		{`{"ok":[[[[]]]]}`, BoundDepth},
		{`{"ok":[1,2,3,4,5]}`, BoundNodes},
		{`{"ok":"` + strings.Repeat("x", 92) + `"}`, BoundBytes},
		{`{"error":{"name":"","message":"","cause":[[[[]]]]}}`, BoundDepth},
		{`{"error":{"name":"","message":"","fields":{"a":[1,2,3,4,5]}}}`, BoundNodes},
	}
	for _, tc := range tests {
		_, err := DecodeEnvelope(tc.text, b)
		var bound *BoundError
		if errors.As(err, &bound) != (tc.what != "") || bound != nil && bound.What != tc.what || (err == nil) != (tc.what == "") {
			t.Errorf("%s: %v, want a passed bound on %q", tc.text, err, tc.what)
		}
	}
}

func TestEnvelopeCannotBeBrokenOutOf(t *testing.T) {
	for _, e := range []Envelope{
		{OK: Value(`1,"error":{}`)}, {OK: Value(`1}`)}, {OK: Value(` `)},
		{Error: &ToolError{Cause: Value(`1,"fields":{}`)}}, {Error: &ToolError{Fields: Value(`{}}`)}},
	} {
		if text, err := e.Encode(); err == nil {
			t.Errorf("%+v was encoded to %s", e, text)
		}
	}
}

func TestToolErrorIsAGoError(t *testing.T) {
	for want, e := range map[string]*ToolError{"E: m": {Name: "E", Message: "m"}, "E": {Name: "E"}, "m": {Message: "m"}} {
		if e.Error() != want {
			t.Errorf("got %q, want %q", e, want)
		}
	}
}
