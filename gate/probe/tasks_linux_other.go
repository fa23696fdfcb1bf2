//go:build linux && !amd64

package probe

import "golang.org/x/sys/unix"

// This file owns the machines for which no tasks are made below Go's runtime: the
// probes that need them answer that the call is lacking.

// none is the number of no call.
const none = ^uintptr(0)

const (
	callFork      = none
	callVfork     = none
	callModifyLDT = none
)

var program []byte

func makeTask(_, _, _, _, _, _ uintptr, _ *uint32, _ *unix.Timespec) uintptr {
	return ^uintptr(unix.ENOSYS - 1) // negative
}
