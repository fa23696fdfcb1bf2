// Package child is the process that runs programs: its roles, its main loop and
// the measures with which it gives up what it does not need.
//
// A child is the same binary as its parent, executed again. The package's init
// function takes over when the process was started as [Arg0], so every binary
// that links package pool, test binaries too, can be its own child. A child
// finds these descriptors, and nothing else, from its parent:
//
//	0, 1  the null device
//	2     a pipe, which the parent reads and bounds
//	3     [Channel]: frames of package protocol, role serve only
//	4     [Snapshot]: a memory file, written by role snapshot, read by role serve
//
// Its environment is empty and its working directory is "/". It takes
// instructions from the channel only, and ends at once when the channel ends:
// no child outlives its parent.
package child

import (
	"os"
	"syscall"
)

// Arg0 is the process name (argument 0) that makes a binary behave as a child.
const Arg0 = "isogate-child"

// The roles of a child, argument 1. Argument 2 is the name of the engine
// profile, see package sandbox; argument 3 the measures to take, see
// [JoinMeasures]; argument 4 the snapshot's digest, see [Digest], which a child
// that serves checks.
const (
	// RoleServe executes programs until the channel ends.
	RoleServe = "serve"
	// RoleSnapshot writes the startup snapshot to [Snapshot] and exits.
	RoleSnapshot = "snapshot"
)

// The descriptors a child finds open beside 0, 1 and 2.
const (
	Channel  = 3
	Snapshot = 4
)

// The exit statuses with which a child says why it could not go on. Those of
// the engine, from 71, are in package sandbox.
const (
	ExitUsage    = 80 // unknown role
	ExitSealing  = 81 // a sealing measure failed
	ExitSnapshot = 82 // the snapshot could not be made, read or restored
	ExitVersion  = 83 // the parent speaks another protocol version
	ExitProtocol = 84 // the parent sent something it may not
	// ExitNamespace: its user namespace got no users, or it cannot see the processes
	// of its pid namespace and could not seal all its threads.
	ExitNamespace = 85
)

// ExplainExit returns what an exit status of this package means, for the
// supervisor's logs and errors, and whether it is one.
func ExplainExit(status int) (string, bool) {
	switch status {
	case ExitUsage:
		return "it was started in an unknown role", true
	case ExitSealing:
		return "it could not seal itself", true
	case ExitSnapshot:
		return "it could not make or restore the startup snapshot", true
	case ExitVersion:
		return "it speaks another protocol version", true
	case ExitNamespace:
		return "it could not set itself up in its namespaces: its users, or a /proc of its own", true
	case ExitProtocol:
		return "it was sent something it does not accept", true
	}
	return "", false
}

func init() {
	if len(os.Args) > 0 && os.Args[0] == Arg0 {
		exit(Main(os.Args[1:]))
	}
}

// Main runs a child and returns its exit status. args are its arguments from the
// role on.
func Main(args []string) int {
	if len(args) != 4 {
		return fail(ExitUsage, "a child takes four arguments: role, profile, measures, digest")
	}
	switch role := args[0]; role {
	case RoleServe:
		session, status := Begin(args)
		if session == nil {
			return status
		}
		return session.serve()
	case RoleSnapshot:
		nameProcess()
		s := newSealing(args[2])
		if err := enterNamespaces(s); err != nil {
			return fail(ExitNamespace, err.Error())
		}
		s.take(startSteps(role))
		if len(s.missing) > 0 {
			return fail(ExitSealing, s.missing[0].Measure+": "+s.missing[0].Reason)
		}
		return writeSnapshot(args[1])
	default:
		return fail(ExitUsage, "there is no role "+role)
	}
}

// exit ends the process at once. Unlike os.Exit it waits for nothing: a child has
// nothing to finish, and instrumented builds take their time.
func exit(status int) { syscall.Exit(status) }

// fail says why on standard error, which only the parent's debug log shows, and
// returns the status.
func fail(status int, why string) int {
	os.Stderr.WriteString("isogate child: " + why + "\n")
	return status
}
