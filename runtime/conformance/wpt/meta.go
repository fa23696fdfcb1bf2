package wpt

import (
	"fmt"
	"slices"
	"strings"
)

// This file owns the head of a test file: its META comments.
// https://web-platform-tests.org/writing-tests/testharness.html

// Meta is what a test file says of itself.
type Meta struct {
	Title string
	// Scripts are the files to run before the test, as the file names them.
	Scripts []string
	// Variants are the queries that the file is loaded with, each with its "?" or
	// "#"; a file that states none has one that is empty.
	Variants []string
	// Long says that the test may take a minute.
	Long bool
	// Globals are the kinds of global objects that the test is for.
	Globals []string
}

// defaultGlobals are those of a test that states none.
var defaultGlobals = []string{"window", "dedicatedworker"}

// globals are the kinds of global objects that exist; true: a test for it is run
// here. Tests for a shadow realm are: they ask for the same interfaces.
var globals = map[string]bool{
	"window": true, "worker": true, "dedicatedworker": true, "jsshell": true,
	"shadowrealm": true, "shadowrealm-in-window": true, "shadowrealm-in-shadowrealm": true, "shadowrealm-in-dedicatedworker": true,
	"window-module": false, "worker-module": false, "dedicatedworker-module": false,
	"sharedworker": false, "sharedworker-module": false, "serviceworker": false, "serviceworker-module": false,
	"shadowrealm-in-sharedworker": false, "shadowrealm-in-serviceworker": false, "shadowrealm-in-audioworklet": false,
}

// Runs reports whether one of the test's globals is one that tests are run for.
func (m *Meta) Runs() bool {
	return slices.ContainsFunc(m.Globals, func(name string) bool { return globals[name] })
}

// ParseMeta reads the META comments at the head of a test file. The error names
// the line; name is for it.
func ParseMeta(name, text string) (Meta, error) {
	m := Meta{}
	line := 0
	for content := range strings.Lines(text) {
		line++
		content = strings.TrimSpace(strings.TrimPrefix(content, "\ufeff"))
		comment, isComment := strings.CutPrefix(content, "//")
		if !isComment {
			break // the head ends with the first line that is no comment
		}
		entry, isMeta := strings.CutPrefix(strings.TrimSpace(comment), "META:")
		if !isMeta {
			continue
		}
		key, value, found := strings.Cut(strings.TrimSpace(entry), "=")
		if !found {
			return m, fmt.Errorf("%s:%d: META %q has no value", name, line, key)
		}
		if err := m.set(key, value); err != nil {
			return m, fmt.Errorf("%s:%d: META %s: %w", name, line, key, err)
		}
	}
	if len(m.Variants) == 0 {
		m.Variants = []string{""}
	}
	if len(m.Globals) == 0 {
		m.Globals = defaultGlobals
	}
	return m, nil
}

func (m *Meta) set(key, value string) error {
	switch key {
	case "title":
		m.Title = value
	case "script":
		m.Scripts = append(m.Scripts, value)
	case "variant":
		if value != "" && value[0] != '?' && value[0] != '#' {
			return fmt.Errorf("the variant %q begins neither with ? nor with #", value)
		}
		m.Variants = append(m.Variants, value)
	case "timeout":
		if value != "long" {
			return fmt.Errorf("%q is not \"long\"", value)
		}
		m.Long = true
	case "global":
		for _, kind := range strings.Split(value, ",") {
			kind = strings.TrimSpace(kind)
			if _, known := globals[kind]; !known {
				return fmt.Errorf("there is no global %q", kind)
			}
			m.Globals = append(m.Globals, kind)
		}
	}
	// Other keys are for other runners.
	return nil
}
