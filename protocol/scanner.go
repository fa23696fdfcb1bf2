package protocol

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// This file owns the lexical level of JSON (RFC 8259), which every reader of
// the package stands on: white space, strings, numbers and literals, with the
// byte offset of whatever is wrong. It is not encoding/json, because that takes
// the last of several equal keys, matches names without regard to case and
// replaces invalid UTF-8 in silence; a boundary between parties that do not
// trust each other can afford none of the three.

// DecodeError says what is wrong with a text and where.
type DecodeError struct {
	// Offset counts bytes from the start of the text.
	Offset int64
	Reason string
}

func (e *DecodeError) Error() string { return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset) }

// scanner reads one JSON text from front to back.
type scanner struct {
	text []byte
	pos  int
}

func (s *scanner) fail(at int, format string, args ...any) error {
	return &DecodeError{Offset: int64(at), Reason: fmt.Sprintf(format, args...)}
}

// next skips white space and returns the byte that follows, or 0 at the end. No
// token begins with 0.
func (s *scanner) next() byte {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if c > ' ' || (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
			return c
		}
		s.pos++
	}
	return 0
}

// unexpected is the error for a token that cannot stand where it stands.
func (s *scanner) unexpected(want string) error {
	if s.next() == 0 && s.pos == len(s.text) {
		return s.fail(s.pos, "the text ends where %s should be", want)
	}
	r, size := utf8.DecodeRune(s.text[s.pos:])
	if r == utf8.RuneError && size <= 1 {
		return s.fail(s.pos, "byte 0x%02x where %s should be", s.text[s.pos], want)
	}
	return s.fail(s.pos, "%q where %s should be", r, want)
}

// accept consumes the byte c if it comes next.
func (s *scanner) accept(c byte) bool {
	if s.next() != c {
		return false
	}
	s.pos++
	return true
}

// expect consumes the byte c, which must come next.
func (s *scanner) expect(c byte) error {
	if s.accept(c) {
		return nil
	}
	return s.unexpected(fmt.Sprintf("%q", c))
}

// end reports anything but white space that is left.
func (s *scanner) end() error {
	if s.next(); s.pos < len(s.text) {
		return s.fail(s.pos, "more text after the end of the value")
	}
	return nil
}

// literal consumes one of true, false and null.
func (s *scanner) literal(word string) error {
	if len(s.text)-s.pos < len(word) || string(s.text[s.pos:s.pos+len(word)]) != word {
		return s.unexpected("a value")
	}
	s.pos += len(word)
	return nil
}

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

// piece splits raw, as [scanner.str] returned it, into what comes before the
// first escape, the code point that the escape stands for, and the rest. The
// code point is -1 when there is no escape, and a surrogate only when it is a lone one.
func piece(raw []byte) (run []byte, r rune, rest []byte) {
	i := bytes.IndexByte(raw, '\\')
	if i < 0 {
		return raw, -1, nil
	}
	run, rest = raw[:i], raw[i+2:]
	switch c := raw[i+1]; c {
	case 'b':
		r = '\b'
	case 'f':
		r = '\f'
	case 'n':
		r = '\n'
	case 'r':
		r = '\r'
	case 't':
		r = '\t'
	case 'u':
		r, _ = hexUnit(raw[i:])
		rest = rest[4:]
		if utf16.IsSurrogate(r) {
			if low, ok := hexUnit(rest); ok {
				if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
					r, rest = full, rest[6:]
				}
			}
		}
	default:
		r = rune(c)
	}
	return run, r, rest
}

// unquote returns the string that raw stands for. UTF-8 cannot hold a lone
// surrogate: it becomes U+FFFD, and lone reports that there was one.
func unquote(raw []byte, escaped bool) (_ string, lone bool) {
	if !escaped {
		return string(raw), false
	}
	var b strings.Builder
	b.Grow(len(raw))
	for len(raw) > 0 {
		var run []byte
		var r rune
		run, r, raw = piece(raw)
		b.Write(run)
		if utf16.IsSurrogate(r) {
			lone, r = true, utf8.RuneError
		}
		if r >= 0 {
			b.WriteRune(r)
		}
	}
	return b.String(), lone
}

// appendExact appends the bytes of the string that raw stands for, a lone
// surrogate as the three bytes that the pattern of UTF-8 gives it, so that
// different strings stay different.
func appendExact(dst, raw []byte) []byte {
	for len(raw) > 0 {
		var run []byte
		var r rune
		run, r, raw = piece(raw)
		dst = append(dst, run...)
		switch {
		case utf16.IsSurrogate(r):
			dst = append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f))
		case r >= 0:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// number consumes a number and returns its text and whether it has neither
// fraction nor exponent.
func (s *scanner) number() (text []byte, integer bool, err error) {
	start := s.pos
	i := start
	digits := func() bool {
		from := i
		for i < len(s.text) && '0' <= s.text[i] && s.text[i] <= '9' {
			i++
		}
		return i > from
	}
	at := func(c byte) bool { return i < len(s.text) && s.text[i] == c }
	if at('-') {
		i++
	}
	if at('0') {
		i++
	} else if !digits() {
		s.pos = i
		return nil, false, s.unexpected("a digit")
	}
	integer = true
	if at('.') {
		i++
		integer = false
		if !digits() {
			s.pos = i
			return nil, false, s.unexpected("a digit")
		}
	}
	if at('e') || at('E') {
		i++
		integer = false
		if at('+') || at('-') {
			i++
		}
		if !digits() {
			s.pos = i
			return nil, false, s.unexpected("a digit")
		}
	}
	s.pos = i
	return s.text[start:i], integer, nil
}

// skip consumes one value of any kind whose containers nest at most depth deep,
// without looking for repeated keys, and returns its text.
func (s *scanner) skip(depth int) ([]byte, error) {
	c := s.next()
	start := s.pos
	var err error
	switch c {
	case '"':
		_, _, err = s.str()
	case '{', '[':
		err = s.skipContainer(c, depth)
	case 't':
		err = s.literal("true")
	case 'f':
		err = s.literal("false")
	case 'n':
		err = s.literal("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		_, _, err = s.number()
	default:
		err = s.unexpected("a value")
	}
	if err != nil {
		return nil, err
	}
	return s.text[start:s.pos], nil
}

func (s *scanner) skipContainer(open byte, depth int) error {
	if depth == 0 {
		return s.fail(s.pos, "containers nest too deeply")
	}
	s.pos++
	end := open + 2 // in ASCII ']' and '}' come two after '[' and '{'
	if s.accept(end) {
		return nil
	}
	for {
		if open == '{' {
			if _, _, err := s.str(); err != nil {
				return err
			}
			if err := s.expect(':'); err != nil {
				return err
			}
		}
		if _, err := s.skip(depth - 1); err != nil {
			return err
		}
		if s.accept(end) {
			return nil
		}
		if err := s.expect(','); err != nil {
			return err
		}
	}
}
