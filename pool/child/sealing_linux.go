package child

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// This file owns the list of steps on Linux and the short ones among them. The
// others: descriptors_linux.go, root_linux.go, privileges_linux.go,
// landlock_linux.go, filter_linux.go.

// maxOpenFiles leaves room for the descriptors of start-up and of Go's runtime
// (epoll, eventfd, cgroup files), and not for more.
const maxOpenFiles = 32

// maxProcesses bounds the threads of a child. It has about twelve; Go starts more
// when several goroutines wait in C or in system calls at once.
const maxProcesses = 64

// startSteps are taken before anything else.
func startSteps(role string) []step {
	fileSize := uint64(0)
	if role == RoleSnapshot {
		fileSize = maxSnapshot
	}
	return []step{
		{ParentDeathSignal, parentDeathSignal},
		{Descriptors, closeInherited},
		{Environment, emptyEnvironment},
		{Directory, func() error { return os.Chdir("/") }},
		{NoNewPrivileges, gainNoPrivileges},
		{NotDumpable, func() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }},
		{CoreSize, limit(unix.RLIMIT_CORE, 0)},
		{FileSize, limit(unix.RLIMIT_FSIZE, fileSize)},
		{OpenFiles, limit(unix.RLIMIT_NOFILE, maxOpenFiles)},
	}
}

// finalSteps are taken when the engine is up. Each leaves those after it what
// they need: mounts are changed while there is the capability to, the user is
// changed before the capabilities go, Landlock comes before the filter that
// refuses its system calls, and the filter comes last.
func finalSteps(s *sealing, profile string) []step {
	return []step{
		{RuntimeFiles, closeRuntimeFiles},
		{Processes, func() error { return limitProcesses(s) }},
		{EmptyRoot, func() error { return emptyRoot(s) }},
		{Identity, func() error { return becomeNobody(s) }},
		{Capabilities, dropCapabilities},
		{Landlock, restrictFiles},
		{SystemCalls, func() error { return filterSystemCalls(profile) }},
	}
}

// limit sets a resource limit, soft and hard. See setrlimit(2).
func limit(resource int, value uint64) func() error {
	return func() error { return unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: value}) }
}

// parentDeathSignal asks for SIGKILL when the thread that started this process
// ends. The parent asked for the same before the execve, and execve keeps it;
// asking again covers a parent that could not. See PR_SET_PDEATHSIG(2const).
//
//gate:protects no-process-left
//gate:equivalent removed the parent asks for the same before the execve, and a child ends with its channel
func parentDeathSignal() error {
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

// emptyEnvironment clears what the parent already left empty, and fails when
// something is left.
//
//gate:protects nothing-inherited
//gate:equivalent removed the parent gives an empty environment
func emptyEnvironment() error {
	os.Clearenv()
	if left := os.Environ(); len(left) > 0 {
		return fmt.Errorf("%d variables are left", len(left))
	}
	return nil
}

// limitProcesses bounds the number of threads. The kernel counts those of a user
// in a user namespace together, so without a namespace of its own a child would
// count what others run. See RLIMIT_NPROC in getrlimit(2).
//
//gate:protects child-takes-no-more
func limitProcesses(s *sealing) error {
	if !s.wanted[UserNamespace] {
		return fmt.Errorf("it counts all processes of the user without %s", UserNamespace)
	}
	return limit(unix.RLIMIT_NPROC, maxProcesses)()
}
