package repository

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// This file owns what the rules share: where the repository is, which files it
// has and which packages.

const module = "github.com/isogate/isogate"

// root returns the top folder of the repository.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatalf("%s is not the top of the repository: %v", dir, err)
	}
	return dir
}

// command runs a command in the repository's top folder and returns its output.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, exit.Stderr)
		}
		t.Fatalf("%s: %v", strings.Join(cmd.Args, " "), err)
	}
	return string(out)
}

// files returns the repository's files, relative to its top and with slashes:
// those that git has or would add.
func files(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range strings.Split(command(t, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
		// git still lists what was deleted and not yet committed.
		if info, err := os.Lstat(filepath.Join(root(t), name)); name != "" && err == nil && info.Mode().IsRegular() {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		t.Fatal("git lists no file")
	}
	return out
}

// read returns the text of one of the repository's files.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// goPackage is what the rules need of go list's record of a package.
type goPackage struct {
	ImportPath       string
	Deps             []string
	TestImports      []string
	CgoFiles         []string
	CFiles, CXXFiles []string
}

var listed = struct {
	once     sync.Once
	packages []goPackage
}{}

// packages returns the repository's packages as go list sees them.
func packages(t *testing.T) []goPackage {
	t.Helper()
	listed.once.Do(func() {
		decoder := json.NewDecoder(strings.NewReader(command(t, "go", "list", "-json", "./...")))
		for {
			var p goPackage
			err := decoder.Decode(&p)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatalf("go list: %v", err)
			}
			listed.packages = append(listed.packages, p)
		}
	})
	if len(listed.packages) == 0 {
		t.Fatal("go list found no package")
	}
	return listed.packages
}

// relative returns a package's folder below the top, or false for a package of
// another module.
func relative(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}
