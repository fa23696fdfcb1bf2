package wpt

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns what a program's result says of its test.

// report is what the guest's shim returns, as JSON text (guest.js).
type report struct {
	// Status and Message are those of the harness.
	Status  int    `json:"status"`
	Message string `json:"message"`
	Tests   []struct {
		Name    string `json:"name"`
		Status  int    `json:"status"`
		Message string `json:"message"`
	} `json:"tests"`
}

// The statuses of the harness: TestsStatus of testharness.js.
const (
	harnessOK      = 0
	harnessTimeout = 2
)

// subtestStatuses are those of a subtest: Test of testharness.js, in order.
var subtestStatuses = []struct {
	outcome suite.Outcome
	name    string
}{
	{suite.Pass, ""}, {suite.Fail, ""}, {suite.Timeout, "did not end in time"}, {suite.Fail, "not run"}, {suite.Fail, "precondition failed"},
}

func judge(t suite.Test, result *protocol.Result) suite.Result {
	out := suite.Result{Test: t, Outcome: suite.Pass}
	if result.Fault != nil {
		out.Outcome, out.Message = suite.OutcomeOf(result.Fault), result.Fault.Error()
		return out
	}
	reported, err := readReport(result.Value)
	if err != nil {
		out.Outcome, out.Message = suite.Fail, err.Error()
		return out
	}
	switch reported.Status {
	case harnessOK:
	case harnessTimeout:
		out.Outcome, out.Message = suite.Timeout, "the harness timed out"
	default:
		out.Outcome, out.Message = suite.Fail, "harness error: "+reported.Message
	}
	for _, one := range reported.Tests {
		s := suite.Subtest{Name: one.Name, Outcome: suite.Fail, Message: one.Message}
		if one.Status >= 0 && one.Status < len(subtestStatuses) {
			status := subtestStatuses[one.Status]
			s.Outcome = status.outcome
			if status.name != "" {
				s.Message = strings.TrimSuffix(status.name+": "+one.Message, ": ")
			}
		}
		if s.Outcome == suite.Pass {
			s.Message = ""
		}
		out.Subtests = append(out.Subtests, s)
	}
	return out
}

// readReport reads the program's value.
func readReport(value protocol.Value) (*report, error) {
	decoded, err := protocol.Decode(value, protocol.Bounds{Bytes: protocol.MaxLimits.Result})
	if err != nil {
		return nil, fmt.Errorf("the report cannot be read: %w", err)
	}
	text, ok := decoded.(string)
	if !ok {
		return nil, fmt.Errorf("the report is a %T, not a text", decoded)
	}
	r := new(report)
	if err := json.Unmarshal([]byte(text), r); err != nil {
		return nil, fmt.Errorf("the report cannot be read: %w", err)
	}
	return r, nil
}
