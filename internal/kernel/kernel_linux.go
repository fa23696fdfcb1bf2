package kernel

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the questions to a Linux kernel.

func features() []Feature {
	probes := []func() (string, error){landlock, seccomp, userNamespaces, cgroup, memfd}
	out := make([]Feature, len(probes))
	for i, probe := range probes {
		detail, err := probe()
		if err != nil {
			detail = err.Error()
		}
		out[i] = Feature{Name: purposes[i].name, Available: err == nil, Detail: detail, Purpose: purposes[i].purpose}
	}
	return out
}

// landlock asks for the ABI version: landlock_create_ruleset(2).
func landlock() (string, error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch errno {
	case 0:
		return fmt.Sprintf("ABI %d", version), nil
	case unix.ENOSYS:
		return "", errors.New("this kernel was built without it")
	case unix.EOPNOTSUPP:
		return "", errors.New("turned off when the kernel was started (lsm=)")
	}
	return "", fmt.Errorf("landlock_create_ruleset: %w", errno)
}

// seccomp asks whether a filter may kill the whole process: seccomp(2).
func seccomp() (string, error) {
	action := uint32(unix.SECCOMP_RET_KILL_PROCESS)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	if errno != 0 {
		return "", fmt.Errorf("filters that kill the process: %w", errno)
	}
	return "filters that kill the process", nil
}

// userNamespaces starts a program that does not exist in a new user namespace:
// "no such file" says that the namespace was made and only the program is missing.
func userNamespaces() (string, error) {
	const missing = "/proc/self/no-such-program"
	process, err := os.StartProcess(missing, []string{missing}, &os.ProcAttr{
		Sys: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER},
	})
	if err == nil {
		_, err = process.Wait()
		return "", fmt.Errorf("%s was started (%v)", missing, err)
	}
	if !errors.Is(err, unix.ENOENT) {
		var errno syscall.Errno
		if errors.As(err, &errno) {
			return "", fmt.Errorf("clone with CLONE_NEWUSER: %w", errno)
		}
		return "", err
	}
	return "may be made by this user", nil
}

// cgroup looks whether this process may make groups below its own, and bound
// their memory: cgroups(7).
func cgroup() (string, error) {
	const root = "/sys/fs/cgroup"
	var fs unix.Statfs_t
	if err := unix.Statfs(root, &fs); err != nil {
		return "", fmt.Errorf("%s: %w", root, err)
	}
	if fs.Type != unix.CGROUP2_SUPER_MAGIC {
		return "", fmt.Errorf("%s is not the version 2 hierarchy", root)
	}
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	own, found := "", false
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(line, "0::"); ok {
			own, found = filepath.Join(root, strings.TrimSpace(path)), true
		}
	}
	if !found {
		return "", errors.New("this process is in no version 2 group")
	}
	if err := unix.Access(own, unix.W_OK); err != nil {
		return "", fmt.Errorf("%s is not writable: %w", own, err)
	}
	controllers, err := os.ReadFile(filepath.Join(own, "cgroup.controllers"))
	if err != nil {
		return "", err
	}
	for _, name := range strings.Fields(string(controllers)) {
		if name == "memory" {
			return own + " is writable and has the memory controller", nil
		}
	}
	return "", fmt.Errorf("%s has no memory controller", own)
}

// memfd makes one and seals it: memfd_create(2).
func memfd() (string, error) {
	fd, err := unix.MemfdCreate("isogate-probe", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return "", fmt.Errorf("memfd_create: %w", err)
	}
	defer unix.Close(fd)
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_WRITE|unix.F_SEAL_GROW|unix.F_SEAL_SHRINK); err != nil {
		return "", fmt.Errorf("sealing a memfd: %w", err)
	}
	return "sealable", nil
}
