package protocol

import (
	"fmt"
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
