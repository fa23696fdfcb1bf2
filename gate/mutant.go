package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"time"

	"github.com/isogate/isogate/gate/mutation"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns mutants: what one is, the source they are made of, and building
// one alone. mutation_build.go builds many at once.

// mutant is this gate with one change, and what came of having it replay attacks.
type mutant struct {
	// name says which it is.
	name string
	// attacks are those that ought to notice, each as "claim/attack".
	attacks  []string
	mutation mutation.Mutation

	// binary is the build in which the mutant is to be run, "" as long as there is none;
	// combined is the folder of the build that it shares with others, "" when it is alone.
	binary, combined string
	// alone is why it is not combined.
	alone string

	outcome reports.ControlOutcome
	// tripped are the attacks that noticed, as in attacks.
	tripped        []string
	reason         string
	cached         time.Time
	shown          bool // its outcome was shown once
	late           bool // the time was used up before it was tried
	buildMS, runMS int64
}

// end says how the mutant came out.
func (m *mutant) end(outcome reports.ControlOutcome, reason string) {
	m.outcome, m.reason = outcome, reason
}

// workshop builds mutants of one state of the source and keeps them by content.
type workshop struct {
	root   string
	cache  string
	digest string
}

// newWorkshop reads the source that mutants are made of.
func newWorkshop(root, cache string) (*workshop, error) {
	// go build is run in the root and given absolute paths.
	cache, err := filepath.Abs(cache)
	if err != nil {
		return nil, err
	}
	digest, err := sourceDigest(root)
	if err != nil {
		return nil, fmt.Errorf("reading the source: %w", err)
	}
	return &workshop{root: root, cache: cache, digest: digest}, os.MkdirAll(cache, 0o755)
}

// sourceDigest returns a digest of everything a build depends on: the files of
// the module except tests and documents, and the Go version.
func sourceDigest(root string) (string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "docs" || name == "examples" || path == filepath.Join(root, "build") || path == filepath.Join(root, "bin")) {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.Type().IsRegular() && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, ".md") {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	sort.Strings(files)
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(text))
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// key returns what names a mutation of this source in the cache.
func (w *workshop) key(one mutation.Mutation) string {
	sum := sha256.New()
	fmt.Fprintln(sum, w.digest)
	for _, file := range sortedNames(one.Files) {
		fmt.Fprintf(sum, "%q %q\n", file, one.Files[file])
	}
	return w.prefix() + hex.EncodeToString(sum.Sum(nil))[:20]
}

// prefix begins the names in the cache of all that is made of this source.
func (w *workshop) prefix() string { return w.digest[:12] + "-" }

// folder returns the folder in the cache that holds the mutant that is built alone.
func (w *workshop) folder(one mutation.Mutation) string { return filepath.Join(w.cache, w.key(one)) }

// errNotApplicable indicates that an edit does not apply to the source any more.
var errNotApplicable = errors.New("the edit does not apply")

// mutationOf returns the files that a control changes.
func (w *workshop) mutationOf(name string, edits []threats.Edit) (mutation.Mutation, error) {
	one := mutation.Mutation{Name: name, Files: map[string][]byte{}}
	for _, e := range edits {
		text, ok := one.Files[e.File]
		if !ok {
			var err error
			if text, err = os.ReadFile(filepath.Join(w.root, filepath.FromSlash(e.File))); err != nil {
				return one, fmt.Errorf("%w: %w", errNotApplicable, err)
			}
		}
		edited, err := e.ApplyTo(text)
		if err != nil {
			return one, fmt.Errorf("%w: %w", errNotApplicable, err)
		}
		one.Files[e.File] = edited
	}
	return one, nil
}

// built returns the path of the mutant that is built alone, if it is in the cache.
func (w *workshop) built(one mutation.Mutation) (string, bool) {
	binary := filepath.Join(w.folder(one), "gate")
	_, err := os.Stat(binary)
	return binary, err == nil
}

// build returns the path of the mutant, built alone.
func (w *workshop) build(ctx context.Context, one mutation.Mutation) (string, error) {
	if binary, ok := w.built(one); ok {
		return binary, nil
	}
	folder := w.folder(one)
	overlay, err := w.overlay(folder, one)
	if err != nil {
		return "", err
	}
	if out, err := w.compile(ctx, folder, overlay); err != nil {
		return "", fmt.Errorf("the mutant does not build: %w\n%s", err, tail(out))
	}
	return filepath.Join(folder, "gate"), nil
}

// compile builds the gate with an overlay into a folder, as the file "gate", and
// returns what was printed.
func (w *workshop) compile(ctx context.Context, folder, overlay string) (string, error) {
	binary := filepath.Join(folder, "gate")
	unfinished := binary + ".unfinished"
	build := exec.CommandContext(ctx, "go", "build", "-C", w.root, "-overlay", overlay, "-buildvcs=false", "-ldflags="+linkerFlags(), "-o", unfinished, "./cmd/gate")
	if out, err := build.CombinedOutput(); err != nil {
		return string(out), err
	}
	return "", os.Rename(unfinished, binary)
}

// linkerFlags returns what makes linking a mutant fast, which is most of the
// work: no symbol tables, and the gold linker where there is one.
func linkerFlags() string {
	flags := "-s -w"
	if _, err := exec.LookPath("ld.gold"); err == nil {
		flags += " -extldflags=-fuse-ld=gold"
	}
	return flags
}

// overlay writes the changed files and the overlay that puts them in place of the
// real ones, and returns the overlay's path.
func (w *workshop) overlay(folder string, one mutation.Mutation) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	// See "go help build", -overlay.
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range one.Files {
		edited := filepath.Join(folder, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(edited, text, 0o644); err != nil {
			return "", err
		}
		overlay.Replace[filepath.Join(w.root, filepath.FromSlash(file))] = edited
	}
	text, err := json.MarshalIndent(overlay, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, text, 0o644)
}

// prune removes mutants of other states of the source.
func (w *workshop) prune() error {
	entries, err := os.ReadDir(w.cache)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == outcomesFolder || strings.HasPrefix(entry.Name(), w.prefix()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(w.cache, entry.Name())); err != nil {
			return err
		}
	}
	return w.forget()
}

// tail returns the last lines of a command's output.
func tail(out string) string {
	const most = 2000
	out = string(bytes.TrimSpace([]byte(out)))
	if len(out) > most {
		return "…" + out[len(out)-most:]
	}
	return out
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
