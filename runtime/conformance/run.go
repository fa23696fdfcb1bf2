package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/isogate/isogate/runtime/conformance/expectations"
	"github.com/isogate/isogate/runtime/conformance/suite"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the course of a run: from the checkout to the verdict.

// run runs the suite that the options name, and prints what came of it.
func run(ctx context.Context, o *options, s streams) error {
	c, err := open(o)
	if err != nil {
		return err
	}
	defer c.close()
	all, selected, err := c.selection(o)
	if err != nil {
		return err
	}
	if o.list {
		for _, t := range selected {
			fmt.Fprintln(s.out, t.Name)
		}
		return nil
	}
	if o.test262 != "" && !sandbox.HasRealms {
		fmt.Fprintln(s.err, "conformance: this build has one realm, tests of several will fail: build it with -tags realms")
	}
	known, err := readExpectations(o, c.Name())
	if err != nil {
		return err
	}
	results, err := runTests(ctx, o, c, selected, s)
	if err != nil {
		return err
	}
	if o.json != "" {
		if err := writeResults(o.json, c, known, results); err != nil {
			return err
		}
	}
	if o.update {
		if known, err = update(o, known.Update(all, results, c.HasSubtests()), c.Name(), s); err != nil {
			return err
		}
	}
	compared := known.Compare(all, results, c.HasSubtests())
	newTable(c, known, results).print(s.out, o.verbose)
	printVerdict(s.out, o, c, known, compared, results)
	if !compared.Held() {
		return errUnexpected
	}
	return nil
}

// runTests runs the tests, with progress.
func runTests(ctx context.Context, o *options, c *checkout, tests []suite.Test, s streams) ([]suite.Result, error) {
	e, err := suite.NewExecutor(ctx, o.parallel, o.profile)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	shown := newProgress(s, c.Name(), len(tests))
	defer shown.end()
	return suite.Run(ctx, c, suite.Executed(e), tests, o.parallel, shown.step)
}

// expectationsFile returns the path of the expectations.
func expectationsFile(o *options, name string) string {
	if o.expectations != "" {
		return o.expectations
	}
	return filepath.Join("runtime", "conformance", name+".yaml")
}

// readExpectations reads what is known to fail. Only an update may begin without.
func readExpectations(o *options, name string) (*expectations.File, error) {
	file := expectationsFile(o, name)
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.update && o.expectations != "":
		text = []byte("suite: " + name + "\n")
	case errors.Is(err, fs.ErrNotExist) && o.expectations == "":
		return nil, fmt.Errorf("there is no %s here: run this in the module's folder, or give --expectations", file)
	case err != nil:
		return nil, fmt.Errorf("--expectations: %w", err)
	}
	known, err := expectations.Read(file, text)
	if err != nil {
		return nil, err
	}
	if known.Suite != name {
		return nil, fmt.Errorf("%s is about the suite %q, not %q", file, known.Suite, name)
	}
	return known, nil
}

// update writes the new expectations, and returns them as they are read again.
func update(o *options, changed *expectations.File, name string, s streams) (*expectations.File, error) {
	file := expectationsFile(o, name)
	text, err := changed.Bytes()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return nil, err
	}
	fmt.Fprintf(s.err, "%s is written\n", file)
	return expectations.Read(file, text)
}
