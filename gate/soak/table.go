package soak

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// This file owns how a soak is printed.

// Print writes the summary as a table for people.
func (s *Summary) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "kind\texecutions\tvalues\tprogram faults\tlimit faults\tother faults\tcrashes\twrong\t")
	var all Count
	row := func(name string, c Count) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, c.Executions, c.Values, c.Program, c.Limit, c.Host, c.Crash, c.Wrong)
	}
	for _, c := range s.Counts {
		row(c.Kind, c)
		all.Executions += c.Executions
		all.Values += c.Values
		all.Program += c.Program
		all.Limit += c.Limit
		all.Host += c.Host
		all.Crash += c.Crash
		all.Wrong += c.Wrong
	}
	row("all", all)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nseed %d, %v, %d children killed, %d executions lost, %d zombies\n", s.Seed, s.Took.Round(time.Second), s.Killed, s.Lost, s.Zombies)
	for _, trend := range []Trend{s.Memory, s.Routines, s.Files} {
		fmt.Fprintf(w, "%s: %.1f to %.1f %s in the second half, %+.2f for 1,000 executions\n", trend.What, trend.First, trend.Last, trend.Unit, trend.Growth)
	}
	for _, what := range s.Failures() {
		fmt.Fprintln(w, "WRONG:", what)
	}
	return nil
}
