package protocol

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// This file owns strings in JSON text: finding their end, and what they stand for.

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// special marks, in the high bit of each of eight bytes, those that cannot
// stand for themselves in a JSON string: controls, quote and backslash. Marks
// above the lowest one may be false.
func special(w uint64) uint64 {
	quote, slash := w^(lowBits*'"'), w^(lowBits*'\\')
	return ((w-lowBits*' ')&^w | (quote-lowBits)&^quote | (slash-lowBits)&^slash) & highBits
}

// str consumes a string and returns the bytes between its quotes, still
// escaped, and whether any of them is an escape. They are valid UTF-8 and their
// escapes are well formed.
func (s *scanner) str() (raw []byte, escaped bool, err error) {
	if s.next() != '"' {
		return nil, false, s.unexpected("a string")
	}
	start := s.pos + 1
	text, i := s.text, start
	var wide uint64 // has a high bit set when a byte beyond ASCII was seen
	for {
		for i+8 <= len(text) {
			w := binary.LittleEndian.Uint64(text[i:])
			wide |= w
			if m := special(w); m != 0 {
				i += bits.TrailingZeros64(m) / 8
				break
			}
			i += 8
		}
		for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
			wide |= uint64(text[i])
			i++
		}
		if i >= len(text) {
			return nil, false, s.fail(start-1, "a string without an end")
		}
		if text[i] == '"' {
			break
		}
		if text[i] < ' ' {
			return nil, false, s.fail(i, "control character 0x%02x in a string", text[i])
		}
		n := escapeLength(text[i:])
		if n == 0 {
			return nil, false, s.fail(i, "an escape that JSON does not have")
		}
		escaped = true
		i += n
	}
	raw = text[start:i]
	if wide&highBits != 0 && !utf8.Valid(raw) {
		at := 0
		for {
			r, size := utf8.DecodeRune(raw[at:])
			if r == utf8.RuneError && size == 1 {
				return nil, false, s.fail(start+at, "invalid UTF-8, byte 0x%02x", raw[at])
			}
			at += size
		}
	}
	s.pos = i + 1
	return raw, escaped, nil
}

// escapeLength returns the length of the escape that text begins with, or 0.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hexUnit(text); ok {
			return 6
		}
	}
	return 0
}

// hexUnit reads the UTF-16 code unit of a \uXXXX escape.
func hexUnit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range text[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// escape returns the code point that the escape at the start of raw stands for,
// a surrogate only when it is a lone one, and the length of the escape. raw is
// as [scanner.str] returned it.
func escape(raw []byte) (r rune, length int) {
	switch c := raw[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, _ = hexUnit(raw)
		if utf16.IsSurrogate(r) {
			if low, ok := hexUnit(raw[6:]); ok {
				if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
					return full, 12
				}
			}
		}
		return r, 6
	default:
		return rune(c), 2
	}
}

// unquote returns the string that raw stands for. UTF-8 cannot hold a lone
// surrogate: it becomes U+FFFD, and lone reports that there was one.
func unquote(raw []byte, escaped bool) (_ string, lone bool) {
	if !escaped {
		return string(raw), false
	}
	// No escape is shorter than what it stands for. Eight bytes are copied at a
	// time, so that some more room is needed at the end.
	var small [256]byte
	buffer := small[:]
	if len(raw)+8 > len(buffer) {
		buffer = make([]byte, len(raw)+8)
	}
	n := 0
	for i := 0; i < len(raw); {
		if i+8 <= len(raw) {
			w := binary.LittleEndian.Uint64(raw[i:])
			binary.LittleEndian.PutUint64(buffer[n:], w)
			slash := w ^ (lowBits * '\\')
			m := (slash - lowBits) &^ slash & highBits
			if m == 0 {
				i, n = i+8, n+8
				continue
			}
			run := bits.TrailingZeros64(m) / 8
			i, n = i+run, n+run
		}
		if raw[i] != '\\' {
			buffer[n] = raw[i]
			i, n = i+1, n+1
			continue
		}
		r, length := escape(raw[i:])
		i += length
		if utf16.IsSurrogate(r) {
			lone, r = true, utf8.RuneError
		}
		if r < utf8.RuneSelf {
			buffer[n] = byte(r)
			n++
		} else {
			n += utf8.EncodeRune(buffer[n:], r)
		}
	}
	return string(buffer[:n]), lone
}

// appendExact appends the bytes of the string that raw stands for, a lone
// surrogate as the three bytes that the pattern of UTF-8 gives it, so that
// different strings stay different.
func appendExact(dst, raw []byte) []byte {
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		r, length := escape(raw[i:])
		raw = raw[i+length:]
		if utf16.IsSurrogate(r) {
			dst = append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}
