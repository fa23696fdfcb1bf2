package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/gate/soak"
	"github.com/isogate/isogate/gate/walk"
)

// This file owns gate walk and gate soak, which take minutes.

func (c *command) walk() *cobra.Command {
	var o walk.Options
	var jsonTo string
	cmd := &cobra.Command{
		Use:   "walk",
		Short: "Call every function a program can reach with hostile values",
		Long: `Walk lists every function that is reachable from a program's global and calls each
with hostile receivers and arguments (huge lengths, endless iterables, throwing
proxies, cycles), every call in an execution of its own with a short deadline. It
fails when one ends in anything but a value, a guest error or a typed fault, or late.
All cases take about ten minutes on two processors; --sample takes some of them.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Seed = orRandom(cmd, o.Seed)
			progress := c.progress()
			progress.Note("gate walk: %s, seed %d", version(), o.Seed)
			s, err := gate.Walk(cmd.Context(), o, progress)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.stdout, "%d functions, %d calls: %d values, %d guest errors, %d interrupted, %d killed, %d out of memory, %d other limits, %d crashes; the longest took %.0f ms\n",
				s.Functions, s.Cases, s.Values, s.GuestErrors, s.Interrupted, s.Killed, s.Memory, s.OtherLimits, len(s.Crashes), s.LongestMS)
			fmt.Fprintf(c.stdout, "%d functions ended by a kill only:\n", len(s.Uninterruptible))
			for _, name := range s.Uninterruptible {
				fmt.Fprintln(c.stdout, "  "+name)
			}
			for _, line := range s.Crashes {
				fmt.Fprintln(c.stdout, "crash: "+line)
			}
			for _, line := range s.Wrong {
				fmt.Fprintln(c.stderr, "WRONG: "+line)
			}
			if err := writeJSON(s, jsonTo); err != nil {
				return err
			}
			if len(s.Wrong) > 0 {
				return errFailed
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.Sample, "sample", 0, "how many cases to try, 0 for all")
	flags.Uint64Var(&o.Seed, "seed", 0, "seed of the order, and with --sample of the choice (default: random)")
	flags.IntVar(&o.Children, "children", 2, "how many run at a time")
	flags.StringVar(&jsonTo, "json", "", "write what was seen to this file")
	return cmd
}

func (c *command) soak() *cobra.Command {
	o, load := soak.Options{}, soak.DefaultLoad
	var target, binary, jsonTo string
	cmd := &cobra.Command{
		Use:   "soak",
		Short: "Run thousands of mixed executions and account for each",
		Long: `Soak runs good programs, the attacks of the threat model, cancellations and failing
tools on a small pool whose children are killed at random. It fails when an execution
has no ending or a wrong one, when a good program gets a wrong answer, when a zombie
is left, or when the host's memory, goroutines or descriptors grow.

With --target daemon it loads the daemon instead: hundreds of connections of several
tenants, one of which asks for far more than there is room for. It tells what each
tenant was answered, how soon, and how the daemon's memory went, and fails when an
execution that was sent has not exactly one answer, by the count of the clients and by
that of the daemon, or a wrong one, when the daemon's memory or descriptors grow, or
when it does not drain.`,
		Example: "  gate soak --count 10000 --seed 1\n  gate soak --target daemon --time 10m --connections 200 --tenants 4",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkSoakFlags(cmd, target); err != nil {
				return err
			}
			if target == targetDaemon {
				load.Seed = orRandom(cmd, o.Seed)
				if cmd.Flags().Changed("children") {
					load.Children = o.Children
				}
				return c.load(cmd, load, binary, jsonTo)
			}
			if o.Count < 1 {
				return fmt.Errorf("--count is %d, must be at least 1", o.Count)
			}
			o.Seed = orRandom(cmd, o.Seed)
			progress := c.progress()
			progress.Note("gate soak: %s, seed %d", version(), o.Seed)
			var end func()
			o.Done, end = gate.Counted(progress, "soak")
			s, err := soak.Run(cmd.Context(), o)
			end()
			if err != nil {
				return err
			}
			if err := s.Print(c.stdout); err != nil {
				return err
			}
			if err := writeJSON(s, jsonTo); err != nil {
				return err
			}
			if len(s.Failures()) > 0 {
				return errFailed
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&target, "target", targetPool, "what is put under load: pool or daemon")
	flags.IntVar(&o.Count, "count", 10_000, "how many executions, of the pool")
	flags.Uint64Var(&o.Seed, "seed", 0, "seed of the mix (default: random)")
	flags.IntVar(&o.Children, "children", 2, "size of the pool; 4 for the daemon")
	flags.DurationVar(&load.Time, "time", load.Time, "how long the daemon is flooded, after a tenth of that without")
	flags.IntVar(&load.Connections, "connections", load.Connections, "connections of the daemon, of all tenants")
	flags.IntVar(&load.Tenants, "tenants", load.Tenants, "tenants of the daemon, one of which floods")
	flags.Float64Var(&load.Rate, "rate", load.Rate, "executions a second that the other tenants ask the daemon for")
	flags.Float64Var(&load.Flood, "flood", load.Flood, "executions a second that the tenant which floods asks the daemon for")
	flags.StringVar(&binary, "binary", "", "the isogate whose daemon is loaded (default: it is built here)")
	flags.StringVar(&jsonTo, "json", "", "write what was seen to this file")
	return cmd
}

// writeJSON writes v to a file, unless the name is empty.
func writeJSON(v any, file string) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
