package protocol

import (
	"math"
	"math/bits"
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
	out = append(out, '"')
	start, i := 0, 0
	for i < len(s) {
		for i+8 <= len(s) {
			w := load64(s[i : i+8])
			if m := special(w) | w&highBits; m != 0 {
				i += bits.TrailingZeros64(m) / 8
				break
			}
			i += 8
		}
		if i == len(s) {
			break
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				out = append(out, s[start:i]...)
				out = append(out, "\uFFFD"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		out = append(out, s[start:i]...)
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\b':
			out = append(out, '\\', 'b')
		case '\f':
			out = append(out, '\\', 'f')
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	out = append(out, s[start:]...)
	return append(out, '"')
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
