package probe

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probes of parts of the kernel that a program has no use for,
// and in which bugs were found again and again. What they make is given back.

var surfaceActs = map[string]act{
	"io-uring":           ioUring,
	"asynchronous-io":    asynchronousIO,
	"performance-events": performanceEvents,
	"page-faults":        pageFaults,
	"lending-locks":      lendingLocks,
	"add-key":            addKey,
	"key-ring":           keyRing,
	"memory-segment":     memorySegment,
	"semaphores": func(*Target) (string, error) {
		return madeObject("semget", unix.SYS_SEMGET, unix.SYS_SEMCTL, 1, unix.IPC_CREAT|0o600)
	},
	"message-queue": func(*Target) (string, error) {
		return madeObject("msgget", unix.SYS_MSGGET, unix.SYS_MSGCTL, unix.IPC_CREAT|0o600, 0)
	},
	"named-message-queue": namedMessageQueue,
	"timer":               timer,
	"timer-descriptor": func(*Target) (string, error) {
		fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC)
		return descriptor("timerfd_create", fd, err)
	},
	"event-descriptor": func(*Target) (string, error) {
		fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
		return descriptor("eventfd2", fd, err)
	},
	"event-poll": func(*Target) (string, error) {
		fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		return descriptor("epoll_create1", fd, err)
	},
	"signal-descriptor": func(*Target) (string, error) {
		fd, err := unix.Signalfd(-1, &unix.Sigset_t{}, unix.SFD_CLOEXEC)
		return descriptor("signalfd4", fd, err)
	},
	"pipe": pipe,
	"control-device": func(*Target) (string, error) {
		_, err := unix.IoctlGetInt(channel, unix.TIOCINQ)
		return done("ioctl", err)
	},
	"move-between-descriptors": moveBetween,
	"local-descriptors":        localDescriptors,
	"rules-of-its-own":         rules,
	"filter-of-its-own":        filter,
	"system-log":               systemLog,
	"kernel-program":           kernelProgram,
}

func ioUring(*Target) (string, error) {
	var parameters [120]byte // struct io_uring_params, io_uring_setup(2)
	fd, err := raw("io_uring_setup", unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters)), 0, 0, 0, 0)
	return descriptor("io_uring_setup", int(fd), err)
}

func asynchronousIO(*Target) (string, error) {
	var context uint64
	if _, err := raw("io_setup", unix.SYS_IO_SETUP, 1, uintptr(unsafe.Pointer(&context)), 0, 0, 0, 0); err != nil {
		return "", err
	}
	_, err := raw("io_destroy", unix.SYS_IO_DESTROY, uintptr(context), 0, 0, 0, 0, 0)
	return done("io_setup", err)
}

// performanceEvents counts this thread's own time, which is allowed to everybody
// where anything is.
func performanceEvents(*Target) (string, error) {
	attributes := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Size: unix.PERF_ATTR_SIZE_VER0,
		Bits: unix.PerfBitDisabled | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	fd, err := unix.PerfEventOpen(&attributes, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	return descriptor("perf_event_open", fd, err)
}

func pageFaults(*Target) (string, error) {
	const ownOnly = 1 // UFFD_USER_MODE_ONLY
	fd, err := raw("userfaultfd", unix.SYS_USERFAULTFD, unix.O_CLOEXEC|ownOnly, 0, 0, 0, 0, 0)
	return descriptor("userfaultfd", int(fd), err)
}

// lendingLocks takes a lock that nobody holds, and gives it back.
func lendingLocks(*Target) (string, error) {
	const lock, unlock = 6 | 128, 7 | 128 // FUTEX_LOCK_PI, FUTEX_UNLOCK_PI, of this process
	var word uint32
	if _, err := raw("futex", unix.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), lock, 0, 0, 0, 0); err != nil {
		return "", err
	}
	_, err := raw("futex", unix.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), unlock, 0, 0, 0, 0)
	return done("futex", err)
}

// addKey adds a key to the ring of this thread, which ends with it.
func addKey(*Target) (string, error) {
	_, err := unix.AddKey("user", "isogate-probe", []byte("probe"), unix.KEY_SPEC_THREAD_KEYRING)
	return done("add_key", err)
}

