package child

import (
	"errors"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// This file owns Landlock: access to files that a process gives up for itself.
// See https://docs.kernel.org/userspace-api/landlock.html.

// signalScope is the version of the kernel's interface from which on signals
// between the threads of one process pass, although each thread has a domain of
// its own. Before it, Go's runtime could not stop its own threads.
const signalScope = 7

// restrictFiles forbids all that this kernel's Landlock can forbid, with no
// exception: every way to use the file system, TCP ports, signals and abstract
// sockets of others. It acts on all threads.
//
//gate:protects child-sealed-in-layers
func restrictFiles() error {
	version, err := ll.LandlockGetABIVersion()
	if err != nil || version < 1 {
		return errors.New("this kernel has no Landlock, or it is turned off")
	}
	if err := reachThreads(); err != nil {
		return err
	}
	config := landlock.V11
	if version < signalScope {
		config = landlock.V5
	}
	return config.BestEffort().Restrict()
}
