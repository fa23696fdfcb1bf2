package expectations

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the tests of reading and writing expectations files.

const sample = `suite: wpt
subtests:
  a/b.any.js: 3
groups:
  - reason: absent by design
    when:
      features: [Atomics, SharedArrayBuffer]
      paths:
        - a/**
      message: not (defined|there)
    tests:
      - a/b.any.js > one *
      - 'a/c.any.js > "quoted": {x}'
  - reason: too slow
    outcome: timeout
    tests:
      - a/d.any.js
`

func TestReadAndWrite(t *testing.T) {
	f, err := Read("x.yaml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	e := f.Groups[0].Entries[1]
	if f.Suite != "wpt" || f.Subtests["a/b.any.js"] != 3 || len(f.Groups) != 2 || f.Groups[1].Outcome != "timeout" ||
		e.Pattern.Text != `a/c.any.js > "quoted": {x}` || e.Line != 13 || e.Column != 9 {
		t.Errorf("it was read as %+v, %+v", f, e)
	}
	text, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	_, written, _ := strings.Cut(string(text), "\n\n")
	if diff := cmp.Diff(sample, written); diff != "" {
		t.Errorf("-read +written:\n%s", diff)
	}
	again, err := Read("x.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := again.Bytes(); err != nil || string(second) != string(text) {
		t.Errorf("written again it is different, %v:\n%s", err, second)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.yaml:1:1: the file is empty; it states at least the suite"},
		{"groups: []", `x.yaml:1:1: "suite" is missing`},
		{"suite: a\nsuite: b", `x.yaml:2:1: "suite" is there twice`},
		{"suite: [", "x.yaml:1: no YAML: did not find expected node content"},
		{"suite: a\nother: b", `x.yaml:2:1: there is no "other" here, only groups, subtests, suite`},
		{"- a", "x.yaml:1:1: a mapping belongs here"},
		{"suite: ''", "x.yaml:1:8: a text belongs here"},
		{"suite: a\ngroups: {}", "x.yaml:2:9: a list belongs here"},
		{"suite: a\nsubtests: []", "x.yaml:2:11: a mapping from tests to numbers belongs here"},
		{"suite: a\nsubtests: {b: 0}", `x.yaml:2:15: the number of subtests of "b" is no positive integer`},
		{"suite: a\ngroups:\n  - tests: [b]", `x.yaml:3:5: "reason" is missing`},
		{"suite: a\ngroups:\n  - reason: b", `x.yaml:3:5: "tests" is missing`},
		{"suite: a\ngroups:\n  - {reason: b, outcome: pass, tests: []}", `x.yaml:3:26: there is no outcome "pass", only ["fail" "timeout" "memory" "crash"]`},
		{"suite: a\ngroups:\n  - {reason: b, tests: ['c\\']}", `x.yaml:3:25: the pattern "c\\": it ends in a backslash`},
		{"suite: a\ngroups:\n  - {reason: b, tests: [c, c]}", `x.yaml:3:28: "c" is there twice, first in line 3`},
		{"suite: a\ngroups:\n  - {reason: b, tests: [c]}\n  - {reason: b, tests: [d]}", `x.yaml:4: two groups have the reason "b" and the outcome fail`},
		{"suite: a\ngroups:\n  - {reason: b, when: {}, tests: [c]}", "x.yaml:3:23: it selects everything: state features, paths or message"},
		{"suite: a\ngroups:\n  - {reason: b, when: {message: '('}, tests: [c]}", "x.yaml:3:33: error parsing regexp: missing closing ): `(`"},
	} {
		_, err := Read("x.yaml", []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// FuzzRead checks that what can be read can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("suite: a\ngroups:\n  - {reason: b, when: {message: x}, tests: []}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := Read("x.yaml", text)
		if err != nil {
			return
		}
		written, err := read.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read("x.yaml", written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if second, err := again.Bytes(); err != nil || string(second) != string(written) {
			t.Errorf("written again it is different, %v", err)
		}
	})
}
