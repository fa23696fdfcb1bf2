package gate

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/isogate/isogate/protocol"
)

// This file owns what may never come out of an execution: texts about the host
// and secrets of other executions.

// canaryVariable is a variable of the gate's own environment.
const canaryVariable = "ISOGATE_GATE_CANARY"

// surroundings are the texts that are searched for, each with what it is.
type surroundings struct{ texts map[string]string }

// newSurroundings plants the canary variable and collects the host's texts.
func newSurroundings() (*surroundings, error) {
	s := &surroundings{texts: map[string]string{
		"isogate:runtime": "a frame of the runtime",
		"goroutine ":      "a Go stack trace",
		"runtime/debug":   "a Go stack trace",
		".cc:":            "a position in C++ source",
		"panic:":          "a Go panic",
	}}
	canary := secret()
	if err := os.Setenv(canaryVariable, canary); err != nil {
		return nil, err
	}
	s.texts[canary] = "the host's environment"
	s.texts[canaryVariable] = "the host's environment"
	binary, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s.path(binary, "the path of the host's binary")
	if dir, err := os.Getwd(); err == nil {
		s.path(dir, "the host's working directory")
		if root, err := FindRoot(dir); err == nil {
			s.path(root, "the path of the source")
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		s.path(filepath.Join(home, "go"), "a path in the host's home directory")
	}
	return s, nil
}

// path adds a path unless it is so short that it proves nothing.
func (s *surroundings) path(path, what string) {
	if strings.Count(path, "/") >= 2 {
		s.texts[path] = what
	}
}

// secret returns a text that occurs nowhere else.
func secret() string {
	var b [16]byte
	rand.Read(b[:]) // never fails, see crypto/rand
	return "canary-" + hex.EncodeToString(b[:])
}

// leaks returns what of the surroundings, and of the further texts, stands in
// what came out. A text that the program itself contains proves nothing.
func (s *surroundings) leaks(program string, further map[string]string, outs ...string) []string {
	found := map[string]bool{}
	for _, out := range outs {
		for _, texts := range []map[string]string{s.texts, further} {
			for text, what := range texts {
				if strings.Contains(out, text) && !strings.Contains(program, text) {
					found[fmt.Sprintf("the result contains %s: %q stands in it", what, text)] = true
				}
			}
		}
	}
	var out []string
	for what := range found {
		out = append(out, what)
	}
	sort.Strings(out)
	return out
}

// everything returns all that a caller is given of results, a text for each.
func everything(results ...*protocol.Result) []string {
	outs := make([]string, len(results))
	for i, result := range results {
		text, err := json.Marshal(result)
		if err != nil {
			text = fmt.Appendf(nil, "%+v", result)
		}
		outs[i] = string(text)
		if result.Fault != nil {
			outs[i] += result.Fault.Error()
		}
	}
	return outs
}
