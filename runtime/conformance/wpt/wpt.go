// Package wpt runs a checkout of web-platform-tests: its tests of the form
// "*.any.js", which need no document, with the checkout's own testharness.js
// inside the isolate.
//
// https://web-platform-tests.org/writing-tests/testharness.html
package wpt

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
const Name = "wpt"

// harness is the file that every test needs.
const harness = "resources/testharness.js"

// Options configure a suite. Zero fields take the defaults in their comments.
type Options struct {
	// Timeout is how long a test may take; one that says it is long may take six
	// times as long. Default 10 s.
	Timeout time.Duration
	// Grants are what the programs are granted. Default: eval.
	Grants []protocol.Grant
}

// Suite is a checkout. Its methods may be called from any goroutine.
type Suite struct {
	root    *os.Root
	options Options
	peers   *Peers
	harness string

	mu      sync.Mutex
	scripts map[string]string // texts of scripts that tests name; guarded by mu
}

var _ suite.Suite = (*Suite)(nil)

// Open opens a checkout. Nothing outside of the folder is ever read. Close it.
func Open(dir string, o Options) (*Suite, error) {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Grants == nil {
		o.Grants = []protocol.Grant{protocol.GrantEval}
	}
	peers, err := ReadPeers()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the checkout of web-platform-tests: %w", err)
	}
	text, err := root.ReadFile(harness)
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("%s is no checkout of web-platform-tests: %w", dir, err)
	}
	return &Suite{root: root, options: o, peers: peers, harness: string(text), scripts: map[string]string{}}, nil
}

// Close releases the folder.
func (s *Suite) Close() error { return s.root.Close() }

// Name implements [suite.Suite].
func (*Suite) Name() string { return Name }

// HasSubtests implements [suite.Suite].
func (*Suite) HasSubtests() bool { return true }

// Peers returns what other runtimes reach.
func (s *Suite) Peers() *Peers { return s.peers }

// IsDefault reports whether a test is of an area that is run by default.
func (s *Suite) IsDefault(t suite.Test) bool {
	a, known := s.peers.Area(t.Area)
	return known && a.Default
}

// Tests lists the tests, one for each variant of a file, sorted by name.
func (s *Suite) Tests() ([]suite.Test, error) {
	var out []suite.Test
	err := fs.WalkDir(s.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && name != "." {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".any.js") {
			return nil
		}
		text, err := s.root.ReadFile(name)
		if err != nil {
			return err
		}
		meta, err := ParseMeta(name, string(text))
		if err != nil {
			return err
		}
		if !meta.Runs() {
			return nil
		}
		for _, variant := range meta.Variants {
			out = append(out, suite.Test{Name: name + variant, Area: s.areaOf(name)})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing web-platform-tests: %w", err)
	}
	slices.SortFunc(out, func(a, b suite.Test) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func (s *Suite) areaOf(name string) string {
	if a, known := s.peers.area(name); known {
		return a.Name
	}
	return path.Dir(name)
}

// Run implements [suite.Suite].
func (s *Suite) Run(ctx context.Context, execute suite.Execute, t suite.Test) (suite.Result, error) {
	name, variant := splitVariant(t.Name)
	text, err := s.root.ReadFile(name)
	if err != nil {
		return suite.Result{}, err
	}
	meta, err := ParseMeta(name, string(text))
	if err != nil {
		return suite.Result{}, err
	}
	request, err := s.program(name, variant, string(text), &meta)
	if err != nil {
		return suite.Result{Test: t, Outcome: suite.Fail, Message: err.Error()}, nil
	}
	result, err := execute(ctx, request)
	if err != nil {
		return suite.Result{}, err
	}
	return judge(t, result), nil
}

// splitVariant splits the name of a test into the file and the variant.
func splitVariant(name string) (file, variant string) {
	if at := strings.IndexAny(name, "?#"); at >= 0 {
		return name[:at], name[at:]
	}
	return name, ""
}
