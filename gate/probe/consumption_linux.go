package probe

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes that take more than a child may have. Their numbers are
// bounded, and everything is given back.

var consumptionActs = map[string]act{
	"many-descriptors":   manyDescriptors,
	"many-processes":     manyProcesses,
	"many-threads":       func(*Target) (string, error) { return startThreads(manyTasks, threadFlags) },
	"write-beyond-limit": writeBeyondLimit,
	"lock-memory":        lockMemory,
	"lock-memory-by-mapping": func(*Target) (string, error) {
		return mappedMuch(page, unix.MAP_PRIVATE|unix.MAP_LOCKED)
	},
	"shared-memory-beyond-limit": func(*Target) (string, error) {
		return mappedMuch(muchMemory, unix.MAP_SHARED|unix.MAP_NORESERVE)
	},
	"growing-memory-beyond-limit": func(*Target) (string, error) {
		return mappedMuch(muchMemory, unix.MAP_PRIVATE|unix.MAP_GROWSDOWN|unix.MAP_NORESERVE)
	},
	"raise-open-files":  func(*Target) (string, error) { return raise(unix.RLIMIT_NOFILE, 1024) },
	"raise-processes":   func(*Target) (string, error) { return raise(unix.RLIMIT_NPROC, 1024) },
	"raise-file-size":   func(*Target) (string, error) { return raise(unix.RLIMIT_FSIZE, 1<<20) },
	"raise-core-size":   func(*Target) (string, error) { return raise(unix.RLIMIT_CORE, 1<<20) },
	"raise-by-old-call": raiseByOldCall,
}

// How much the probes take at most: more than a child may have, less than harms.
const (
	manyFiles = 200
	manyTasks = 200
	// muchMemory is more than any child may have. It is mapped and never used.
	muchMemory = 16 << 30
)

func manyDescriptors(*Target) (string, error) {
	var open []int
	defer func() {
		for _, fd := range open {
			unix.Close(fd)
		}
	}()
	for range manyFiles {
		fd, err := unix.Dup(0)
		if err != nil {
			return "", tried("dup", err)
		}
		open = append(open, fd)
	}
	return fmt.Sprintf("%d descriptors were opened", len(open)), nil
}

func manyProcesses(*Target) (string, error) {
	var wait uint32 // their own copies stay 0
	most := unix.NsecToTimespec(int64(taskTime))
	var started []int
	var refused error
	for len(started) < manyTasks && refused == nil {
		var pid int
		pid, refused = made("clone", makeTask(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, &wait, &most))
		if refused == nil {
			started = append(started, pid)
		}
	}
	for _, pid := range started {
		_ = unix.Kill(pid, unix.SIGKILL) // without it they end by themselves, later
	}
	for _, pid := range started {
		if err := reap(pid); err != nil {
			return "", err
		}
	}
	if refused != nil {
		return "", refused
	}
	return fmt.Sprintf("%d processes were started", len(started)), nil
}

// writeBeyondLimit writes to a file in memory. The signal that comes with the
// refusal is held back.
func writeBeyondLimit(*Target) (string, error) {
	fd, err := unix.MemfdCreate("probe", unix.MFD_CLOEXEC)
	if err != nil {
		return "", tried("memfd_create", err)
	}
	defer unix.Close(fd)
	if err := holdSignal(unix.SIGXFSZ); err != nil {
		return "", err
	}
	_, err = unix.Write(fd, make([]byte, page))
	return done("write", err)
}

func lockMemory(*Target) (string, error) {
	memory, err := unix.Mmap(-1, 0, page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return "", tried("mmap", err)
	}
	defer unix.Munmap(memory)
	return done("mlock", unix.Mlock(memory))
}

// mappedMuch maps memory to be written, and unmaps it.
func mappedMuch(length, flags int) (string, error) {
	memory, err := unix.Mmap(-1, 0, length, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|flags)
	if err != nil {
		return "", tried("mmap", err)
	}
	return fmt.Sprintf("%d bytes were mapped", length), tried("munmap", unix.Munmap(memory))
}

// raise sets both limits. It is the victim's only: it ends with it.
func raise(resource int, to uint64) (string, error) {
	return done("prlimit64", unix.Prlimit(0, resource, &unix.Rlimit{Cur: to, Max: to}, nil))
}

// raiseByOldCall sets a limit to what it is.
func raiseByOldCall(*Target) (string, error) {
	var limit unix.Rlimit
	if err := unix.Prlimit(0, unix.RLIMIT_CORE, nil, &limit); err != nil {
		return "", tried("prlimit64", err)
	}
	_, err := raw("setrlimit", unix.SYS_SETRLIMIT, unix.RLIMIT_CORE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0, 0)
	return done("setrlimit", err)
}
