//go:build unix

package sandbox

import (
	"time"

	"golang.org/x/sys/unix"
)

// This file owns the CPU clock of the process.

// processCPU returns the CPU time that this process has used, all threads,
// user and system, by getrusage(2).
func processCPU() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		panic(err) // cannot fail for RUSAGE_SELF
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
