package benchfiles

import (
	"fmt"
	"io"
	"text/tabwriter"

	"golang.org/x/perf/benchunit"
)

// This file owns the comparison as text.

// WriteText writes the comparison as tables for a terminal, one for each configuration
// and unit, and then what the warnings are.
func (c *Comparison) WriteText(w io.Writer) error {
	var table *tabwriter.Writer
	for i := range c.Rows {
		row := &c.Rows[i]
		if i == 0 || row.Config != c.Rows[i-1].Config || row.Unit != c.Rows[i-1].Unit {
			if table != nil {
				if err := table.Flush(); err != nil {
					return err
				}
				fmt.Fprintln(w)
			}
			if row.Config != "" && (i == 0 || row.Config != c.Rows[i-1].Config) {
				fmt.Fprintln(w, row.Config)
			}
			table = tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
			fmt.Fprintf(table, "%s\told\tnew\tvs old\t\tverdict\n", row.Unit)
		}
		verdict := string(row.Verdict)
		if row.Reason != "" {
			verdict += ": " + row.Reason
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", row.Name, row.Old.text(row.Unit), row.New.text(row.Unit), row.Delta, inBrackets(row.Test), verdict)
		for _, warning := range row.Warnings {
			fmt.Fprintf(table, "  %s\n", warning)
		}
	}
	if table == nil {
		return nil
	}
	return table.Flush()
}

// text returns "4.100m ± 2%".
func (s *Side) text(unit string) string {
	if s == nil {
		return "none"
	}
	return benchunit.Scale(s.Center, benchunit.ClassOf(unit)) + " ± " + s.Range
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}
