package pool

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// This file owns finding out which system call a child was killed for. Only the
// kernel knows, and it says so in its log, where an audit daemon has not taken
// over and the parent may read it.

// auditLine is the kernel's record of a process that a filter ended:
// AUDIT_SECCOMP, which it numbers 1326.
var auditLine = regexp.MustCompile(`audit: type=1326 .*\bpid=(\d+) .*\bsyscall=(\d+)\b`)

// refusedCall returns the name of the system call that the process was killed for,
// or "" when the kernel's log does not say.
func refusedCall(pid int) string {
	// It does not block: at the end of the log a read fails.
	fd, err := unix.Open("/dev/kmsg", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	log := os.NewFile(uintptr(fd), "/dev/kmsg")
	defer log.Close()
	var record [8192]byte // more than the kernel puts into one
	name := ""
	for {
		n, err := unix.Read(fd, record[:])
		if errors.Is(err, unix.EPIPE) || errors.Is(err, unix.EINTR) { // overwritten meanwhile
			continue
		}
		if err != nil || n <= 0 {
			return name
		}
		match := auditLine.FindSubmatch(record[:n])
		if match == nil || string(match[1]) != strconv.Itoa(pid) {
			continue
		}
		name = callName(string(match[2])) // the last one: numbers of processes come again
	}
}

// callName returns the name of a system call's number on this architecture.
func callName(number string) string {
	n, err := strconv.Atoi(number)
	if err != nil {
		return number
	}
	info, err := arch.GetInfo("")
	if err != nil {
		return number
	}
	name, ok := info.SyscallNumbers[n]
	if !ok {
		return number
	}
	return fmt.Sprintf("%s (%d)", name, n)
}
