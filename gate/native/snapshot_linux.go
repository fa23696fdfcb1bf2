package native

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// This file owns what only Linux has of snapshots: memory files and their seals, and
// a machine's name for one process.

// mayNameMachine reports whether a process can be given a machine's name of its own.
func mayNameMachine() bool { return os.Geteuid() == 0 }

// separateMachine has a process start with a machine's name of its own. See
// uts_namespaces(7).
func separateMachine(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUTS}
}

// nameMachine gives the name to the machine of this process, which must not be that
// of its parent too.
func nameMachine(name string) error {
	const link = "/proc/%s/ns/uts"
	own, err := os.Readlink(fmt.Sprintf(link, "self"))
	if err != nil {
		return err
	}
	parents, err := os.Readlink(fmt.Sprintf(link, fmt.Sprint(os.Getppid())))
	if err != nil {
		return err
	}
	if own == parents {
		return errors.New("the machine's name is the parent's too")
	}
	return unix.Sethostname([]byte(name))
}

// finalSeals are those that make a memory file's contents and size final, and the
// seals themselves. See F_GET_SEALS in fcntl(2).
const finalSeals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL

// tryToChange opens a memory file for writing, and tries whatever would change it.
func tryToChange(path string) (notes []string, err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, unreadable(err)
	}
	defer file.Close()
	fd := int(file.Fd())
	seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil {
		return nil, err
	}
	notes = append(notes, fmt.Sprintf("its seals are %#x", seals))
	if seals&finalSeals != finalSeals {
		return notes, violated("the file's seals are %#x, must contain %#x", seals, finalSeals)
	}
	before, err := file.Stat()
	if err != nil {
		return notes, err
	}
	if seals&unix.F_SEAL_EXEC != 0 && before.Mode()&0o111 != 0 {
		return notes, violated("the file may be executed: %v", before.Mode())
	}
	size := before.Size()
	for _, change := range []struct {
		what string
		make func() error
	}{
		{"writing its first byte", func() error { _, err := unix.Pwrite(fd, []byte{0}, 0); return err }},
		{"writing behind its end", func() error { _, err := unix.Pwrite(fd, []byte{0}, size); return err }},
		{"making it shorter", func() error { return unix.Ftruncate(fd, size-1) }},
		{"making it longer", func() error { return unix.Ftruncate(fd, size+1) }},
		{"punching a hole", func() error { return unix.Fallocate(fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, 4096) }},
		{"mapping it to write", func() error {
			_, err := unix.Mmap(fd, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
			return err
		}},
		{"another seal", func() error {
			_, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_FUTURE_WRITE)
			return err
		}},
	} {
		err := change.make()
		notes = append(notes, fmt.Sprintf("%s: %v", change.what, err))
		if !errors.Is(err, unix.EPERM) {
			return notes, violated("%s gives %v, must be refused", change.what, err)
		}
	}
	return notes, nil
}

// otherFile puts a memory file with these contents in place of a descriptor.
func otherFile(descriptor int, contents []byte) error {
	fd, err := unix.MemfdCreate("another", 0)
	if err != nil {
		return err
	}
	if len(contents) > 0 {
		if _, err := unix.Write(fd, contents); err != nil {
			return err
		}
	}
	return unix.Dup3(fd, descriptor, 0)
}
