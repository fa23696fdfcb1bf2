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
	sum := sha256.New()
	for _, m := range mutants {
		fmt.Fprintln(sum, w.key(m.mutation))
	}
	folder := filepath.Join(w.cache, w.prefix()+combinedMark+hex.EncodeToString(sum.Sum(nil))[:20])
	start := time.Now()
	made, err := w.buildCombined(ctx, folder, mutants, note)
	if errors.Is(err, errSplit) && ctx.Err() == nil {
		half := len(mutants) / 2
		note("%d mutants do not build together, and the compiler does not say which is the reason: they are split into two builds", len(mutants))
		return errors.Join(w.combine(ctx, mutants[:half], note), w.combine(ctx, mutants[half:], note))
	}
	if err != nil {
		return err
	}
	mutants[0].buildMS = time.Since(start).Milliseconds()
	in := 0
	for _, m := range mutants {
		if err := w.assign(m, folder, made); err != nil {
			return err
		}
		if m.alone != "" {
			note("%s is built alone: %s", m.name, m.alone)
			continue
		}
		in++
	}
	note("%d of %d mutants are one build, made in %v", in, len(mutants), time.Since(start).Round(100*time.Millisecond))
	return nil
}

// combinedBuild says what is in a combined build, by the keys of the mutations.
type combinedBuild struct {
	// Members are the numbers of those that it holds, Apart says why it does not hold
	// others that were asked for.
	Members map[string]int    `json:"members"`
	Apart   map[string]string `json:"apart"`
}

const (
	// combinedMark stands in the names of folders that hold combined builds.
	combinedMark = "combined-"
	// membersFile is written last into such a folder.
	membersFile = "members.json"
)

// errSplit indicates that mutations do not build together for a reason that is not
// known to lie in any of them.
var errSplit = errors.New("the mutations do not build together")

// assign gives a mutant its place in a combined build, or the reason why it has none.
func (w *workshop) assign(m *mutant, folder string, made *combinedBuild) error {
	key := w.key(m.mutation)
	number, ok := made.Members[key]
	if !ok {
		m.alone = made.Apart[key]
		return nil
	}
	m.combined, m.alone = folder, ""
	m.binary = filepath.Join(folder, mutation.BinaryName(number))
	if err := os.Link(unchosen(folder), m.binary); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// combinedBuilds returns the finished combined builds of this source, by folder.
func (w *workshop) combinedBuilds() (map[string]*combinedBuild, error) {
	found, err := filepath.Glob(filepath.Join(w.cache, w.prefix()+combinedMark+"*", membersFile))
	if err != nil {
		return nil, err
	}
	out := map[string]*combinedBuild{}
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		made := new(combinedBuild)
		if err := json.Unmarshal(text, made); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out[filepath.Dir(file)] = made
	}
	return out, nil
}

// buildCombined builds the mutants into a folder, without those that cannot be
// combined and those of which the compiler complains.
func (w *workshop) buildCombined(ctx context.Context, folder string, mutants []*mutant, note func(format string, args ...any)) (*combinedBuild, error) {
	// What an interrupted run left has texts of its own.
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	mutations := make([]mutation.Mutation, len(mutants))
	for i, m := range mutants {
		mutations[i] = m.mutation
	}
	apart, leave := map[string]string{}, map[int]bool{}
	without := func(i int, why string) { apart[w.key(mutations[i])], leave[i] = why, true }
	for {
		c, err := mutation.Combine(w.root, mutations, leave)
		if err != nil {
			return nil, err
		}
		for i, why := range c.Apart {
			without(i, why.Error())
		}
		if len(leave) == len(mutations) {
			break // there is nothing to build
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
			without(i, "it does not build with the others")
		}
		note("%d mutants do not build with the others", len(culprits))
	}
	made := &combinedBuild{Members: map[string]int{}, Apart: apart}
	for i, one := range mutations {
		if !leave[i] {
			made.Members[w.key(one)] = mutation.Number(i)
		}
	}
	text, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		return nil, err
	}
	return made, os.WriteFile(filepath.Join(folder, membersFile), text, 0o644)
}

// unchosen returns the path of a combined build with no mutation chosen.
func unchosen(folder string) string { return filepath.Join(folder, "gate") }
