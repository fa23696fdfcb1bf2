package expectations

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// This file owns patterns: which tests and subtests an entry means.

// separator stands between the pattern of a test and that of its subtests.
const separator = " > "

// Pattern selects tests by name, or subtests of tests.
//
//	built-ins/Atomics/**          everything below a folder
//	url/*.any.js                  * is any run of characters but /
//	url/a.any.js > parse *        subtests; here * is any run of characters
//
// A backslash takes the meaning from the character behind it.
type Pattern struct {
	// Text is the pattern as it is written.
	Text string
	// OfSubtests says that it selects subtests.
	OfSubtests    bool
	test, subtest matcher
}

// matcher is one part of a pattern.
type matcher struct {
	// literal is the whole text, or with isPrefix what it begins with.
	literal  string
	isPrefix bool
	// expression is set where neither will do.
	expression *regexp.Regexp
}

// ParsePattern reads a pattern.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{Text: text}
	test, subtest, found := cutUnescaped(text)
	if test == "" {
		return p, errors.New("the pattern names no test")
	}
	var err error
	if p.test, err = newMatcher(test, true); err != nil {
		return p, fmt.Errorf("the pattern %.200q: %w", text, err)
	}
	if found {
		p.OfSubtests = true
		if p.subtest, err = newMatcher(subtest, false); err != nil {
			return p, fmt.Errorf("the pattern %.200q: %w", text, err)
		}
	}
	return p, nil
}

// cutUnescaped cuts a pattern at its separator. A backslash before any character
// of it makes it part of the test's name.
func cutUnescaped(text string) (test, subtest string, found bool) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
			continue
		}
		if strings.HasPrefix(text[i:], separator) {
			return text[:i], text[i+len(separator):], true
		}
	}
	return text, "", false
}

// newMatcher compiles one part of a pattern. In names of tests a star stops at
// a slash and two do not.
func newMatcher(text string, isPath bool) (matcher, error) {
	var literal, expression strings.Builder
	wild, onlyAtEnd := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			if i++; i == len(text) {
				return matcher{}, errors.New("it ends in a backslash")
			}
			literal.WriteByte(text[i])
			expression.WriteString(regexp.QuoteMeta(text[i : i+1]))
		case c == '*' && isPath && !strings.HasPrefix(text[i:], "**"):
			expression.WriteString(`[^/]*`)
			wild = true
		case c == '*':
			if isPath {
				i++
			}
			expression.WriteString(`.*`)
			onlyAtEnd = !wild && i == len(text)-1
			wild = true
		default:
			literal.WriteByte(c)
			expression.WriteString(regexp.QuoteMeta(text[i : i+1]))
		}
	}
	if !wild || onlyAtEnd {
		return matcher{literal: literal.String(), isPrefix: wild}, nil
	}
	// Bytes, not characters: text that is quoted byte by byte is put together
	// again by the expression's own syntax, which is UTF-8.
	compiled, err := regexp.Compile(`(?s)\A` + expression.String() + `\z`)
	if err != nil {
		return matcher{}, err
	}
	return matcher{expression: compiled}, nil
}

func (m *matcher) matches(name string) bool {
	switch {
	case m.expression != nil:
		return m.expression.MatchString(name)
	case m.isPrefix:
		return strings.HasPrefix(name, m.literal)
	}
	return name == m.literal
}

// exact returns the one name that the part means, when it means one.
func (m *matcher) exact() (string, bool) {
	return m.literal, m.expression == nil && !m.isPrefix
}

// MatchesTest reports whether the pattern is about a test, or its subtests.
func (p *Pattern) MatchesTest(name string) bool { return p.test.matches(name) }

// matches reports whether the pattern selects an item.
func (p *Pattern) matches(i *Item) bool {
	return p.OfSubtests == i.IsSubtest && p.test.matches(i.Test) && (!i.IsSubtest || p.subtest.matches(i.Subtest))
}

// escape returns a pattern that means exactly a name.
func escape(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `>`, `\>`).Replace(name)
}

// exactly returns the text of the pattern that selects one item.
func exactly(i *Item) string {
	if !i.IsSubtest {
		return escape(i.Test)
	}
	return escape(i.Test) + separator + strings.NewReplacer(`\`, `\\`, `*`, `\*`).Replace(i.Subtest)
}
