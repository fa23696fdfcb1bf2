package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/runtime/conformance/suite"
	"github.com/isogate/isogate/runtime/conformance/wpt"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the tests of the whole command, with small checkouts and the
// real sandbox.

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// outcome is what one run of the command gave.
type outcome struct {
	status   int
	out, err string
}

// command runs the command line.
func command(args ...string) outcome {
	var out, err bytes.Buffer
	status := execute(context.Background(), args, streams{&out, &err, false})
	return outcome{status, out.String(), err.String()}
}

// file writes a file of the test's own and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// lines returns the tests of a file of results, one a line: name, outcome and
// how its message begins, subtests below.
func lines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var f resultsFile
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, one := range f.Tests {
		line := one.Name + ": " + string(one.Outcome)
		if one.LeftOut != "" {
			line += "left out: " + one.LeftOut
		}
		out = append(out, strings.TrimRight(line+" "+begin(one.Message), " "))
		for _, s := range one.Subtests {
			out = append(out, strings.TrimRight("  "+s.Name+": "+string(s.Outcome)+" "+begin(s.Message), " "))
		}
	}
	return out
}

// begin returns the beginning of a message, which says enough.
func begin(message string) string {
	if len(message) > 50 {
		return message[:50]
	}
	return message
}

const nothingKnown = "suite: wpt\n"

func TestWebPlatformTests(t *testing.T) {
	results := filepath.Join(t.TempDir(), "results.json")
	got := command("--wpt", "testdata/wpt", "--run", ".", "--parallel", "2", "--timeout", "2s", "--json", results, "--expectations", file(t, nothingKnown))
	if got.status != exitFailed {
		t.Fatalf("status %d\n%s\n%s", got.status, got.out, got.err)
	}
	variant := func(name string, last string) []string {
		return []string{
			"url/meta.any.js" + name + ": pass", "  the title: pass", "  the scripts, in order: pass", "  directives are directives: pass",
			"  location and self: pass", "  the variant: pass", "  only in one variant: " + last,
		}
	}
	want := []string{
		"console/fine.any.js: pass", "  console: pass",
		"dom/events/script.any.js: fail META script=resources/not-there.js: openat dom/eve",
		"other/extra.any.js: pass", "  not run by default: pass",
		"url/files.any.js: pass", "  JSON beside the test: pass", "  a path from the top: pass", "  bytes: pass",
		"  nothing at resources/none.json: pass", "  nothing at ../../../main.go: pass", "  nothing at /../../main.go: pass",
		"  nothing at file:///etc/hostname: pass", "  nothing at http://elsewhere.test/x: pass", "  nothing at link: pass", "  nothing at resources: pass",
		"url/hangs.any.js: timeout the harness timed out", "  ends: pass", "  never ends: timeout did not end in time", "  waits: timeout did not end in time",
	}
	want = append(want, variant("", "fail expected ?1-10, got")...)
	want = append(want, variant("#part", "fail expected ?1-10, got")...)
	want = append(want, variant("?1-10", "pass")...)
	want = append(want,
		"url/spins.any.js: timeout deadline exceeded: ",
		"url/throws.any.js: fail harness error: ReferenceError: missing is not defi", "  before the error: fail not run",
	)
	have := lines(t, results)
	for i, line := range have {
		if strings.HasPrefix(line, "url/spins.any.js: timeout deadline exceeded: ") {
			have[i] = want[len(want)-3] // which clock was first is not this test's matter
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, got.out)
	}
	for _, text := range []string{
		"url                    27       33", "2113 of 2115: only", "not expected to fail: ",
		"url/meta.any.js > only in one variant: fail: expected ?1-10, got", "not as expected: ",
	} {
		if !strings.Contains(got.out, text) {
			t.Errorf("the report does not say %q:\n%s", text, got.out)
		}
	}
}

func TestDefaultSelection(t *testing.T) {
	got := command("--wpt", "testdata/wpt", "--list")
	if got.status != exitHeld || strings.Contains(got.out, "other/extra") || strings.Contains(got.out, "service") ||
		!strings.Contains(got.out, "url/meta.any.js?1-10\n") {
		t.Errorf("status %d: %s%s", got.status, got.out, got.err)
	}
	got = command("--test262", "testdata/test262", "--list")
	if got.status != exitHeld || strings.Contains(got.out, "staging") || strings.Contains(got.out, "_FIXTURE") ||
		!strings.Contains(got.out, "built-ins/Temporal/now.js\n") {
		t.Errorf("status %d: %s%s", got.status, got.out, got.err)
	}
	if got = command("--test262", "testdata/test262", "--list", "--staging"); !strings.Contains(got.out, "staging/later.js\n") {
		t.Errorf("status %d: %s%s", got.status, got.out, got.err)
	}
}

