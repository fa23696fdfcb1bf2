package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
)

// This file owns gate controls.

func (c *command) controls() *cobra.Command {
	var run, jsonTo, cache, since string
	var seed uint64
	var parallel int
	var fresh, sweep bool
	cmd := &cobra.Command{
		Use:   "controls",
		Short: "Remove one protection at a time: an attack must notice",
		Long: `Controls builds this gate with the edit of each control laid over the source (go
build -overlay), and has it replay the attacks that ought to notice. An edit that
does not apply, or that no attack notices, makes its claim vacuous.

As many edits as possible are one build, in which one of them is chosen by the name
that it is executed by; the others, and each that is not noticed so, are built alone.
Builds are kept by content, and so is that a control tripped: an unchanged source is
not replayed again unless --fresh is given. With --since only the controls are run
that a change may concern.

With --sweep the protections that are marked in the source (//gate:protects) are
mutated mechanically instead: the check is removed, a comparison is turned around, a
call is dropped. It lists the mutations that no attack of their claims notices.`,
		Example: `  gate controls --run '^wall-deadline/'
  gate controls --since origin/main
  gate controls --sweep --run '^frames-checked/'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			selected, err := selection(run)
			if err != nil {
				return err
			}
			root, model, problems, err := c.source()
			if err != nil {
				return err
			}
			if cache == "" {
				cache = filepath.Join(root, defaultOut, mutants)
			}
			seed = orRandom(cmd, seed)
			progress := c.progress()
			if sweep {
				if since != "" {
					return errors.New("--sweep and --since exclude each other: a sweep is made of all marks, or of those that --run names")
				}
				return c.sweep(cmd.Context(), gate.SweepOptions{
					Model: model, Root: root, Cache: cache, Run: selected, Fresh: fresh, Seed: seed, Parallel: parallel, Progress: progress,
				}, jsonTo)
			}
			progress.Note("gate controls: %s, seed %d", version(), seed)
			record := gate.NewRecord()
			record.Problems = problems
			outcomes, err := gate.Controls(cmd.Context(), gate.ControlOptions{
				Model: model, Root: root, Cache: cache, Run: selected, Since: since, Fresh: fresh, Seed: seed, Parallel: parallel, Progress: progress,
			})
			if err != nil {
				return err
			}
			record.Claims, record.LeftOut = gate.ControlledClaims(model, outcomes.Claims), outcomes.LeftOut
			for _, line := range record.LeftOut {
				progress.Note("left out: %s", line)
			}
			return c.finish(record, jsonTo)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&run, "run", "", "regular expression that selects controls by claim/control, or with --sweep mutations by claim/file:line/mutation")
	flags.StringVar(&since, "since", "", "run only the controls that what changed since this git revision may concern")
	flags.BoolVar(&sweep, "sweep", false, "mutate each marked protection and list what no attack notices")
	flags.BoolVar(&fresh, "fresh", false, "replay also what is known to have tripped with the same source")
	flags.StringVar(&cache, "cache", "", "folder that builds are kept in (default: build/gate/_mutants in the module)")
	flags.Uint64Var(&seed, "seed", 0, "order of the attacks (default: drawn and printed)")
	flags.IntVar(&parallel, "parallel", 2, "how many builds run at once")
	flags.StringVar(&jsonTo, "json", "", "write the record to this file, - for standard output")
	return cmd
}

// sweep runs a sweep and prints what it found: survivors on standard output.
func (c *command) sweep(ctx context.Context, o gate.SweepOptions, jsonTo string) error {
	o.Progress.Note("gate controls --sweep: %s, seed %d", version(), o.Seed)
	record := gate.NewRecord()
	found, err := gate.Sweep(ctx, o)
	if err != nil {
		return err
	}
	record.Sweep = found
	record.DurationMS = time.Since(record.Started).Milliseconds()
	if jsonTo != "" {
		if err := c.write(record, (*reports.Record).Write, jsonTo); err != nil {
			return err
		}
	}
	out := c.stdout
	if jsonTo == "-" {
		out = c.stderr
	}
	survivors := found.Survivors()
	for _, line := range survivors {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintf(out, "%d marks, %d of %d mutations run: %d killed, %d survived, %d equivalent, %d broken\n", found.Marks, len(found.Mutants), found.Mutations,
		found.Count(reports.SweepKilled), len(survivors), found.Count(reports.SweepEquivalent), found.Count(reports.SweepBroken))
	if len(survivors) > 0 {
		return errFailed
	}
	return nil
}
