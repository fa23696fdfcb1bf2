package probe

import (
	"errors"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes that start processes. What they start does nothing and
// ends at once.

var processActs = map[string]act{
	"fork":  func(*Target) (string, error) { return startProcess("fork", callFork, 0, 0) },
	"vfork": func(*Target) (string, error) { return startProcess("vfork", callVfork, 0, 0) },
	"clone-process": func(*Target) (string, error) {
		return startProcess("clone", unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0)
	},
	"clone-process-anew": func(*Target) (string, error) { return cloneAnew(0) },
	"clone-sharing": func(*Target) (string, error) {
		// As vfork: this thread stands still until the process has ended.
		return startProcess("clone", unix.SYS_CLONE, unix.CLONE_VM|unix.CLONE_VFORK|uintptr(unix.SIGCHLD), 0)
	},
	"clone-untraceable": func(*Target) (string, error) { return startThreads(1, threadFlags|unix.CLONE_UNTRACED) },
	"execute-file":      func(t *Target) (string, error) { return execute(t.Binary) },
	"execute-itself":    func(*Target) (string, error) { return execute(ownThread("exe")) },
	"execute-memory":    executeMemory,
	"memory-file": func(*Target) (string, error) {
		fd, err := unix.MemfdCreate("probe", unix.MFD_CLOEXEC)
		return descriptor("memfd_create", fd, err)
	},
}

// made turns the result of makeTask into the new task's number.
func made(call string, result uintptr) (int, error) {
	if number := int(result); number < 0 {
		return 0, &refusal{call, unix.Errno(-number)}
	}
	return int(result), nil
}

// startProcess makes a process by the given call and waits for its end.
func startProcess(call string, number, a1, a2 uintptr) (string, error) {
	pid, err := made(call, makeTask(number, a1, a2, 0, 0, 0, nil, nil))
	if err != nil {
		return "", err
	}
	return "a process was started", reap(pid)
}

// reap waits for the end of a process that this one started.
func reap(pid int) error {
	for {
		_, err := unix.Wait4(pid, nil, unix.WALL, nil)
		if !errors.Is(err, unix.EINTR) {
			return tried("wait4", err)
		}
	}
}

// cloneAnew makes a process by clone3 with further flags. See clone(2) for the
// arguments, which lie in memory.
func cloneAnew(flags uint64) (string, error) {
	arguments := struct {
		flags, pidfd, childTID, parentTID, exitSignal, stack, stackSize, tls uint64
	}{flags: flags, exitSignal: uint64(unix.SIGCHLD)}
	pid, err := made("clone3", makeTask(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&arguments)), unsafe.Sizeof(arguments), 0, 0, 0, nil, nil))
	if err != nil {
		return "", err
	}
	return "a process was started", reap(pid)
}

// execute replaces this process by a program that links this package.
func execute(path string) (string, error) {
	err := unix.Exec(path, []string{executedName}, nil)
	return "", tried("execve", err)
}

// executeMemory replaces this process by a program that no file system holds.
func executeMemory(*Target) (string, error) {
	if program == nil {
		return "", &refusal{"makeTask", unix.ENOSYS}
	}
	fd, err := unix.MemfdCreate("probe", unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // Linux before 6.3
		fd, err = unix.MemfdCreate("probe", 0)
	}
	if err != nil {
		return "", tried("memfd_create", err)
	}
	defer unix.Close(fd)
	if err := holdSignal(unix.SIGXFSZ); err != nil {
		return "", err
	}
	if _, err := unix.Write(fd, program); err != nil {
		return "", tried("write", err)
	}
	empty, name := []byte{0}, append([]byte(executedName), 0)
	arguments := []*byte{&name[0], nil}
	none := []*byte{nil}
	_, err = raw("execveat", unix.SYS_EXECVEAT, uintptr(fd), uintptr(unsafe.Pointer(&empty[0])), uintptr(unsafe.Pointer(&arguments[0])),
		uintptr(unsafe.Pointer(&none[0])), unix.AT_EMPTY_PATH, 0)
	return "", err
}

// taskTime bounds the life of what the probes in numbers start, should nobody end it.
const taskTime = 10 * time.Second