func TestTest262(t *testing.T) {
	results := filepath.Join(t.TempDir(), "results.json")
	got := command("--test262", "testdata/test262", "--parallel", "2", "--timeout", "1s", "--json", results, "--expectations", file(t, "suite: test262\n"))
	if got.status != exitFailed {
		t.Fatalf("status %d\n%s\n%s", got.status, got.out, got.err)
	}
	realm := "built-ins/Thing/realm.js: fail sloppy: uncaught Error: $262.createRealm is not "
	if sandbox.HasRealms {
		realm = "built-ins/Thing/realm.js: pass"
	}
	want := []string{
		"annexB/document-all.js: left out: IsHTMLDDA",
		"built-ins/Temporal/now.js: left out: Temporal",
		"built-ins/Thing/after.js: pass",
		"built-ins/Thing/agents.js: left out: several agents",
		"built-ins/Thing/host.js: pass",
		"built-ins/Thing/malformed.js: fail built-ins/Thing/malformed.js:1: the front matter:",
		"built-ins/Thing/memory.js: memory sloppy: memory exceeded: the ",
		realm,
		"built-ins/Thing/shared.js: fail sloppy: uncaught ReferenceError: SharedArrayBuffer",
		"built-ins/Thing/spins.js: timeout sloppy: deadline exceeded: ",
		"built-ins/Thing/temporal.js: left out: Temporal",
		"language/async-fails.js: fail sloppy: a reason",
		"language/async-never.js: fail sloppy: it never said that it is done",
		"language/async-patched.js: pass",
		"language/async.js: pass",
		"language/both-modes.js: pass",
		"language/dynamic-import.js: pass",
		"language/fails-strict.js: fail strict: uncaught Test262Error",
		"language/includes.js: pass",
		"language/last-line-comment.js: pass",
		"language/module-code/async.js: pass",
		"language/module-code/itself.js: pass",
		"language/module-code/negative-parse.js: pass",
		"language/module-code/negative-resolution-broken.js: pass",
		"language/module-code/negative-resolution.js: pass",
		"language/module-code/negative-runtime.js: pass",
		"language/module-code/negative-wrong-phase.js: fail module: the error came in the phase resolution",
		"language/module-code/throws.js: fail module: uncaught Error: x",
		"language/negative-parse-runs.js: fail sloppy: the error came in the phase runtime, not p",
		"language/negative-parse-unfinished.js: pass",
		"language/negative-parse.js: pass",
		"language/negative-runtime-other.js: fail sloppy: the error is a \"RangeError\", not a TypeEr",
		"language/negative-runtime-own.js: pass",
		"language/negative-runtime.js: pass",
		"language/no-strict.js: pass",
		"language/only-strict.js: pass",
		"language/raw.js: pass",
	}
	have := lines(t, results)
	for i := range min(len(have), len(want)) {
		// What follows in these messages are figures and engines' words.
		if strings.HasPrefix(have[i], want[i]) {
			have[i] = want[i]
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, got.out)
	}
	for _, text := range []string{"  built-ins/Thing", "left out: 2 tests of Temporal", "left out: 1 tests of IsHTMLDDA", "outside Temporal", "and SharedArrayBuffer "} {
		if !strings.Contains(got.out, text) {
			t.Errorf("the report does not say %q:\n%s", text, got.out)
		}
	}
}

func TestExpectations(t *testing.T) {
	const held = `suite: wpt
subtests: {url/throws.any.js: 4}
groups:
  - {reason: about variants, tests: [url/meta.any.js > only *, 'url/meta.any.js#part > only *']}
  - {reason: throws, tests: [url/throws.any.js, url/throws.any.js > *]}
`
	const run = "^url/(meta|throws)"
	got := command("--wpt", "testdata/wpt", "--run", run, "--expectations", file(t, held))
	if got.status != exitHeld || !strings.Contains(got.out, "everything as expected") ||
		!strings.Contains(got.out, "       2  about variants") || !strings.Contains(got.out, "       4  throws") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.err)
	}
	for _, c := range []struct{ what, text, want string }{
		{"a failure is not known", strings.Replace(held, ", 'url/meta.any.js#part > only *'", "", 1), "not expected to fail: 1\n  url/meta.any.js#part > only in one variant: fail"},
		{"a test passes", strings.Replace(held, "[url/throws", "[url/meta.any.js > location*, url/throws", 1), "expected to fail: 1\n  url/meta.any.js > location and self: passes, fail was expected (throws)"},
		{"the outcome is another", strings.Replace(held, "reason: throws", "reason: throws, outcome: crash", 1), "url/throws.any.js: fail, crash was expected (throws)"},
	} {
		if got := command("--wpt", "testdata/wpt", "--run", run, "--expectations", file(t, c.text)); got.status != exitFailed || !strings.Contains(got.out, c.want) {
			t.Errorf("%s: status %d\n%s%s", c.what, got.status, got.out, got.err)
		}
	}
	stale := strings.Replace(held, "[url/throws", "[url/gone.any.js, url/throws", 1)
	got = command("--wpt", "testdata/wpt", "--run", run, "--expectations", file(t, stale))
	if got.status != exitHeld || !strings.Contains(got.out, ":5:30: url/gone.any.js: no test has such a name") {
		t.Errorf("stale: status %d\n%s%s", got.status, got.out, got.err)
	}
}

