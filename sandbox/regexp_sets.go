package sandbox

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// This file owns the lowering of classes in set notation (the flag v, ECMA-262,
// 22.2.1, ClassSetExpression) to what the flag u can say: nested classes become
// alternatives, an intersection or a subtraction becomes assertions about the one
// character that is matched next, and strings of several characters, which \q{…} and
// some properties have, alternatives before it, the longest first. Properties of which
// nothing is known here are refused, and so are complements where case is ignored, which
// the two flags understand differently.

// lowerSets returns a literal with the flag u in place of v.
func lowerSets(pattern, flags string) (string, bool) {
	if strings.Contains(flags, "u") {
		return "", false
	}
	s := &setReader{text: pattern, ignoreCase: strings.Contains(flags, "i")}
	var out strings.Builder
	for s.at < len(pattern) {
		if pattern[s.at] == '[' {
			class, ok := s.class(0)
			if !ok {
				return "", false
			}
			out.WriteString(class.matcher())
			continue
		}
		if found, ok := s.property(); ok {
			out.WriteString(found.matcher())
			continue
		}
		from := s.at
		if pattern[s.at] == '\\' {
			s.at++
			if s.ignoreCase && strings.HasPrefix(pattern[s.at:], "P") {
				return "", false
			}
		}
		_, size := utf8.DecodeRuneInString(pattern[s.at:])
		s.at += size
		out.WriteString(pattern[from:s.at])
	}
	return "/" + out.String() + "/" + strings.Replace(flags, "v", "u", 1), true
}

// set is a set of characters and strings: members as they are written in a class,
// patterns that match one character each, and strings, none of which is one character.
type set struct {
	members  string
	patterns []string
	strings  []sequence
	// hasStrings says that there may be strings (MayContainStrings).
	hasStrings bool
}

// sequence is a string of other than one character, as it is written in a pattern, in
// the one way that writeMember has.
type sequence struct {
	pattern string
	length  int // in characters
}

func sequenceOf(text string) sequence {
	var b strings.Builder
	for _, c := range text {
		writeMember(&b, c)
	}
	return sequence{b.String(), utf8.RuneCountInString(text)}
}

// character returns the pattern that matches one character of the set.
func (s set) character() string {
	if len(s.patterns) == 0 {
		return "[" + s.members + "]"
	}
	if s.members == "" && len(s.patterns) == 1 {
		return s.patterns[0]
	}
	alternatives := s.patterns
	if s.members != "" {
		alternatives = append([]string{"[" + s.members + "]"}, alternatives...)
	}
	return "(?:" + strings.Join(alternatives, "|") + ")"
}

// matcher returns the pattern that matches a string or one character of the set.
func (s set) matcher() string {
	if len(s.strings) == 0 {
		return s.character()
	}
	longest := slices.Clone(s.strings)
	slices.SortStableFunc(longest, func(a, b sequence) int { return b.length - a.length })
	var b strings.Builder
	b.WriteString("(?:")
	isEmpty := false
	for _, one := range longest {
		if isEmpty = one.length == 0; !isEmpty { // the empty one is behind the characters
			b.WriteString(one.pattern + "|")
		}
	}
	b.WriteString(s.character())
	if isEmpty {
		b.WriteByte('|')
	}
	b.WriteByte(')')
	return b.String()
}

// add adds strings that are not there yet.
func (s *set) add(more ...sequence) {
	for _, one := range more {
		if !slices.Contains(s.strings, one) {
			s.strings = append(s.strings, one)
		}
	}
}

// keep drops the strings that are in another set, or those that are not.
func (s *set) keep(other set, isThere bool) {
	s.strings = slices.DeleteFunc(slices.Clone(s.strings), func(one sequence) bool {
		return slices.Contains(other.strings, one) != isThere
	})
}

// propertiesOfStrings are the properties whose strings are known here.
var propertiesOfStrings = map[string][]sequence{
	"Emoji_Keycap_Sequence":  keycaps(),
	"RGI_Emoji_Tag_Sequence": {subdivisionFlag("gbeng"), subdivisionFlag("gbsct"), subdivisionFlag("gbwls")},
}

// keycaps returns the keys of a telephone, each with U+FE0F and U+20E3 behind it.
func keycaps() (all []sequence) {
	for _, c := range "#*0123456789" {
		all = append(all, sequenceOf(string(c)+"\ufe0f\u20e3"))
	}
	return all
}

// subdivisionFlag returns the flag of a subdivision: a black flag, and its name as tags.
func subdivisionFlag(name string) sequence {
	text := []rune{0x1f3f4}
	for _, c := range name {
		text = append(text, 0xe0000+c)
	}
	return sequenceOf(string(append(text, 0xe007f)))
}

// property reads a property of strings.
func (s *setReader) property() (set, bool) {
	rest, found := strings.CutPrefix(s.text[s.at:], `\p{`)
	name, _, closed := strings.Cut(rest, "}")
	known, isKnown := propertiesOfStrings[name]
	if !found || !closed || !isKnown {
		return set{}, false
	}
	s.at += len(name) + 4
	return set{strings: known, hasStrings: true}, true
}

// maxNestedSets bounds how deeply classes are nested.
const maxNestedSets = 100

// setReader reads classes.
type setReader struct {
	text       string
	at         int
	ignoreCase bool
}

func (s *setReader) has(prefix string) bool { return strings.HasPrefix(s.text[s.at:], prefix) }

// skip steps over a prefix, if it is there.
func (s *setReader) skip(prefix string) bool {
	if !s.has(prefix) {
		return false
	}
	s.at += len(prefix)
	return true
}

