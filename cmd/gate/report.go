package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/reports"
)

// This file owns gate report, and the files that a whole run leaves.

func (c *command) report() *cobra.Command {
	var format, out string
	var forms strings.Builder
	for _, name := range reports.FormatNames() {
		fmt.Fprintf(&forms, "  %-12s %s\n", name, reports.About[name])
	}
	cmd := &cobra.Command{
		Use:   "report RECORD",
		Short: "Write a recorded run in another form",
		Long: `Report reads the record of a run (record.json of a whole run, or what --json wrote)
and writes it in one of these forms:

` + forms.String() + `
A record of another schema than this build's is refused.`,
		Example: `  gate report build/gate/record.json --format html --out report.html
  gate report build/gate/record.json --format bench-old --out old.txt`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			writer, ok := reports.Formats[format]
			if !ok {
				return fmt.Errorf("--format: there is no form %q; the forms are %s", format, strings.Join(reports.FormatNames(), ", "))
			}
			record, err := reports.ReadFile(args[0])
			if err != nil {
				return err
			}
			return c.write(record, writer, out)
		},
	}
	cmd.Flags().StringVar(&format, "format", "markdown", "form: "+strings.Join(reports.FormatNames(), ", "))
	cmd.Flags().StringVar(&out, "out", "-", "file to write, - for standard output")
	return cmd
}

// leftFiles are the forms that a whole run leaves in its folder.
var leftFiles = []struct{ name, form string }{
	{"record.json", "json"}, {"report.html", "html"}, {"report.md", "markdown"}, {"junit.xml", "junit"}, {"report.sarif", "sarif"}, {"bench.txt", "bench"},
}

// writeAll writes a record in the forms that a whole run leaves.
func writeAll(record *reports.Record, dir string) error {
	for _, file := range leftFiles {
		if file.form == "bench" && record.Bench == nil {
			continue
		}
		if err := record.WriteFile(filepath.Join(dir, file.name), reports.Formats[file.form]); err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
	}
	return nil
}
