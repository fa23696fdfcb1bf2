package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns the root of the command, and what the subcommands share.

// defaultOut is where a whole run leaves its files.
const defaultOut = "build/gate"

// mutants is the folder in it for what controls build. The go command passes
// over folders whose names begin with an underscore: edited sources lie there,
// and are no packages of this module.
const mutants = "_mutants"

// command is what the subcommands share.
type command struct{ stdout, stderr *os.File }

func newRoot(stdout, stderr *os.File) *cobra.Command {
	c := &command{stdout, stderr}
	var o wholeOptions
	root := &cobra.Command{
		Use:   "gate",
		Short: "Judge whether what is claimed about containing programs still holds",
		Long: `Gate attacks the real executor with every program of the threat model, shows by
mutations of the source that the attacks can fail, takes the measurements, and
writes one report. Without a subcommand it does all of that:

  gate verify     replay every attack
  gate controls   remove one protection at a time; an attack must notice
  gate bench      take the measurements, as Go benchmark text
  gate ab         compare with a commit: claims and figures
  gate compare    compare two files of benchmark text
  gate history    show how measurements went over the recorded runs
  gate audit      print the threat model and check that it is complete
  gate new        write the skeleton of a claim or an attack
  gate replay     try one attack file, with everything that is seen
  gate walk       call every function a program can reach with hostile values
  gate soak       run thousands of mixed executions and account for each
  gate report     write a recorded run in another form

With --budget the run takes about that long. Every attack is always tried. Of the
rest is left out what does not fit any more, in this order, the most valuable first:
controls that the last commit or what is not committed may concern; other controls;
a sample of the walk; the measurements. The verdict and the report say what was left
out, and with --release that fails.

With --since only those controls run that what changed since then may concern.

Exit status:
  0  everything held
  1  a claim is violated or vacuous, something is worse than its bound, the threat
     model is incomplete, or with --release something was left out
  2  wrong usage, or something is malformed or could not be done: nothing that was
     not tried or cannot be read ends in 0

Under GitHub Actions a whole run also prints annotations, and appends its report to
the summary of the job.`,
		Example: `  gate
  gate --since origin/main --budget 10m
  gate --release --repeat 3 --long-bench
  gate verify --run '^heap-limit/' --repeat 5
  gate controls --run 'wall-deadline'
  gate bench > new.txt && go tool benchstat old.txt new.txt`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return c.whole(cmd, &o) },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetOut(stdout)
	root.SetErr(stderr)
	o.addTo(root)
	root.AddCommand(c.verify(), c.controls(), c.bench(), c.sampler(), c.ab(), c.compare(), c.history(), c.audit(), c.new(), c.replay(), c.report(), c.walk(), c.soak())
	return root
}

// version is the line of --version.
func version() string {
	b := gate.BuildFacts()
	line := fmt.Sprintf("isogate %s, V8 %s, protocol %d, %s", b.Version, b.Engine, b.Protocol, b.Go)
	if b.Revision != "" {
		line += ", " + b.Revision[:min(12, len(b.Revision))]
		if b.Modified {
			line += " modified"
		}
	}
	return line
}

// source finds the module's source and loads the model, complete with the
// checks against the source. Problems are for the report; a model that cannot
// be read at all is an error.
func (c *command) source() (root string, m *threats.Model, problems []string, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", nil, nil, err
	}
	if root, err = gate.FindRoot(dir); err != nil {
		return "", nil, nil, err
	}
	m, problems, err = load(root)
	return root, m, problems, err
}

// load loads the model; root may be empty.
func load(root string) (*threats.Model, []string, error) {
	m, err := gate.LoadModel(root)
	if m == nil {
		return nil, nil, err
	}
	return m, unjoin(err), nil
}

// unjoin returns the texts of the errors that were joined.
func unjoin(err error) []string {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{err.Error()}
	}
	var out []string
	for _, one := range joined.Unwrap() {
		out = append(out, unjoin(one)...)
	}
	return out
}

// progress shows progress on standard error: redrawn on a terminal, plain lines
// elsewhere and in CI.
func (c *command) progress() gate.Progress {
	return gate.NewProgress(c.stderr, c.terminal())
}

// terminal reports whether standard error is a terminal that can be redrawn.
func (c *command) terminal() bool {
	info, err := c.stderr.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("CI") == "" && os.Getenv("TERM") != "dumb" && os.Getenv("TERM") != ""
}

// conclude prints the verdict and what is wrong, and returns the error that
// stands for the exit status.
func (c *command) conclude(record *reports.Record, err error) error {
	for _, line := range record.Failures() {
		fmt.Fprintln(c.stderr, "  "+line)
	}
	for _, line := range record.SetupFailures() {
		fmt.Fprintln(c.stderr, "  "+line)
	}
	fmt.Fprintln(c.stderr, record.Verdict())
	switch {
	case len(record.Failures()) > 0:
		if err != nil {
			fmt.Fprintln(c.stderr, "gate:", err)
		}
		return errFailed
	case err != nil:
		return err
	case len(record.SetupFailures()) > 0:
		return fmt.Errorf("%d controls could not be run", len(record.SetupFailures()))
	}
	return nil
}

// write writes a record in one form to a file, or to standard output for "-".
func (c *command) write(record *reports.Record, format reports.Format, to string) error {
	if to == "-" {
		return format(record, c.stdout)
	}
	return record.WriteFile(to, format)
}

// orRandom returns the seed that was given, or one that is drawn.
func orRandom(cmd *cobra.Command, seed uint64) uint64 {
	if cmd.Flags().Changed("seed") {
		return seed
	}
	return rand.Uint64N(1 << 32)
}

// selection compiles the expression of --run; an empty one selects all.
func selection(expression string) (*regexp.Regexp, error) {
	if expression == "" {
		return nil, nil
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	return re, nil
}
