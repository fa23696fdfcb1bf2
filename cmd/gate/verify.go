package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
)

// This file owns gate verify.

func (c *command) verify() *cobra.Command {
	var run, jsonTo string
	var seed uint64
	var repeat int
	var stop, sourceChecks bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Replay every attack against the real executor",
		Long: `Verify replays attacks in an order drawn from the seed. After each of them the
next execution must be right, no process may be left, and nothing of the host or
of another execution may stand in anything that came out.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			selected, err := selection(run)
			if err != nil {
				return err
			}
			root := ""
			if dir, err := os.Getwd(); sourceChecks && err == nil {
				if root, err = gate.FindRoot(dir); err != nil {
					fmt.Fprintf(c.stderr, "owners and controls are not checked: %v\n", err)
				}
			}
			model, problems, err := load(root)
			if err != nil {
				return err
			}
			seed = orRandom(cmd, seed)
			progress := c.progress()
			progress.Note("gate verify: %s, seed %d", version(), seed)
			record := gate.NewRecord()
			record.Verify = reports.Verify{Seed: seed, Repeat: max(repeat, 1), Run: run}
			record.Problems = problems
			record.Claims, err = gate.Verify(cmd.Context(), gate.VerifyOptions{
				Model: model, Run: selected, Seed: seed, Repeat: repeat, StopAtFirst: stop, Progress: progress,
			})
			if err != nil {
				return err
			}
			return c.finish(record, jsonTo)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&run, "run", "", "regular expression that selects attacks by claim/attack")
	flags.Uint64Var(&seed, "seed", 0, "order of the attacks (default: drawn and printed)")
	flags.IntVar(&repeat, "repeat", 1, "how often each attack is tried")
	flags.StringVar(&jsonTo, "json", "", "write the record to this file, - for standard output")
	flags.BoolVar(&stop, "stop-at-first", false, "stop at the first attack that does not end safely")
	// For mutants, whose source on disk is not what they were built from.
	flags.BoolVar(&sourceChecks, "source-checks", true, "check owners and controls against the source")
	_ = flags.MarkHidden("source-checks") // the flag exists
	return cmd
}

// finish writes the record where it is wanted and concludes.
func (c *command) finish(record *reports.Record, jsonTo string) error {
	record.DurationMS = time.Since(record.Started).Milliseconds()
	if jsonTo != "" {
		if err := c.write(record, (*reports.Record).Write, jsonTo); err != nil {
			return err
		}
	}
	return c.conclude(record, nil)
}
