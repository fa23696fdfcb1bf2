package main

import (
	"errors"
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
the documentation of package bench.

Two processes of this build take the samples in turn. Where they differ from each
other by more than the registered tolerance the measurement is unfit: this machine
cannot judge it now. Bench fails when a registered figure is missing, or beyond the
bound that holds on every machine. What this machine lacks the means for, such as
strace or valgrind, is shown as unsupported.`,
		Example: `  gate bench > new.txt
  gate bench --short --run 'WarmRun|ToolCall' --json record.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "-" && jsonTo == "-" {
				return errors.New("--json and --out are both -: only one can have standard output")
			}
			selected, err := selection(run)
			if err != nil {
				return err
			}
			progress := c.progress()
			progress.Note("gate bench: %s", version())
			record := gate.NewRecord()
			measured, err := gate.Measure(cmd.Context(), gate.MeasureOptions{Short: short, Run: selected, Progress: progress})
			if measured == nil {
				return err
			}
			record.Bench = measured
			record.DurationMS = time.Since(record.Started).Milliseconds()
			if writeErr := errors.Join(c.write(record, reports.BenchText, out), remember(record)); writeErr != nil {
				return writeErr
			}
			if jsonTo != "" {
				if writeErr := c.write(record, (*reports.Record).Write, jsonTo); writeErr != nil {
					return writeErr
				}
			}
			return c.conclude(record, err)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&run, "run", "", "regular expression that selects benchmarks by name")
	flags.StringVar(&out, "out", "-", "file for the benchmark text, - for standard output")
	flags.StringVar(&jsonTo, "json", "", "write the record to this file, - for standard output")
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
