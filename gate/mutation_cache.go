package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isogate/isogate/reports"
)

// This file owns keeping that a mutant tripped. Nothing else is ever kept: what did
// not trip is tried again.

// outcomesFolder is the folder in the cache.
const outcomesFolder = "outcomes"

// outcome is what is kept of a mutant that tripped.
type outcome struct {
	// Mutant is its name, for people who look at the file.
	Mutant  string    `json:"mutant"`
	Tripped []string  `json:"tripped"`
	When    time.Time `json:"when"`
}

// outcomeFile returns the file that an outcome is kept in: it has the digest of the
// source with the threat model and the attacks, of the mutation, of the attacks that
// ought to notice, and of the kernel. The Go version is part of the source's digest.
func (w *workshop) outcomeFile(m *mutant) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s %q %q\n", w.digest, w.key(m.mutation), m.attacks, firstLine("/proc/sys/kernel/osrelease"))
	return filepath.Join(w.cache, outcomesFolder, w.prefix()+hex.EncodeToString(sum.Sum(nil))[:20]+".json")
}

// recall gives the mutant the outcome that is kept, and reports whether there is one.
// A file that cannot be read or names no attack counts as none.
func (w *workshop) recall(m *mutant) bool {
	text, err := os.ReadFile(w.outcomeFile(m))
	if err != nil {
		return false
	}
	var kept outcome
	if json.Unmarshal(text, &kept) != nil || len(kept.Tripped) == 0 || kept.When.IsZero() {
		return false
	}
	for _, id := range kept.Tripped {
		if !slices.Contains(m.attacks, id) {
			return false
		}
	}
	m.tripped, m.cached = kept.Tripped, kept.When
	m.end(reports.Tripped, "")
	return true
}

// keep keeps the outcome of a mutant that tripped.
func (w *workshop) keep(m *mutant) error {
	text, err := json.MarshalIndent(outcome{m.name, m.tripped, time.Now().UTC().Truncate(time.Second)}, "", "  ")
	if err != nil {
		return err
	}
	file := w.outcomeFile(m)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	// A file that is there is whole.
	unfinished := file + ".unfinished"
	if err := os.WriteFile(unfinished, text, 0o644); err != nil {
		return err
	}
	return os.Rename(unfinished, file)
}

// outcomesAge is how long an outcome of a source that is not the present one is kept.
const outcomesAge = 14 * 24 * time.Hour

// forget removes outcomes of other states of the source that nobody asked for in a
// long time.
func (w *workshop) forget() error {
	folder := filepath.Join(w.cache, outcomesFolder)
	entries, err := os.ReadDir(folder)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || strings.HasPrefix(entry.Name(), w.prefix()) || time.Since(info.ModTime()) < outcomesAge {
			continue
		}
		if err := os.Remove(filepath.Join(folder, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
