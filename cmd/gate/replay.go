package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
)

// This file owns gate replay.

func (c *command) replay() *cobra.Command {
	var targetName string
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Try one attack file, with everything that is seen",
		Long: `Replay tries the attack in a file, which need not be part of the threat model,
and prints the result as the caller is given it, what it cost, and what is wrong.`,
		Example: "  gate replay threats/heap-limit/push-objects.js",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := gate.FindTarget(targetName)
			if err != nil {
				return fmt.Errorf("--target: %w", err)
			}
			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			claim := filepath.Base(filepath.Dir(args[0]))
			attack, err := gate.Replay(cmd.Context(), target, args[0], claim, text, c.stdout)
			if err != nil {
				return err
			}
			if attack.Outcome != reports.AttackHeld {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&targetName, "target", gate.DefaultTarget, targetUsage)
	return cmd
}
