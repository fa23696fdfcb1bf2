package pool

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// This file owns finding out which system call a child was killed for. Only the
// kernel knows, and it says so in its log, where an audit daemon has not taken
// over and the parent may read it. See the kernel's Documentation/ABI/testing/dev-kmsg.

const (
	kernelLog = "/dev/kmsg"
	// longestRecord is more than the kernel puts into one.
	longestRecord = 8192
	// logDelay is how long a record may take to reach the log: a thread of the
	// kernel's writes it, after the process has ended.
	logDelay = 100 * time.Millisecond
	// firstPIDNamespace is the one whose numbers the log uses.
	firstPIDNamespace = "pid:[4026531836]"
)

// auditRecord is the kernel's own record (its facility is below 8) of a process that
// a filter ended: AUDIT_SECCOMP, which it numbers 1326. The process chooses its
// name, but the kernel writes one with a space or a quotation mark in hexadecimal.
var auditRecord = regexp.MustCompile(`^[0-7],[^;]*;audit: type=1326 audit\([0-9.:]+\): .*? pid=(\d+) comm=.* syscall=(\d+) `)

// refusedCall returns the name of the system call that the process, which has ended,
// was killed for, or "" when the kernel's log does not say. It may take [logDelay].
func refusedCall(pid int) string {
	if namespace, err := os.Readlink("/proc/self/ns/pid"); err != nil || namespace != firstPIDNamespace {
		return "" // its number there is not known
	}
	// It does not block: at the end of the log a read fails.
	fd, err := unix.Open(kernelLog, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer unix.Close(fd)
	end := time.Now().Add(logDelay)
	for {
		if number, ok := lastRefusal(fd, pid); ok {
			return callName(number)
		}
		left := time.Until(end)
		if left <= 0 {
			return ""
		}
		// Until there is more to read. Whatever this says, it is looked at once more.
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left.Milliseconds())+1)
	}
}

// lastRefusal reads the log to its end and returns the last call that a process
// with this number was killed for: numbers of processes come again.
func lastRefusal(fd, pid int) (number string, found bool) {
	var record [longestRecord]byte
	for {
		n, err := unix.Read(fd, record[:])
		if errors.Is(err, unix.EPIPE) || errors.Is(err, unix.EINTR) { // overwritten meanwhile
			continue
		}
		if err != nil || n <= 0 {
			return number, found
		}
		if call, ok := refusalIn(record[:n], pid); ok {
			number, found = call, true
		}
	}
}

// refusalIn returns the number of the system call that the process was killed for,
// if the record of the kernel's log says so.
func refusalIn(record []byte, pid int) (number string, ok bool) {
	match := auditRecord.FindSubmatch(record)
	if match == nil || string(match[1]) != strconv.Itoa(pid) {
		return "", false
	}
	return string(match[2]), true
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
