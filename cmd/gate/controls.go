package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
)

// This file owns gate controls.

func (c *command) controls() *cobra.Command {
	var run, jsonTo, cache, since string
	var seed uint64
	var parallel int
	var fresh bool
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
that a change may concern.`,
		Example: `  gate controls --run '^wall-deadline/'
  gate controls --since origin/main`,
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
	flags.StringVar(&run, "run", "", "regular expression that selects controls by claim/control")
	flags.StringVar(&since, "since", "", "run only the controls that what changed since this git revision may concern")
	flags.BoolVar(&fresh, "fresh", false, "replay also what is known to have tripped with the same source")
	flags.StringVar(&cache, "cache", "", "folder that builds are kept in (default: build/gate/_mutants in the module)")
	flags.Uint64Var(&seed, "seed", 0, "order of the attacks (default: drawn and printed)")
	flags.IntVar(&parallel, "parallel", 2, "how many builds run at once")
	flags.StringVar(&jsonTo, "json", "", "write the record to this file, - for standard output")
	return cmd
}
