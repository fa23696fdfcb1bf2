// Command gate judges whether what is claimed about containing programs still
// holds: it attacks the real executor, shows that the attacks can fail, measures
// and reports. See package gate.
//
// Exit status: 0 everything held, 1 a claim is violated or vacuous or the threat
// model is incomplete, 2 wrong usage or something could not be done.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// This file owns the process: signals, the exit status, the last line.

// The exit statuses.
const (
	exitHeld   = 0
	exitFailed = 1
	exitSetup  = 2
)

// errFailed is the error of a command that did its work and found something wrong,
// which it has printed.
var errFailed = errors.New("the gate failed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command line and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr *os.File) int {
	root := newRoot(stdout, stderr)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitHeld
	case errors.Is(err, errFailed):
		return exitFailed
	}
	fmt.Fprintln(stderr, "gate:", err)
	return exitSetup
}
