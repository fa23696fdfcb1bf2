package mutation

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// This file owns the overlay on disk, and finding in a compiler's words which
// mutations do not build.

// flat is the name that a file of the overlay has on disk.
func flat(file string) string { return strings.ReplaceAll(file, "/", "_") }

// WriteOverlay writes the overlay into an existing folder and returns the path of
// the file for go build -overlay.
func (c *Combined) WriteOverlay(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	root, err := filepath.Abs(c.root)
	if err != nil {
		return "", err
	}
	at := func(file string) string { return filepath.Join(root, filepath.FromSlash(file)) }
	// See "go help build", -overlay.
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range c.files {
		written := filepath.Join(folder, flat(file))
		if err := os.WriteFile(written, text, 0o644); err != nil {
			return "", err
		}
		overlay.Replace[at(file)] = written
	}
	for file, other := range c.links {
		overlay.Replace[at(file)] = at(other)
	}
	text, err := json.MarshalIndent(overlay, "", "  ")
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "overlay.json")
	return name, os.WriteFile(name, text, 0o644)
}

// position matches a place in what a compiler says.
var position = regexp.MustCompile(`([^\s:"']+\.(?:go|cc|cpp|cxx)):(\d+)`)

// Culprits returns the indexes of the mutations whose lines a failed build complains
// about, in order; none when it complains about other lines only.
func (c *Combined) Culprits(output string) []int {
	found := map[int]bool{}
	for _, match := range position.FindAllStringSubmatch(output, -1) {
		line, err := strconv.Atoi(match[2])
		if err != nil {
			continue
		}
		for _, r := range c.regions[c.named(match[1])] {
			if r.first <= line && line <= r.last {
				for _, number := range r.numbers {
					found[number-1] = true
				}
			}
		}
	}
	var out []int
	for index := range found {
		out = append(out, index)
	}
	sort.Ints(out)
	return out
}

// named returns the file of the overlay that a compiler calls by some path: relative
// to somewhere, or its name on disk.
func (c *Combined) named(called string) string {
	called = filepath.ToSlash(called)
	base := called[strings.LastIndex(called, "/")+1:]
	var byBase []string
	for file := range c.regions {
		switch {
		case file == called, strings.HasSuffix(called, "/"+file), base == flat(file):
			return file
		case file[strings.LastIndex(file, "/")+1:] == base:
			byBase = append(byBase, file)
		}
	}
	if len(byBase) == 1 {
		return byBase[0]
	}
	return ""
}
