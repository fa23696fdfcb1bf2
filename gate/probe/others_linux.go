package probe

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes of other processes. The signal is always number 0,
// which is checked and not sent, and of the parent's memory only what it put there
// for the purpose is touched.

var otherActs = map[string]act{
	"signal-parent": func(t *Target) (string, error) { return done("kill", unix.Kill(t.Parent, 0)) },
	"signal-parent-thread": func(t *Target) (string, error) {
		return done("tgkill", unix.Tgkill(t.Parent, t.Parent, 0))
	},
	"queue-signal-to-parent":  queueSignal,
	"open-parent":             openParent,
	"take-parents-descriptor": takeDescriptor,
	"read-parents-memory":     readParent,
	"write-parents-memory":    writeParent,
	"trace-parent":            traceParent,
	"parents-memory-file":     parentMemoryFile,
	"parents-environment-file": func(t *Target) (string, error) {
		return readFrom(fmt.Sprintf("/proc/%d/environ", t.Parent))
	},
	"parents-limits": func(t *Target) (string, error) {
		return done("prlimit64", unix.Prlimit(t.Parent, unix.RLIMIT_NOFILE, nil, new(unix.Rlimit)))
	},
	"parents-session": func(t *Target) (string, error) {
		_, err := unix.Getsid(t.Parent)
		return done("getsid", err)
	},
	"parents-group": func(t *Target) (string, error) {
		_, err := unix.Getpgid(t.Parent)
		return done("getpgid", err)
	},
	"parents-priority": func(t *Target) (string, error) {
		_, err := unix.Getpriority(unix.PRIO_PROCESS, t.Parent)
		return done("getpriority", err)
	},
	"parents-processors": func(t *Target) (string, error) {
		return done("sched_getaffinity", unix.SchedGetaffinity(t.Parent, new(unix.CPUSet)))
	},
	"parents-scheduling": func(t *Target) (string, error) {
		_, err := raw("sched_getscheduler", unix.SYS_SCHED_GETSCHEDULER, uintptr(t.Parent), 0, 0, 0, 0, 0)
		return done("sched_getscheduler", err)
	},
	"parents-clock":        parentClock,
	"parents-locks":        parentLocks,
	"compare-parent":       compareParent,
	"owner-of-signals":     ownerOfSignals,
	"hosts-memory-segment": hostSegment,
}

// queueSignal queues signal 0. See rt_sigqueueinfo(2): the code must be negative.
func queueSignal(t *Target) (string, error) {
	const queued = -1 // SI_QUEUE
	info := struct {
		signal, errno, code int32
		rest                [116]byte
	}{code: queued}
	_, err := raw("rt_sigqueueinfo", unix.SYS_RT_SIGQUEUEINFO, uintptr(t.Parent), 0, uintptr(unsafe.Pointer(&info)), 0, 0, 0)
	return done("rt_sigqueueinfo", err)
}

func openParent(t *Target) (string, error) {
	fd, err := unix.PidfdOpen(t.Parent, 0)
	return descriptor("pidfd_open", fd, err)
}

func takeDescriptor(t *Target) (string, error) {
	parent, err := unix.PidfdOpen(t.Parent, 0)
	if err != nil {
		return "", tried("pidfd_open", err)
	}
	defer unix.Close(parent)
	fd, err := unix.PidfdGetfd(parent, t.Descriptor, 0)
	return descriptor("pidfd_getfd", fd, err)
}

// parentVectors are as many bytes here and there.
func parentVectors(local []byte, address uint64) ([]unix.Iovec, []unix.RemoteIovec) {
	here := unix.Iovec{Base: &local[0]}
	here.SetLen(len(local))
	return []unix.Iovec{here}, []unix.RemoteIovec{{Base: uintptr(address), Len: len(local)}}
}

func readParent(t *Target) (string, error) {
	local := make([]byte, len(t.Marker))
	here, there := parentVectors(local, t.Address)
	if _, err := unix.ProcessVMReadv(t.Parent, here, there, 0); err != nil {
		return "", tried("process_vm_readv", err)
	}
	return t.marked(local)
}

// marked says that bytes of the parent's memory are those that it put there.
func (t *Target) marked(read []byte) (string, error) {
	if string(read) != t.Marker {
		return "", fmt.Errorf("the parent's memory does not hold its marker")
	}
	return "the parent's memory holds its marker", nil
}

func writeParent(t *Target) (string, error) {
	here, there := parentVectors([]byte(t.Marker), t.Spare)
	_, err := unix.ProcessVMWritev(t.Parent, here, there, 0)
	return done("process_vm_writev", err)
}

// traceParent becomes the tracer of the parent's first thread without stopping it.
// It ends with the thread that asked.
func traceParent(t *Target) (string, error) {
	_, err := raw("ptrace", unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(t.Parent), 0, 0, 0, 0)
	return done("ptrace", err)
}

func parentMemoryFile(t *Target) (string, error) {
	fd, err := unix.Openat(unix.AT_FDCWD, fmt.Sprintf("/proc/%d/mem", t.Parent), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", tried("openat", err)
	}
	defer unix.Close(fd)
	local := make([]byte, len(t.Marker))
	if _, err := unix.Pread(fd, local, int64(t.Address)); err != nil {
		return "", tried("pread64", err)
	}
	return t.marked(local)
}

// parentClock reads the clock that clock_getcpuclockid(3) returns for the parent.
func parentClock(t *Target) (string, error) {
	const schedClock = 2
	return done("clock_gettime", unix.ClockGettime(int32(^t.Parent<<3|schedClock), new(unix.Timespec)))
}

func parentLocks(t *Target) (string, error) {
	var head, length uintptr
	_, err := raw("get_robust_list", unix.SYS_GET_ROBUST_LIST, uintptr(t.Parent), uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&length)), 0, 0, 0)
	return done("get_robust_list", err)
}

// compareParent compares the parent's memory with itself.
func compareParent(t *Target) (string, error) {
	const memory = 1 // KCMP_VM
	_, err := raw("kcmp", unix.SYS_KCMP, uintptr(t.Parent), uintptr(t.Parent), memory, 0, 0, 0)
	return done("kcmp", err)
}

// ownerOfSignals names the parent as the receiver of signals that are not turned on.
func ownerOfSignals(t *Target) (string, error) {
	if _, err := unix.FcntlInt(channel, unix.F_SETOWN, t.Parent); err != nil {
		return "", tried("fcntl", err)
	}
	_, err := unix.FcntlInt(channel, unix.F_SETOWN, 0)
	return done("fcntl", err)
}

// hostSegment asks about a segment that the host made.
func hostSegment(t *Target) (string, error) {
	_, err := unix.SysvShmCtl(t.Segment, unix.IPC_STAT, new(unix.SysvShmDesc))
	return done("shmctl", err)
}
