// Package suite holds what the conformance suites share: tests, their outcomes,
// and how they are run in the real sandbox, several at a time.
//
// A suite is a checkout in a folder of this machine. What a test does is the
// test's outcome: that its process crashed or was killed ends that test and
// nothing else.
package suite

import (
	"context"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// Outcome says how a test or a subtest ended.
type Outcome string

// The outcomes.
const (
	// Pass: what the test asserts holds.
	Pass Outcome = "pass"
	// Fail: it does not, or the test could not say.
	Fail Outcome = "fail"
	// Timeout: the time was up, the test's own or the sandbox's.
	Timeout Outcome = "timeout"
	// Memory: the sandbox ended it at a bound on memory.
	Memory Outcome = "memory"
	// Crash: the process that ran it ended, or broke the protocol.
	Crash Outcome = "crash"
)

// Outcomes lists the outcomes other than [Pass].
var Outcomes = []Outcome{Fail, Timeout, Memory, Crash}

// Test is one test of a checkout.
type Test struct {
	// Name is the path in the checkout, with slashes, and the variant.
	Name string
	// Area is what the test is counted under.
	Area string
}

// Subtest is one part of a test that has parts.
type Subtest struct {
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	Message string  `json:"message,omitempty"`
}

// Result is what became of one test.
type Result struct {
	Test
	// Outcome is that of the whole test. For one with subtests it says whether all
	// of them were reported, not whether they passed.
	Outcome  Outcome
	Message  string
	Subtests []Subtest
	// Features are what the test says it needs of the language.
	Features []string
	// LeftOut says why the test was not run; empty when it was.
	LeftOut string
}

// Execute runs one program in the sandbox. The error is for what is no test's
// doing; the result then is nil.
type Execute func(ctx context.Context, r executor.Request) (*protocol.Result, error)

// Suite is a checkout whose tests can be run. Its methods may be called from any
// goroutine.
type Suite interface {
	// Name is the name of the suite, as expectations state it.
	Name() string
	// HasSubtests reports whether a test's parts are counted, not the test.
	HasSubtests() bool
	// Tests lists the tests, sorted by name.
	Tests() ([]Test, error)
	// Run runs one test. The error ends the whole run: it is for what is no test's
	// doing, as a harness file that is missing.
	Run(ctx context.Context, execute Execute, t Test) (Result, error)
}
