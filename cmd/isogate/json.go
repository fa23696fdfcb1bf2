package main

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/isogate/isogate/protocol"
)

// This file owns reading values from the command line and from tool commands.

// space is the white space of JSON (RFC 8259, section 2).
const space = " \t\r\n"

// readValue returns text as a value for the program. As codec text it may hold
// escapes; otherwise it is plain JSON, in which a key "$" is a key like any
// other. The error says where the text stops being either.
func readValue(text []byte, codec bool) (protocol.Value, error) {
	trimmed := bytes.TrimLeft(text, space)
	skipped := len(text) - len(trimmed)
	value, err := protocol.Value(bytes.TrimRight(trimmed, space)), error(nil)
	if len(value) == 0 {
		return nil, errors.New("it is empty, which is no JSON")
	}
	if codec {
		err = protocol.Check(value, protocol.DefaultBounds)
	} else {
		value, err = protocol.FromJSON(value, protocol.DefaultBounds)
	}
	var decode *protocol.DecodeError
	if errors.As(err, &decode) {
		return nil, fmt.Errorf("%s: no JSON: %s", position(text, skipped+int(decode.Offset)), decode.Reason)
	}
	return value, err
}

// position names the line and column, both from 1, of the byte at offset; the
// column counts characters.
func position(text []byte, offset int) string {
	before := text[:max(0, min(offset, len(text)))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[start:])+1)
}
