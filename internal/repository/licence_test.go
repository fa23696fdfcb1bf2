package repository

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file owns the rules about licences and dependencies.

func TestTheLicenceIsApache(t *testing.T) {
	text := read(t, "LICENSE")
	for _, want := range []string{"Apache License", "Version 2.0, January 2004", "END OF TERMS AND CONDITIONS", "The isogate authors"} {
		if !strings.Contains(text, want) {
			t.Errorf("LICENSE does not hold %q", want)
		}
	}
}

// dependency is a line of go.mod.
type dependency struct {
	Path, Version string
	Indirect      bool
}

// dependencies returns the modules that go.mod requires.
func dependencies(t *testing.T) []dependency {
	t.Helper()
	var mod struct{ Require []dependency }
	if err := json.Unmarshal([]byte(command(t, "go", "mod", "edit", "-json")), &mod); err != nil {
		t.Fatal(err)
	}
	if len(mod.Require) == 0 {
		t.Fatal("go.mod requires nothing")
	}
	return mod.Require
}

func TestEveryDependencyHasItsReason(t *testing.T) {
	document := read(t, "docs/dependencies.md")
	required := map[string]bool{}
	for _, d := range dependencies(t) {
		if d.Indirect {
			continue
		}
		required[d.Path] = true
		row := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(d.Path) + "` \\|[^|]*[^| ][^|]*\\|[^|]*[^| ][^|]*\\|$")
		if !row.MatchString(document) {
			t.Errorf("docs/dependencies.md has no row for %s with its licence and its reason", d.Path)
		}
	}
	for _, match := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(document, -1) {
		if !required[match[1]] {
			t.Errorf("docs/dependencies.md explains %s, which go.mod does not require directly", match[1])
		}
	}
}

// licences are the licences that may be linked into a program of this one's
// licence, by sentences that only their texts have.
var licences = []struct {
	name string
	mark *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`Apache License,?\s+Version 2\.0`)},
	{"BSD-3-Clause", regexp.MustCompile(`(?i)neither\s+the\s+names?\s+of|name\s+of\s+any\s+author\s+may\s+not\s+be\s+used`)},
	{"BSD-2-Clause", regexp.MustCompile(`(?i)redistributions\s+in\s+binary\s+form\s+must\s+reproduce`)},
	{"MIT", regexp.MustCompile(`(?i)permission\s+is\s+hereby\s+granted,\s+free\s+of\s+charge`)},
	{"ISC", regexp.MustCompile(`(?i)permission\s+to\s+use,\s+copy,\s+modify,\s+and(/or)?\s+distribute\s+this\s+software\s+for\s+any\s+purpose\s+with\s+or\s+without\s+fee`)},
	{"Unlicense", regexp.MustCompile(`(?i)free\s+and\s+unencumbered\s+software\s+released\s+into\s+the\s+public\s+domain`)},
}

// TestDependenciesHaveKnownLicences reads the licence in each module's own
// folder, the indirect ones included.
func TestDependenciesHaveKnownLicences(t *testing.T) {
	document := read(t, "docs/dependencies.md")
	for _, d := range dependencies(t) {
		dir := strings.TrimSpace(command(t, "go", "list", "-m", "-f", "{{.Dir}}", d.Path))
		if dir == "" {
			t.Errorf("%s is not in the module cache: run make deps", d.Path)
			continue
		}
		name := licence(t, dir)
		switch {
		case name == "":
			t.Errorf("%s has no licence that this project knows, in %s", d.Path, dir)
		case !d.Indirect && !strings.Contains(document, "\n| `"+d.Path+"` | "+name+" |"):
			t.Errorf("docs/dependencies.md does not say that %s has the licence %s", d.Path, name)
		}
	}
}

// licence returns the names of the licences in a module's folder, or "".
func licence(t *testing.T, dir string) string {
	t.Helper()
	for _, pattern := range []string{"LICENSE*", "License*", "LICENCE*", "COPYING*"} {
		matches, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range matches {
			text, err := os.ReadFile(file)
			if err != nil {
				continue // a folder of licences
			}
			if names := licencesIn(string(text)); len(names) > 0 {
				return strings.Join(names, " and ")
			}
		}
	}
	return ""
}

// licencesIn returns the names of the licences that a text holds.
func licencesIn(text string) []string {
	var names []string
	for _, l := range licences {
		// The two-clause text is part of the three-clause one.
		if l.mark.MatchString(text) && !(l.name == "BSD-2-Clause" && slices.Contains(names, "BSD-3-Clause")) {
			names = append(names, l.name)
		}
	}
	return names
}
