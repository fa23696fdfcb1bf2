package main

import (
	"os"
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

// TestTheLineOfTheReadme is the program of README.md as it is typed.
func TestTheLineOfTheReadme(t *testing.T) {
	got := isogate(t, invocation{
		args:  []string{"run", "-", "--input", `{"n":100}`, "--tool", "tools.add=./examples/add.sh"},
		stdin: "async ({n}) => { let s=0; for (let i=0;i<n;i++) s = await tools.add({a:s,b:i}); return s }\n",
		dir:   "../..",
	})
	got.wantStatus(t, statusValue)
	if got.stdout != "4950\n" {
		t.Errorf("printed %q, want 4950", got.stdout)
	}
}