func keyRing(*Target) (string, error) {
	_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_THREAD_KEYRING, true)
	return done("keyctl", err)
}

func memorySegment(*Target) (string, error) {
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, page, unix.IPC_CREAT|0o600)
	if err != nil {
		return "", tried("shmget", err)
	}
	_, err = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	return done("shmget", err)
}

// madeObject makes a private System V object, whose arguments follow the key, and removes it.
func madeObject(call string, number, control, a2, a3 uintptr) (string, error) {
	id, err := raw(call, number, unix.IPC_PRIVATE, a2, a3, 0, 0, 0)
	if err != nil {
		return "", err
	}
	command, unused := uintptr(unix.IPC_RMID), uintptr(0)
	if control == unix.SYS_SEMCTL { // has a number in front of the command
		command, unused = unused, command
	}
	_, err = raw("removing it", control, id, command, unused, 0, 0, 0)
	return done(call, err)
}

func namedMessageQueue(*Target) (string, error) {
	name := append(fmt.Appendf(nil, "isogate-probe-%d", os.Getpid()), 0)
	fd, err := raw("mq_open", unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(&name[0])), unix.O_CREAT|unix.O_EXCL|unix.O_RDWR|unix.O_CLOEXEC, 0o600, 0, 0, 0)
	if err != nil {
		return "", err
	}
	if _, err := raw("mq_unlink", unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0, 0, 0); err != nil {
		return "", err
	}
	return descriptor("mq_open", int(fd), nil)
}

// timer makes a timer that tells nobody and is never started.
func timer(*Target) (string, error) {
	const silent = 1 // SIGEV_NONE
	event := struct {
		value          uint64
		signal, notify int32
		rest           [48]byte
	}{notify: silent}
	var id int32
	_, err := raw("timer_create", unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC, uintptr(unsafe.Pointer(&event)), uintptr(unsafe.Pointer(&id)), 0, 0, 0)
	if err != nil {
		return "", err
	}
	_, err = raw("timer_delete", unix.SYS_TIMER_DELETE, uintptr(id), 0, 0, 0, 0, 0)
	return done("timer_create", err)
}

func pipe(*Target) (string, error) {
	ends := make([]int, 2)
	if err := unix.Pipe2(ends, unix.O_CLOEXEC); err != nil {
		return "", tried("pipe2", err)
	}
	unix.Close(ends[0])
	return descriptor("pipe2", ends[1], nil)
}

// moveBetween moves nothing from one descriptor to another.
func moveBetween(*Target) (string, error) {
	_, err := raw("splice", unix.SYS_SPLICE, channel, 0, 2, 0, 0, 0)
	return done("splice", err)
}

// localDescriptors reads the table, which is empty.
func localDescriptors(*Target) (string, error) {
	var table [16]byte
	_, err := raw("modify_ldt", callModifyLDT, 0, uintptr(unsafe.Pointer(&table)), unsafe.Sizeof(table), 0, 0, 0)
	return done("modify_ldt", err)
}

func rules(*Target) (string, error) {
	version, err := raw("landlock_create_ruleset", unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION, 0, 0, 0)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the interface has version %d", version), nil
}

// filter puts a filter in force, on this thread, that allows everything. It needs
// that this thread gives up gaining privileges.
func filter(*Target) (string, error) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return "", tried("prctl", err)
	}
	allow := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}
	program := unix.SockFprog{Len: 1, Filter: &allow}
	_, err := raw("seccomp", unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)), 0, 0, 0)
	return done("seccomp", err)
}

// systemLog asks how large the log is. See syslog(2).
func systemLog(*Target) (string, error) {
	const size = 10
	_, err := unix.Klogctl(size, nil)
	return done("syslog", err)
}

// kernelProgram makes an array of one number for programs in the kernel. See bpf(2).
func kernelProgram(*Target) (string, error) {
	attributes := struct{ kind, key, value, entries, flags uint32 }{unix.BPF_MAP_TYPE_ARRAY, 4, 4, 1, 0}
	fd, err := raw("bpf", unix.SYS_BPF, unix.BPF_MAP_CREATE, uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0, 0, 0)
	return descriptor("bpf", int(fd), err)
}
