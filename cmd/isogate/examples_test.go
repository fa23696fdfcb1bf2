package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// This file owns running the examples by the command that each opens with.

func TestExamples(t *testing.T) {
	want := map[string]string{
		"sum.js":      "4950\n",
		"parallel.js": `["lamp: 12","atlas: 3","unicorn: no such article: \"unicorn\""]` + "\n",
		"invoice.ts":  `{"net":"133.98","tax":"21.38","total":"155.36"}` + "\n",
	}
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	opening := regexp.MustCompile(`(?m)^// +isogate (run examples/(\S+) .*)$`)
	found := map[string]bool{}
	programs, err := filepath.Glob(filepath.Join(top, "examples", "*.[jt]s"))
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		text, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		match := opening.FindStringSubmatch(string(text))
		if match == nil {
			continue // a module of another example
		}
		name := filepath.Base(program)
		if match[2] != name {
			t.Errorf("%s opens with the command for %s", name, match[2])
		}
		found[name] = true
		var args []string
		for _, arg := range strings.Fields(match[1]) {
			args = append(args, strings.Trim(arg, "'"))
		}
		got := isogate(t, invocation{args: args, dir: top})
		got.wantStatus(t, statusValue)
		if got.stdout != want[name] {
			t.Errorf("%s printed %q, want %q", name, got.stdout, want[name])
		}
	}
	for name := range want {
		if !found[name] {
			t.Errorf("%s was not run", name)
		}
	}
}

// TestTheReadme runs the lines that README.md shows, as they are typed from the
// top of a tree in which the commands are built.
func TestTheReadme(t *testing.T) {
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile("(?s)\n## Run a program\n.*?```sh\n(.*?)# (.*?)\n```").FindStringSubmatch(string(text))
	if match == nil {
		t.Fatal("README.md shows no program that is run")
	}
	dir := t.TempDir()
	for name, target := range map[string]string{"bin/isogate": built(t), "examples": filepath.Join(top, "examples")} {
		link := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	got := isogate(t, invocation{binary: shell, args: []string{"-c", match[1]}, dir: dir})
	got.wantStatus(t, statusValue)
	if got.stdout != match[2]+"\n" {
		t.Errorf("the lines print %q, README.md says %q", got.stdout, match[2])
	}
}