func TestUpdate(t *testing.T) {
	path := file(t, "suite: test262\ngroups:\n  - {reason: a global, when: {message: the global object}, tests: []}\n")
	args := []string{"--test262", "testdata/test262", "--run", "fails-strict|host|async-fails", "--expectations", path}
	if got := command(args...); got.status != exitFailed || !strings.Contains(got.out, "not as expected: 2 failures, 0 passes") {
		t.Errorf("before: status %d\n%s%s", got.status, got.out, got.err)
	}
	if got := command(append(args, "--update")...); got.status != exitHeld {
		t.Errorf("update: status %d\n%s%s", got.status, got.out, got.err)
	}
	got := command(args...)
	if got.status != exitHeld || !strings.Contains(got.out, "       1  a global") || !strings.Contains(got.out, "       1  not explained yet") {
		t.Errorf("after: status %d\n%s%s", got.status, got.out, got.err)
	}
}

func TestUsage(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "nothing to run: give --wpt DIR or --test262 DIR"},
		{[]string{"--wpt", "a", "--test262", "b"}, "exclude each other"},
		{[]string{"--wpt", "a", "--temporal"}, "are about test262"},
		{[]string{"--wpt", "testdata/wpt", "--run", "("}, "--run: error parsing regexp"},
		{[]string{"--wpt", "testdata/wpt", "--run", "^nothing$", "--list"}, `none of the 10 tests of the checkout has a name that matches "^nothing$"`},
		{[]string{"--wpt", "testdata/wpt", "--parallel", "0"}, "--parallel: 0 is not at least 1"},
		{[]string{"--wpt", "testdata/wpt", "--profile", "fast"}, `there is no profile "fast"`},
		{[]string{"--wpt", "testdata/wpt", "--list", "--update"}, "--list runs nothing"},
		{[]string{"--wpt", "testdata/wpt"}, "run this in the module's folder, or give --expectations"},
		{[]string{"--wpt", "testdata/wpt", "--expectations", "none.yaml"}, "--expectations: open none.yaml"},
		{[]string{"--wpt", "testdata/wpt", "--expectations", file(t, "suite: test262")}, `is about the suite "test262", not "wpt"`},
		{[]string{"--wpt", "testdata/wpt", "--expectations", file(t, "suite: wpt\ngroups:\n  - tests: []")}, `:3:5: "reason" is missing`},
		{[]string{"--wpt", empty}, "is no checkout of web-platform-tests"},
		{[]string{"--test262", empty}, "is no checkout of test262"},
		{[]string{"--test262", filepath.Join(empty, "gone")}, "the checkout of test262: "},
		{[]string{"extra"}, "unknown command"},
		{[]string{"--wtp", "x"}, "unknown flag: --wtp"},
	} {
		got := command(c.args...)
		if got.status != exitSetup || !strings.Contains(got.err, c.want) || got.out != "" {
			t.Errorf("%v: status %d, %q, want %q; %s", c.args, got.status, got.err, c.want, got.out)
		}
	}
	if got := command("--help"); got.status != exitHeld || !strings.Contains(got.out, "Exit status:") || !strings.Contains(got.out, "--expectations FILE") {
		t.Errorf("help: status %d\n%s%s", got.status, got.out, got.err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, err bytes.Buffer
	args := []string{"--wpt", "testdata/wpt", "--expectations", file(t, nothingKnown)}
	if status := execute(ctx, args, streams{&out, &err, false}); status != exitSetup || !strings.Contains(err.String(), context.Canceled.Error()) {
		t.Errorf("status %d: %s%s", status, out.String(), err.String())
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		n    suite.Tally
		want string
	}{
		{suite.Tally{}, "0.00"}, {suite.Tally{Passed: 1, Total: 3}, "33.33"}, {suite.Tally{Passed: 7, Total: 7}, "100.00"},
		{suite.Tally{Passed: 999999, Total: 1000000}, "99.99"},
	} {
		if got := percent(c.n); got != c.want {
			t.Errorf("%+v is %s, want %s", c.n, got, c.want)
		}
	}
}

func TestBesidePeers(t *testing.T) {
	for _, c := range []struct {
		passed, total int
		peer          wpt.Area
		want          string
	}{
		{5, 10, wpt.Area{}, ""},
		{9, 10, wpt.Area{Best: 9, Total: 10}, "   9 of 10: at or above"},
		{10, 10, wpt.Area{Best: 9, Total: 10}, "   9 of 10: at or above"},
		{7, 10, wpt.Area{Best: 9, Total: 10}, "   9 of 10: 2 below"},
		{19, 20, wpt.Area{Best: 10, Total: 10}, "   10 of 10: 1 below"},
		{18, 20, wpt.Area{Best: 9, Total: 10}, "   9 of 10: at or above"},
		{18, 19, wpt.Area{Best: 9, Total: 10}, "   9 of 10: at or above"},
		{4, 4, wpt.Area{Best: 9, Total: 10}, "   9 of 10: only 4 were run"},
	} {
		r := row{tally: suite.Tally{Passed: c.passed, Total: c.total}, peer: c.peer}
		if got := r.beside(); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.passed, c.total, got, c.want)
		}
	}
}
