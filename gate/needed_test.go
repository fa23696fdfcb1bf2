package gate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/threats"
)

// This file tests which controls a change needs, with a small module under git.

// repository is a module of three packages, of which pool uses sandbox, which embeds a
// file, and other is used by nobody.
var repository = map[string]string{
	"go.mod":                  "module example.com/small\n\ngo 1.26\n",
	"pool/pool.go":            "package pool\n\nimport _ \"example.com/small/sandbox\"\n",
	"pool/queue.go":           "package pool\n",
	"sandbox/sandbox.go":      "package sandbox\n\nimport \"embed\"\n\n//go:embed js/*.js\nvar files embed.FS\n",
	"sandbox/js/x.js":         "1\n",
	"sandbox/sandbox_test.go": "package sandbox\n",
	"other/other.go":          "package other\n",
	"gate/gate.go":            "package gate\n",
	"executor/executor.go":    "package executor\n",
	"threats/threats.go":      "package threats\n",
	"threats/one/claim.yaml":  "id: one\n",
	"threats/two/a.js":        "2\n",
	"docs/x.md":               "text\n",
}

func TestNeededControls(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing, which knows what changed")
	}
	control := func(name, file string) *threats.Control {
		return &threats.Control{Name: name, Edits: []threats.Edit{{File: file}}}
	}
	model := &threats.Model{Claims: []*threats.Claim{
		{ID: "one", Owners: []threats.Owner{{File: "pool/pool.go"}}, Controls: []*threats.Control{control("pool", "pool/queue.go"), control("script", "sandbox/js/x.js")}},
		{ID: "two", Owners: []threats.Owner{{File: "other/other.go"}}, Controls: []*threats.Control{control("sandbox", "sandbox/sandbox.go")}},
	}}
	all := []string{"one/pool", "one/script", "two/sandbox"}
	tests := []struct {
		name   string
		change string // file to be changed; "-" before it: removed
		want   []string
	}{
		{"nothing", "", nil},
		{"a document", "docs/x.md", nil},
		{"a test", "sandbox/sandbox_test.go", nil},
		{"a package that nothing mutated depends on", "pool/new.go", []string{"one/pool"}},
		{"a package that another depends on", "sandbox/new.go", all},
		{"a file that is embedded", "sandbox/js/new.js", all},
		{"a file that is gone", "-sandbox/js/x.js", all},
		{"an owner of one claim", "other/other.go", []string{"two/sandbox"}},
		{"another file of a package that owns", "other/new.go", nil},
		{"a claim", "threats/one/claim.yaml", []string{"one/pool", "one/script"}},
		{"an attack", "threats/two/a.js", []string{"two/sandbox"}},
		{"a new attack", "threats/two/b.js", []string{"two/sandbox"}},
		{"the format of claims", "threats/threats.go", all},
		{"the gate", "gate/gate.go", all},
		{"the executor", "executor/executor.go", all},
		{"the modules", "go.mod", all},
	}
	for _, tc := range tests {
		for _, committed := range []bool{false, true} {
			name := tc.name + ", in the working tree"
			if committed {
				name = tc.name + ", in a commit"
			}
			t.Run(name, func(t *testing.T) {
				root := t.TempDir()
				for file, text := range repository {
					writeFile(t, filepath.Join(root, file), text)
				}
				git(t, root, "init", "-q", "-b", "main")
				commit(t, root)
				git(t, root, "branch", "base")
				if file, gone := strings.CutPrefix(tc.change, "-"); gone {
					if err := os.Remove(filepath.Join(root, file)); err != nil {
						t.Fatal(err)
					}
					writeFile(t, filepath.Join(root, filepath.Dir(file), "y.js"), "2\n") // for go:embed
				} else if file != "" {
					text := repository[file]
					if strings.HasSuffix(file, ".go") && text == "" {
						text = "package " + filepath.Base(filepath.Dir(file)) + "\n"
					}
					writeFile(t, filepath.Join(root, file), text+"\n")
				}
				if committed {
					commit(t, root)
				}
				c, err := changedSince(t.Context(), root, "base")
				if err != nil {
					t.Fatal(err)
				}
				jobs, left := c.needed(selectControls(model, nil))
				var got []string
				for _, job := range jobs {
					got = append(got, job.claim.ID+"/"+job.control.Name)
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Error(diff)
				}
				if (len(left) == 0) != (len(got) == len(all)) {
					t.Errorf("left out: %q", left)
				}
			})
		}
	}
}

// What the other branch changed since they parted is not what this one changed.
func TestChangedSinceTheMergeBase(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing, which knows what changed")
	}
	root := t.TempDir()
	for file, text := range repository {
		writeFile(t, filepath.Join(root, file), text)
	}
	git(t, root, "init", "-q", "-b", "main")
	commit(t, root)
	git(t, root, "checkout", "-q", "-b", "theirs")
	writeFile(t, filepath.Join(root, "gate/gate.go"), "package gate\n\n// Changed.\n")
	commit(t, root)
	git(t, root, "checkout", "-q", "main")
	writeFile(t, filepath.Join(root, "other/other.go"), "package other\n\n// Changed.\n")
	c, err := changedSince(t.Context(), root, "theirs")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"other/other.go"}, c.files); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"nowhere", "--all", ""} {
		if _, err := changedSince(t.Context(), root, bad); err == nil || !strings.Contains(err.Error(), "git knows no commit") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := changedSince(t.Context(), t.TempDir(), "main"); err == nil {
		t.Error("a folder without git was accepted")
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, root string) {
	t.Helper()
	git(t, root, "add", "--all")
	git(t, root, "commit", "-q", "--allow-empty", "-m", "state")
}

func git(t *testing.T, root string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = root
	c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
