package sandbox

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file owns the lowering of the modifiers of regular expressions, such as
// (?i:…) and (?-s:…), which the engine does not know (ECMA-262, 22.2.1): what they
// change is written out. What cannot be written out is refused: then the error
// stays what V8 says.
//
// A regular expression that is written out matches what it matched, but its source
// is another. When i is taken away somewhere, the whole is written out without the
// flag, so that its ignoreCase is false.

// modifiers are the flags that a group can change.
type modifiers struct{ ignoreCase, multiline, dotAll bool }

func modifiersOf(flags string) modifiers {
	return modifiers{strings.Contains(flags, "i"), strings.Contains(flags, "m"), strings.Contains(flags, "s")}
}

// with returns the modifiers after some were added and some removed.
func (m modifiers) with(add, remove string) modifiers {
	a, r := modifiersOf(add), modifiersOf(remove)
	return modifiers{
		ignoreCase: (m.ignoreCase || a.ignoreCase) && !r.ignoreCase,
		multiline:  (m.multiline || a.multiline) && !r.multiline,
		dotAll:     (m.dotAll || a.dotAll) && !r.dotAll,
	}
}

// How what the flags say is written out.
const (
	anyCharacter = `[^]`
	notLineEnd   = `[^\n\r\u2028\u2029]`
	lineStart    = `(?<!` + notLineEnd + `)`
	lineEnd      = `(?!` + notLineEnd + `)`
	textStart    = `(?<![^])`
	textEnd      = `(?![^])`
	// What \w matches besides when both i and u are there.
	moreWordCharacters = `\u017f\u212a`
)

// lowerRegExp returns a literal that matches the same as the one of a pattern and its
// flags and has no modifiers in it; false when it is refused.
func lowerRegExp(pattern, flags string) (string, bool) {
	if hasTwice(flags) {
		return "", false
	}
	if strings.Contains(flags, "v") {
		return lowerSets(pattern, flags)
	}
	w := &modifierWriter{pattern: pattern, isUnicode: strings.Contains(flags, "u"), base: modifiersOf(flags), now: modifiersOf(flags)}
	ok := w.write()
	if !ok && w.needsCase {
		// Somewhere the case matters although the flag says otherwise.
		flags = strings.ReplaceAll(flags, "i", "")
		w = &modifierWriter{pattern: pattern, isUnicode: w.isUnicode, base: modifiersOf(flags), now: modifiersOf(flags + "i")}
		ok = w.write()
	}
	if !ok || !w.changed {
		return "", false
	}
	return "/" + w.out.String() + "/" + flags, true
}

// modifierWriter writes a pattern out.
type modifierWriter struct {
	pattern   string
	isUnicode bool
	base      modifiers // what the flags of the new literal say
	now       modifiers // what holds at the current place
	around    []modifiers
	at        int
	out       strings.Builder
	changed   bool
	needsCase bool // refused because of i in base, where it does not hold
	folded    int  // characters whose cases were looked up
}

func (w *modifierWriter) rest() string { return w.pattern[w.at:] }

// take copies n bytes.
func (w *modifierWriter) take(n int) {
	w.out.WriteString(w.pattern[w.at : w.at+n])
	w.at += n
}

// skip leaves out n bytes and writes text in their place.
func (w *modifierWriter) skip(n int, text string) {
	w.at += n
	w.out.WriteString(text)
	w.changed = true
}

func (w *modifierWriter) write() bool {
	for w.at < len(w.pattern) {
		ok := true
		switch w.pattern[w.at] {
		case '(':
			ok = w.open()
		case ')':
			if ok = len(w.around) > 0; ok {
				w.now = w.around[len(w.around)-1]
				w.around = w.around[:len(w.around)-1]
				w.take(1)
			}
		case '[':
			ok = w.class()
		case '\\':
			ok = w.escape()
		case '.':
			w.either(w.base.dotAll, w.now.dotAll, anyCharacter, notLineEnd)
		case '^':
			ok = w.assertion(lineStart, textStart)
		case '$':
			ok = w.assertion(lineEnd, textEnd)
		case '|', '*', '+', '?', '{', '}':
			w.take(1)
		default:
			c, size := utf8.DecodeRuneInString(w.rest())
			ok = w.character(c, size)
		}
		if !ok {
			return false
		}
	}
	return len(w.around) == 0
}

