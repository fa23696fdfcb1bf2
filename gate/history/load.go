package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/isogate/isogate/reports"
)

// This file owns reading records.

// run is what is read of a record.
type run struct {
	file     string
	started  time.Time
	revision string
	modified bool
	bench    *reports.Bench
}

// document is a record of this schema or an earlier one, as far as it is read here.
type document struct {
	Schema  int            `json:"schema"`
	Started time.Time      `json:"started"`
	Build   reports.Build  `json:"build"`
	Bench   *reports.Bench `json:"bench"`
}

// load reads records, and all records in folders, and returns the runs in their order.
// The error joins what could not be read, each by its name; the others are returned
// all the same.
func load(paths []string) ([]run, error) {
	var files []string
	var wrong []error
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case !info.IsDir():
			files = append(files, path)
		default:
			names, err := recordsIn(path)
			if err != nil {
				wrong = append(wrong, err)
			} else if len(names) == 0 {
				wrong = append(wrong, fmt.Errorf("%s: there is no record in the folder", path))
			}
			files = append(files, names...)
		}
	}
	var runs []run
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		r, err := parse(text)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", file, err))
			continue
		}
		r.file = file
		runs = append(runs, r)
	}
	slices.SortStableFunc(runs, func(a, b run) int { return a.started.Compare(b.started) })
	return runs, errors.Join(wrong...)
}

// parse reads a record. Measurements of earlier schemas have the same form, as far as
// they are shown.
func parse(text []byte) (run, error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return run{}, fmt.Errorf("not a record: %w", err)
	}
	switch {
	case d.Schema < 1 || d.Schema > reports.Schema:
		return run{}, fmt.Errorf("not a record that this build reads: its schema is %d, the newest is %d", d.Schema, reports.Schema)
	case d.Started.IsZero():
		return run{}, errors.New("not a record: it does not say when the run began")
	}
	if d.Bench != nil {
		for _, m := range d.Bench.Measurements {
			if m.Name == "" || m.Unit == "" {
				return run{}, errors.New("a measurement lacks its name or unit")
			}
		}
	}
	return run{started: d.Started, revision: d.Build.Revision, modified: d.Build.Modified, bench: d.Bench}, nil
}
