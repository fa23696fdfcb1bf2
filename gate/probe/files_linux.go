package probe

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes that look at files. What they look at exists on every
// machine and is readable by everybody.

var fileActs = map[string]act{
	"open-existing":          func(*Target) (string, error) { return readFrom(wellKnown) },
	"open-existing-anew":     openAnew,
	"open-through-root-link": func(*Target) (string, error) { return readFrom("/proc/self/root" + wellKnown) },
	"own-environment-file":   func(*Target) (string, error) { return readFrom("/proc/self/environ") },
	"own-memory-file":        func(*Target) (string, error) { return writeMemory("/proc/self/mem") },
	"own-memory-of-a-thread": func(*Target) (string, error) { return writeMemory(ownThread("mem")) },
	"read-link":              readLink,
	"stat-file": func(*Target) (string, error) {
		return done("newfstatat", unix.Fstatat(unix.AT_FDCWD, wellKnown, new(unix.Stat_t), 0))
	},
	"stat-file-anew": func(*Target) (string, error) {
		return done("statx", unix.Statx(unix.AT_FDCWD, wellKnown, 0, unix.STATX_BASIC_STATS, new(unix.Statx_t)))
	},
	"access-file": func(*Target) (string, error) {
		return done("faccessat", unix.Faccessat(unix.AT_FDCWD, wellKnown, unix.R_OK, 0))
	},
	"list-root":         listRoot,
	"file-system-facts": func(*Target) (string, error) { return done("statfs", unix.Statfs("/", new(unix.Statfs_t))) },
	"change-folder":     func(t *Target) (string, error) { return done("chdir", unix.Chdir(t.Directory)) },
	"watch-folder":      watchFolder,
	"open-by-handle":    openByHandle,
	"watch-file-system": watchFileSystem,
}

// wellKnown is a file that exists on every machine and holds nothing secret.
const wellKnown = "/etc/passwd"

// readFrom opens a file and reads its beginning.
func readFrom(path string) (string, error) {
	fd, err := unix.Openat(unix.AT_FDCWD, path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", tried("openat", err)
	}
	defer unix.Close(fd)
	var head [64]byte
	n, err := unix.Read(fd, head[:])
	if err != nil {
		return "", tried("read", err)
	}
	return fmt.Sprintf("%d bytes read", n), nil
}

func openAnew(*Target) (string, error) {
	fd, err := unix.Openat2(unix.AT_FDCWD, wellKnown, &unix.OpenHow{Flags: unix.O_RDONLY | unix.O_CLOEXEC})
	return descriptor("openat2", fd, err)
}

// ownThread returns a path in the folder of this thread in /proc. The list of its
// threads is all that a sealed child's file system holds.
func ownThread(name string) string {
	return fmt.Sprintf("/proc/%d/task/%d/%s", unix.Getpid(), unix.Gettid(), name)
}

// writeMemory changes a page of this process that must not be written, through a
// file that shows its memory. Such a file heeds no protection of pages, so code
// could be changed alike.
func writeMemory(path string) (string, error) {
	fd, err := unix.Openat(unix.AT_FDCWD, path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", tried("openat", err)
	}
	defer unix.Close(fd)
	memory, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return "", tried("mmap", err)
	}
	defer unix.Munmap(memory)
	word := make([]byte, 8)
	binary.NativeEndian.PutUint64(word, 42)
	if _, err := unix.Pwrite(fd, word, int64(uintptr(unsafe.Pointer(&memory[0])))); err != nil {
		return "", tried("pwrite64", err)
	}
	if binary.NativeEndian.Uint64(memory) != 42 {
		return "", state("the memory did not change")
	}
	return "a page that must not be written was written", nil
}

func readLink(*Target) (string, error) {
	n, err := unix.Readlinkat(unix.AT_FDCWD, "/proc/self/exe", make([]byte, 256))
	if err != nil {
		return "", tried("readlinkat", err)
	}
	return fmt.Sprintf("a path of %d bytes", n), nil
}

func listRoot(*Target) (string, error) {
	fd, err := unix.Openat(unix.AT_FDCWD, "/", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", tried("openat", err)
	}
	defer unix.Close(fd)
	n, err := unix.ReadDirent(fd, make([]byte, 4096))
	if err != nil {
		return "", tried("getdents64", err)
	}
	return fmt.Sprintf("%d bytes of entries", n), nil
}

func watchFolder(t *Target) (string, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		return "", tried("inotify_init1", err)
	}
	defer unix.Close(fd)
	_, err = unix.InotifyAddWatch(fd, t.Directory, unix.IN_CREATE)
	return done("inotify_add_watch", err)
}

func openByHandle(t *Target) (string, error) {
	handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, filepath.Join(t.Directory, Existing), 0)
	if err != nil {
		return "", tried("name_to_handle_at", err)
	}
	mount, err := unix.Openat(unix.AT_FDCWD, t.Directory, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", tried("openat", err)
	}
	defer unix.Close(mount)
	fd, err := unix.OpenByHandleAt(mount, handle, unix.O_RDONLY|unix.O_CLOEXEC)
	return descriptor("open_by_handle_at", fd, err)
}

// watchFileSystem asks for permission events, which only root gets. It marks nothing.
func watchFileSystem(*Target) (string, error) {
	fd, err := unix.FanotifyInit(unix.FAN_CLASS_CONTENT|unix.FAN_CLOEXEC, unix.O_RDONLY)
	return descriptor("fanotify_init", fd, err)
}
