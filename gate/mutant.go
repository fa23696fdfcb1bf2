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

	"github.com/isogate/isogate/threats"
)

// This file owns building a mutant: this gate with one protection removed.

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

// folder returns the folder in the cache that holds the control's mutant.
func (w *workshop) folder(c *threats.Control) string {
	sum := sha256.New()
	fmt.Fprintln(sum, w.digest)
	for _, e := range c.Edits {
		fmt.Fprintf(sum, "%q %q %q\n", e.File, e.Find, e.Replace)
	}
	return filepath.Join(w.cache, hex.EncodeToString(sum.Sum(nil))[:20])
}

// errNotApplicable indicates that an edit does not apply to the source any more.
var errNotApplicable = errors.New("the edit does not apply")

// build returns the path of the control's mutant, and whether it was built just now.
func (w *workshop) build(ctx context.Context, c *threats.Control) (binary string, built bool, err error) {
	folder := w.folder(c)
	binary = filepath.Join(folder, "gate")
	if _, err := os.Stat(binary); err == nil {
		return binary, false, nil
	}
	overlay, err := w.overlay(folder, c)
	if err != nil {
		return "", false, err
	}
	unfinished := binary + ".unfinished"
	build := exec.CommandContext(ctx, "go", "build", "-C", w.root, "-overlay", overlay, "-buildvcs=false", "-ldflags="+linkerFlags(), "-o", unfinished, "./cmd/gate")
	if out, err := build.CombinedOutput(); err != nil {
		return "", true, fmt.Errorf("the mutant does not build: %w\n%s", err, tail(string(out)))
	}
	return binary, true, os.Rename(unfinished, binary)
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

// overlay writes the edited files and the overlay that puts them in place of
// the real ones, and returns the overlay's path.
func (w *workshop) overlay(folder string, c *threats.Control) (string, error) {
	texts := map[string][]byte{}
	for _, e := range c.Edits {
		text, ok := texts[e.File]
		if !ok {
			var err error
			if text, err = os.ReadFile(filepath.Join(w.root, filepath.FromSlash(e.File))); err != nil {
				return "", fmt.Errorf("%w: %w", errNotApplicable, err)
			}
		}
		edited, err := e.ApplyTo(text)
		if err != nil {
			return "", fmt.Errorf("%w: %w", errNotApplicable, err)
		}
		texts[e.File] = edited
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	// See "go help build", -overlay.
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range texts {
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
func (w *workshop) prune(m *threats.Model) error {
	keep := map[string]bool{}
	for _, c := range m.Claims {
		for _, control := range c.Controls {
			keep[w.folder(control)] = true
		}
	}
	entries, err := os.ReadDir(w.cache)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if path := filepath.Join(w.cache, entry.Name()); !keep[path] {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return nil
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
