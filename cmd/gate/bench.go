package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
)

// This file owns gate bench, and the process that takes samples for it.

func (c *command) bench() *cobra.Command {
	var run, out, jsonTo string
	var short bool
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Take the measurements, as Go benchmark text",
		Long: `Bench takes the registered measurements and writes Go benchmark text, one line
for each sample, which benchstat reads as it is. What is measured and how is in
the documentation of package bench.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			selected, err := selection(run)
			if err != nil {
				return err
			}
			record := gate.NewRecord()
			measured, err := gate.Measure(cmd.Context(), gate.MeasureOptions{Short: short, Run: selected, Progress: c.progress()})
			if measured == nil {
				return err
			}
			record.Bench = measured
			record.DurationMS = time.Since(record.Started).Milliseconds()
			if writeErr := c.write(record, reports.BenchText, out); writeErr != nil {
				return writeErr
			}
			if jsonTo != "" {
				if writeErr := c.write(record, (*reports.Record).Write, jsonTo); writeErr != nil {
					return writeErr
				}
			}
			for _, line := range record.Failures() {
				fmt.Fprintln(c.stderr, "  "+line)
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&run, "run", "", "regular expression that selects benchmarks by name")
	flags.StringVar(&out, "out", "-", "file for the benchmark text, - for standard output")
	flags.StringVar(&jsonTo, "json", "", "write the record to this file")
	flags.BoolVar(&short, "short", false, "take the smaller number of samples")
	return cmd
}

// sampler is for gate bench and gate ab, which start this binary again: it takes
// samples as it is told on standard input.
func (c *command) sampler() *cobra.Command {
	return &cobra.Command{
		Use:    "sampler",
		Hidden: true,
		Short:  "Take samples as requests on standard input ask for them",
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return bench.Serve(cmd.Context(), os.Stdin, c.stdout)
		},
	}
}
