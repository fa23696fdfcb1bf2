package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file owns making text of programs harmless to look at. What a program
// returned, logged or threw stands in the evidence, and may hold characters that
// are not seen, or that turn the order of those around them.

// visible returns text with every character that is not seen, or that changes
// how others are seen, in the form \u{202e}; bytes that are not UTF-8 in the form
// \x{ff}. Line feeds and tabs stay.
func visible(text string) string {
	if !strings.ContainsFunc(text, unseen) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x{%02x}`, text[i])
		case unseen(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unseen reports whether a character is not seen where it stands: controls,
// formatting characters such as those for the direction of writing, private and
// unassigned ones, separators of lines, and marks that draw over others in heaps are
// not among them.
func unseen(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029', '\u115F', '\u1160', '\u3164', '\uFFA0', '\uFFFE', '\uFFFF':
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Variation_Selector)
}

// oneLine returns text, made visible, as one line of at most n characters; what was
// cut is marked by an ellipsis.
func oneLine(text string, n int) string {
	return shorten(strings.Join(strings.Fields(visible(text)), " "), n)
}

// shorten cuts a text to n characters, the ellipsis included.
func shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	runes := []rune(text)
	return string(runes[:max(n-1, 0)]) + "…"
}

// plural returns "1 claim", "2 claims".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
