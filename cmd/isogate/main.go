// Command isogate runs programs that nobody has reviewed, each in a fresh V8
// isolate inside a sealed child process.
//
//	isogate run FILE|-   execute a program and print its value
//	isogate serve        execute programs for callers elsewhere
//	isogate token TENANT make a token for a caller of serve
//	isogate doctor       say what this machine can do, and try it
//	isogate version      print versions
//
// This file owns the start of the process: signals, streams and the exit status.
// What the command does is in the libraries that it calls; here are only its
// flags and how it prints.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// streams are the standard streams, passed along so that nothing below reaches
// for the process's own.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	// The first signal cancels what runs; once it has, a second one ends the
	// process as signals do.
	ending := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if len(os.Args) < 2 || os.Args[1] != serveName {
		ending = append(ending, syscall.SIGHUP) // which tells a daemon to read its tokens and certificates again
	}
	ctx, stop := signal.NotifyContext(context.Background(), ending...)
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// execute runs the command with its arguments and returns the exit status.
func execute(ctx context.Context, args []string, s streams) int {
	root := newRootCommand(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		newPrinter(s).failure(err)
	}
	return exitStatus(err)
}
