package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/gate/soak"
)

// This file owns gate soak with the daemon as its target.

// The targets of gate soak.
const (
	targetPool   = "pool"
	targetDaemon = "daemon"
)

// soakFlags are the flags of gate soak that one of its targets has no use for.
var soakFlags = map[string][]string{
	targetPool:   {"time", "connections", "tenants", "rate", "flood", "binary"},
	targetDaemon: {"count"},
}

// checkSoakFlags refuses a target that is none, and flags that change nothing.
func checkSoakFlags(cmd *cobra.Command, target string) error {
	useless, ok := soakFlags[target]
	if !ok {
		return fmt.Errorf("--target is %q, must be %s or %s", target, targetPool, targetDaemon)
	}
	for _, name := range useless {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is of no use with the target %s", name, target)
		}
	}
	return nil
}

// load loads the daemon of a binary, or of one that is built from this tree.
func (c *command) load(cmd *cobra.Command, o soak.LoadOptions, binary, jsonTo string) error {
	if binary == "" {
		here, err := os.Getwd()
		if err != nil {
			return err
		}
		root, err := gate.FindRoot(here)
		if err != nil {
			return fmt.Errorf("%w; or name an isogate with --binary", err)
		}
		folder, err := os.MkdirTemp("", "isogate-load-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		if binary, err = soak.BuildDaemon(cmd.Context(), root, folder); err != nil {
			return err
		}
	}
	o.Binary = binary
	progress := c.progress()
	progress.Note("gate soak: %s, seed %d", version(), o.Seed)
	var end func()
	o.Done, end = gate.Counted(progress, "load, seconds")
	before := gate.HostFacts()
	s, err := soak.Load(cmd.Context(), o)
	end()
	if err != nil {
		return err
	}
	if err := s.Print(c.stdout); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "on %d processors (%s), %d MiB, %s %s; load averages %v before, %v after\n",
		before.CPUs, before.CPU, before.Memory>>20, before.OS, before.Kernel, before.Load, gate.HostFacts().Load)
	if err := writeJSON(s, jsonTo); err != nil {
		return err
	}
	if len(s.Failures()) > 0 {
		return errFailed
	}
	return nil
}
