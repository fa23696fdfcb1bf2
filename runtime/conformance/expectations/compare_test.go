package expectations

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the tests of comparisons and updates.

func result(name string, o suite.Outcome, features ...string) suite.Result {
	return suite.Result{Test: suite.Test{Name: name}, Outcome: o, Message: "said " + name, Features: features}
}

func parts(name string, o suite.Outcome, subtests ...string) suite.Result {
	r := result(name, o)
	for _, s := range subtests {
		name, failed := strings.CutPrefix(s, "!")
		one := suite.Subtest{Name: name, Outcome: suite.Pass}
		if failed {
			one.Outcome, one.Message = suite.Fail, "said "+name
		}
		r.Subtests = append(r.Subtests, one)
	}
	return r
}

func read(t *testing.T, text string) *File {
	t.Helper()
	f, err := Read("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// describe returns a comparison as lines.
func describe(c *Comparison) []string {
	var out []string
	for i := range c.Failures {
		out = append(out, "failure "+c.Failures[i].String())
	}
	for i := range c.Passes {
		out = append(out, "pass "+c.Passes[i].String())
	}
	for _, s := range c.Stale {
		out = append(out, "stale "+s.Entry.Pattern.Text+": "+s.Why)
	}
	for _, e := range c.Explained {
		if e.Failures > 0 {
			out = append(out, strings.Repeat("+", e.Failures)+" "+e.Group.Reason)
		}
	}
	return out
}

func TestCompareTests(t *testing.T) {
	f := read(t, `
suite: test262
groups:
  - {reason: known, tests: [a/fails.js, a/passes.js, a/crashes.js, all/**, gone.js, not/run.js]}
  - {reason: slow, outcome: timeout, tests: [a/slow.js]}
`)
	all := tests("a/fails.js", "a/passes.js", "a/crashes.js", "a/slow.js", "a/new.js", "a/fine.js", "all/1.js", "all/2.js", "not/run.js", "left.js")
	results := []suite.Result{
		result("a/fails.js", suite.Fail), result("a/passes.js", suite.Pass), result("a/crashes.js", suite.Crash), result("a/slow.js", suite.Timeout),
		result("a/new.js", suite.Fail), result("a/fine.js", suite.Pass), result("all/1.js", suite.Fail), result("all/2.js", suite.Fail),
		{Test: suite.Test{Name: "left.js"}, Outcome: suite.Fail, LeftOut: "Temporal"},
	}
	c := f.Compare(all, results, false)
	want := []string{
		"failure a/crashes.js: crash, fail was expected (known): said a/crashes.js",
		"failure a/new.js: fail: said a/new.js",
		"pass a/passes.js: passes, fail was expected (known): said a/passes.js",
		"stale gone.js: no test has such a name",
		"+++ known", "+ slow",
	}
	if diff := cmp.Diff(want, describe(c)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if c.Held() {
		t.Error("it held")
	}
}

func TestCompareSubtests(t *testing.T) {
	f := read(t, `
suite: wpt
subtests: {a.any.js: 3, short.any.js: 4, dead.any.js: 5}
groups:
  - {reason: known, tests: [a.any.js > one, a.any.js > gone, a.any.js > two, b.any.js > *, other.any.js > x]}
  - {reason: dies, outcome: crash, tests: [dead.any.js]}
`)
	results := []suite.Result{
		parts("a.any.js", suite.Pass, "!one", "two", "!three"),
		parts("b.any.js", suite.Pass, "!x", "!y"),
		parts("short.any.js", suite.Pass, "one"),
		parts("dead.any.js", suite.Crash),
		parts("empty.any.js", suite.Pass),
	}
	got := describe(f.Compare(tests("a.any.js", "b.any.js", "short.any.js", "dead.any.js", "other.any.js", "empty.any.js"), results, true))
	want := []string{
		"failure a.any.js > three: fail: said three",
		"failure short.any.js: fail: subtests that are known were not reported",
		"failure empty.any.js: fail: it has no subtest",
		"pass a.any.js > two: passes, fail was expected (known)",
		"stale a.any.js > gone: the test has no such subtest",
		"+++ known", "+++++ dies",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// updated returns the groups of updated expectations, without the heading.
func updated(t *testing.T, f *File, all []suite.Test, results []suite.Result, hasSubtests bool) string {
	t.Helper()
	u := f.Update(all, results, hasSubtests)
	// What an update writes is what the run shows.
	if c := u.Compare(all, results, hasSubtests); !c.Held() || len(c.Stale) > 0 {
		t.Errorf("the update is not what the run shows: %v", describe(c))
	}
	text, err := u.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	_, groups, _ := strings.Cut(string(text), "\n\n")
	return groups
}

func TestUpdateTests(t *testing.T) {
	f := read(t, `
suite: test262
groups:
  - reason: realms
    when: {message: createRealm}
    tests: []
  - reason: agents
    when: {features: [Atomics]}
    tests: [b/**, gone.js, c/passes.js, c/not-run.js]
  - reason: passes by now
    tests: [c/fine.js]
  - reason: not explained yet
    tests: [c/old.js, c/not-run-either.js]
`)
	all := tests("b/1.js", "b/2.js", "c/passes.js", "c/not-run.js", "c/not-run-either.js", "c/fine.js", "c/old.js", "c/realm.js", "c/crash.js", "d/x/1.js", "d/x/2.js", "d/x/3.js", "d/4.js")
	realm := result("c/realm.js", suite.Fail, "Atomics")
	realm.Message = "createRealm is not there"
	results := []suite.Result{
		result("b/1.js", suite.Fail), result("b/2.js", suite.Pass), result("c/passes.js", suite.Pass), result("c/fine.js", suite.Pass),
		result("c/old.js", suite.Fail, "Atomics"), realm, result("c/crash.js", suite.Crash, "Atomics"),
		result("d/x/1.js", suite.Fail), result("d/x/2.js", suite.Fail), result("d/x/3.js", suite.Fail), result("d/4.js", suite.Pass),
	}
	want := `suite: test262
groups:
  - reason: realms
    when:
      message: createRealm
    tests:
      - c/realm.js
  - reason: agents
    when:
      features: [Atomics]
    tests:
      - b/1.js
      - c/not-run.js
      - c/old.js
  - reason: not explained yet
    tests:
      - c/not-run-either.js
      - d/x/**
  - reason: not explained yet
    outcome: crash
    tests:
      - c/crash.js
`
	if diff := cmp.Diff(want, updated(t, f, all, results, false)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestUpdateSubtests(t *testing.T) {
	f := read(t, `
suite: wpt
subtests: {a.any.js: 2, dead.any.js: 5, gone.any.js: 7}
groups:
  - reason: shared memory
    when: {paths: ['**.any.js > *Shared*']}
    tests: ['a.any.js > *']
  - {reason: dies, outcome: crash, tests: [dead.any.js]}
`)
	all := tests("a.any.js", "b.any.js", "dead.any.js")
	results := []suite.Result{
		parts("a.any.js", suite.Pass, "one", "!two", "!* three"),
		parts("b.any.js", suite.Pass, "!1 Shared", "!2 Shared", "!3 Shared"),
		parts("dead.any.js", suite.Crash),
	}
	want := `suite: wpt
subtests:
  a.any.js: 3
  b.any.js: 3
  dead.any.js: 5
groups:
  - reason: shared memory
    when:
      paths:
        - '**.any.js > *Shared*'
    tests:
      - a.any.js > \* three
      - a.any.js > two
      - b.any.js > *
  - reason: dies
    outcome: crash
    tests:
      - dead.any.js
`
	if diff := cmp.Diff(want, updated(t, f, all, results, true)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
