package protocol

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"
)

// This file owns how strings and numbers are written: as JSON.stringify writes
// them (ECMA-262, QuoteJSONString and Number::toString), so that Go and a guest
// give the same value the same text.

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. Invalid UTF-8 becomes U+FFFD; use
// [utf8.ValidString] first where that must not happen in silence.
func appendString(out []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return appendValidString(out, s)
}

// appendValidString appends a string of valid UTF-8 as a JSON string.
func appendValidString(out []byte, s string) []byte {
	// Eight bytes at a time go to the end of a buffer that always has room for
	// the longest escape of each of the next eight.
	const room = 8*6 + 2
	out = slices.Grow(out, len(s)+countSpecial(s)+room)
	buffer, n := out[:cap(out)], len(out)
	buffer[n] = '"'
	n++
	for i := 0; i < len(s); {
		if n+room > len(buffer) {
			out = slices.Grow(buffer[:n], len(s)-i+room)
			buffer = out[:cap(out)]
		}
		if i+8 <= len(s) {
			w := load64(s[i : i+8])
			binary.LittleEndian.PutUint64(buffer[n:], w)
			m := special(w)
			if m == 0 {
				i, n = i+8, n+8
				continue
			}
			run := bits.TrailingZeros64(m) / 8
			i, n = i+run, n+run
		}
		n += putEscaped(buffer[n:], s[i])
		i++
	}
	buffer[n] = '"'
	return buffer[:n+1]
}

// putEscaped writes a byte as it stands in a JSON string and returns its length there.
func putEscaped(buffer []byte, c byte) int {
	if c >= ' ' && c != '"' && c != '\\' {
		buffer[0] = c
		return 1
	}
	buffer[0] = '\\'
	switch c {
	case '\b':
		c = 'b'
	case '\f':
		c = 'f'
	case '\n':
		c = 'n'
	case '\r':
		c = 'r'
	case '\t':
		c = 't'
	case '"', '\\':
	default:
		copy(buffer[1:], "u00")
		buffer[4], buffer[5] = hexDigits[c>>4], hexDigits[c&15]
		return 6
	}
	buffer[1] = c
	return 2
}

// countSpecial estimates how many bytes of a long string need an escape.
func countSpecial(s string) int {
	if len(s) < 256 {
		return 0
	}
	count := 0
	for i := 0; i+8 <= len(s); i += 8 {
		count += bits.OnesCount64(special(load64(s[i : i+8])))
	}
	return count
}

// load64 reads eight bytes; the compiler makes it one load.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// appendFloat appends a finite number with the fewest digits that a reader of
// so many bits (32 or 64) needs to find it again.
func appendFloat(out []byte, f float64, bitSize int) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.AppendInt(out, int64(f), 10)
	}
	format := byte('f')
	if abs := math.Abs(f); abs < 1e-6 || abs >= 1e21 {
		format = 'e'
	}
	start := len(out)
	out = strconv.AppendFloat(out, f, format, -1, bitSize)
	if format == 'e' {
		// Go writes two digits of exponent at least, ECMAScript one.
		if n := len(out); n-start >= 4 && out[n-4] == 'e' && out[n-2] == '0' {
			out[n-2] = out[n-1]
			out = out[:n-1]
		}
	}
	return out
}
