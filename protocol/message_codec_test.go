package protocol

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns what is refused as a message, and with which words.

func TestDecodeMessageRefuses(t *testing.T) {
	result := func(inner string) string { return `{"type":"result","execution":"e","result":{` + inner + `}}` }
	tests := []struct{ name, text, want string }{
		{"nothing", ``, "message: the text ends where an object should be at byte 0"},
		{"an array", `[]`, "message: '[' where an object should be at byte 0"},
		{"no type", `{"nonce":1}`, "message: type: is missing from the object at byte 0"},
		{"unknown type", `{"type":"hack"}`, `message: there is no type "hack"`},
		{"type of other letters", `{"type":"Ping","nonce":1}`, `message: there is no type "Ping"`},
		{"type that is no string", `{"type":1}`, "message: type: '1' where a string should be at byte 8"},
		{"type twice", `{"type":"ping","nonce":1,"type":"pong"}`, `ping: the key "type" a second time in one object at byte 25`},
		{"trailing bytes", `{"type":"drain"} {"type":"drain"}`, "drain: more text after the end of the value at byte 17"},
		{"a NUL behind", "{\"type\":\"drain\"}\x00", "drain: more text after the end of the value at byte 16"},
		{"no end", `{"type":"drain"`, `drain: the text ends where ',' or '}' should be at byte 15`},
		{"invalid UTF-8", "{\"type\":\"cancel\",\"execution\":\"\xff\"}", "cancel: execution: invalid UTF-8, byte 0xff at byte 30"},
		{"invalid UTF-8 before the type", "{\"x\":\"\xff\",\"type\":\"drain\"}", "message: invalid UTF-8, byte 0xff at byte 6"},
		{"byte order mark", "\ufeff{\"type\":\"drain\"}", "message: '\\ufeff' where an object should be at byte 0"},
		{"lone surrogate", `{"type":"cancel","execution":"\ud800"}`, "cancel: execution: a string with a lone surrogate at byte 29"},
		{"unknown member", `{"type":"ping","nonce":1,"extra":2}`, `ping: the unknown member "extra" at byte 25`},
		{"member of other letters", `{"type":"ping","Nonce":1}`, `ping: the unknown member "Nonce" at byte 15`},
		{"missing member", `{"type":"tool_call","execution":"e","call":1,"namespace":"n","tool":"t"}`, "tool_call: args: is missing from the object at byte 0"},
		{"member twice", `{"type":"ping","nonce":1,"nonce":1}`, `ping: the key "nonce" a second time in one object at byte 25`},
		{"null", `{"type":"ping","nonce":null}`, "ping: nonce: 'n' where an integer should be at byte 23"},
		{"string for a number", `{"type":"ping","nonce":"1"}`, "ping: nonce: '\"' where an integer should be at byte 23"},
		{"fraction", `{"type":"ping","nonce":1.0}`, "ping: nonce: 1.0 where an integer of 64 bits should be at byte 23"},
		{"number of 65 bits", `{"type":"ping","nonce":9223372036854775808}`, "ping: nonce: 9223372036854775808 where an integer of 64 bits should be at byte 23"},
		{"number for a string", `{"type":"cancel","execution":7}`, "cancel: execution: '7' where a string should be at byte 29"},
		{"args that are no string", `{"type":"tool_call","execution":"e","call":1,"namespace":"n","tool":"t","args":[]}`, "tool_call: args: '[' where a string should be at byte 79"},
		{"string for a bool", `{"type":"execute","execution":"e","request":{"source":""},"streamLogs":"true"}`, "execute: streamLogs: '\"' where true or false should be at byte 71"},
		{"half a bool", `{"type":"execute","execution":"e","request":{"source":""},"streamLogs":tru}`, "execute: streamLogs: 't' where a value should be at byte 71"},
		{"object for a list", `{"type":"welcome","version":1,"maxFrame":1,"sealed":{}}`, "welcome: sealed: '{' where an array should be at byte 52"},
		{"list without an end", `{"type":"welcome","version":1,"maxFrame":1,"sealed":["a"}`, `welcome: sealed: '}' where ',' or ']' should be at byte 56`},
		{"list for an object", `{"type":"execute","execution":"e","request":[]}`, "execute: request: '[' where an object should be at byte 44"},
		{"unknown member within", `{"type":"execute","execution":"e","request":{"source":"","code":""}}`, `execute: request: the unknown member "code" at byte 57`},
		{"missing member within", `{"type":"execute","execution":"e","request":{"tools":[{"name":"n"}],"source":""}}`, "execute: request.tools[0].tools: is missing from the object at byte 54"},
		{"module twice", `{"type":"execute","execution":"e","request":{"source":"","modules":{"m":{"source":""},"\u006d":{"source":""}}}}`, `execute: request.modules: the key "m" a second time in one object at byte 86`},
		{"module that is wrong", `{"type":"execute","execution":"e","request":{"source":"","modules":{"a b":{"source":1}}}}`, `execute: request.modules["a b"].source: '1' where a string should be at byte 84`},
		{"input that is no JSON", `{"type":"execute","execution":"e","request":{"source":"","input":undefined}}`, "execute: request.input: 'u' where a value should be at byte 65"},
		{"unknown limit", `{"type":"execute","execution":"e","request":{"source":"","limits":{"wall":1}}}`, `execute: request.limits: the unknown limit "wall" at byte 67`},
		{"limit twice", `{"type":"execute","execution":"e","request":{"source":"","limits":{"heap":1,"heap":2}}}`, `execute: request.limits: the key "heap" a second time in one object at byte 76`},
		{"limit with a fraction", `{"type":"execute","execution":"e","request":{"source":"","limits":{"wallMs":0.5}}}`, "execute: request.limits.wallMs: 0.5 where an integer of 64 bits should be at byte 76"},
		{"execution of no bytes", `{"type":"cancel","execution":""}`, "cancel: execution: an id of 0 bytes, it has 1 to 256"},
		{"execution of many bytes", `{"type":"cancel","execution":"` + strings.Repeat("x", 257) + `"}`, "cancel: execution: an id of 257 bytes, it has 1 to 256"},
		{"call 0", `{"type":"tool_reply","execution":"e","call":0,"envelope":""}`, "tool_reply: call: the id 0, they count from 1"},
		{"frame bound", `{"type":"hello","version":1,"maxFrame":0}`, "hello: maxFrame: 0, at least one byte must fit in"},
		{"level", `{"type":"log","execution":"e","entry":{"level":"LOG","text":"","ms":0}}`, `log: entry.level: there is no level "LOG"`},
		{"level in a result", result(`"logs":[{"level":"log","text":"","ms":0},{"level":"fatal","text":"","ms":0}]`), `result: result.logs[1].level: there is no level "fatal"`},
		{"outcome in a result", result(`"calls":[{"name":"a.b","startMs":0,"durationMs":0,"outcome":"lost"}]`), `result: result.calls[0].outcome: there is no outcome "lost"`},
		{"value and fault", result(`"value":1,"fault":{"code":"stalled","started":true}`), "result: result: a result with a value and a fault at byte 42"},
		{"fault twice", result(`"fault":{"code":"stalled","started":true},"fault":{"code":"stalled","started":true}`), `result: result: the key "fault" a second time in one object at byte 85`},
		{"fault that is wrong", result(`"fault":{"code":"stalled","started":7}`), "result: result.fault.stalled.started: '7' where true or false should be at byte 79"},
		{"usage beyond a double", result(`"usage":{"wallMs":1e999,"cpuMs":0,"peakHeap":0,"peakExternal":0,"queueMs":0,"toolCalls":0}`), "result: result.usage.wallMs: a number beyond the range of a double at byte 61"},
		{"deep value", result(`"value":` + nested("[", "", "]", 5000)), "result: result.value: containers nest too deeply at byte 4115"},
		{"deep member", `{"x":` + nested("[", "", "]", 5000) + `,"type":"drain"}`, "message: containers nest too deeply at byte 4077"},
		{"deep message", `{"type":"welcome","version":1,"maxFrame":1,"sealed":` + nested("[", "", "]", 100_000) + `}`, "welcome: sealed[0]: '[' where a string should be at byte 53"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m, err := DecodeMessage([]byte(tc.text))
			var violation *ProtocolViolation
			if !errors.As(err, &violation) {
				t.Fatalf("got %v, %v", m, err)
			}
			if diff := cmp.Diff(tc.want, violation.What); diff != "" {
				t.Errorf("what (-want +got):\n%s", diff)
			}
		})
	}
}

