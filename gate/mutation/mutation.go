package mutation

import (
	"errors"
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"sort"

	"golang.org/x/mod/modfile"
)

// This file owns what goes into a combined build and what has to stay out of it.

// Mutation is one changed state of the source.
type Mutation struct {
	// Name says in messages which it is.
	Name string
	// Files are the changed files, whole, by their path in the module with slashes.
	Files map[string][]byte
}

// Combined is a set of mutations as one overlay. It is not safe for concurrent use.
type Combined struct {
	// Apart says of mutations that are not part of it why, by their index.
	Apart map[int]error

	files   map[string][]byte   // texts of the overlay, by path in the module
	links   map[string]string   // files of the overlay that are others on disk, by path
	regions map[string][]region // whose lines are where in a text
	root    string
}

// region is a part of a text that is there because of some mutations. Lines count
// from 1, and the last is part of it.
type region struct {
	first, last int
	numbers     []int
}

// ErrApart indicates that a mutation changes something that can be chosen at build
// time only.
var ErrApart = errors.New("it cannot be chosen when the program starts")

// part is what one mutation changes in one file.
type part interface{ number() int }

// Number returns the number of the mutation with the given index.
func Number(index int) int { return index + 1 }

// BinaryName returns the name that a binary must have for the mutation with the
// given number to be chosen.
func BinaryName(number int) string { return fmt.Sprintf("%s%d", binaryPrefix, number) }

// Combine puts the mutations of the module in the folder root together, except those
// that leave indexes out. The error says that the module cannot be read.
func Combine(root string, mutations []Mutation, leave map[int]bool) (*Combined, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	m := &module{root: root, path: modfile.ModulePath(text), files: map[string]sourceFile{}}
	c := &Combined{Apart: map[int]error{}, files: map[string][]byte{}, links: map[string]string{}, regions: map[string][]region{}, root: root}
	parts := map[string][]part{}
	for i, one := range mutations {
		if leave[i] {
			continue
		}
		own, err := m.compare(one, Number(i))
		if err != nil {
			c.Apart[i] = err
			continue
		}
		for file, p := range own {
			parts[file] = append(parts[file], p...)
		}
	}
	m.addChosen(c)
	for file, p := range parts {
		// Bodies and imports come out in one order, whatever that of the map is.
		sort.SliceStable(p, func(i, j int) bool { return p[i].number() < p[j].number() })
		if err := m.files[file].combine(m, c, file, p); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// module is the source that is compared with.
type module struct {
	root, path string
	files      map[string]sourceFile // those that mutations change, by path
}

// sourceFile is a file of one kind.
type sourceFile interface {
	// compare returns what the changed text changes, or an error that is ErrApart.
	compare(m *module, file string, text []byte, number int) ([]part, error)
	// combine writes the file with all parts into the overlay.
	combine(m *module, c *Combined, file string, parts []part) error
}

// compare returns what a mutation changes, by file.
func (m *module) compare(one Mutation, number int) (map[string][]part, error) {
	out := map[string][]part{}
	changes := 0
	for file, text := range one.Files {
		f, err := m.file(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		parts, err := f.compare(m, file, text, number)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out[file] = parts
		changes += len(parts)
	}
	if changes == 0 {
		return nil, fmt.Errorf("%w: it changes no function, variable or embedded file", ErrApart)
	}
	return out, nil
}

// file reads a file as it is.
func (m *module) file(file string) (sourceFile, error) {
	if f, ok := m.files[file]; ok {
		return f, nil
	}
	text, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	var f sourceFile
	switch path.Ext(file) {
	case ".go":
		f, err = readGo(file, text)
	case ".cc", ".cpp", ".cxx":
		f, err = readCPP(text)
	case ".h", ".c", ".s":
		err = fmt.Errorf("%w: it is no Go, C++ or embedded file", ErrApart)
	default:
		f, err = m.readEmbedded(file)
	}
	if err != nil {
		return nil, err
	}
	m.files[file] = f
	return f, nil
}

// offset returns the place of a position in its file, counted from 0.
func offset(set *token.FileSet, at token.Pos) int { return set.Position(at).Offset }
