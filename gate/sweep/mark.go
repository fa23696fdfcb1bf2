package sweep

import (
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
)

// This file owns marks: finding them in the source, and mistakes in them.

// Mark is one marked protection.
type Mark struct {
	// File is the path in the module, with slashes; Line is that of the comment, Target
	// that of what it marks, both from 1.
	File         string
	Line, Target int
	// Claims are the ids of the claims that the protection serves.
	Claims []string
	// Equivalent says of mutations, by name, why nothing can observe them.
	Equivalent map[string]string
}

// Mutant is one mutation of a marked protection.
type Mutant struct {
	Mark *Mark
	// Name is "removed", "dropped", "flipped", or "flipped" with a number.
	Name string
	// What says what was done.
	What string
	// Text is the whole file with the mutation.
	Text []byte
}

// Error is a mistake in a mark.
type Error struct {
	File string
	Line int
	What string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What) }

const (
	directive   = "//gate:"
	protects    = "protects"
	equivalents = "equivalent"
)

// Find reads the marks of all sources below root, and makes their mutants, both in
// order of file and line. known tells whether there is a claim with an id. The errors
// are every mistake, each an [Error], unless a file cannot be read.
func Find(root fs.FS, known func(claim string) bool) ([]*Mark, []*Mutant, []error) {
	var marks []*Mark
	var mutants []*Mutant
	var errs []error
	walkErr := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := path.Base(name); name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || skipped[base]) {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() || makers[path.Ext(name)] == nil || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		found, mistakes := readMarks(name, string(text), known)
		marks, errs = append(marks, found...), append(errs, mistakes...)
		for _, m := range found {
			made, err := makers[path.Ext(name)](m, text)
			if err == nil {
				err = m.checkEquivalent(made)
			}
			if err != nil {
				errs = append(errs, &Error{name, m.Line, err.Error()})
				continue
			}
			mutants = append(mutants, made...)
		}
		return nil
	})
	if walkErr != nil {
		errs = append(errs, walkErr)
	}
	return marks, mutants, errs
}

// skipped are folders that hold no source of the product.
var skipped = map[string]bool{"testdata": true, "build": true, "bin": true, "docs": true, "examples": true, "node_modules": true, "include": true}

// makers make the mutants of a mark, by the extension of its file.
var makers = map[string]func(*Mark, []byte) ([]*Mutant, error){
	".go": mutateGo, ".cc": mutateBraces, ".h": mutateBraces, ".js": mutateBraces,
}

// readMarks finds the marks of one file.
func readMarks(file, text string, known func(string) bool) (marks []*Mark, errs []error) {
	fail := func(line int, format string, args ...any) {
		errs = append(errs, &Error{file, line, fmt.Sprintf(format, args...)})
	}
	var open *Mark // the mark whose target was not reached yet
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		rest, ok := strings.CutPrefix(line, directive)
		if !ok {
			if open != nil && !strings.HasPrefix(line, "//") {
				open.Target = number
				marks, open = append(marks, open), nil
			}
			continue
		}
		word, rest, _ := strings.Cut(rest, " ")
		switch word {
		case protects:
			if open != nil {
				fail(number, "a mark stands below another one: name all claims in one")
				continue
			}
			open = &Mark{File: file, Line: number, Claims: strings.Fields(rest), Equivalent: map[string]string{}}
			if len(open.Claims) == 0 {
				fail(number, "the mark names no claim")
			}
			for _, claim := range open.Claims {
				if !known(claim) {
					fail(number, "there is no claim %q", claim)
				}
			}
		case equivalents:
			mutation, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
			switch {
			case open == nil:
				fail(number, "%s%s stands below no %s%s", directive, equivalents, directive, protects)
			case strings.TrimSpace(reason) == "":
				fail(number, "%s%s needs the name of a mutation and a reason", directive, equivalents)
			default:
				open.Equivalent[mutation] = strings.TrimSpace(reason)
			}
		default:
			fail(number, "there is no directive %s%s", directive, word)
		}
	}
	if open != nil {
		fail(open.Line, "the mark stands above nothing")
	}
	return marks, errs
}

// checkEquivalent finds reasons that are given for mutations that there are not.
func (m *Mark) checkEquivalent(made []*Mutant) error {
	names := map[string]bool{}
	for _, one := range made {
		names[one.Name] = true
	}
	for name := range m.Equivalent {
		if !names[name] {
			var have []string
			for one := range names {
				have = append(have, one)
			}
			sort.Strings(have)
			return fmt.Errorf("there is no mutation %q here; there are %s", name, strings.Join(have, ", "))
		}
	}
	return nil
}

// replaced returns the text with a part of it replaced.
func replaced(text []byte, start, end int, by string) []byte {
	out := make([]byte, 0, len(text)+len(by))
	out = append(out, text[:start]...)
	out = append(out, by...)
	return append(out, text[end:]...)
}
