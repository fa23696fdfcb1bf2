package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
)

// This file owns the command without a subcommand, the whole run.

// wholeOptions are the flags of a whole run.
type wholeOptions struct {
	out, target, since, jsonTo string
	seed                       uint64
	repeat, parallel           int
	long, release, fresh       bool
	budget                     time.Duration
}

func (o *wholeOptions) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.out, "out", defaultOut, "folder for the record and the reports, relative to the module's root")
	flags.StringVar(&o.jsonTo, "json", "", "write the record to this file as well, - for standard output")
	flags.StringVar(&o.target, "target", gate.DefaultTarget, targetUsage+"; of another than the default only the attacks run")
	flags.StringVar(&o.since, "since", "", "of the controls, run only those that what changed since this git revision may concern")
	flags.BoolVar(&o.fresh, "fresh", false, "replay also controls that are known to have tripped with the same source")
	flags.DurationVar(&o.budget, "budget", 0, "leave out what does not fit into this time, such as 10m; 0 for all")
	flags.BoolVar(&o.release, "release", false, "fail when anything is left out")
	flags.Uint64Var(&o.seed, "seed", 0, "order of the attacks (default: drawn and printed)")
	flags.IntVar(&o.repeat, "repeat", 1, "how often each attack is tried")
	flags.IntVar(&o.parallel, "parallel", 2, "how many mutants are built at once")
	flags.BoolVar(&o.long, "long-bench", false, "take the full number of samples of the measurements")
}

// whole makes a whole run.
func (c *command) whole(cmd *cobra.Command, o *wholeOptions) error {
	target, err := gate.FindTarget(o.target)
	if err != nil {
		return fmt.Errorf("--target: %w", err)
	}
	if o.budget < 0 {
		return fmt.Errorf("--budget is %v, must not be negative", o.budget)
	}
	if err := errors.Join(atLeast("repeat", o.repeat, 1), atLeast("parallel", o.parallel, 1)); err != nil {
		return err
	}
	source, model, problems, err := c.source()
	if err != nil {
		return err
	}
	problems = append(problems, chapterProblems(source, model)...)
	out := o.out
	if !filepath.IsAbs(out) {
		out = filepath.Join(source, out)
	}
	before, err := recordBefore(out)
	if err != nil {
		return err
	}
	seed := orRandom(cmd, o.seed)
	progress := c.progress()
	progress.Note("gate: %s, target %s, seed %d", version(), target.Name, seed)
	record, runErr := gate.Run(cmd.Context(), model, gate.Options{
		Root: source, Cache: filepath.Join(source, defaultOut, mutants), Seed: seed, Repeat: o.repeat, Parallel: o.parallel, Target: target,
		Since: o.since, Fresh: o.fresh, Short: !o.long, Budget: o.budget, Release: o.release, Before: before, Progress: progress,
	})
	if runErr != nil && record.Claims == nil {
		return runErr // nothing came of it; what an earlier run left stays
	}
	record.Problems = problems
	if err := errors.Join(writeAll(record, out), remember(record)); err != nil {
		return errors.Join(err, runErr)
	}
	if o.jsonTo != "" {
		if err := c.write(record, (*reports.Record).Write, o.jsonTo); err != nil {
			return errors.Join(err, runErr)
		}
	}
	// Annotations go to standard output, which the record may have.
	if o.jsonTo != "-" {
		if err := c.tellActions(record); err != nil {
			return errors.Join(err, runErr)
		}
	}
	for _, line := range record.LeftOut {
		fmt.Fprintf(c.stderr, "left out: %s\n", line)
	}
	fmt.Fprintf(c.stderr, "report: %s\n", filepath.Join(out, "report.html"))
	return c.conclude(record, runErr)
}

// recordBefore reads the record that an earlier run left in the folder; nil when there
// is none, or one of another schema than this build's. It tells only how long a run
// takes, and a new one is about to take its place.
func recordBefore(dir string) (*reports.Record, error) {
	record, err := reports.ReadFile(filepath.Join(dir, "record.json"))
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, err // then a new one cannot be written either
	case err != nil:
		return nil, nil
	}
	return record, nil
}
