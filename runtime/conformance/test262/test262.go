// Package test262 runs a checkout of test262, the conformance suite of
// ECMAScript, as its INTERPRETING.md says, each test in an isolate of its own.
//
// https://github.com/tc39/test262
package test262

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the suite: the checkout and its list of tests.

// Name is the name of the suite.
const Name = "test262"

// folder holds the tests; the names of tests are relative to it.
const folder = "test"

// Options configure a suite. Zero fields take the defaults in their comments.
type Options struct {
	// Timeout is how much processor time a program of a test may take. Default 20 s.
	Timeout time.Duration
	// Temporal says that the tests of Temporal are run. Default: they are left out.
	Temporal bool
	// Grants are what the programs are granted. Default: eval.
	Grants []protocol.Grant
}

// Suite is a checkout. Its methods may be called from any goroutine.
type Suite struct {
	root    *os.Root
	options Options

	mu       sync.Mutex
	preludes map[string]string // by what they are made of; guarded by mu
}

var _ suite.Suite = (*Suite)(nil)

// Open opens a checkout. Nothing outside of the folder is ever read. Close it.
func Open(dir string, o Options) (*Suite, error) {
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	if o.Grants == nil {
		o.Grants = []protocol.Grant{protocol.GrantEval}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the checkout of test262: %w", err)
	}
	s := &Suite{root: root, options: o, preludes: map[string]string{}}
	if _, err := s.prelude(&FrontMatter{Async: true}); err != nil {
		root.Close()
		return nil, fmt.Errorf("%s is no checkout of test262: %w", dir, err)
	}
	return s, nil
}

// Close releases the folder.
func (s *Suite) Close() error { return s.root.Close() }

// Name implements [suite.Suite].
func (*Suite) Name() string { return Name }

// HasSubtests implements [suite.Suite].
func (*Suite) HasSubtests() bool { return false }

// Tests lists the tests, sorted by name. Files whose names hold "_FIXTURE" are
// modules for others.
func (s *Suite) Tests() ([]suite.Test, error) {
	tests, err := fs.Sub(s.root.FS(), folder)
	if err != nil {
		return nil, err
	}
	var out []suite.Test
	err = fs.WalkDir(tests, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() && strings.HasSuffix(name, ".js") && !strings.Contains(name, "_FIXTURE") {
			out = append(out, suite.Test{Name: name, Area: areaOf(name)})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing test262: %w", err)
	}
	slices.SortFunc(out, func(a, b suite.Test) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// areaOf returns the first folder of a test, and for built-ins the second too.
func areaOf(name string) string {
	parts := strings.Split(name, "/")
	if len(parts) > 2 && parts[0] == "built-ins" {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// IsDefault reports whether a test is run when nothing else is asked for: those
// that are still being staged are not.
func IsDefault(t suite.Test) bool { return t.Area != "staging" }

// Counts reports whether a test counts as one of the language outside Temporal:
// those of the harness itself and those that are being staged do not.
func Counts(t suite.Test) bool {
	return t.Area != "staging" && t.Area != "harness" && t.Area != Temporal
}

// NeedsSharedMemory reports whether a test needs SharedArrayBuffer or Atomics, which the
// sandbox has not, by design.
func NeedsSharedMemory(r suite.Result) bool {
	return slices.ContainsFunc(r.Features, func(feature string) bool {
		return feature == "SharedArrayBuffer" || strings.HasPrefix(feature, "Atomics")
	})
}

// Temporal is the area of the tests that need Temporal, and why they are left out.
const Temporal = "Temporal"

// documentAll is the feature of tests that are only for hosts with an object like
// document.all, and why they are left out.
const documentAll = "IsHTMLDDA"

// agents is why tests of several agents are left out: an execution has one, so that
// nothing they ask can be tried. What they test on the way is absent by design.
const agents = "several agents"

// needsAgents reports whether a test starts other agents.
func needsAgents(text string, m *FrontMatter) bool {
	return strings.Contains(text, "$262.agent") || slices.Contains(m.Includes, "atomicsHelper.js")
}

// needsTemporal reports whether a test is one of Temporal.
func needsTemporal(name string, m *FrontMatter) bool {
	return slices.Contains(m.Features, Temporal) || slices.Contains(strings.Split(path.Dir(name), "/"), Temporal)
}

// Run implements [suite.Suite].
func (s *Suite) Run(ctx context.Context, execute suite.Execute, t suite.Test) (suite.Result, error) {
	out := suite.Result{Test: t, Outcome: suite.Fail}
	content, err := s.root.ReadFile(path.Join(folder, t.Name))
	if err != nil {
		return out, err
	}
	text := string(content)
	m, err := ParseFrontMatter(t.Name, text)
	if err != nil {
		out.Message = err.Error()
		return out, nil
	}
	out.Features = m.Features
	switch temporal := needsTemporal(t.Name, &m); {
	case slices.Contains(m.Features, documentAll):
		out.LeftOut = documentAll
		return out, nil
	case needsAgents(text, &m):
		out.LeftOut = agents
		return out, nil
	case temporal && !s.options.Temporal:
		out.LeftOut = Temporal
		return out, nil
	case temporal:
		out.Area = Temporal
	}
	for _, how := range m.modes() {
		request, err := s.program(t.Name, text, &m, how)
		if err != nil {
			return out, err
		}
		result, err := execute(ctx, request)
		if err != nil {
			return out, err
		}
		out.Outcome, out.Message = judge(t.Name, &m, result)
		if out.Outcome != suite.Pass {
			out.Message = string(how) + ": " + out.Message
			return out, nil
		}
	}
	return out, nil
}
