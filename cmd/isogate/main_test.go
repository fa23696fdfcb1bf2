package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// This file owns running the built command, and looking what it leaves behind.

// scratch is a folder for this run of the tests.
var scratch string

func TestMain(m *testing.M) {
	if config := os.Getenv(callerVariable); config != "" {
		if err := call(config, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "isogate-test-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(scratch)
		return m.Run()
	}())
}

// build builds the command once and returns its path. From then on whatever
// the command leaves behind becomes a child of this process.
var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "isogate")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, adoptOrphans()
})

// built returns the path of the built command.
func built(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// outcome is what one run of the command gave.
type outcome struct {
	stdout, stderr string
	status         int
	elapsed        time.Duration
}

// invocation is one run of the command.
type invocation struct {
	binary string // default: the built command
	args   []string
	stdin  string
	dir    string
	env    []string          // beside the test's own
	stderr *os.File          // standard error goes here rather than into the outcome
	after  func(*os.Process) // called once it is started
}

// waitFor returns when the condition holds, and fails the test when it never does.
func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what was waited for did not happen")
		}
	}
}

// isogate runs the built command and fails the test when it leaves a process.
func isogate(t *testing.T, i invocation) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if i.binary == "" {
		i.binary = built(t)
	}
	cmd := exec.CommandContext(ctx, i.binary, i.args...)
	cmd.Dir, cmd.Env = i.dir, append(os.Environ(), i.env...)
	cmd.Stdin = strings.NewReader(i.stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if i.stderr != nil {
		cmd.Stderr = i.stderr
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if i.after != nil {
		i.after(cmd.Process)
	}
	err := cmd.Wait()
	out := outcome{stdout: stdout.String(), stderr: stderr.String(), elapsed: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		t.Fatalf("isogate %q did not end; it wrote %s%s", i.args, out.stdout, out.stderr)
	case errors.As(err, &exit):
		out.status = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	if left := orphans(t); len(left) > 0 {
		t.Errorf("isogate %q left %d processes behind: %v", i.args, len(left), left)
	}
	return out
}

// runProgram runs a program given on standard input.
func runProgram(t *testing.T, program string, args ...string) outcome {
	t.Helper()
	return isogate(t, invocation{args: append([]string{"run", "-"}, args...), stdin: program})
}

// wantStatus fails the test when the exit status is another one.
func (o outcome) wantStatus(t *testing.T, want int) {
	t.Helper()
	if o.status != want {
		t.Errorf("exit status %d, want %d; standard output %q, standard error %q", o.status, want, o.stdout, o.stderr)
	}
}

// wantFailure fails the test unless the command wrote nothing to standard
// output and one line to standard error, which starts with "isogate: " and holds
// all of parts.
func (o outcome) wantFailure(t *testing.T, status int, parts ...string) {
	t.Helper()
	o.wantStatus(t, status)
	if o.stdout != "" {
		t.Errorf("standard output %q, want none", o.stdout)
	}
	if !strings.HasPrefix(o.stderr, "isogate: ") || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("standard error %q, want one line of isogate's", o.stderr)
	}
	o.wantStderr(t, parts...)
}

func (o outcome) wantStderr(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(o.stderr, part) {
			t.Errorf("standard error %q does not hold %q", o.stderr, part)
		}
	}
}

// folder returns a new folder that holds the files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
