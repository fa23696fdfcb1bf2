package child

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// This file owns which descriptors a child keeps.

// closeInherited closes every descriptor beyond [Snapshot] that came through
// execve. Code in the parent that is not Go's may have opened files without
// close-on-exec, and those arrive here. They are told from the descriptors of
// this process's own runtime by that very flag: Go sets it on all it opens.
//
//gate:protects nothing-inherited
//gate:equivalent removed what the parent opens is closed by execve, and closeRuntimeFiles closes the rest
func closeInherited() error {
	return eachDescriptor(func(fd int, _ string) error { return closeIfInherited(fd) })
}

// closeRuntimeFiles closes the files that Go's runtime has open: those of the
// control group that it reads now and then to follow the number of processors.
// What is left beside the five is its epoll and its eventfd, which lead nowhere.
// The number of processors is fixed first, so that it does not miss the files.
//
//gate:protects sealed-as-reported
func closeRuntimeFiles() error {
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	return eachDescriptor(func(fd int, target string) error {
		switch {
		case fd <= Snapshot, target == "anon_inode:[eventpoll]", target == "anon_inode:[eventfd]":
			return nil
		case target == "":
			return errors.New("what it is cannot be seen without /proc")
		}
		return unix.Close(fd)
	})
}

// eachDescriptor calls f for each open descriptor with what it refers to. Where
// /proc is not mounted it tries every number that can be open, with an empty target.
func eachDescriptor(f func(fd int, target string) error) error {
	const list = "/proc/self/fd"
	directory, err := os.Open(list)
	if err != nil {
		return eachNumber(f)
	}
	own := int(directory.Fd())
	names, err := directory.Readdirnames(-1)
	directory.Close()
	if err != nil {
		return err
	}
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil {
			return fmt.Errorf("%s has an entry %q", list, name)
		}
		if fd == own {
			continue
		}
		target, err := os.Readlink(list + "/" + name)
		if err != nil {
			continue // closed meanwhile
		}
		if err := f(fd, target); err != nil {
			return fmt.Errorf("descriptor %d: %w", fd, err)
		}
	}
	return nil
}

func eachNumber(f func(fd int, target string) error) error {
	var files unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return err
	}
	for fd := 0; uint64(fd) < files.Max && fd < 1<<20; fd++ {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil {
			continue
		}
		if err := f(fd, ""); err != nil {
			return fmt.Errorf("descriptor %d: %w", fd, err)
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
		return nil
	}
	if err != nil {
		return err
	}
	if flags&unix.FD_CLOEXEC != 0 {
		return nil
	}
	return unix.Close(fd)
}
