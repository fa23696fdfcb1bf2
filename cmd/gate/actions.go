package main

import (
	"fmt"
	"os"

	"github.com/isogate/isogate/reports"
)

// This file owns what a run does under GitHub Actions beside its report: annotations in
// the log, the report in the summary of the job.

// tellActions prints annotations to standard output when GitHub Actions runs this, and
// appends the Markdown report to the summary of the job where there is one.
func (c *command) tellActions(record *reports.Record) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		if err := reports.Annotations(record, c.stdout); err != nil {
			return err
		}
	}
	summary := os.Getenv("GITHUB_STEP_SUMMARY")
	if summary == "" {
		return nil
	}
	f, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	if err := reports.Markdown(record, f); err != nil {
		f.Close()
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return f.Close()
}
