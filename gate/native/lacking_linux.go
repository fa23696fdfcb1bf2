package native

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"
)

// This file owns taking a measure from the process that plays a machine.

// namespaceLimits are the files that bound how many namespaces of each kind may be
// made within a user namespace. See namespaces(7), "The /proc/sys/user directory".
var namespaceLimits = map[string][]string{
	"user-namespaces": {"max_user_namespaces"},
	"namespaces":      {"max_user_namespaces", "max_mnt_namespaces", "max_pid_namespaces", "max_net_namespaces", "max_ipc_namespaces"},
}

// refusedCalls are the system calls that a machine does not have, and what it
// answers: an old kernel that there is none, a container that it is forbidden.
var refusedCalls = map[string]struct {
	name  string
	errno unix.Errno
}{
	"landlock": {"landlock_create_ruleset", unix.ENOSYS},
	"filters":  {"seccomp", unix.EPERM},
}

// hiddenPlaces are directories that a machine covers, as a container does.
var hiddenPlaces = map[string]string{"processes": "/proc/sys"}

// confineCommand has the process start in namespaces of its own where what the
// machine lacks is taken from one of users or of mounts: then only it lacks that.
func confineCommand(c *exec.Cmd, machine string) error {
	var flags uintptr
	if hiddenPlaces[machine] != "" {
		flags = unix.CLONE_NEWNS
		if os.Geteuid() == 0 { // who may mount without a user namespace
			c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
			return nil
		}
	} else if namespaceLimits[machine] == nil {
		return nil
	}
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  flags | unix.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	return nil
}

// confine takes from this process, and from all that it starts, what the machine
// does not have.
func confine(machine string) error {
	for _, file := range namespaceLimits[machine] {
		if err := os.WriteFile("/proc/sys/user/"+file, []byte("0"), 0); err != nil {
			return err
		}
	}
	if place := hiddenPlaces[machine]; place != "" {
		if err := hide(place); err != nil {
			return err
		}
	}
	call, ok := refusedCalls[machine]
	if !ok {
		return nil
	}
	err := seccomp.LoadFilter(seccomp.Filter{
		NoNewPrivs: os.Geteuid() != 0, Flag: seccomp.FilterFlagTSync,
		Policy: seccomp.Policy{
			DefaultAction: seccomp.ActionAllow,
			Syscalls:      []seccomp.SyscallGroup{{Action: seccomp.ActionErrno | seccomp.Action(call.errno), Names: []string{call.name}}},
		},
	})
	if err != nil {
		return fmt.Errorf("refusing %s: %w", call.name, err)
	}
	return nil
}

// hide covers a directory by an empty one, in the mount namespace of this process.
func hide(place string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	if err := unix.Mount("hidden", place, "tmpfs", unix.MS_RDONLY, "size=4k"); err != nil {
		return fmt.Errorf("covering %s: %w", place, err)
	}
	return nil
}
