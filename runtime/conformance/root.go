package main

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/sandbox"
)

// This file owns the command line: flags and help.

const help = `Conformance runs a checkout of web-platform-tests or of test262 through the real
sandbox: every test is a program in an isolate of its own, in a sealed child process,
with eval granted. The suites are not part of this repository:

  git clone --depth 1 https://github.com/web-platform-tests/wpt
  git clone --depth 1 https://github.com/tc39/test262

Of web-platform-tests it runs the files *.any.js, with all their variants, and counts
subtests; of test262 all tests but those of Temporal, of several agents and of
document.all, and those in staging, each in strict mode and not as INTERPRETING.md says,
and counts files. A subtest that was not reported, because the harness failed or the
process ended, has failed.

Tests of several realms of test262 need a build with -tags realms, which gives the
programs of this command, and of no other, a way to make realms.

The table shows what passes by area; for web-platform-tests also what the best of Node,
Deno and Bun passes. What is known to fail is in an expectations file, in groups that
each have a reason. What is printed besides is what did not go as expected: a failure
that no group has, a test that passes and is in one, and entries that mean nothing any
more. --update rewrites the file from the run; reasons stay.

A test that crashes its process, is killed or runs out of time has failed like that, and
the run goes on.

Exit status:
  0  everything as expected
  1  something failed or passed that was not expected to
  2  wrong usage, or something could not be done`

const examples = `  go run ./runtime/conformance --wpt ../wpt
  go run ./runtime/conformance --wpt ../wpt --run '^url/' --verbose
  go run -tags realms ./runtime/conformance --test262 ../test262 --json results.json
  go run -tags realms ./runtime/conformance --test262 ../test262 --run '^built-ins/Set/' --update`

// options are what the flags say.
type options struct {
	wpt, test262       string
	run                string
	parallel           int
	timeout            time.Duration
	profile            string
	json, expectations string
	temporal, staging  bool
	list, verbose      bool
	update             bool

	selected *regexp.Regexp // of run; nil when it is empty
}

func newRoot(s streams) *cobra.Command {
	o := new(options)
	root := &cobra.Command{
		Use:           "conformance (--wpt DIR | --test262 DIR)",
		Short:         "Run web-platform-tests or test262 through the real sandbox",
		Long:          help,
		Example:       examples,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return run(cmd.Context(), o, s)
		},
	}
	root.SetOut(s.out)
	root.SetErr(s.err)
	flags := root.Flags()
	flags.StringVar(&o.wpt, "wpt", "", "checkout of web-platform-tests, `DIR`")
	flags.StringVar(&o.test262, "test262", "", "checkout of test262, `DIR`")
	flags.StringVar(&o.run, "run", "", "run the tests whose names match `REGEXP`, also those that are not run by default")
	flags.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "how many tests run at once, each in its own process")
	flags.DurationVar(&o.timeout, "timeout", 0, "how long a test may take (default 10s for web-platform-tests, 20s of processor time for test262)")
	flags.StringVar(&o.profile, "profile", sandbox.ProfileHardened, "engine profile, `NAME`: hardened or jit; with jit WebAssembly is granted too")
	flags.StringVar(&o.json, "json", "", "write every result to `FILE`")
	flags.StringVar(&o.expectations, "expectations", "", "`FILE` of what is known to fail (default runtime/conformance/wpt.yaml or test262.yaml)")
	flags.BoolVar(&o.update, "update", false, "rewrite the expectations file from this run")
	flags.BoolVar(&o.temporal, "temporal", false, "run test262's tests of Temporal too")
	flags.BoolVar(&o.staging, "staging", false, "run test262's tests in staging too")
	flags.BoolVar(&o.list, "list", false, "print the names of the selected tests and run none")
	flags.BoolVar(&o.verbose, "verbose", false, "print every failure, expected or not, and every area")
	return root
}

// check completes the options, or says what is wrong with them.
func (o *options) check() error {
	switch {
	case o.wpt == "" && o.test262 == "":
		return errors.New("nothing to run: give --wpt DIR or --test262 DIR; --help explains")
	case o.wpt != "" && o.test262 != "":
		return errors.New("--wpt and --test262 exclude each other: one run is of one suite")
	case o.wpt != "" && (o.temporal || o.staging):
		return errors.New("--temporal and --staging are about test262")
	case o.parallel < 1:
		return fmt.Errorf("--parallel: %d is not at least 1", o.parallel)
	case o.timeout < 0:
		return fmt.Errorf("--timeout: %v is negative", o.timeout)
	case o.profile != sandbox.ProfileHardened && o.profile != sandbox.ProfileJIT:
		return fmt.Errorf("--profile: there is no profile %q, only %s and %s", o.profile, sandbox.ProfileHardened, sandbox.ProfileJIT)
	case o.list && o.update:
		return errors.New("--list runs nothing, so --update has nothing to go by")
	}
	if o.run != "" {
		var err error
		if o.selected, err = regexp.Compile(o.run); err != nil {
			return fmt.Errorf("--run: %w", err)
		}
	}
	return nil
}
