package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/isogate/isogate/runtime/conformance/expectations"
	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns what is printed below the table: what was not as expected.

// shown is how many lines of one kind are printed without --verbose.
const shown = 40

func printVerdict(w io.Writer, o *options, c *checkout, known *expectations.File, compared *expectations.Comparison, results []suite.Result) {
	if o.verbose {
		printFailures(w, c, known, results)
	}
	explained := 0
	for _, e := range compared.Explained {
		explained += e.Failures
	}
	if explained > 0 {
		fmt.Fprintf(w, "\nexpected failures: %d\n", explained)
		for _, e := range compared.Explained {
			if e.Failures > 0 {
				fmt.Fprintf(w, "%8d  %s%s\n", e.Failures, e.Group.Reason, outcomeNote(e.Group.Outcome))
			}
		}
	}
	printFindings(w, "not expected to fail", compared.Failures, o.verbose)
	printFindings(w, "expected to fail", compared.Passes, o.verbose)
	if n := len(compared.Stale); n > 0 {
		fmt.Fprintf(w, "\nentries that mean nothing any more: %d\n", n)
		for i, s := range compared.Stale {
			if !o.verbose && i == shown {
				fmt.Fprintf(w, "  and %d more; --verbose prints all\n", n-shown)
				break
			}
			fmt.Fprintf(w, "  %s:%d:%d: %s: %s\n", known.Name, s.Entry.Line, s.Entry.Column, s.Entry.Pattern.Text, s.Why)
		}
	}
	if compared.Held() {
		fmt.Fprintln(w, "\neverything as expected")
		return
	}
	fmt.Fprintf(w, "\nnot as expected: %d failures, %d passes; --update takes them over\n", len(compared.Failures), len(compared.Passes))
}

func outcomeNote(o suite.Outcome) string {
	if o == suite.Fail {
		return ""
	}
	return fmt.Sprintf(" (%s)", o)
}

func printFindings(w io.Writer, what string, findings []expectations.Finding, all bool) {
	if len(findings) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s: %d\n", what, len(findings))
	for i := range findings {
		if !all && i == shown {
			fmt.Fprintf(w, "  and %d more; --verbose prints all\n", len(findings)-shown)
			return
		}
		fmt.Fprintf(w, "  %s\n", oneLine(findings[i].String()))
	}
}

// printFailures prints everything that failed.
func printFailures(w io.Writer, c *checkout, known *expectations.File, results []suite.Result) {
	fmt.Fprintln(w, "\nfailures:")
	for _, r := range results {
		for _, i := range expectations.Items(r, c.HasSubtests(), known.Subtests[r.Name]) {
			if i.Outcome != suite.Pass {
				fmt.Fprintf(w, "  %s: %s: %s\n", oneLine(i.Name()), i.Outcome, oneLine(i.Message))
			}
		}
	}
}

// oneLine returns a text in one line, bounded.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 300 {
		return string(runes[:299]) + "…"
	}
	return text
}