// class reads a class, its brackets included.
func (s *setReader) class(depth int) (set, bool) {
	if depth > maxNestedSets || !s.skip("[") {
		return set{}, false
	}
	negated := s.skip("^")
	if negated && s.ignoreCase {
		return set{}, false
	}
	found, ok := s.contents(depth)
	if !ok || !s.skip("]") {
		return set{}, false
	}
	if !negated {
		return found, true
	}
	if found.hasStrings {
		return set{}, false
	}
	if len(found.patterns) == 0 {
		return set{patterns: []string{"[^" + found.members + "]"}}, true
	}
	return set{patterns: []string{"(?:(?!" + found.character() + ")[^])"}}, true
}

// contents reads what is between the brackets of a class.
func (s *setReader) contents(depth int) (set, bool) {
	if s.has("]") {
		return set{}, true
	}
	first, isCharacter, ok := s.operand(depth)
	if !ok {
		return set{}, false
	}
	for _, operation := range []struct{ sign, assertion string }{{"--", "(?!"}, {"&&", "(?="}} {
		if !s.has(operation.sign) {
			continue
		}
		isIntersection := operation.sign == "&&"
		var assertions strings.Builder
		for s.skip(operation.sign) {
			other, _, ok := s.operand(depth)
			if !ok || s.ignoreCase && len(first.strings) > 0 && len(other.strings) > 0 {
				return set{}, false
			}
			assertions.WriteString(operation.assertion + other.character() + ")")
			first.keep(other, isIntersection)
			first.hasStrings = first.hasStrings && (other.hasStrings || !isIntersection)
		}
		first.patterns = []string{"(?:" + assertions.String() + first.character() + ")"}
		first.members = ""
		return first, s.has("]")
	}
	union := set{}
	for {
		if isCharacter && s.has("-") && !s.has("--") {
			s.at++
			last, isLast, ok := s.operand(depth)
			if !ok || !isLast {
				return set{}, false
			}
			first = set{members: first.members + "-" + last.members}
		}
		union.members += first.members
		union.patterns = append(union.patterns, first.patterns...)
		union.add(first.strings...)
		union.hasStrings = union.hasStrings || first.hasStrings
		if s.has("]") {
			return union, true
		}
		if first, isCharacter, ok = s.operand(depth); !ok {
			return set{}, false
		}
	}
}

// reservedDouble are the characters that mean nothing yet when there are two of them.
const reservedDouble = "&!#$%*+,.:;<=>?@^`~"

// reservedPunctuator are those that an escape stands for, besides syntax characters.
const reservedPunctuator = "&-!#%,:;<=>@`~"

// operand reads one operand of a class. isCharacter says that it is one character,
// with which a range may begin.
func (s *setReader) operand(depth int) (found set, isCharacter, ok bool) {
	if s.at >= len(s.text) {
		return set{}, false, false
	}
	switch c := s.text[s.at]; {
	case c == '[':
		found, ok = s.class(depth + 1)
		return found, false, ok
	case c == '\\':
		return s.escape()
	case strings.IndexByte("()]{}/-|", c) >= 0:
		return set{}, false, false
	case strings.IndexByte(reservedDouble, c) >= 0 && s.has(string([]byte{c, c})):
		return set{}, false, false
	}
	c, size := utf8.DecodeRuneInString(s.text[s.at:])
	s.at += size
	return member(c), true, true
}

func member(c rune) set {
	var b strings.Builder
	writeMember(&b, c)
	return set{members: b.String()}
}

// escape reads an operand that begins with a backslash.
func (s *setReader) escape() (found set, isCharacter, ok bool) {
	rest := s.text[s.at:]
	if len(rest) < 2 {
		return set{}, false, false
	}
	c := rest[1]
	switch {
	case strings.IndexByte("dDsSwW", c) >= 0:
		s.at += 2
		return set{members: rest[:2]}, false, !s.ignoreCase || c != 'W'
	case c == 'p' || c == 'P':
		if found, ok = s.property(); ok {
			return found, false, true
		}
		end := strings.IndexByte(rest, '}')
		if end < 0 || s.ignoreCase && c == 'P' {
			return set{}, false, false
		}
		s.at += end + 1
		return set{members: rest[:end+1]}, false, true
	case c == 'q':
		return s.strings()
	case c == 'b':
		s.at += 2
		return member('\b'), true, true
	case strings.IndexByte(reservedPunctuator, c) >= 0:
		s.at += 2
		return member(rune(c)), true, true
	case c == 'c':
		if len(rest) < 3 || !isLetter(rest[2]) {
			return set{}, false, false
		}
		s.at += 3
		return member(rune(rest[2] & 31)), true, true
	}
	r, size, ok := characterEscape(rest, true)
	if !ok {
		return set{}, false, false
	}
	s.at += size
	return member(r), true, true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// strings reads \q{a|bc|}.
func (s *setReader) strings() (found set, isCharacter, ok bool) {
	if !s.skip(`\q{`) {
		return set{}, false, false
	}
	for {
		var text sequence
		for !s.has("}") && !s.has("|") {
			one, isOne, ok := s.operand(0)
			if !ok || !isOne {
				return set{}, false, false
			}
			text.pattern += one.members
			text.length++
		}
		if text.length == 1 {
			found.members += text.pattern
		} else {
			found.add(text)
			found.hasStrings = true
		}
		if s.skip("}") {
			return found, false, true
		}
		if !s.skip("|") {
			return set{}, false, false
		}
	}
}
