package child

import (
	"errors"
	"fmt"
	"os"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/sandbox"
)

// This file owns the system calls that a sealed child may make: a seccomp filter,
// see https://docs.kernel.org/userspace-api/seccomp_filter.html. What is not named
// here kills the process.

// needed are the calls that Go's runtime, the C library and the engine make after
// start-up, with any arguments. None of them opens, names or starts anything.
var needed = []string{
	// The channel and standard error; the runtime's own eventfd.
	"read", "write",
	// Memory. What mmap and mprotect may do is below, and for what futex.
	"munmap", "madvise", "mremap", "brk",
	// Threads waiting for each other, and their ends.
	"sched_yield", "sched_getaffinity", "set_robust_list", "rseq", "exit", "exit_group", "restart_syscall",
	// Time and waiting.
	"clock_gettime", "clock_getres", "gettimeofday", "nanosleep", "clock_nanosleep", "epoll_pwait", "getrusage",
	// Signals to itself.
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "gettid", "getpid",
	"getrandom",
}

// threadFlags are what every new thread shares with its process; freeFlags are
// those that a C library may add. See clone(2).
const (
	threadFlags = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD
	freeFlags   = unix.CLONE_SYSVSEM | unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID |
		unix.CLONE_CHILD_SETTID | unix.CLONE_DETACHED
	allFlags = 1<<64 - 1
)

// The two uses of prctl(2) that name things for people who look at the process.
const (
	setVMA         = 0x53564d41 // PR_SET_VMA
	setVMAAnonName = 0          // PR_SET_VMA_ANON_NAME
)

// What an argument must be: a value; without any of some bits; with a bit.
func is(argument uint32, value uint64) seccomp.Condition {
	return seccomp.Condition{Argument: argument, Operation: seccomp.Equal, Value: value}
}

func without(argument uint32, bits uint64) seccomp.Condition {
	return seccomp.Condition{Argument: argument, Operation: seccomp.BitsNotSet, Value: bits}
}

func with(argument uint32, bit uint64) seccomp.Condition {
	return seccomp.Condition{Argument: argument, Operation: seccomp.BitsSet, Value: bit}
}

// narrowed returns the calls that are allowed with some arguments only.
func narrowed(profile string) []seccomp.NameWithConditions {
	calls := []seccomp.NameWithConditions{
		// Signals to its own threads: how Go's runtime stops them.
		{Name: "tgkill", Conditions: seccomp.ArgumentConditions{is(0, uint64(os.Getpid()))}},
		// Its own limits, to read only.
		{Name: "prlimit64", Conditions: seccomp.ArgumentConditions{is(0, 0), is(2, 0)}},
		{Name: "prctl", Conditions: seccomp.ArgumentConditions{is(0, unix.PR_SET_NAME)}},
		{Name: "prctl", Conditions: seccomp.ArgumentConditions{is(0, setVMA), is(1, setVMAAnonName)}},
	}
	// Threads of this process, and no processes: all that threads share must be
	// shared, and nothing but what a C library sets beside that may be set.
	thread := seccomp.ArgumentConditions{without(0, allFlags&^(threadFlags|freeFlags))}
	for bit := uint64(1); bit <= threadFlags; bit <<= 1 {
		if threadFlags&bit != 0 {
			thread = append(thread, with(0, bit))
		}
	}
	calls = append(calls, seccomp.NameWithConditions{Name: "clone", Conditions: thread})
	for _, operation := range futexOperations {
		calls = append(calls, seccomp.NameWithConditions{Name: "futex", Conditions: seccomp.ArgumentConditions{is(1, operation)}})
	}
	return append(calls, narrowedMemory(profile)...)
}

// The operations of futex(2) and their flags, of which package unix has no names.
const (
	futexWait, futexWake, futexWaitBitset = 0, 1, 9
	futexPrivate, futexRealTime           = 128, 256
)

// futexOperations are waiting and waking, of this process or with the kernel at a
// thread's end, and waiting until a time of either clock. Not locks that lend
// priority, and not moving waiters from word to word, where futex had its worst bugs.
var futexOperations = []uint64{
	futexWait | futexPrivate, futexWake | futexPrivate, futexWait, futexWake,
	futexWaitBitset | futexPrivate, futexWaitBitset | futexPrivate | futexRealTime,
	futexWaitBitset, futexWaitBitset | futexRealTime,
}

// narrowedMemory returns those that get memory and say what may be done with it.
func narrowedMemory(profile string) []seccomp.NameWithConditions {
	// Memory that holds code is made by the engine's compilers only.
	executable := uint64(unix.PROT_EXEC)
	if profile == sandbox.ProfileJIT {
		executable = 0
	}
	const inherited = unix.PROT_GROWSDOWN | unix.PROT_GROWSUP
	protection := without(2, executable|inherited)
	// RLIMIT_DATA, which bounds the memory of a child, counts neither what is shared
	// nor what grows. Locked and huge pages are a scarce good of the machine.
	const uncounted, scarce = unix.MAP_SHARED | unix.MAP_GROWSDOWN, unix.MAP_LOCKED | unix.MAP_HUGETLB
	return []seccomp.NameWithConditions{
		{Name: "mmap", Conditions: seccomp.ArgumentConditions{protection, without(3, uncounted|scarce)}},
		{Name: "mprotect", Conditions: seccomp.ArgumentConditions{protection}},
	}
}

// answered are calls that are refused with an error instead of the end of the
// process, because a library makes them and goes on without.
var answered = []struct {
	name  string
	errno unix.Errno
}{
	// The flags of clone3 lie in memory, where a filter cannot see them. The C
	// library then uses clone.
	{"clone3", unix.ENOSYS},
	// The C library and the engine look for settings in files: of memory, of time
	// zones, of processors.
	{"openat", unix.EACCES},
	{"readlinkat", unix.EACCES},
	// The translator of TypeScript asks whether standard error is a terminal.
	{"ioctl", unix.ENOTTY},
}

// policy returns the whole filter.
func policy(profile string) seccomp.Policy {
	groups := []seccomp.SyscallGroup{{Action: seccomp.ActionAllow, Names: needed, NamesWithCondtions: narrowed(profile)}}
	for _, call := range answered {
		groups = append(groups, seccomp.SyscallGroup{Action: seccomp.ActionErrno | seccomp.Action(call.errno), Names: []string{call.name}})
	}
	return seccomp.Policy{DefaultAction: seccomp.ActionKillProcess, Syscalls: groups}
}

// filterSystemCalls puts the filter in force on all threads and makes sure that it is.
//
//gate:protects child-starts-no-process child-uses-no-kernel-surface
func filterSystemCalls(profile string) error {
	if err := loadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: policy(profile)}); err != nil {
		return err
	}
	// With an empty path nothing is opened either way. The kernel says no such
	// file, the filter says that it may not be asked.
	_, err := unix.Openat(unix.AT_FDCWD, "", unix.O_RDONLY, 0)
	if !errors.Is(err, unix.EACCES) {
		return fmt.Errorf("the filter is not in force: an empty path gave %v", err)
	}
	return nil
}
