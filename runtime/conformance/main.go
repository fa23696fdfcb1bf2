// Command conformance runs the conformance suites of the Web platform and of
// ECMAScript through the real sandbox: a checkout of web-platform-tests or of
// test262, which are not part of this repository.
//
// Exit status: 0 everything as expected, 1 something failed or passed that was
// not expected to, 2 wrong usage or something could not be done.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// This file owns the process: signals, streams, the exit status.

// The exit statuses.
const (
	exitHeld   = 0
	exitFailed = 1
	exitSetup  = 2
)

// errUnexpected is the error of a run that was completed and did not go as
// expected, which has been printed.
var errUnexpected = errors.New("not as expected")

// streams are where a run prints: its report, and what is said meanwhile.
type streams struct {
	out, err io.Writer
	// terminal: err is one that can be redrawn.
	terminal bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process
	os.Exit(execute(ctx, os.Args[1:], streams{os.Stdout, os.Stderr, isTerminal(os.Stderr)}))
}

// execute runs the command line and returns the exit status.
func execute(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitHeld
	case errors.Is(err, errUnexpected):
		return exitFailed
	}
	fmt.Fprintln(s.err, "conformance:", err)
	return exitSetup
}

// isTerminal reports whether a file is a terminal that can be redrawn.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("CI") == "" && os.Getenv("TERM") != "dumb" && os.Getenv("TERM") != ""
}
