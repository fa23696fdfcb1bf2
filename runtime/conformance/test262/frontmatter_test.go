package test262

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the tests of front matter, and of what errors mean.

func TestParseFrontMatter(t *testing.T) {
	for text, want := range map[string]FrontMatter{
		"":           {},
		"// nothing": {},
		"/*---\ndescription: >\n  x\nflags: [onlyStrict, generated, async]\nincludes: [a.js, b.js]\nfeatures: [BigInt]\nlocale: [en]\n---*/": {
			OnlyStrict: true, Async: true, Includes: []string{"a.js", "b.js"}, Features: []string{"BigInt"},
		},
		"/*---\nnegative:\n  phase: parse\n  type: SyntaxError\nflags: [raw, module, noStrict]\n---*/": {
			Negative: &Negative{PhaseParse, "SyntaxError"}, Raw: true, Module: true, NoStrict: true,
		},
		"/*---\r\nflags:\r\n  - module\r\n---*/": {Module: true},
		"/*---\rflags: [module]\r---*/":          {Module: true},
	} {
		got, err := ParseFrontMatter("a.js", text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", text, diff)
		}
	}
}

func TestMalformedFrontMatter(t *testing.T) {
	for text, want := range map[string]string{
		"//\n/*---\nflags: [raw]":                        "a.js:2: the front matter does not end in ---*/",
		"//\n/*---\nflags: [raw\n---*/":                  "a.js:2: the front matter: did not find expected ',' or ']'",
		"/*---\nx: 1\nflags: raw\n---*/":                 "a.js:3: the front matter: cannot unmarshal !!str `raw` into []string",
		"/*---\nflags: [slow]\n---*/":                    `a.js:1: there is no flag "slow"`,
		"/*---\nflags: [onlyStrict, noStrict]\n---*/":    "a.js:1: the flags onlyStrict and noStrict exclude each other",
		"/*---\nnegative: {phase: late, type: E}\n---*/": `a.js:1: negative: there is no phase "late"`,
		"/*---\nnegative: {phase: parse}\n---*/":         "a.js:1: negative: the type is missing",
	} {
		if _, err := ParseFrontMatter("a.js", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestModes(t *testing.T) {
	for _, c := range []struct {
		m    FrontMatter
		want []mode
	}{
		{FrontMatter{}, []mode{sloppy, strict}},
		{FrontMatter{NoStrict: true}, []mode{sloppy}},
		{FrontMatter{OnlyStrict: true}, []mode{strict}},
		{FrontMatter{Raw: true}, []mode{asIs}},
		{FrontMatter{Module: true, Raw: true}, []mode{modular}},
	} {
		if diff := cmp.Diff(c.want, c.m.modes()); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", c.m, diff)
		}
	}
}

func TestJudge(t *testing.T) {
	script := &FrontMatter{}
	module := &FrontMatter{Module: true}
	negative := func(m FrontMatter, p Phase, kind string) *FrontMatter {
		m.Negative = &Negative{p, kind}
		return &m
	}
	value := func(text string) *protocol.Result { return &protocol.Result{Value: protocol.Value(text)} }
	fault := func(f protocol.Fault) *protocol.Result { return &protocol.Result{Fault: f} }
	syntax := func(file, message string) *protocol.Result {
		return fault(&protocol.Syntax{File: file, Message: message})
	}
	for _, c := range []struct {
		what   string
		m      *FrontMatter
		result *protocol.Result
		want   suite.Outcome
	}{
		{"passes", script, value(`"finished"`), suite.Pass},
		{"says what is wrong", script, value(`"Error: x"`), suite.Fail},
		{"has no value", script, value(``), suite.Fail},
		{"throws", script, fault(&protocol.Thrown{Name: "Error"}), suite.Fail},
		{"does not parse", script, syntax("program", "x"), suite.Fail},
		{"crashes", script, fault(&protocol.WorkerCrashed{Signal: "SIGSEGV"}), suite.Crash},
		{"runs out of time", script, fault(&protocol.DeadlineExceeded{}), suite.Timeout},
		{"runs out of memory", script, fault(&protocol.MemoryExceeded{}), suite.Memory},
		{"never says that it is done", &FrontMatter{Async: true}, fault(&protocol.Stalled{}), suite.Fail},

		{"early error", negative(*script, PhaseParse, "SyntaxError"), syntax("program", "x"), suite.Pass},
		{"early error of another type", negative(*script, PhaseParse, "SyntaxError"), syntax("program", "ReferenceError: x"), suite.Fail},
		{"early error expected, none came", negative(*script, PhaseParse, "SyntaxError"), value(`"finished"`), suite.Fail},
		{"early error expected, came when it ran", negative(*script, PhaseParse, "SyntaxError"), fault(&protocol.Thrown{Name: "SyntaxError"}), suite.Fail},
		{"early error expected, crashes", negative(*script, PhaseParse, "SyntaxError"), fault(&protocol.WorkerCrashed{}), suite.Crash},
		{"error when it runs", negative(*script, PhaseRuntime, "TypeError"), fault(&protocol.Thrown{Name: "TypeError"}), suite.Pass},
		{"error of no type of the language", negative(*script, PhaseRuntime, "Test262Error"), fault(&protocol.Thrown{Message: "Test262Error { message: '' }"}), suite.Pass},
		{"error of another type", negative(*script, PhaseRuntime, "TypeError"), fault(&protocol.Thrown{Name: "RangeError"}), suite.Fail},
		{"error when it runs expected, came early", negative(*script, PhaseRuntime, "SyntaxError"), syntax("program", "x"), suite.Fail},
		{"stack", negative(*script, PhaseRuntime, "RangeError"), fault(&protocol.StackExceeded{}), suite.Pass},
		{"stalls", negative(*script, PhaseRuntime, "RangeError"), fault(&protocol.Stalled{}), suite.Fail},

		{"early error of a module", negative(*module, PhaseParse, "SyntaxError"), syntax("./a.js", "x"), suite.Pass},
		{"early error of an import", negative(*module, PhaseParse, "SyntaxError"), syntax("./b.js", "x"), suite.Fail},
		{"early error of an import expected", negative(*module, PhaseResolution, "SyntaxError"), syntax("./b.js", "x"), suite.Pass},
		{"modules that do not fit", negative(*module, PhaseResolution, "SyntaxError"),
			syntax("./a.js", "The requested module './b.js' does not provide an export named 'x'"), suite.Pass},
		{"modules that do not fit, early error expected", negative(*module, PhaseParse, "SyntaxError"),
			syntax("./a.js", "The requested module './b.js' does not provide an export named 'x'"), suite.Fail},
		{"a module that is not there", negative(*module, PhaseResolution, "TypeError"), fault(&protocol.ModuleNotFound{}), suite.Pass},
	} {
		if got, why := judge("x/a.js", c.m, c.result); got != c.want || (why == "") != (got == suite.Pass) {
			t.Errorf("%s: %s (%s), want %s", c.what, got, why, c.want)
		}
	}
}

func FuzzParseFrontMatter(f *testing.F) {
	f.Add("/*---\nflags: [raw]\n---*/")
	f.Add("/*---\nnegative:\n  phase: parse\n  type: X\nfeatures: [a]\n---*/")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseFrontMatter("a.js", text)
		if err == nil && len(m.modes()) == 0 {
			t.Errorf("%+v is not run", m)
		}
	})
}
