package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/reports"
)

// This file tests the command line: exit statuses, what is printed where.

// gateCommand runs the command and returns its exit status and its two streams.
func gateCommand(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	open := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	out, errOut := open("stdout"), open("stderr")
	status = run(t.Context(), args, out, errOut)
	read := func(f *os.File) string {
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return status, read(out), read(errOut)
}

func TestCommandLine(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const header = "/*---\ntitle: t\nsource: own\nexpect: {value: 1}\n---*/\n"
	tests := []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // parts that must stand there
	}{
		{"help", []string{"--help"}, exitHeld, "Exit status:\n  0  everything held", ""},
		{"help of a command", []string{"controls", "--help"}, exitHeld, "makes its claim vacuous", ""},
		{"version", []string{"--version"}, exitHeld, fmt.Sprint("protocol ", protocol.Version), ""},
		{"an unknown command", []string{"verfy"}, exitSetup, "", `gate: unknown command "verfy"`},
		{"an unknown flag", []string{"verify", "--fast"}, exitSetup, "", "gate: unknown flag: --fast"},
		{"an expression that is none", []string{"verify", "--run", "("}, exitSetup, "", "gate: --run: error parsing regexp"},
		{"an expression that matches nothing", []string{"verify", "--run", "^nothing$"}, exitSetup, "", "gate: no attack matches ^nothing$"},
		{"a control that is not there", []string{"controls", "--run", "^nothing$"}, exitSetup, "", "gate: no control matches ^nothing$"},
		{"a benchmark that is not there", []string{"bench", "--run", "^nothing$"}, exitSetup, "", "gate: no benchmark matches ^nothing$"},
		{"audit", []string{"audit"}, exitHeld, "# Threat model\n", ""},
		{"audit says what is not claimed", []string{"audit"}, exitHeld, "## What is not claimed\n", ""},
		{"audit into a document that has no place for it", []string{"audit", "--chapter", write("chapter.md", "# Title\n")}, exitSetup, "", "chapter.md: there is no line"},
		{"audit into no document", []string{"audit", "--chapter", filepath.Join(dir, "none.md")}, exitSetup, "", "no such file"},
		{"replay without a file", []string{"replay"}, exitSetup, "", "accepts 1 arg(s), received 0"},
		{"replay a file that is not there", []string{"replay", filepath.Join(dir, "none.js")}, exitSetup, "", "no such file"},
		{"replay a malformed file", []string{"replay", write("bad.js", "() => 1")}, exitSetup, "", "bad.js:1:1: an attack opens with a comment"},
		{"replay an attack that holds", []string{"replay", write("good.js", header+"() => 1")}, exitHeld, "held\n", ""},
		{"replay an attack that does not", []string{"replay", write("wrong.js", header+"() => 2")}, exitFailed, "wrong: the value is 2, must be 1\nviolated\n", ""},
		{"report of no record", []string{"report", write("record.txt", "text")}, exitSetup, "", "record: not JSON"},
		{"report in no form", []string{"report", "x", "--format", "pdf"}, exitSetup, "", `there is no form "pdf"; the forms are annotations, bench, bench-new, bench-old, html, json, junit, markdown, sarif`},
		{"report of an old record", []string{"report", write("old.json", `{"schema": 1}`)}, exitSetup, "", "record: the schema is 1, this build reads 2"},
		{"report without a comparison as one side", []string{"report", write("bare.json", `{"schema": 2}`), "--format", "bench-old"}, exitSetup, "", "the record holds no comparison"},
		{"the forms in the help", []string{"report", "--help"}, exitHeld, "sarif        SARIF 2.1.0, for code scanning", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			status, stdout, stderr := gateCommand(t, tc.args...)
			if status != tc.status || !strings.Contains(stdout, tc.stdout) || !strings.Contains(stderr, tc.stderr) {
				t.Errorf("status %d, must be %d\nstdout: %s\nstderr: %s", status, tc.status, stdout, stderr)
			}
		})
	}
}

func TestVerifyWritesItsRecord(t *testing.T) {
	status, stdout, stderr := gateCommand(t, "verify", "--run", "^stalled-at-once/(never|still-busy)$", "--seed", "5", "--repeat", "2", "--json", "-")
	if status != exitHeld || !strings.Contains(stderr, "seed 5") || !strings.Contains(stderr, "PASSED: 1 of 1 claims held") {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	record, err := reports.Read(strings.NewReader(stdout))
	if err != nil {
		t.Fatal(err)
	}
	if len(record.Claims) != 1 || len(record.Claims[0].Attacks) != 2 || record.Claims[0].Attacks[0].Evidence.Attempts != 2 || record.Verify.Seed != 5 {
		t.Errorf("%+v", record)
	}
	name := filepath.Join(t.TempDir(), "record.json")
	if err := os.WriteFile(name, []byte(stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr = gateCommand(t, "report", name)
	if status != exitHeld || !strings.HasPrefix(stdout, "# PASSED: 1 of 1 claims held\n") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	var markdown bytes.Buffer
	if err := reports.Markdown(record, &markdown); err != nil || markdown.String() != stdout {
		t.Error("the report differs from that of the record")
	}
}
