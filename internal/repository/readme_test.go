package repository

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the rules about README.md: what it shows is what is run.

// block returns the fenced block of README.md that follows a heading.
func block(t *testing.T, heading, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(read(t, "README.md"), "\n"+heading+"\n")
	if !found {
		t.Fatalf("README.md has no heading %q", heading)
	}
	section, _, _ := strings.Cut(rest, "\n## ")
	_, body, found := strings.Cut(section, "```"+language+"\n")
	if !found {
		t.Fatalf("README.md has no %s block under %q", language, heading)
	}
	body, _, _ = strings.Cut(body, "```")
	return body
}

func TestContinuousIntegrationRunsTheCommandsOfTheReadme(t *testing.T) {
	var shown []string
	for _, line := range strings.Split(strings.TrimSpace(block(t, "## Build and test", "sh")), "\n") {
		line, _, _ = strings.Cut(line, "#")
		shown = append(shown, strings.TrimSpace(line))
	}
	run := regexp.MustCompile(`(?m)^make .*$`).FindAllString(read(t, ".ci/run"), -1)
	if diff := cmp.Diff(shown, run); diff != "" {
		t.Errorf("the commands of README.md and .ci/run (-README +.ci/run):\n%s", diff)
	}
	if len(run) != 2 {
		t.Errorf(".ci/run runs %d commands, want two", len(run))
	}
	if !strings.Contains(read(t, ".ci/run"), "set -euo pipefail") {
		t.Error(".ci/run does not stop at the first failure")
	}
}

// TestTheReadmeShowsTheTestedExample compares line by line, without regard to
// indentation: the example is a function in one place and a program in the other.
func TestTheReadmeShowsTheTestedExample(t *testing.T) {
	tested := map[string]bool{}
	for _, line := range strings.Split(read(t, "executor/example_test.go"), "\n") {
		tested[strings.TrimSpace(line)] = true
	}
	frame := map[string]bool{"package main": true, "func main() {": true, "": true}
	for _, line := range strings.Split(block(t, "## Embed it in Go", "go"), "\n") {
		if line = strings.TrimSpace(line); !tested[line] && !frame[line] {
			t.Errorf("README.md shows the line %q, which executor/example_test.go does not have", line)
		}
	}
}
