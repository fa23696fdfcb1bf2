package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns gate verify.

func (c *command) verify() *cobra.Command {
	var run, jsonTo, targetName, folder string
	var seed uint64
	var repeat, parallel int
	var stop, sourceChecks bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Replay every attack against the real executor",
		Long: `Verify replays attacks in an order drawn from the seed. After each of them the
next execution must be right and see the world that it saw before any attack, no
process, file or goroutine may be left, and nothing of the host or of another
execution may stand in anything that came out.

The targets are:
` + targetHelp() + `
What an attack or a claim is not made for is shown as unsupported, with the reason.

With --parallel that many attacks that are programs run side by side, each on an
executor of its own; attacks in Go run alone afterwards. What is left in this
process is looked for once then, not after each attack, and a process that is left
can be laid at the door of a neighbour; and neighbours take processors from attacks
that measure time. The default is 1.`,
		Example: `  gate verify --run '^heap-limit/' --repeat 5
  gate verify --target jit --seed 7 --json verify.json
  gate verify --threats my/claims`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			selected, err := selection(run)
			if err != nil {
				return err
			}
			target, err := gate.FindTarget(targetName)
			if err != nil {
				return fmt.Errorf("--target: %w", err)
			}
			if err := atLeast("repeat", repeat, 1); err != nil {
				return err
			}
			if err := atLeast("parallel", parallel, 1); err != nil {
				return err
			}
			root := ""
			if dir, err := os.Getwd(); sourceChecks && err == nil {
				if root, err = gate.FindRoot(dir); err != nil {
					fmt.Fprintf(c.stderr, "owners and controls are not checked: %v\n", err)
				}
			}
			model, problems, err := loadFrom(folder, root)
			if err != nil {
				return err
			}
			seed = orRandom(cmd, seed)
			progress := c.progress()
			progress.Note("gate verify: %s, target %s, seed %d", version(), target.Name, seed)
			record := gate.NewRecord()
			record.Verify = reports.Verify{Seed: seed, Repeat: repeat, Run: run, Target: target.Name, Parallel: parallel}
			if target.Profile != "" {
				record.Build.Profile = target.Profile
			}
			record.Problems = problems
			record.Claims, err = gate.Verify(cmd.Context(), gate.VerifyOptions{
				Model: model, Run: selected, Seed: seed, Repeat: repeat, Target: target, Parallel: parallel, StopAtFirst: stop, Progress: progress,
			})
			if err != nil {
				return err
			}
			return c.finish(record, jsonTo)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&run, "run", "", "regular expression that selects attacks by claim/attack")
	flags.StringVar(&targetName, "target", gate.DefaultTarget, targetUsage)
	flags.Uint64Var(&seed, "seed", 0, "order of the attacks (default: drawn and printed)")
	flags.IntVar(&repeat, "repeat", 1, "how often each attack is tried; it must hold each time")
	flags.IntVar(&parallel, "parallel", 1, "how many attacks that are programs run at a time")
	flags.StringVar(&folder, "threats", "", "read the claims from this folder, not those that are built in")
	flags.StringVar(&jsonTo, "json", "", "write the record to this file, - for standard output")
	flags.BoolVar(&stop, "stop-at-first", false, "stop at the first attack that does not end safely")
	// For mutants, whose source on disk is not what they were built from.
	flags.BoolVar(&sourceChecks, "source-checks", true, "check owners and controls against the source")
	_ = flags.MarkHidden("source-checks") // the flag exists
	return cmd
}

// targetUsage says what --target is.
var targetUsage = "what to attack: " + strings.Join(gate.TargetNames(), ", ")

// targetHelp lists the targets, a line for each.
func targetHelp() string {
	var b strings.Builder
	for _, k := range gate.Targets() {
		fmt.Fprintf(&b, "  %-10s %s\n", k.Name, k.Title)
	}
	return b.String()
}

// loadFrom loads the model from a folder, or the one that is built in when it is "".
// root may be empty.
func loadFrom(folder, root string) (*threats.Model, []string, error) {
	if folder == "" {
		return load(root)
	}
	m, err := gate.LoadModelFrom(folder, root)
	if m == nil {
		return nil, nil, err
	}
	return m, unjoin(err), nil
}

// atLeast refuses a number that is too small.
func atLeast(flag string, n, least int) error {
	if n < least {
		return fmt.Errorf("--%s is %d, must be at least %d", flag, n, least)
	}
	return nil
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
