package sandbox

import (
	"strings"
	"unicode/utf8"
)

// This file owns the lowering of classes in set notation (the flag v, ECMA-262,
// 22.2.1, ClassSetExpression) to what the flag u can say: nested classes become
// alternatives, an intersection or a subtraction becomes assertions about the one
// character that is matched next. Strings of several characters, which only \q{…} and
// some properties have, are refused, and so are complements where case is ignored,
// which the two flags understand differently.

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

// set is a set of characters: members as they are written in a class, and patterns
// that match one character each.
type set struct {
	members  string
	patterns []string
}

// matcher returns the pattern that matches one character of the set.
func (s set) matcher() string {
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
	if len(found.patterns) == 0 {
		return set{patterns: []string{"[^" + found.members + "]"}}, true
	}
	return set{patterns: []string{"(?:(?!" + found.matcher() + ")[^])"}}, true
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
		var assertions strings.Builder
		for s.skip(operation.sign) {
			other, _, ok := s.operand(depth)
			if !ok {
				return set{}, false
			}
			assertions.WriteString(operation.assertion + other.matcher() + ")")
		}
		return set{patterns: []string{"(?:" + assertions.String() + first.matcher() + ")"}}, s.has("]")
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

// strings reads \q{a|b|c}, whose strings must be characters.
func (s *setReader) strings() (found set, isCharacter, ok bool) {
	if !s.skip(`\q{`) {
		return set{}, false, false
	}
	for {
		one, isOne, ok := s.operand(0)
		if !ok || !isOne {
			return set{}, false, false
		}
		found.members += one.members
		if s.skip("}") {
			return found, false, true
		}
		if !s.skip("|") {
			return set{}, false, false
		}
	}
}