// Cutting a message anywhere makes it invalid, wherever that is.
func TestTruncatedMessages(t *testing.T) {
	for _, m := range sampleMessages() {
		text, err := EncodeMessage(m)
		if err != nil {
			t.Fatal(err)
		}
		for n := range text {
			if got, err := DecodeMessage(text[:n]); err == nil {
				t.Fatalf("%s was decoded to %v", text[:n], got)
			}
		}
	}
}

// Members may come in any order, with white space and escapes of any kind.
func TestDecodeMessageInOtherForms(t *testing.T) {
	want := &ToolCall{Execution: "e", Call: 12, Namespace: "n", Tool: "tool", Args: `["a\"b"]`}
	for _, text := range []string{
		`{"args":"[\"a\\\"b\"]","tool":"tool","namespace":"n","call":12,"execution":"e","type":"tool_call"}`,
		" {\n\t\"type\" : \"tool\\u005fcall\" , \"execution\":\"e\",\"call\":12,\"namespace\":\"n\",\"\\u0074ool\":\"t\\u006Fol\",\"args\":\"[\\\"a\\\\\\\"b\\\"]\" } \r\n",
	} {
		got, err := DecodeMessage([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Codec text that a guest chose cannot break out of its place, and strings that
// are no UTF-8 cannot make a message that the peer refuses.
func TestEncodeMessageIsAlwaysReadable(t *testing.T) {
	for _, value := range []string{`1,"fault":{}`, `1}`, `{`, ` `, `1 2`, `undefined`, "\"\xff\"", `{"a":1}}`} {
		m := &ResultMessage{Execution: "e", Result: Result{Value: Value(value)}}
		if text, err := EncodeMessage(m); err == nil {
			t.Errorf("the value %q was encoded to %s", value, text)
		}
	}
	text, err := EncodeMessage(&Log{Execution: "e", Entry: LogEntry{Level: LevelLog, Text: "a\xffb\xed\xa0\x80\x00"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := DecodeMessage(text)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.(*Log).Entry.Text, "a\ufffdb\ufffd\ufffd\ufffd\x00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, m := range []Message{nil, (*Ping)(nil)} {
		if text, err := EncodeMessage(m); err == nil {
			t.Errorf("%T was encoded to %s", m, text)
		}
	}
}

// A decoded message shares no memory with its frame.
func TestDecodedMessageKeepsItsValues(t *testing.T) {
	frame := []byte(`{"type":"result","execution":"e","result":{"value":[1,2]}}`)
	m, err := DecodeMessage(frame)
	if err != nil {
		t.Fatal(err)
	}
	clear(frame)
	if got := string(m.(*ResultMessage).Result.Value); got != "[1,2]" {
		t.Errorf("the value became %q", got)
	}
}
