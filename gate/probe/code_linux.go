package probe

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes that make memory which can be executed. None executes it.

var codeActs = map[string]act{
	"map-executable": func(*Target) (string, error) {
		return mapped(-1, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
	},
	"map-executable-only": func(*Target) (string, error) {
		return mapped(-1, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
	},
	"make-executable": func(*Target) (string, error) {
		return changed("mprotect", unix.SYS_MPROTECT, unix.MAP_ANON|unix.MAP_PRIVATE, unix.PROT_READ|unix.PROT_EXEC)
	},
	"make-executable-by-key": func(*Target) (string, error) {
		return changed("pkey_mprotect", unix.SYS_PKEY_MPROTECT, unix.MAP_ANON|unix.MAP_PRIVATE, unix.PROT_READ|unix.PROT_EXEC)
	},
	"make-stack-executable": func(*Target) (string, error) {
		return changed("mprotect", unix.SYS_MPROTECT, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_GROWSDOWN,
			unix.PROT_READ|unix.PROT_EXEC|unix.PROT_GROWSDOWN)
	},
	"map-file-executable":       mapFileExecutable,
	"segment-executable":        segmentExecutable,
	"reading-implies-executing": readingImpliesExecuting,
}

const page = 4096

// mapped maps one page and unmaps it.
func mapped(fd, protection, flags int) (string, error) {
	memory, err := unix.Mmap(fd, 0, page, protection, flags)
	if err != nil {
		return "", tried("mmap", err)
	}
	return "executable memory was mapped", tried("munmap", unix.Munmap(memory))
}

// changed writes to a page, changes its protection, and unmaps it. The key -1, the
// last argument, means none.
func changed(call string, number uintptr, flags, protection int) (string, error) {
	memory, err := unix.Mmap(-1, 0, page, unix.PROT_READ|unix.PROT_WRITE, flags)
	if err != nil {
		return "", tried("mmap", err)
	}
	memory[0] = 1
	if _, err := raw(call, number, uintptr(unsafe.Pointer(&memory[0])), page, uintptr(protection), ^uintptr(0), 0, 0); err != nil {
		return "", err
	}
	return "what was written can be executed", tried("munmap", unix.Munmap(memory))
}

func mapFileExecutable(*Target) (string, error) {
	fd, err := unix.MemfdCreate("probe", unix.MFD_CLOEXEC)
	if err != nil {
		return "", tried("memfd_create", err)
	}
	defer unix.Close(fd)
	if err := unix.Ftruncate(fd, page); err != nil {
		return "", tried("ftruncate", err)
	}
	return mapped(fd, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_SHARED)
}

// segmentExecutable attaches a segment that goes away with its only user.
func segmentExecutable(*Target) (string, error) {
	const executable = 0o100000 // SHM_EXEC
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, page, unix.IPC_CREAT|0o700)
	if err != nil {
		return "", tried("shmget", err)
	}
	memory, attachErr := unix.SysvShmAttach(id, 0, executable)
	if _, err := unix.SysvShmCtl(id, unix.IPC_RMID, nil); err != nil {
		return "", tried("shmctl", err)
	}
	if attachErr != nil {
		return "", tried("shmat", attachErr)
	}
	return "executable memory was attached", tried("shmdt", unix.SysvShmDetach(memory))
}

// readingImpliesExecuting changes the personality of this thread and maps memory
// that is to be read only: the kernel then makes it executable.
func readingImpliesExecuting(*Target) (string, error) {
	const (
		ask                   = 0xffffffff
		readImpliesExecutable = 0x0400000
	)
	before, err := raw("personality", unix.SYS_PERSONALITY, ask, 0, 0, 0, 0, 0)
	if err != nil {
		return "", err
	}
	if _, err := raw("personality", unix.SYS_PERSONALITY, before|readImpliesExecutable, 0, 0, 0, 0, 0); err != nil {
		return "", err
	}
	return mapped(-1, unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE)
}
