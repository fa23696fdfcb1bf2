package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// This file owns what "the same but for its case" means in a regular expression
// (ECMA-262, 22.2.2.7.3, Canonicalize).

// manyUppercase are the ranges of characters whose uppercase is more than one
// character: without the flag u such a character is equal to itself alone.
var manyUppercase = [][2]rune{
	{0x00df, 0x00df}, {0x0149, 0x0149}, {0x01f0, 0x01f0}, {0x0390, 0x0390}, {0x03b0, 0x03b0}, {0x0587, 0x0587},
	{0x1e96, 0x1e9a}, {0x1f50, 0x1f50}, {0x1f52, 0x1f52}, {0x1f54, 0x1f54}, {0x1f56, 0x1f56}, {0x1f80, 0x1faf},
	{0x1fb2, 0x1fb4}, {0x1fb6, 0x1fb7}, {0x1fbc, 0x1fbc}, {0x1fc2, 0x1fc4}, {0x1fc6, 0x1fc7}, {0x1fcc, 0x1fcc},
	{0x1fd2, 0x1fd3}, {0x1fd6, 0x1fd7}, {0x1fe2, 0x1fe4}, {0x1fe6, 0x1fe7}, {0x1ff2, 0x1ff4}, {0x1ff6, 0x1ff7},
	{0x1ffc, 0x1ffc}, {0xfb00, 0xfb06}, {0xfb13, 0xfb17},
}

// canonicalUnit is Canonicalize without the flag u.
func canonicalUnit(c rune) rune {
	for _, r := range manyUppercase {
		if c >= r[0] && c <= r[1] {
			return c
		}
	}
	upper := unicode.ToUpper(c)
	if c >= 128 && upper < 128 || c > 0xffff || upper > 0xffff {
		return c
	}
	return upper
}

// otherCases returns the characters that a character is equal to when case is
// ignored, without itself. isUnicode says that the regular expression has the flag u.
func otherCases(c rune, isUnicode bool) []rune {
	var others []rune
	for other := unicode.SimpleFold(c); other != c; other = unicode.SimpleFold(other) {
		if isUnicode || canonicalUnit(other) == canonicalUnit(c) {
			others = append(others, other)
		}
	}
	return others
}

// span is a range of characters, both ends included.
type span struct{ from, to rune }

// maxFolded bounds the characters whose cases are looked up for one regular expression.
const maxFolded = 1 << 18

// otherCasesOf returns the other cases of all characters in the ranges that are in none of them.
func otherCasesOf(spans []span, isUnicode bool) []span {
	met := map[rune]bool{}
	var found []rune
	for _, s := range spans {
		for c := s.from; c <= s.to; c++ {
			for _, other := range otherCases(c, isUnicode) {
				if !met[other] && !slices.ContainsFunc(spans, func(s span) bool { return other >= s.from && other <= s.to }) {
					met[other] = true
					found = append(found, other)
				}
			}
		}
	}
	slices.Sort(found)
	var out []span
	for _, c := range found {
		if n := len(out); n > 0 && out[n-1].to == c-1 {
			out[n-1].to = c
		} else {
			out = append(out, span{c, c})
		}
	}
	return out
}

// writeSpans writes ranges as they are in a class.
func writeSpans(b *strings.Builder, spans []span) {
	for _, s := range spans {
		writeMember(b, s.from)
		if s.to > s.from {
			b.WriteByte('-')
			writeMember(b, s.to)
		}
	}
}

// writeMember writes a character as it is in a class. One beyond U+FFFF has another
// case only with the flag u.
func writeMember(b *strings.Builder, c rune) {
	switch {
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
		b.WriteRune(c)
	case c > 0xffff:
		fmt.Fprintf(b, `\u{%x}`, c)
	default:
		fmt.Fprintf(b, `\u%04x`, c)
	}
}
