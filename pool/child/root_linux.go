package child

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// This file owns the file system that a child sees.

// taskDirectory lists the threads of this process, see proc_pid_task(5).
func taskDirectory() string { return "/proc/" + strconv.Itoa(os.Getpid()) + "/task" }

// enterNamespaces does what a child must before anything else in the namespaces
// that it was started in.
func enterNamespaces(s *sealing) error {
	if err := awaitUsers(s); err != nil {
		return err
	}
	return mountProcesses(s)
}

// mountProcesses mounts the processes of this pid namespace on /proc, where those of
// the parent's are. Without them libpsx would take the threads of another process
// for its own. It needs a mount namespace and the right to mount; a kernel refuses
// it where parts of /proc are hidden from the parent, as in many containers.
func mountProcesses(s *sealing) error {
	if !s.wanted[PIDNamespace] {
		return nil
	}
	if err := ownMounts(s); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	err := unix.Mount("proc", "/proc", "proc", flags, "subset=pid")
	if errors.Is(err, unix.EINVAL) { // Linux before 5.8
		err = unix.Mount("proc", "/proc", "proc", flags, "")
	}
	if err != nil {
		return fmt.Errorf("mounting its own /proc: %w", err)
	}
	return nil
}

// reachThreads returns an error unless [taskDirectory] lists this process's threads.
func reachThreads() error {
	entries, err := os.ReadDir(taskDirectory())
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == strconv.Itoa(os.Getpid()) {
			id, err := os.Readlink("/proc/self")
			if err == nil && id != strconv.Itoa(os.Getpid()) {
				return errors.New("/proc is of another pid namespace")
			}
			return nil
		}
	}
	return errors.New("the list of threads is not this process's")
}

// emptyRoot replaces the root by an empty file system that nobody can write to,
// and lets go of the old one: see pivot_root(2), its section "pivot_root(".", ".")".
// It needs a mount namespace of its own and the right to mount in it. What is
// mapped already, the binary and its libraries, stays.
//
// One directory is left in it: /proc/<this process>/task, the list of its own
// threads, by which the steps that follow reach all of them.
//
//gate:protects sealed-as-reported child-sealed-in-layers
func emptyRoot(s *sealing) error {
	if err := ownMounts(s); err != nil {
		return err
	}
	// Any directory that every machine has. It is covered in this namespace only.
	const place = "/dev"
	const readOnly = unix.MS_REMOUNT | unix.MS_BIND | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	steps := []struct {
		what string
		do   func() error
	}{
		{"making mounts private", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
		{"mounting an empty file system", func() error {
			return unix.Mount("isogate", place, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=64k,nr_inodes=16,mode=755")
		}},
		{"keeping the list of threads", func() error {
			if err := os.MkdirAll(place+taskDirectory(), 0o755); err != nil {
				return err
			}
			if err := unix.Mount(taskDirectory(), place+taskDirectory(), "", unix.MS_BIND, ""); err != nil {
				return err
			}
			// What is in it can change a process's own memory, code too.
			return unix.Mount("", place+taskDirectory(), "", readOnly, "")
		}},
		{"changing the folder", func() error { return os.Chdir(place) }},
		{"changing the root", func() error { return unix.PivotRoot(".", ".") }},
		{"letting go of the old root", func() error { return unix.Unmount(".", unix.MNT_DETACH) }},
		{"changing to the new root", func() error { return os.Chdir("/") }},
		{"making it read-only", func() error {
			return unix.Mount("", "/", "", readOnly, "")
		}},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	return nil
}

// ownMounts returns an error unless the table of mounts is this process's own. In
// one that it shared, emptyRoot would take the root from others.
func ownMounts(s *sealing) error {
	if !s.wanted[MountNamespace] {
		return errors.New("it needs " + MountNamespace)
	}
	parent := os.Getppid()
	if parent == 0 {
		return nil // outside the namespace of processes that was made together with that of mounts
	}
	own, err := os.Readlink("/proc/self/ns/mnt")
	if err != nil {
		return err
	}
	theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/mnt", parent))
	if err == nil && own == theirs {
		return errors.New("the table of mounts is the parent's")
	}
	return nil
}
