package test262

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns what a program's result says of its test.

// judge returns the outcome of a test that was run in one way, and why it failed.
func judge(name string, m *FrontMatter, result *protocol.Result) (suite.Outcome, string) {
	if result.Fault != nil {
		if o := suite.OutcomeOf(result.Fault); o != suite.Fail {
			return o, result.Fault.Error()
		}
	}
	if m.Negative != nil {
		return judgeNegative(name, m, result)
	}
	if result.Fault == nil {
		return judgeValue(result)
	}
	var stalled *protocol.Stalled
	if m.Async && errors.As(result.Fault, &stalled) {
		return suite.Fail, "it never said that it is done"
	}
	return suite.Fail, result.Fault.Error()
}

// judgeValue judges a program that ended with a value: the shim's word for a test
// that passed, or what an asynchronous test says is wrong (guest.js).
func judgeValue(result *protocol.Result) (suite.Outcome, string) {
	value, err := result.Decode()
	if err != nil {
		return suite.Fail, err.Error()
	}
	if value == finished {
		return suite.Pass, ""
	}
	return suite.Fail, fmt.Sprint(value)
}

// judgeNegative judges a test that has to end in an error.
func judgeNegative(name string, m *FrontMatter, result *protocol.Result) (suite.Outcome, string) {
	want := m.Negative
	if result.Fault == nil {
		return suite.Fail, fmt.Sprintf("it ended without the %s that was expected", want.Type)
	}
	phase, kind := errorOf(name, m, result.Fault)
	switch {
	case phase == "":
		return suite.Fail, result.Fault.Error()
	case phase != want.Phase:
		return suite.Fail, fmt.Sprintf("the error came in the phase %s, not %s: %v", phase, want.Phase, result.Fault)
	case kind != want.Type:
		return suite.Fail, fmt.Sprintf("the error is a %q, not a %s: %v", kind, want.Type, result.Fault)
	}
	return suite.Pass, ""
}

var (
	// linking matches what the engine says of modules that do not fit together.
	linking = regexp.MustCompile(`does not provide an export named|[Aa]mbiguous (indirect )?export|conflicting star exports|Detected cycle while resolving name`)
	// constructor finds the name of the constructor in how the sandbox shows a
	// thrown object that is no error of the language.
	constructor = regexp.MustCompile(`^([A-Za-z_$][\w$]*)\b`)
	// otherType finds the type of an early error that is no SyntaxError.
	otherType = regexp.MustCompile(`^([A-Za-z]+Error): `)
)

// errorOf returns the phase of a program's error and the name of its
// constructor. The phase is empty for a fault that is no error of the program.
func errorOf(name string, m *FrontMatter, fault protocol.Fault) (Phase, string) {
	switch f := fault.(type) {
	case *protocol.Syntax:
		kind := "SyntaxError"
		if match := otherType.FindStringSubmatch(f.Message); match != nil {
			kind = match[1]
		}
		own := !m.Module || f.File == specifier(name)
		if own && !linking.MatchString(f.Message) {
			return PhaseParse, kind
		}
		return PhaseResolution, kind
	case *protocol.ModuleNotFound:
		return PhaseResolution, "TypeError"
	case *protocol.StackExceeded:
		return PhaseRuntime, "RangeError"
	case *protocol.Thrown:
		if f.Name != "" {
			return PhaseRuntime, f.Name
		}
		if match := constructor.FindStringSubmatch(f.Message); match != nil {
			return PhaseRuntime, match[1]
		}
		return PhaseRuntime, f.Message
	}
	return "", ""
}
