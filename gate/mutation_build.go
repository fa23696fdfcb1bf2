package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/isogate/isogate/gate/mutation"
)

// This file owns building many mutants as one binary, and what happens when that
// does not build.

// fewest is how many mutants are worth a combined build, which takes several times
// as long as one that is built alone.
const fewest = 5

// combine gives as many of the mutants as it can a binary that they share, and says
// of the others why they are to be built alone. The error says that the cache or the
// source cannot be read or written.
func (w *workshop) combine(ctx context.Context, mutants []*mutant, note func(format string, args ...any)) error {
	if runtime.GOOS != "linux" || len(mutants) < fewest {
		for _, m := range mutants {
			m.alone = fmt.Sprintf("a combined build is made for %d mutants or more, on Linux", fewest)
		}
		return nil
	}
	mutations := make([]mutation.Mutation, len(mutants))
	sum := sha256.New()
	for i, m := range mutants {
		mutations[i] = m.mutation
		fmt.Fprintln(sum, w.key(m.mutation))
	}
	folder := filepath.Join(w.cache, w.prefix()+"combined-"+hex.EncodeToString(sum.Sum(nil))[:20])
	start := time.Now()
	apart, err := readApart(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if apart, err = w.buildCombined(ctx, folder, mutations, note); err != nil {
			break
		}
		mutants[0].buildMS = time.Since(start).Milliseconds()
		note("%d of %d mutants are one build, made in %v", len(mutants)-len(apart), len(mutants), time.Since(start).Round(100*time.Millisecond))
	case err != nil:
		return err
	}
	if errors.Is(err, errSplit) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		half := len(mutants) / 2
		note("%d mutants do not build together, and the compiler does not say which is the reason: they are split into two builds", len(mutants))
		return errors.Join(w.combine(ctx, mutants[:half], note), w.combine(ctx, mutants[half:], note))
	}
	if err != nil {
		return err
	}
	for i, m := range mutants {
		if why, ok := apart[i]; ok {
			m.alone = why
			note("%s is built alone: %s", m.name, why)
			continue
		}
		m.combined = folder
		m.binary = filepath.Join(folder, mutation.BinaryName(mutation.Number(i)))
		if err := os.Link(filepath.Join(folder, "gate"), m.binary); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// apartFile is written last into the folder of a combined build: which mutations are
// not part of it, and why.
const apartFile = "apart.json"

// errSplit indicates that mutations do not build together for a reason that is not
// known to lie in any of them.
var errSplit = errors.New("the mutations do not build together")

// readApart returns which mutations a finished combined build does not hold.
func readApart(folder string) (map[int]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, apartFile))
	if err != nil {
		return nil, err
	}
	apart := map[int]string{}
	if err := json.Unmarshal(text, &apart); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, apartFile), err)
	}
	return apart, nil
}

// buildCombined builds the mutations into a folder, without those of which the
// compiler complains, and returns which are left out, and why.
func (w *workshop) buildCombined(ctx context.Context, folder string, mutations []mutation.Mutation, note func(format string, args ...any)) (map[int]string, error) {
	// What an interrupted run left has texts of its own.
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	apart, leave := map[int]string{}, map[int]bool{}
	for {
		c, err := mutation.Combine(w.root, mutations, leave)
		if err != nil {
			return nil, err
		}
		for i, why := range c.Apart {
			apart[i] = why.Error()
			leave[i] = true
		}
		if len(leave) == len(mutations) {
			break
		}
		overlay, err := c.WriteOverlay(folder)
		if err != nil {
			return nil, err
		}
		out, err := w.compile(ctx, folder, overlay)
		if err == nil {
			break
		}
		culprits := c.Culprits(out)
		if len(culprits) == 0 || ctx.Err() != nil {
			return nil, fmt.Errorf("%w: %w\n%s", errSplit, err, tail(out))
		}
		for _, i := range culprits {
			apart[i] = "it does not build with the others"
			leave[i] = true
		}
		note("%d mutants do not build with the others", len(culprits))
	}
	text, err := json.MarshalIndent(apart, "", "  ")
	if err != nil {
		return nil, err
	}
	return apart, os.WriteFile(filepath.Join(folder, apartFile), text, 0o644)
}

// unchosen returns the path of a combined build with no mutation chosen.
func unchosen(folder string) string { return filepath.Join(folder, "gate") }
