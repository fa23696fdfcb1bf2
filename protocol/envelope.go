package protocol

import (
	"fmt"
	"reflect"
)

// This file owns the reply to a tool call.

// ToolTimeout is the name of the error that a program is given of a tool that did
// not answer within [Limits.ToolTime].
const ToolTimeout = "ToolTimeout"

// Envelope is the reply to a tool call: a value or an error. As text it is
//
//	{"ok": codec text}
//	{"error": {"name": string, "message": string, "stack"?: string, "cause"?: codec text, "fields"?: codec text of a plain object}}
//
// Each codec text in it stands alone: definitions in one cannot be referred to in another.
type Envelope struct {
	// OK is the codec text of the value; empty means undefined. It counts when
	// Error is nil.
	OK    Value
	Error *ToolError
}

// ToolError is the error that a tool answers with. The program is given an Error
// with this name, message and these own fields. It is a Go error, too.
type ToolError struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	// Stack and Cause are for hosts that want the program to see them.
	Stack string `json:"stack,omitempty"`
	Cause Value  `json:"cause,omitempty"`
	// Fields is the codec text of a plain object, or empty.
	Fields Value `json:"fields,omitempty"`
}

func (e *ToolError) Error() string {
	if e.Name == "" || e.Message == "" {
		return e.Name + e.Message
	}
	return e.Name + ": " + e.Message
}

// Encode returns the text of the envelope. Its codec text must be JSON.
func (e Envelope) Encode() (string, error) {
	var out []byte
	var err error
	switch {
	case e.Error != nil:
		out, err = appendWire([]byte(`{"error":`), reflect.ValueOf(e.Error))
	case len(e.OK) == 0:
		return `{"ok":{"$":"undefined"}}`, nil
	default:
		out = make([]byte, 0, len(e.OK)+len(`{"ok":}`))
		out, err = appendEmbedded(append(out, `{"ok":`...), e.OK)
	}
	if err != nil {
		return "", fmt.Errorf("envelope: %w", err)
	}
	return string(append(out, '}')), nil
}

// DecodeEnvelope reads the text of an envelope, strictly, and checks each codec
// text in it against the bounds. The bound on bytes holds for the whole.
func DecodeEnvelope(text string, b Bounds) (Envelope, error) {
	b = b.orDefault()
	if int64(len(text)) > b.Bytes {
		return Envelope{}, fmt.Errorf("envelope: %w", &BoundError{What: BoundBytes, Limit: b.Bytes, Actual: int64(len(text))})
	}
	e, err := decodeEnvelope([]byte(text), b)
	if err != nil {
		return Envelope{}, fmt.Errorf("envelope: %w", err)
	}
	return e, nil
}

func decodeEnvelope(text []byte, b Bounds) (Envelope, error) {
	var e Envelope
	s := scanner{text: text}
	s.next()
	start := s.pos
	count := 0
	err := s.members(func(key string, at int) error {
		if count++; count > 1 {
			return s.fail(at, "a second member")
		}
		switch key {
		case "ok":
			s.next()
			from := s.pos
			d := decoder{scanner: s, bounds: b}
			if _, err := d.value(); err != nil {
				return inField("ok", err)
			}
			s.pos = d.pos
			e.OK = text[from:s.pos:s.pos]
			return nil
		case "error":
			e.Error = new(ToolError)
			if err := s.read(reflect.ValueOf(e.Error).Elem()); err != nil {
				return inField("error", err)
			}
			return nil
		}
		return s.fail(at, "the member %.60q, which is neither \"ok\" nor \"error\",", key)
	})
	if err == nil && count == 0 {
		err = s.fail(start, `neither "ok" nor "error"`)
	}
	if err == nil {
		err = s.end()
	}
	if err == nil && e.Error != nil {
		err = e.Error.check(b)
	}
	return e, err
}

// check reports what is wrong with the codec texts in an error.
func (e *ToolError) check(b Bounds) error {
	if len(e.Cause) > 0 {
		if err := Check(e.Cause, b); err != nil {
			return inField("error.cause", err)
		}
	}
	if len(e.Fields) == 0 {
		return nil
	}
	d := decoder{scanner: scanner{text: e.Fields}, bounds: b}
	err := d.expect('{')
	if err == nil {
		d.pos--
		_, err = d.object(fields, false)
	}
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return inField("error.fields", err)
	}
	return nil
}
