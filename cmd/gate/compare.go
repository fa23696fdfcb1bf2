package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/gate/benchfiles"
)

// This file owns gate compare.

func (c *command) compare() *cobra.Command {
	var o benchfiles.Options
	var jsonTo string
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two files of Go benchmark text, as benchstat does, with a verdict",
		Long: `Compare reads two files of Go benchmark text and prints, for each benchmark and unit,
both medians with their 95 % intervals, and the delta and the p-value that benchstat
prints. Beside them stands a verdict. A registered benchmark is better or worse when
it changed by more than its registered tolerance and the p-value is below alpha, the
same when both intervals lie within the tolerance of each other, and otherwise
unknown. Of another one, --tolerance is the tolerance.

A line that cannot be read, a file without results and a file whose end is missing
are errors, with file and line. What OLD has and NEW lacks counts as worse.

Exit status: 0 nothing is worse, 1 something is worse or gone, 2 wrong usage, or a
file is malformed.`,
		Example: `  gate compare old.txt new.txt
  go test -bench . -count 10 > new.txt; gate compare --tolerance 0.05 old.txt new.txt`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var err error
			if o.Thresholds, err = bench.Registered(); err != nil {
				return err
			}
			compared, err := benchfiles.Compare(args[0], args[1], o)
			if err != nil {
				return err
			}
			if jsonTo == "-" {
				err = json.NewEncoder(c.stdout).Encode(compared)
			} else {
				err = errors.Join(compared.WriteText(c.stdout), writeJSON(compared, jsonTo))
			}
			if err != nil {
				return err
			}
			worse := compared.Worse()
			for _, row := range worse {
				fmt.Fprintf(c.stderr, "  %s (%s): %s\n", row.Name, row.Unit, row.Reason)
			}
			if len(worse) > 0 {
				fmt.Fprintf(c.stderr, "FAILED: %d of %d figures are worse\n", len(worse), len(compared.Rows))
				return errFailed
			}
			fmt.Fprintf(c.stderr, "PASSED: none of %d figures is worse\n", len(compared.Rows))
			return nil
		},
	}
	flags := cmd.Flags()
	flags.Float64Var(&o.Alpha, "alpha", 0.05, "a difference counts when its p-value is below this")
	flags.Float64Var(&o.Tolerance, "tolerance", 0, "relative change that counts as none, for benchmarks that are not registered")
	flags.StringVar(&jsonTo, "json", "", "write the comparison to this file, - for standard output in place of the tables")
	return cmd
}
