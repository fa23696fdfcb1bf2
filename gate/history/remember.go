package history

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isogate/isogate/reports"
)

// This file owns keeping records.

// Kept is how many records a folder keeps, the last ones.
const Kept = 200

// extension is that of a record's file.
const extension = ".json"

// Remember keeps a record in a folder, which is made when it is not there, and removes
// the oldest beyond the last 200. Kept are the measurements and the verdicts on claims,
// with the facts about build and host, and no evidence. The file's name is when the run
// began and the commit, so that names in order are runs in order. It is there whole or
// not at all.
func Remember(r *reports.Record, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	revision := r.Build.Revision[:min(12, len(r.Build.Revision))]
	if revision == "" {
		revision = "unknown"
	}
	if r.Build.Modified {
		revision += "-modified"
	}
	name := filepath.Join(folder, r.Started.UTC().Format("20060102T150405.000Z")+"-"+revision+extension)
	unfinished, err := os.CreateTemp(folder, ".unfinished-*")
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	err = errors.Join(slim(r).Write(unfinished), unfinished.Close())
	if err == nil {
		err = os.Rename(unfinished.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("history: %w", errors.Join(err, os.Remove(unfinished.Name())))
	}
	return forget(folder)
}

// slim returns what is kept of a record.
func slim(r *reports.Record) *reports.Record {
	kept := &reports.Record{
		Schema: r.Schema, Started: r.Started, DurationMS: r.DurationMS, Build: r.Build, Host: r.Host, Verify: r.Verify, Bench: r.Bench, LeftOut: r.LeftOut,
	}
	for _, c := range r.Claims {
		kept.Claims = append(kept.Claims, reports.Claim{ID: c.ID, Title: c.Title, Boundary: c.Boundary, Severity: c.Severity, Verdict: c.Verdict, Reason: c.Reason})
	}
	return kept
}

// forget removes the oldest records beyond those that are kept.
func forget(folder string) error {
	names, err := recordsIn(folder)
	if err != nil {
		return err
	}
	for _, name := range names[:max(0, len(names)-Kept)] {
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("history: %w", err)
		}
	}
	return nil
}

// recordsIn returns the records in a folder, in the order of their names.
func recordsIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); !entry.IsDir() && strings.HasSuffix(name, extension) && !strings.HasPrefix(name, ".") {
			names = append(names, filepath.Join(folder, name))
		}
	}
	slices.Sort(names)
	return names, nil
}
