package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// This file tests examples/ci: that they are YAML, that this build knows every command
// line in them, and that every file they name is one that the gate writes.

const examplesCI = "../../examples/ci"

// ciFile is a parsed example with what is looked at in it.
type ciFile struct {
	name string
	root *yaml.Node
	// scripts are the shell texts, paths the files that are kept, cached the folders
	// that are cached, uses the actions.
	scripts, paths, cached, uses []string
}

func readCI(t *testing.T, name string) *ciFile {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examplesCI, name))
	if err != nil {
		t.Fatal(err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	var decoded map[string]any // resolves anchors, and refuses keys that are there twice
	if err := document.Decode(&decoded); err != nil {
		t.Fatal(err)
	}
	f := &ciFile{name: name, root: document.Content[0]}
	f.walk(f.root, "")
	return f
}

// walk collects from every mapping below a node; parent is the key that it is under.
func (f *ciFile) walk(n *yaml.Node, parent string) {
	if n.Kind != yaml.MappingNode {
		for _, child := range n.Content {
			f.walk(child, parent)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		texts := scalars(value)
		switch {
		case key == "run" || key == "script" || key == "after_script" || key == "before_script":
			f.scripts = append(f.scripts, texts...)
		case key == "uses":
			f.uses = append(f.uses, texts...)
		case key == "paths" && parent == "cache" || key == "path" && strings.Contains(strings.Join(texts, ""), "_mutants"):
			f.cached = append(f.cached, texts...)
		case key == "path" || key == "paths" || key == "junit" || key == "sarif_file":
			f.paths = append(f.paths, texts...)
		}
		f.walk(value, key)
	}
}

func scalars(n *yaml.Node) []string {
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var out []string
	for _, child := range n.Content {
		out = append(out, scalars(child)...)
	}
	return out
}

// gateLine finds a command line of the gate in a line of shell: its arguments, and the
// file that its standard output goes to.
var gateLine = regexp.MustCompile(`(?:^|\s)bin/gate\b([^;>]*)(?:>\s*(\S+))?`)

// commands returns the arguments of every command line of the gate.
func (f *ciFile) commands() (all [][]string, redirected []string) {
	for _, script := range f.scripts {
		for line := range strings.Lines(strings.ReplaceAll(script, "\\\n", " ")) {
			if m := gateLine.FindStringSubmatch(line); m != nil {
				all = append(all, strings.Fields(m[1]))
				if m[2] != "" {
					redirected = append(redirected, m[2])
				}
			}
		}
	}
	return all, redirected
}

// written returns the files and folders that the command lines write.
func (f *ciFile) written(t *testing.T) []string {
	t.Helper()
	all, written := f.commands()
	for _, args := range all {
		cmd, rest, err := newRoot(os.Stdout, os.Stderr).Find(args)
		if err != nil {
			t.Errorf("%s: gate %v: %v", f.name, args, err)
			continue
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%s: gate %v: %v", f.name, args, err)
			continue
		}
		if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
			t.Errorf("%s: gate %v: %v", f.name, args, err)
		}
		for _, name := range []string{"json", "out"} {
			flag := cmd.Flags().Lookup(name)
			switch {
			case flag == nil || flag.Value.String() == "" || flag.Value.String() == "-":
			case name == "out" && !cmd.HasParent():
				for _, left := range leftFiles {
					written = append(written, path.Join(flag.Value.String(), left.name))
				}
			default:
				written = append(written, flag.Value.String())
			}
		}
	}
	return written
}

func TestExamplesOfCI(t *testing.T) {
	needed := map[string]int{"--since": 1, "ab": 1, "soak": 1, "walk": 1, "--sweep": 1, "--release": 1, "audit": 1}
	for _, name := range []string{"github-actions.yml", "gitlab-ci.yml"} {
		t.Run(name, func(t *testing.T) {
			f := readCI(t, name)
			all, _ := f.commands()
			for word, least := range needed {
				n := 0
				for _, args := range all {
					if slices.Contains(args, word) {
						n++
					}
				}
				if n < least {
					t.Errorf("no command line has %s: %v", word, all)
				}
			}
			written := f.written(t)
			for _, named := range f.paths {
				for _, file := range strings.Fields(named) {
					switch {
					case file == ".": // the folder into which an artifact is unpacked
					case slices.Contains(written, file) || slices.Contains(written, path.Join("build", file)):
					case strings.Contains(file, "$COMMAND"):
						for _, value := range matrix(f.root) {
							if file := strings.ReplaceAll(file, "$COMMAND", value); !slices.Contains(written, file) {
								t.Errorf("nothing writes %s; written are %v", file, written)
							}
						}
					default:
						t.Errorf("nothing writes %s; written are %v", file, written)
					}
				}
			}
			for _, form := range []string{"report.html", "junit.xml", "report.sarif"} {
				if !strings.Contains(strings.Join(f.paths, "\n"), form) {
					t.Errorf("%s is not kept", form)
				}
			}
			if cache := path.Join(defaultOut, mutants); !strings.Contains(strings.Join(f.cached, "\n"), cache) {
				t.Errorf("%s is not cached: %v", cache, f.cached)
			}
			for _, script := range f.scripts {
				if strings.Contains(script, "${{") {
					t.Errorf("a value of the event is put into the text of a shell: %s", script)
				}
			}
		})
	}
}

// matrix returns the values of COMMAND.
func matrix(n *yaml.Node) []string {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "COMMAND" {
			return scalars(n.Content[i+1])
		}
	}
	for _, child := range n.Content {
		if values := matrix(child); values != nil {
			return values
		}
	}
	return nil
}

// Actions are pinned to a commit, with the version beside it, and what runs the code of
// a pull request may only read.
func TestGitHubExampleIsCareful(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(examplesCI, "github-actions.yml"))
	if err != nil {
		t.Fatal(err)
	}
	f := readCI(t, "github-actions.yml")
	if len(f.uses) == 0 {
		t.Fatal("no action is used")
	}
	pinned := regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40}$`)
	for _, use := range f.uses {
		if !pinned.MatchString(use) || !regexp.MustCompile(regexp.QuoteMeta(use)+` # v\d+\.\d+\.\d+\n`).Match(text) {
			t.Errorf("%s is not pinned to a commit with its version", use)
		}
	}
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []struct{ Run string }
			Timeout     int `yaml:"timeout-minutes"`
		}
	}
	if err := f.root.Decode(&workflow); err != nil {
		t.Fatal(err)
	}
	if len(workflow.Permissions) != 1 || workflow.Permissions["contents"] != "read" {
		t.Errorf("the workflow may %v", workflow.Permissions)
	}
	for name, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if step.Run != "" && len(job.Permissions) > 0 {
				t.Errorf("%s runs %q and may %v", name, step.Run, job.Permissions)
			}
		}
	}
}
