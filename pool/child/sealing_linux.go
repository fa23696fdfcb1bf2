package child

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// This file owns the measures on Linux.

// maxOpenFiles leaves room for the descriptors of start-up and of Go's runtime
// (epoll, eventfd, cgroup files), and not for more.
const maxOpenFiles = 32

// startMeasures are taken before anything else, in this order.
func startMeasures(role string) []measure {
	fileSize := uint64(0)
	if role == RoleSnapshot {
		fileSize = maxSnapshot
	}
	return []measure{
		{"parent_death_signal", parentDeathSignal},
		{"descriptors", closeInherited},
		{"environment", emptyEnvironment},
		{"directory", func() error { return os.Chdir("/") }},
		{"no_new_privileges", func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
		{"not_dumpable", func() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }},
		{"core_size", limit(unix.RLIMIT_CORE, 0)},
		{"file_size", limit(unix.RLIMIT_FSIZE, fileSize)},
		{"open_files", limit(unix.RLIMIT_NOFILE, maxOpenFiles)},
	}
}

// limit sets a resource limit, soft and hard. See setrlimit(2).
func limit(resource int, value uint64) func() error {
	return func() error { return unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: value}) }
}

// parentDeathSignal asks for SIGKILL when the thread that started this process
// ends. The parent asked for the same before the execve, and execve keeps it;
// asking again covers a parent that could not. See PR_SET_PDEATHSIG(2const).
func parentDeathSignal() error {
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

// emptyEnvironment clears what the parent already left empty, and fails when
// something is left.
func emptyEnvironment() error {
	os.Clearenv()
	if left := os.Environ(); len(left) > 0 {
		return fmt.Errorf("%d variables are left", len(left))
	}
	return nil
}

// closeInherited closes every descriptor beyond [Snapshot] that came through
// execve. Code in the parent that is not Go's may have opened files without
// close-on-exec, and those arrive here. They are told from the descriptors of
// this process's own runtime by that very flag: Go sets it on all it opens.
func closeInherited() error {
	directory, err := os.Open("/proc/self/fd")
	if err != nil {
		return closeInheritedBlindly()
	}
	names, err := directory.Readdirnames(-1)
	directory.Close()
	if err != nil {
		return err
	}
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil {
			return fmt.Errorf("/proc/self/fd has an entry %q", name)
		}
		if err := closeIfInherited(fd); err != nil {
			return err
		}
	}
	return nil
}

// closeInheritedBlindly does the same where /proc is not mounted, by trying
// every number that can be open.
func closeInheritedBlindly() error {
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return err
	}
	for fd := 0; uint64(fd) < files.Max && fd < 1<<20; fd++ {
		if err := closeIfInherited(fd); err != nil {
			return err
		}
	}
	return nil
}

func closeIfInherited(fd int) error {
	if fd <= Snapshot {
		return nil
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	if err == unix.EBADF {
		return nil // not open, or the directory handle that listed it
	}
	if err != nil {
		return fmt.Errorf("descriptor %d: %w", fd, err)
	}
	if flags&unix.FD_CLOEXEC != 0 {
		return nil
	}
	return unix.Close(fd)
}
