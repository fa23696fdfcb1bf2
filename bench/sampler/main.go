// Command sampler takes samples of the benchmarks of package bench, as requests on
// its standard input ask for them, and answers on its standard output: see
// [bench.Serve]. It measures the executor that it is built with, so that two builds
// can be measured in turn by one that compares them.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/isogate/isogate/bench"
)

// This file owns the process.

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := bench.Serve(ctx, os.Stdin, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sampler:", err)
		os.Exit(2)
	}
}