// either writes one byte of the pattern as one of two texts, when a flag does not
// say what holds here.
func (w *modifierWriter) either(base, now bool, with, without string) {
	switch {
	case base == now:
		w.take(1)
	case now:
		w.skip(1, with)
	default:
		w.skip(1, without)
	}
}

// assertion writes ^ or $. With a quantifier behind it is an error, which it must stay.
func (w *modifierWriter) assertion(ofLine, ofText string) bool {
	if w.base.multiline != w.now.multiline && w.at+1 < len(w.pattern) && strings.IndexByte("*+?{", w.pattern[w.at+1]) >= 0 {
		return false
	}
	w.either(w.base.multiline, w.now.multiline, ofLine, ofText)
	return true
}

// open writes the start of a group.
func (w *modifierWriter) open() bool {
	w.around = append(w.around, w.now)
	rest := w.rest()
	if !strings.HasPrefix(rest, "(?") {
		w.take(1)
		return true
	}
	for _, start := range []string{"(?:", "(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(rest, start) {
			w.take(len(start))
			return true
		}
	}
	if strings.HasPrefix(rest, "(?<") {
		end := strings.IndexByte(rest, '>')
		if end >= 0 {
			w.take(end + 1)
		}
		return end >= 0
	}
	between, _, found := strings.Cut(rest[2:], ":")
	add, remove, hasRemove := strings.Cut(between, "-")
	if !found || strings.Trim(add+remove, "ims") != "" || hasRemove && add+remove == "" || hasTwice(add+remove) {
		return false
	}
	w.now = w.now.with(add, remove)
	w.skip(len(between)+3, "(?:")
	return true
}

func hasTwice(flags string) bool {
	for i := range len(flags) {
		if strings.IndexByte(flags[i+1:], flags[i]) >= 0 {
			return true
		}
	}
	return false
}

// character writes a character that stands for itself and has size bytes in the pattern.
func (w *modifierWriter) character(c rune, size int) bool {
	if w.base.ignoreCase == w.now.ignoreCase {
		w.take(size)
		return true
	}
	others := otherCases(c, w.isUnicode)
	if len(others) == 0 {
		w.take(size)
		return true
	}
	if w.base.ignoreCase {
		w.needsCase = true
		return false
	}
	var class strings.Builder
	class.WriteByte('[')
	writeMember(&class, c)
	for _, other := range others {
		writeMember(&class, other)
	}
	class.WriteByte(']')
	w.skip(size, class.String())
	return true
}

// escape writes what begins with a backslash outside a class.
func (w *modifierWriter) escape() bool {
	rest := w.rest()
	if len(rest) < 2 {
		return false
	}
	if w.base.ignoreCase == w.now.ignoreCase {
		_, size := utf8.DecodeRuneInString(rest[1:])
		w.take(1 + size)
		return true
	}
	switch rest[1] {
	case 'd', 'D', 's', 'S':
		w.take(2)
		return true
	case 'b', 'B':
		if w.isUnicode {
			return w.refuse()
		}
		w.take(2)
		return true
	case 'w', 'W':
		if !w.isUnicode {
			w.take(2)
			return true
		}
		if w.base.ignoreCase {
			return w.refuse()
		}
		if rest[1] == 'w' {
			w.skip(2, `[\w`+moreWordCharacters+`]`)
		} else {
			w.skip(2, `[^\w`+moreWordCharacters+`]`)
		}
		return true
	}
	c, size, ok := characterEscape(rest, w.isUnicode)
	if !ok {
		return w.refuse()
	}
	return w.character(c, size)
}

// refuse gives up on something that depends on the case. When the flag i is what is
// in its way, it is tried without.
func (w *modifierWriter) refuse() bool {
	w.needsCase = w.base.ignoreCase
	return false
}

