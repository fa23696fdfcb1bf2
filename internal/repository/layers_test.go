package repository

import (
	"strings"
	"testing"
)

// This file owns the direction of imports and the place of cgo.

// layers are the folders from the bottom up. A package may import packages of
// the lines below its own, and of its own folder; nothing else of this module.
// Folders on one line do not know of each other.
var layers = [][]string{
	{"protocol", "internal/kernel"},
	{"runtime", "sandbox/v8"},
	{"sandbox"},
	{"pool/child"},
	{"pool"},
	{"executor"},
	{"server", "internal/contracttest", "codemode"},
	{"bench", "threats", "reports", "runtime/conformance"},
	{"gate"},
	{"cmd"},
}

// layer returns the height and the folder of the layer that holds a package.
func layer(folder string) (height int, name string, found bool) {
	for i, names := range layers {
		for _, n := range names {
			if (folder == n || strings.HasPrefix(folder, n+"/")) && len(n) > len(name) {
				height, name, found = i, n, true
			}
		}
	}
	return height, name, found
}

func TestImportsPointDownwards(t *testing.T) {
	for _, p := range packages(t) {
		folder, _ := relative(p.ImportPath)
		if folder == "internal/repository" {
			continue // these tests; nothing imports them
		}
		height, name, found := layer(folder)
		if !found {
			t.Errorf("%s belongs to no layer: add its folder to layers", folder)
			continue
		}
		check := func(kind string, imports []string) {
			for _, path := range imports {
				imported, ours := relative(path)
				if !ours {
					continue
				}
				below, other, _ := layer(imported)
				if other != name && below >= height {
					t.Errorf("%s %s %s, which is not below it", folder, kind, imported)
				}
			}
		}
		check("depends on", p.Deps)
		// Tests of package x_test may look up: a layer can be tested through
		// those above it, and nothing links them.
		check("has tests that import", p.TestImports)
	}
}

// TestWhatIsShippedHoldsNoAttacks keeps what attacks children out of the command
// that runs them: nothing in it can be turned against its own sealing.
func TestWhatIsShippedHoldsNoAttacks(t *testing.T) {
	seen := false
	for _, p := range packages(t) {
		folder, _ := relative(p.ImportPath)
		if folder != "cmd/isogate" {
			continue
		}
		seen = true
		for _, path := range p.Deps {
			if linked, ours := relative(path); ours && (linked == "gate" || strings.HasPrefix(linked, "gate/") || linked == "threats") {
				t.Errorf("%s links %s", folder, linked)
			}
		}
	}
	if !seen {
		t.Error("there is no cmd/isogate: the rule checks nothing")
	}
}

// TestOnlyTheDaemonLinksTheSDKOfTraces keeps what gathers and sends spans out of
// libraries: those who embed the executor or the server choose their own, or none.
// Below the server there are no traces at all.
func TestOnlyTheDaemonLinksTheSDKOfTraces(t *testing.T) {
	const library, gathers = "go.opentelemetry.io/", "go.opentelemetry.io/otel/sdk"
	seen := false
	for _, p := range packages(t) {
		folder, _ := relative(p.ImportPath)
		top, _, _ := strings.Cut(folder, "/")
		serves := top == "server" || top == "gate" || top == "threats" || top == "cmd" || folder == "internal/repository"
		daemon := folder == "server/daemon" || strings.HasPrefix(folder, "server/daemon/") || folder == "cmd/isogate"
		for _, path := range p.Deps {
			seen = seen || daemon && path == gathers
			if strings.HasPrefix(path, library) && !serves || strings.HasPrefix(path, gathers) && !daemon {
				t.Errorf("%s links %s", folder, path)
			}
		}
	}
	if !seen {
		t.Error("the daemon does not link it: the rule checks nothing")
	}
}

func TestProtocolImportsOnlyTheStandardLibrary(t *testing.T) {
	seen := false
	for _, p := range packages(t) {
		folder, _ := relative(p.ImportPath)
		if folder != "protocol" && !strings.HasPrefix(folder, "protocol/") {
			continue
		}
		seen = true
		for _, path := range p.Deps {
			// The standard library is what has no dot in its first element.
			first, _, _ := strings.Cut(path, "/")
			if _, ours := relative(path); strings.Contains(first, ".") && !(ours && strings.HasPrefix(path, module+"/protocol")) {
				t.Errorf("%s depends on %s", folder, path)
			}
		}
	}
	if !seen {
		t.Error("there is no package protocol")
	}
}

func TestCgoIsInOnePackage(t *testing.T) {
	const only = "sandbox/v8"
	seen := false
	for _, p := range packages(t) {
		folder, _ := relative(p.ImportPath)
		if len(p.CgoFiles)+len(p.CFiles)+len(p.CXXFiles) == 0 {
			continue
		}
		seen = seen || folder == only
		if folder != only {
			t.Errorf("%s has cgo or C++ files; only %s may", folder, only)
		}
	}
	if !seen {
		t.Errorf("%s has no cgo: the rule checks nothing", only)
	}
	// Files that go list left out on this platform count too.
	for _, name := range files(t) {
		if strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, only+"/") && strings.Contains(read(t, name), "\nimport \"C\"") {
			t.Errorf("%s imports \"C\"", name)
		}
	}
}
