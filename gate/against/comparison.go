package against

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
)

// This file owns the comparison as a whole.

// Options say what to compare.
type Options struct {
	// Root is the module's root. Folder is where worktrees and builds go; it should be
	// below a folder that the go command passes over.
	Root, Folder string
	// Reference is any name of a commit that git knows.
	Reference string
	// Seed is that of the order of the attacks and of the intervals. With Seeded false
	// the seed with which the reference was verified before is taken, if it was.
	Seed   uint64
	Seeded bool
	// Claims selects attacks by "claim/attack", as gate verify --run does; "" selects
	// all. NoClaims leaves them out, NoFigures the measurements.
	Claims              string
	NoClaims, NoFigures bool
	// Figures selects benchmarks by name, nil selects all.
	Figures *regexp.Regexp
	// Release says that what is not known fails.
	Release bool
	// Time bounds how long samples are taken, 0 for no bound.
	Time     time.Duration
	Progress gate.Progress
}

// comparison is one comparison while it is made.
type comparison struct {
	Options
	commit    string
	workspace *workspace
	// run is the folder of this comparison alone.
	run     string
	record  *reports.Record
	against *reports.Against
}

// Run compares. What is worse is in the record; the error says that something could
// not be done, and then there is no record. Whatever was made for this comparison
// alone is removed, also when ctx ends.
func Run(ctx context.Context, o Options) (record *reports.Record, err error) {
	if o.NoClaims && o.NoFigures {
		return nil, errors.New("neither claims nor figures are to be compared")
	}
	c := &comparison{Options: o, record: gate.NewRecord()}
	c.record.Release = o.Release
	repository := repository{o.Root}
	if c.commit, err = repository.commit(ctx, o.Reference); err != nil {
		return nil, err
	}
	if err := repository.describe(ctx, &c.record.Build); err != nil {
		return nil, err
	}
	c.against = &reports.Against{Reference: o.Reference, Revision: c.commit, Release: o.Release}
	c.record.Against = c.against
	if c.workspace, err = openWorkspace(ctx, repository, o.Folder); err != nil {
		return nil, err
	}
	run, err := c.workspace.scratch(runPrefix)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.workspace.discard(ctx, run)) }()
	c.run = run.path
	if err := c.compare(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, err
	}
	c.record.DurationMS = time.Since(c.record.Started).Milliseconds()
	return c.record, nil
}

// compare builds both sides and compares first what is claimed, then the figures.
func (c *comparison) compare(ctx context.Context) error {
	thresholds, err := c.thresholds()
	if err != nil {
		return err
	}
	if !c.NoFigures && c.Figures != nil && !slices.ContainsFunc(thresholds.Benchmarks, func(r bench.Registration) bool { return c.Figures.MatchString(r.Name) }) {
		return fmt.Errorf("no benchmark matches %v", c.Figures)
	}
	// Paths of the same length, so that what lies behind them in memory is laid out alike.
	newSampler, oldSampler := filepath.Join(c.run, "new", "sampler"), filepath.Join(c.run, "old", "sampler")
	c.Progress.Note("building this state of the source")
	if err := build(ctx, c.Root, samplerPackage, newSampler); err != nil {
		return fmt.Errorf("this state of the source does not build: %w", err)
	}
	newGate := filepath.Join(c.run, "new", "gate")
	if !c.NoClaims {
		if err := build(ctx, c.Root, gatePackage, newGate); err != nil {
			return fmt.Errorf("this state of the source does not build: %w", err)
		}
	}
	built, err := c.buildReference(ctx)
	if err != nil {
		return err
	}
	c.against.Harness = built.harness
	if c.NoClaims {
		c.record.LeftOut = append(c.record.LeftOut, "the claims were not compared")
	} else if err := c.compareClaims(ctx, built, newGate); err != nil {
		return err
	}
	if c.NoFigures {
		c.record.LeftOut = append(c.record.LeftOut, "the figures were not compared")
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(oldSampler), 0o755); err != nil {
		return err
	}
	if err := linkOrCopy(built.sampler, oldSampler); err != nil {
		return err
	}
	if c.against.Identical, err = sameFile(oldSampler, newSampler); err != nil {
		return err
	}
	if c.against.Identical {
		c.Progress.Note("what is measured is the same to the byte on both sides")
	}
	selected := thresholds.Benchmarks
	if c.Figures != nil {
		c.record.LeftOut = append(c.record.LeftOut, fmt.Sprintf("the figures of benchmarks that do not match %v were not compared", c.Figures))
		selected = slices.DeleteFunc(slices.Clone(selected), func(r bench.Registration) bool { return !c.Figures.MatchString(r.Name) })
	}
	return c.compareFigures(ctx, selected, oldSampler, newSampler)
}

// thresholds returns what is registered. This binary knows the registered figures that
// it was built with, and the samplers those of the source.
func (c *comparison) thresholds() (*bench.Thresholds, error) {
	name := filepath.Join(c.Root, benchFolder, "thresholds.json")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	t, err := bench.ReadThresholds(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w (or this gate was built from another state of the source: build it anew)", name, err)
	}
	return t, nil
}

// linkOrCopy makes a file that holds the same as another.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o755)
}