// characterEscape reads an escape that stands for one character; size is in bytes.
// Escapes that stand for something else, and those of the legacy forms, are not ok.
func characterEscape(text string, isUnicode bool) (c rune, size int, ok bool) {
	if len(text) < 2 {
		return 0, 0, false
	}
	if i := strings.IndexByte("fnrtv", text[1]); i >= 0 {
		return rune("\f\n\r\t\v"[i]), 2, true
	}
	switch text[1] {
	case '0':
		return 0, 2, len(text) == 2 || text[2] < '0' || text[2] > '9'
	case 'x':
		return hexEscape(text, 2, 2)
	case 'u':
		if isUnicode && strings.HasPrefix(text, `\u{`) {
			end := strings.IndexByte(text, '}')
			if end < 4 {
				return 0, 0, false
			}
			value, err := strconv.ParseUint(text[3:end], 16, 32)
			return rune(value), end + 1, err == nil && value <= 0x10ffff
		}
		c, size, ok = hexEscape(text, 2, 4)
		if ok && isUnicode && c >= 0xd800 && c < 0xdc00 && strings.HasPrefix(text[size:], `\u`) {
			if low, _, isHex := hexEscape(text[size:], 2, 4); isHex && low >= 0xdc00 && low < 0xe000 {
				return 0x10000 + (c-0xd800)<<10 + low - 0xdc00, 2 * size, true
			}
		}
		return c, size, ok
	case '1', '2', '3', '4', '5', '6', '7', '8', '9', 'c', 'k', 'd', 'D', 's', 'S', 'w', 'W', 'b', 'B':
		return 0, 0, false
	case 'p', 'P':
		if isUnicode {
			return 0, 0, false
		}
	}
	c, size = utf8.DecodeRuneInString(text[1:])
	return c, 1 + size, true
}

func hexEscape(text string, from, digits int) (rune, int, bool) {
	if len(text) < from+digits {
		return 0, 0, false
	}
	value, err := strconv.ParseUint(text[from:from+digits], 16, 32)
	return rune(value), from + digits, err == nil
}

// class writes a class.
func (w *modifierWriter) class() bool {
	spans, size, ok := w.members()
	switch {
	case size == 0:
		return false
	case w.base.ignoreCase == w.now.ignoreCase:
		w.take(size)
		return true
	case !ok:
		return w.refuse()
	}
	more := otherCasesOf(spans, w.isUnicode)
	if len(more) == 0 {
		w.take(size)
		return true
	}
	if w.base.ignoreCase {
		w.needsCase = true
		return false
	}
	// A hyphen at the end stays there, or it would be that of a range.
	end := size - 1
	if before, isHyphen := strings.CutSuffix(w.rest()[:end], "-"); isHyphen {
		backslashes := len(before) - len(strings.TrimRight(before, `\`))
		end -= 1 - backslashes%2
	}
	w.take(end)
	writeSpans(&w.out, more)
	w.take(size - end)
	w.changed = true
	return true
}

// members reads a class: the ranges of its characters, and its size in bytes, which is
// 0 when it does not end. It is not ok when there is something in it that other cases
// cannot be given for.
func (w *modifierWriter) members() (spans []span, size int, ok bool) {
	text := w.rest()
	at := 1
	if strings.HasPrefix(text, "[^") {
		at = 2
	}
	ok = true
	last, isRange := rune(-1), false // the character in front, and whether a hyphen follows it
	for at < len(text) && text[at] != ']' {
		c, n := utf8.DecodeRuneInString(text[at:])
		isSet := false
		if c == '\\' {
			if at+1 >= len(text) {
				return nil, 0, false
			}
			escaped := text[at+1]
			switch {
			case strings.IndexByte("dDsS", escaped) >= 0, !w.isUnicode && (escaped == 'w' || escaped == 'W'):
				isSet, n = true, 2
			case w.isUnicode && escaped == 'w':
				spans = append(spans, span{'k', 'k'}, span{'s', 's'})
				isSet, n = true, 2
			case escaped == 'b':
				c, n = '\b', 2
			default:
				var known bool
				if c, n, known = characterEscape(text[at:], w.isUnicode); !known {
					ok, isSet = false, true
					_, n = utf8.DecodeRuneInString(text[at+1:])
					n++
				}
			}
		} else if c == '-' && last >= 0 && !isRange && at+1 < len(text) && text[at+1] != ']' {
			isRange = true
			at += n
			continue
		}
		at += n
		switch {
		case isSet && isRange:
			ok = false // [a-\d] is legacy
		case isSet:
			last = -1
		case isRange:
			if w.folded += int(c - last); c < last || w.folded > maxFolded {
				ok = false
			} else {
				spans = append(spans, span{last, c})
			}
			last = -1
		default:
			spans = append(spans, span{c, c})
			last = c
		}
		isRange = false
	}
	if at >= len(text) {
		return nil, 0, false
	}
	return spans, at + 1, ok
}
