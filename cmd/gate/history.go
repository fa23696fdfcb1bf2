package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/gate/history"
	"github.com/isogate/isogate/reports"
)

// This file owns gate history, and keeping the records that it shows.

// kept is the folder for records of runs, below the folder of whole runs.
const kept = "history"

func (c *command) history() *cobra.Command {
	var metric, svg string
	cmd := &cobra.Command{
		Use:   "history [RECORD|FOLDER]…",
		Short: "Show how measurements went over the recorded runs",
		Long: fmt.Sprintf(`History reads records of runs, and folders of them, and prints a row for each measured
figure: the medians as a line of blocks, the first and the last run, and the least,
the median and the most of all runs. --svg draws the medians with their quartiles and
the commits.

Without arguments it reads %s/%s, where each whole run and each gate
bench leaves its record; the last %d are kept.

Exit status: 0 shown, 2 wrong usage, nothing to show, or a record that cannot be read,
which is named; what can be read is shown all the same.`, defaultOut, kept, history.Kept),
		Example: `  gate history
  gate history --metric '^WarmRun/ns/op$' --svg warm.svg
  gate history old/record.json new/record.json`,
		RunE: func(_ *cobra.Command, args []string) error {
			var selected *regexp.Regexp
			var err error
			if metric != "" {
				if selected, err = regexp.Compile(metric); err != nil {
					return fmt.Errorf("--metric: %w", err)
				}
			}
			if len(args) == 0 {
				folder, err := keptFolder()
				if err != nil {
					return err
				}
				if _, err := os.Stat(folder); err != nil {
					return fmt.Errorf("no run is recorded yet: %w", err)
				}
				args = []string{folder}
			}
			series, runs, readErr := history.Read(args, selected)
			if len(series) == 0 {
				return readErr
			}
			fmt.Fprintf(c.stderr, "%d runs\n", runs)
			err = history.WriteTable(c.stdout, series)
			if svg != "" {
				err = errors.Join(err, os.WriteFile(svg, []byte(history.SVG(series)), 0o644))
			}
			return errors.Join(err, readErr)
		},
	}
	cmd.Flags().StringVar(&metric, "metric", "", "regular expression that selects figures by benchmark/unit, such as WarmRun/ns/op")
	cmd.Flags().StringVar(&svg, "svg", "", "draw the figures into this file")
	return cmd
}

// keptFolder returns the folder of the records that are kept.
func keptFolder() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	root, err := gate.FindRoot(dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(root, defaultOut, kept), nil
}

// remember keeps the record of a run that measured, for gate history. Outside a
// checkout there is no place for it.
func remember(record *reports.Record) error {
	if record.Bench == nil || len(record.Bench.Measurements) == 0 {
		return nil
	}
	folder, err := keptFolder()
	if err != nil {
		return nil
	}
	return history.Remember(record, folder)
}
