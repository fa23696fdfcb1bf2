package expectations

import (
	"testing"

	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the tests of patterns.

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, test, subtest string
		isSubtest, want        bool
	}{
		{"a/b.js", "a/b.js", "", false, true},
		{"a/b.js", "a/b.jsx", "", false, false},
		{"a/b.js", "a/b.js", "x", true, false}, // of the whole test only
		{"a/*.js", "a/b.js", "", false, true},
		{"a/*.js", "a/b/c.js", "", false, false},
		{"a/**", "a/b/c.js", "", false, true},
		{"a/**", "ab/c.js", "", false, false},
		{"a/**/d.js", "a/b/c/d.js", "", false, true},
		{"a/?.js", "a/b.js", "", false, false}, // ? is what variants begin with
		{"a/b.js?x=(y)", "a/b.js?x=(y)", "", false, true},
		{"a.js", "axjs", "", false, false},
		{`a/\*.js`, "a/*.js", "", false, true},
		{`a/\*.js`, "a/b.js", "", false, false},
		{"a.js > one", "a.js", "one", true, true},
		{"a.js > one", "a.js", "", false, false},
		{"a.js > one *", "a.js", "one / two\nthree", true, true},
		{"a.js > one *", "a.js", "two", true, false},
		{"a.js > * two", "a.js", "one two", true, true},
		{"a.js > * two", "a.js", "one two three", true, false},
		{`a.js > \*`, "a.js", "*", true, true},
		{`a.js > \*`, "a.js", "one", true, false},
		{"a.js > one > two", "a.js", "one > two", true, true},
		{`a \> b.js`, "a > b.js", "", false, true},
		{"*.js > ü*", "a.js", "über", true, true},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		item := &Item{Test: c.test, Subtest: c.subtest, IsSubtest: c.isSubtest}
		if got := p.matches(item); got != c.want {
			t.Errorf("%q selects %q: %v", c.pattern, item.Name(), got)
		}
	}
}

func TestPatternsThatAreNone(t *testing.T) {
	for pattern, want := range map[string]string{
		"":        "the pattern names no test",
		" > a":    "the pattern names no test",
		`a\`:      `the pattern "a\\": it ends in a backslash`,
		`a > b\`:  `the pattern "a > b\\": it ends in a backslash`,
		`a\ > b\`: `the pattern "a\\ > b\\": it ends in a backslash`,
	} {
		if _, err := ParsePattern(pattern); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", pattern, err, want)
		}
	}
}

// FuzzPattern checks that a pattern made from a name selects exactly that name.
func FuzzPattern(f *testing.F) {
	f.Add("a/b.js", "one", "two")
	f.Add(`a > \*b**.js?x`, `* > \`, "*")
	f.Fuzz(func(t *testing.T, test, subtest, other string) {
		if _, err := ParsePattern(other); err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
		if test == "" {
			return
		}
		for _, item := range []Item{{Test: test}, {Test: test, Subtest: subtest, IsSubtest: true}} {
			p, err := ParsePattern(exactly(&item))
			if err != nil {
				t.Fatalf("%q: %v", exactly(&item), err)
			}
			if !p.matches(&item) {
				t.Errorf("%q does not select %q", p.Text, item.Name())
			}
			different := item
			different.Test += other
			if other != "" && p.matches(&different) {
				t.Errorf("%q selects %q", p.Text, different.Name())
			}
		}
	})
}

func tests(names ...string) []suite.Test {
	var out []suite.Test
	for _, name := range names {
		out = append(out, suite.Test{Name: name})
	}
	return out
}
