package main

import (
	"encoding/json"
	"os"

	"github.com/isogate/isogate/runtime/conformance/expectations"
	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the file of results that --json writes.

// resultsFile is its form.
type resultsFile struct {
	Suite string `json:"suite"`
	// Passed and Total count what the last line of the table counts.
	Passed int          `json:"passed"`
	Total  int          `json:"total"`
	Areas  []areaResult `json:"areas"`
	Tests  []testResult `json:"tests"`
}

type areaResult struct {
	Area   string `json:"area"`
	Passed int    `json:"passed"`
	Total  int    `json:"total"`
}

type testResult struct {
	Name     string          `json:"name"`
	Outcome  suite.Outcome   `json:"outcome,omitempty"`
	Message  string          `json:"message,omitempty"`
	Features []string        `json:"features,omitempty"`
	LeftOut  string          `json:"leftOut,omitempty"`
	Subtests []suite.Subtest `json:"subtests,omitempty"`
}

func writeResults(file string, c *checkout, known *expectations.File, results []suite.Result) error {
	t := newTable(c, known, results)
	out := resultsFile{Suite: c.Name(), Passed: t.counted.Passed, Total: t.counted.Total}
	for _, r := range t.rows {
		out.Areas = append(out.Areas, areaResult{r.area, r.tally.Passed, r.tally.Total})
	}
	for _, r := range results {
		one := testResult{Name: r.Name, Outcome: r.Outcome, Message: r.Message, Features: r.Features, LeftOut: r.LeftOut, Subtests: r.Subtests}
		if r.LeftOut != "" {
			one.Outcome = ""
		}
		out.Tests = append(out.Tests, one)
	}
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
