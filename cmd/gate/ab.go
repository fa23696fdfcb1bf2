package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/gate/against"
	"github.com/isogate/isogate/reports"
)

// This file owns gate ab.

// comparisons is the folder for worktrees and builds of references, below the folder
// of whole runs. The go command passes over it, see mutants.
const comparisons = "_ab"

// abOptions are the flags of gate ab.
type abOptions struct {
	against.Options
	figures, jsonTo, out string
}

func (c *command) ab() *cobra.Command {
	var o abOptions
	cmd := &cobra.Command{
		Use:   "ab REFERENCE",
		Short: "Compare this state of the source with a commit: claims and figures",
		Long: `Ab checks the commit out beside this state (which may have changes that are not
committed), builds both, and compares what is claimed and what is measured. A report
in Markdown goes to standard output.

Both sides replay the attacks of their threat models in the same order. A claim that
was held and is not any more is named first.

Samples are taken of both sides in turns, in pairs, with a second process of this
state that shows what the machine makes of no change. After 10 pairs each figure is
better, the same, worse, unknown or unfit (this machine cannot judge it now); of the
last two up to 30 pairs are taken. Unknown and unfit figures are shown; with --release
they fail, as do figures that only one side gave, and whatever was left out.

Builds of the commit and what its attacks showed are kept in build/gate/` + comparisons + `.

Exit status: 0 nothing is worse, 1 a claim is broken or a figure is worse, 2 wrong
usage, no such commit, something does not build or could not be done.`,
		Example: `  gate ab HEAD~1
  gate ab origin/main --no-claims --time 3m
  gate ab v1.2.0 --release --json ab.json --out ab
  gate ab HEAD --claims '^heap-limit/' --figures '^WarmRun$'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Reference = args[0]
			return c.compareWith(cmd, &o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Claims, "claims", "", "regular expression that selects attacks by claim/attack, on both sides")
	flags.StringVar(&o.figures, "figures", "", "regular expression that selects benchmarks by name")
	flags.BoolVar(&o.NoClaims, "no-claims", false, "compare the figures only")
	flags.BoolVar(&o.NoFigures, "no-figures", false, "compare the claims only")
	flags.BoolVar(&o.Release, "release", false, "fail also when something is not known or was left out")
	flags.DurationVar(&o.Time, "time", 10*time.Minute, "begin no more samples after this time of sampling")
	flags.Uint64Var(&o.Seed, "seed", 0, "order of the attacks, and the intervals' resamples (default: that of the kept record of the commit, or drawn)")
	flags.StringVar(&o.jsonTo, "json", "", "write the record to this file, - for standard output in place of the report")
	flags.StringVar(&o.out, "out", "", "leave the record, the reports, old.txt and new.txt (which benchstat reads) in this folder")
	return cmd
}

// compareWith compares, and writes what came of it.
func (c *command) compareWith(cmd *cobra.Command, o *abOptions) error {
	if o.NoClaims && (o.NoFigures || o.Claims != "") {
		return errors.New("--no-claims goes neither with --no-figures nor with --claims")
	}
	if o.Time <= 0 {
		return fmt.Errorf("--time is %v, must be above 0", o.Time)
	}
	if _, err := selection(o.Claims); err != nil {
		return fmt.Errorf("--claims: %w", errors.Unwrap(err))
	}
	if o.figures != "" {
		figures, err := regexp.Compile(o.figures)
		if err != nil {
			return fmt.Errorf("--figures: %w", err)
		}
		o.Figures = figures
	}
	if o.NoFigures && o.Figures != nil {
		return errors.New("--no-figures does not go with --figures")
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if o.Root, err = gate.FindRoot(dir); err != nil {
		return err
	}
	o.Folder = filepath.Join(o.Root, defaultOut, comparisons)
	o.Seeded = cmd.Flags().Changed("seed")
	o.Seed = orRandom(cmd, o.Seed)
	o.Progress = c.progress()
	o.Progress.Note("gate ab: %s, against %s, seed %d", version(), o.Reference, o.Seed)
	record, err := against.Run(cmd.Context(), o.Options)
	if err != nil {
		return err
	}
	if err := c.writeComparison(record, o); err != nil {
		return err
	}
	return c.conclude(record, nil)
}

// writeComparison writes the record in the forms that were asked for.
func (c *command) writeComparison(record *reports.Record, o *abOptions) error {
	if o.jsonTo != "-" {
		if err := c.write(record, reports.Markdown, "-"); err != nil {
			return err
		}
	}
	if o.jsonTo != "" {
		if err := c.write(record, (*reports.Record).Write, o.jsonTo); err != nil {
			return err
		}
	}
	if o.out == "" {
		return nil
	}
	if err := writeAll(record, o.out); err != nil {
		return err
	}
	if len(record.Against.Changes) == 0 {
		return nil
	}
	for name, form := range map[string]reports.Format{"old.txt": reports.BenchTextOld, "new.txt": reports.BenchTextNew} {
		if err := record.WriteFile(filepath.Join(o.out, name), form); err != nil {
			return err
		}
	}
	return nil
}
