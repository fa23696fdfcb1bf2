package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns gate audit and replay.

func (c *command) audit() *cobra.Command {
	var chapter string
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Print the threat model and check that it is complete",
		Long: `Audit prints every claim with its owners, attacks, controls and status, and what is
not claimed. It fails when a claim has no attack, owner or control, when an owner is
gone, when a control does not apply to the source, or when an attack in Go has no
claim.`,
		Example: "  gate audit --chapter docs/threat-model.md",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, model, problems, err := c.source()
			if err != nil {
				return err
			}
			if chapter != "" {
				err = writeChapter(chapter, model)
			} else {
				err = gate.Audit(model, c.stdout)
			}
			if err != nil {
				return err
			}
			for _, problem := range problems {
				fmt.Fprintln(c.stderr, problem)
			}
			if len(problems) > 0 {
				fmt.Fprintf(c.stderr, "FAILED: the threat model has %d problems\n", len(problems))
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&chapter, "chapter", "", "write the claims into this document, between its two lines for them, instead of printing")
	return cmd
}

// writeChapter makes the part on the claims anew in a document.
func writeChapter(file string, m *threats.Model) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	made, err := gate.Chapter(string(text), m)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(made), 0o644)
}

func (c *command) replay() *cobra.Command {
	return &cobra.Command{
		Use:   "replay FILE",
		Short: "Try one attack file, with everything that is seen",
		Long: `Replay tries the attack in a file, which need not be part of the threat model,
and prints the result as the caller is given it, what it cost, and what is wrong.`,
		Example: "  gate replay threats/heap-limit/push-objects.js",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			claim := filepath.Base(filepath.Dir(args[0]))
			attack, err := gate.Replay(cmd.Context(), args[0], claim, text, c.stdout)
			if err != nil {
				return err
			}
			if attack.Outcome != reports.AttackHeld {
				return errFailed
			}
			return nil
		},
	}
}
