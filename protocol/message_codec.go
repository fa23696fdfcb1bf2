package protocol

import (
	"errors"
	"fmt"
	"reflect"
)

// This file owns reading and writing messages, strictly: one JSON object, no
// repeated, unknown or missing member, nothing behind it.

// newMessage makes an empty message of each type.
var newMessage = map[Type]func() Message{
	TypeHello:     func() Message { return new(Hello) },
	TypeWelcome:   func() Message { return new(Welcome) },
	TypeExecute:   func() Message { return new(Execute) },
	TypeToolCall:  func() Message { return new(ToolCall) },
	TypeToolReply: func() Message { return new(ToolReply) },
	TypeCallEnded: func() Message { return new(CallEnded) },
	TypeLog:       func() Message { return new(Log) },
	TypeCancel:    func() Message { return new(Cancel) },
	TypeResult:    func() Message { return new(ResultMessage) },
	TypePing:      func() Message { return new(Ping) },
	TypePong:      func() Message { return new(Pong) },
	TypeDrain:     func() Message { return new(Drain) },
}

// EncodeMessage returns the JSON text of a message, "type" first. Codec text
// within it must be JSON; invalid UTF-8 in its strings becomes U+FFFD.
func EncodeMessage(m Message) ([]byte, error) {
	v := reflect.ValueOf(m)
	if !v.IsValid() || v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, fmt.Errorf("message: a nil %T cannot be sent", m)
	}
	out := append([]byte(`{"type":`), '"')
	out = append(out, m.MessageType()...)
	out = append(out, '"')
	out, err := appendMembers(out, v.Elem())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.MessageType(), err)
	}
	return append(out, '}'), nil
}

// DecodeMessage reads the JSON text of a message. Anything but one message as
// [EncodeMessage] writes it, in whatever order of members, is a
// [ProtocolViolation] that says which field is wrong, how, and at which byte.
// Codec text within the message is found to be JSON, no more; see [Check].
func DecodeMessage(text []byte) (Message, error) {
	s := scanner{text: text}
	name, err := s.find("type")
	if err != nil {
		return nil, &ProtocolViolation{What: "message: " + err.Error()}
	}
	create, ok := newMessage[Type(name)]
	if !ok {
		return nil, &ProtocolViolation{What: fmt.Sprintf("message: there is no type %.60q", name)}
	}
	m := create()
	err = s.readStruct(reflect.ValueOf(m).Elem(), []string{"type"})
	if err == nil {
		err = s.end()
	}
	if err == nil {
		err = checkMessage(m)
	}
	if err != nil {
		return nil, &ProtocolViolation{What: name + ": " + err.Error()}
	}
	return m, nil
}

// DecodeRequest reads the JSON text of a request alone, as strictly as one in a
// message. The error is an [InvalidRequest].
func DecodeRequest(text []byte) (*Request, error) {
	r := new(Request)
	err := unmarshalStrict(text, r)
	var field *fieldError
	if errors.As(err, &field) {
		return nil, &InvalidRequest{Field: field.path, Reason: field.err.Error()}
	}
	if err != nil {
		return nil, &InvalidRequest{Field: "request", Reason: err.Error()}
	}
	return r, nil
}

// MaxID is the longest id of an execution, in bytes.
const MaxID = 256

// checkMessage reports what a message may not hold although its form is right.
func checkMessage(m Message) error {
	switch m := m.(type) {
	case *Hello:
		return checkMaxFrame(m.MaxFrame)
	case *Welcome:
		return checkMaxFrame(m.MaxFrame)
	case *Execute:
		return checkID(m.Execution)
	case *ToolCall:
		return checkCall(m.Execution, m.Call)
	case *ToolReply:
		return checkCall(m.Execution, m.Call)
	case *CallEnded:
		return checkCall(m.Execution, m.Call)
	case *Log:
		if err := m.Entry.check(); err != nil {
			return inField("entry", err)
		}
		return checkID(m.Execution)
	case *Cancel:
		return checkID(m.Execution)
	case *ResultMessage:
		if err := m.Result.check(); err != nil {
			return inField("result", err)
		}
		return checkID(m.Execution)
	}
	return nil
}

func checkID(id string) error {
	if id == "" || len(id) > MaxID {
		return &fieldError{"execution", fmt.Errorf("an id of %d bytes, it has 1 to %d", len(id), MaxID)}
	}
	return nil
}

func checkCall(execution string, call int64) error {
	if call < 1 {
		return &fieldError{"call", fmt.Errorf("the id %d, they count from 1", call)}
	}
	return checkID(execution)
}

func checkMaxFrame(n int64) error {
	if n < 1 {
		return &fieldError{"maxFrame", fmt.Errorf("%d, at least one byte must fit in", n)}
	}
	return nil
}
