package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/threats"
)

// This file owns gate new.

func (c *command) new() *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "new",
		Short: "Write the skeleton of a claim or an attack",
		Long: `New writes the first form of a claim or of an attack, with comments that say what
belongs where. It is marked as a draft, and the gate reports the model as incomplete
until it is filled in and the mark is removed. Nothing that is there is overwritten.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("new needs claim or attack; see gate new --help")
		},
	}
	cmd.PersistentFlags().StringVar(&folder, "threats", "", "the folder of claims (default: threats in the module)")
	cmd.AddCommand(c.newClaim(&folder), c.newAttack(&folder))
	return cmd
}

func (c *command) newClaim(folder *string) *cobra.Command {
	var o gate.NewClaimOptions
	var boundary, severity string
	cmd := &cobra.Command{
		Use:     "claim ID",
		Short:   "Write threats/ID/claim.yaml",
		Example: `  gate new claim clocks-coarse --title "Clocks are coarse" --boundary isolate --severity medium --owner sandbox/timers.go`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			claims, err := claimsFolder(*folder)
			if err != nil {
				return err
			}
			o.ID, o.Boundary, o.Severity = args[0], threats.Boundary(boundary), threats.Severity(severity)
			file, err := gate.NewClaim(claims, o)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.stdout, file)
			fmt.Fprintf(c.stderr, "next: fill it in, then gate new attack %s NAME; gate audit says what is missing\n", o.ID)
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Title, "title", "", "what holds, in one line")
	flags.StringVar(&boundary, "boundary", string(threats.BoundaryIsolate), "which boundary it is about: isolate, process, message, network, adapter")
	flags.StringVar(&severity, "severity", string(threats.SeverityHigh), "what it costs when it falls: critical, high, medium, low")
	flags.StringVar(&o.Owner, "owner", "", "a file that enforces it, relative to the module's root")
	return cmd
}

func (c *command) newAttack(folder *string) *cobra.Command {
	var o gate.NewAttackOptions
	cmd := &cobra.Command{
		Use:     "attack CLAIM NAME",
		Short:   "Write threats/CLAIM/NAME.js",
		Example: `  gate new attack heap-limit endless-sets --title "an endless set" --source own`,
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			claims, err := claimsFolder(*folder)
			if err != nil {
				return err
			}
			o.Claim, o.Name = args[0], args[1]
			file, err := gate.NewAttack(claims, o)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.stdout, file)
			fmt.Fprintf(c.stderr, "next: write the program and its safe outcome, then gate replay %s\n", file)
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Title, "title", "", "what the program does, in a few words")
	flags.StringVar(&o.Source, "source", "", `where the idea is from: a catalogue's id, an advisory (default "own")`)
	flags.BoolVar(&o.TypeScript, "typescript", false, "write NAME.ts")
	return cmd
}

// claimsFolder returns the folder of claims: the one that was given, or the module's.
func claimsFolder(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	root, err := gate.FindRoot(dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "threats"), nil
}
