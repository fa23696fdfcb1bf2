package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns gate audit.

func (c *command) audit() *cobra.Command {
	var chapter, recordFile, folder string
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Print the threat model with the last evidence, and check that it is complete",
		Long: `Audit prints the threat model as one document: the known gaps, every claim with its
owners, attacks, controls and what the last run saw of each, and what is not
claimed. The evidence is from build/gate/record.json if that is of this commit, or
from the file that --record names; the document says when and of what it is.

It fails when a claim has no attack, owner or control, when an attack in Go has no
claim, when something is a draft, when an owner is gone, when a control does not
apply to the source, when the gate was built from another threat model, and when the
chapter docs/threat-model.md is not what the model says; --chapter renews it.`,
		Example: `  gate audit > audit.md
  gate audit --record build/gate/record.json
  gate audit --chapter docs/threat-model.md`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			root, err := gate.FindRoot(dir)
			if err != nil {
				return err
			}
			model, problems, err := loadFrom(folder, root)
			if err != nil {
				return err
			}
			if chapter != "" {
				err = writeChapter(chapter, model)
			} else {
				err = c.printAudit(cmd, model, root, recordFile)
			}
			if err != nil {
				return err
			}
			if folder == "" {
				problems = append(problems, chapterProblems(root, model)...)
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
	flags := cmd.Flags()
	flags.StringVar(&chapter, "chapter", "", "write the claims into this document, between its two lines for them, instead of printing")
	flags.StringVar(&recordFile, "record", "", "take the evidence from this record (default: build/gate/record.json, if it is of this commit)")
	flags.StringVar(&folder, "threats", "", "read the claims from this folder, not those that are built in")
	return cmd
}

// printAudit prints the document.
func (c *command) printAudit(cmd *cobra.Command, m *threats.Model, root, recordFile string) error {
	evidence, err := lastEvidence(root, recordFile, gate.Revision(cmd.Context(), root))
	if err != nil {
		return err
	}
	return gate.Audit(m, evidence, c.stdout)
}

// lastEvidence reads the record that was named, or the one that the last whole run
// left. A file that was named must be there, and neither may be malformed.
func lastEvidence(root, named, revision string) (gate.Evidence, error) {
	e := gate.Evidence{Revision: revision, File: named}
	if named == "" {
		e.File = filepath.Join(root, defaultOut, "record.json")
	}
	record, err := reports.ReadFile(e.File)
	if named == "" && errors.Is(err, fs.ErrNotExist) {
		return gate.Evidence{Revision: revision}, nil
	}
	if err != nil {
		return e, err
	}
	e.Record, e.Asked = record, named != ""
	return e, nil
}

// chapterProblems returns what is wrong with the chapter in the source.
func chapterProblems(root string, m *threats.Model) []string {
	if err := gate.CheckChapter(filepath.Join(root, filepath.FromSlash(gate.ChapterFile)), m); err != nil {
		return []string{err.Error()}
	}
	return nil
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
