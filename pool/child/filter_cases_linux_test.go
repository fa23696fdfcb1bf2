//go:build amd64

package child_test

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/sandbox"
)

// This file owns the table of the system-call filter's tests: for every rule, calls
// that it must let through, and calls that it must not. The arguments of those that
// it must not let through have no effect either when they get through.

// outcome is what must come of a call.
type outcome int

const (
	performed outcome = iota // the kernel carries it out, or refuses it with the errno given
	answered                 // the filter answers with the errno given
	killed                   // SIGSYS ends the process
)

// filterCase is one system call and what must come of it.
type filterCase struct {
	call  string // by the kernel's name
	what  string // which use of it
	args  [6]uintptr
	want  outcome
	errno unix.Errno
	// do makes the call in another way than with these arguments, and reports whether
	// it had its effect.
	do func() error
	// ends: where the filter lets it through, the process ends with status [ended].
	ends bool
	// duplicates: where it is let through there is a second process.
	duplicates bool
}

func (c *filterCase) name() string { return c.call + ": " + c.what }

// ended is the exit status of cases that end the process.
const ended = 7

// scene is what the calls are made on.
type scene struct {
	pid, thread uintptr
	memory      []byte   // pages that may be read and written, and nothing else uses
	page        uintptr  // the address of the first
	pipe        *os.File // in which there is something to read
	full        int      // its descriptor
	polls       int      // an epoll
	null        int      // the null device
	signals     chan os.Signal
	threads     map[string]bool // those that exist
}

// maxThreads is more than the threads that the runtime has before a case.
const maxThreads = 64

// pageSize is the unit of the memory calls, pages how many there are.
const (
	pageSize = 4096
	pages    = 16
)

// newScene prepares it for the calling thread, which must be locked.
func newScene() (*scene, error) {
	s := &scene{pid: uintptr(os.Getpid()), thread: uintptr(unix.Gettid()), signals: make(chan os.Signal, 1), threads: map[string]bool{}}
	var err error
	if s.memory, err = unix.Mmap(-1, 0, pages*pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON); err != nil {
		return nil, err
	}
	s.page = uintptr(unsafe.Pointer(&s.memory[0]))
	// Files of Go's own kind also make its runtime open the epoll that timers need,
	// as a child's channel does.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	if _, err = w.WriteString("something"); err != nil {
		return nil, err
	}
	if err = w.Close(); err != nil {
		return nil, err
	}
	s.pipe, s.full = r, int(r.Fd())
	if s.polls, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, err
	}
	if s.null, err = unix.Open(os.DevNull, unix.O_WRONLY|unix.O_CLOEXEC, 0); err != nil {
		return nil, err
	}
	signal.Notify(s.signals, unix.SIGUSR1)
	threads, err := os.ReadDir("/proc/self/task")
	for _, thread := range threads {
		s.threads[thread.Name()] = true
	}
	return s, err
}

// close gives up what it holds.
func (s *scene) close() {
	signal.Stop(s.signals)
	s.pipe.Close()
	unix.Close(s.polls)
	unix.Close(s.null)
	unix.Munmap(s.memory)
}

// at returns the address of a page of the memory.
func (s *scene) at(page uintptr) uintptr { return s.page + page*pageSize }

// text puts a text into a page of the memory and returns its address.
func (s *scene) text(page uintptr, text string) uintptr {
	copy(s.memory[page*pageSize:], text+"\x00")
	return s.at(page)
}

// none is an argument that no call takes: no descriptor, process, address or size.
const none = ^uintptr(0)

// signalSet is the size of a set of signals, which calls with one are told.
const signalSet = 8

// neededCases are uses of the calls that are allowed with any arguments.
func neededCases(s *scene) []filterCase {
	call := func(name string, errno unix.Errno, args ...uintptr) filterCase {
		return filterCase{call: name, what: "a plain use", args: six(args), want: performed, errno: errno}
	}
	buffer := s.page
	return []filterCase{
		call("read", 0, uintptr(s.full), buffer, 4),
		call("write", 0, uintptr(s.null), buffer, 4),
		call("munmap", 0, s.at(1), pageSize),
		call("madvise", 0, s.at(2), pageSize, unix.MADV_DONTNEED),
		call("mremap", 0, s.at(3), pageSize, pageSize, 0),
		call("brk", 0, 0),
		call("sched_yield", 0),
		call("sched_getaffinity", 0, 0, 128, buffer),
		call("set_robust_list", 0, 0, 24), // none
		call("rseq", unix.EINVAL, 0, 0, 0, 0),
		call("restart_syscall", unix.EINTR), // there is none to restart
		call("clock_gettime", 0, unix.CLOCK_MONOTONIC, buffer),
		call("clock_getres", 0, unix.CLOCK_MONOTONIC, buffer),
		call("gettimeofday", 0, buffer, 0),
		call("nanosleep", 0, s.at(4), 0), // for no time: the memory is zero
		call("clock_nanosleep", 0, unix.CLOCK_MONOTONIC, 0, s.at(4), 0),
		call("epoll_pwait", 0, uintptr(s.polls), buffer, 1, 0, 0, signalSet),
		call("getrusage", 0, unix.RUSAGE_SELF, buffer),
		call("rt_sigaction", 0, uintptr(unix.SIGUSR2), 0, buffer, signalSet),
		call("rt_sigprocmask", 0, 0, 0, buffer, signalSet),
		call("sigaltstack", 0, 0, buffer),
		call("gettid", 0),
		call("getpid", 0),
		call("getrandom", 0, buffer, 16, 0),
		{call: "rt_sigreturn", what: "the end of a signal's handler", want: performed, do: func() error {
			if _, _, errno := syscall.RawSyscall(unix.SYS_TGKILL, s.pid, s.thread, uintptr(unix.SIGUSR1)); errno != 0 {
				return errno
			}
			select {
			case <-s.signals:
				return nil
			case <-time.After(10 * time.Second):
				return fmt.Errorf("the signal did not arrive")
			}
		}},
		{call: "exit", what: "the end of one thread", want: performed, do: endThread},
		{call: "exit_group", what: "the end of all", args: six([]uintptr{ended}), want: performed, ends: true},
	}
}

// endThread ends a thread and waits until it is gone.
func endThread() error {
	thread := make(chan int)
	go func() {
		runtime.LockOSThread()
		thread <- unix.Gettid()
		syscall.Syscall(unix.SYS_EXIT, 0, 0, 0)
	}()
	id := <-thread
	for end := time.Now().Add(10 * time.Second); ; {
		err := unix.Tgkill(os.Getpid(), id, 0)
		if err == unix.ESRCH {
			return nil
		}
		if err != nil || time.Now().After(end) {
			return fmt.Errorf("the thread is still there: %v", err)
		}
	}
}

// badStorage lets the kernel refuse every clone, after it has looked at the flags:
// an address for a thread's own storage that no program can have.
const (
	badStorage      = none
	cloneMustFail   = unix.CLONE_SETTLS
	cloneThread     = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD
	cloneThreadOfC  = cloneThread | unix.CLONE_SYSVSEM | unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID
	cloneLikeAFork  = uintptr(unix.SIGCHLD)
	cloneLikeAVfork = unix.CLONE_VM | unix.CLONE_VFORK | uintptr(unix.SIGCHLD)
)

func cloneArguments(flags uintptr) [6]uintptr {
	return [6]uintptr{flags | cloneMustFail, 0, 0, 0, badStorage}
}

// narrowedCases are uses of the calls that are allowed with some arguments only.
func narrowedCases(profile string, s *scene) []filterCase {
	var cases []filterCase
	add := func(want outcome, errno unix.Errno, call, what string, args ...uintptr) {
		cases = append(cases, filterCase{call: call, what: what, args: six(args), want: want, errno: errno})
	}
	allow := func(call, what string, args ...uintptr) { add(performed, 0, call, what, args...) }
	refuse := func(call, what string, args ...uintptr) { add(killed, 0, call, what, args...) }

	// Memory.
	const private = unix.MAP_PRIVATE | unix.MAP_ANON
	code := refuse
	if profile == sandbox.ProfileJIT {
		code = allow
	}
	allow("mmap", "memory without access", 0, pageSize, unix.PROT_NONE, private, none, 0)
	allow("mmap", "memory to read and write", 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, private, none, 0)
	code("mmap", "memory to execute", 0, pageSize, unix.PROT_READ|unix.PROT_EXEC, private, none, 0)
	code("mmap", "memory to execute only", 0, pageSize, unix.PROT_EXEC, private, none, 0)
	code("mmap", "memory to write and execute", 0, pageSize, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, private, none, 0)
	for _, flag := range []named{
		{"shared", unix.MAP_SHARED}, {"shared, with flags checked", unix.MAP_SHARED_VALIDATE}, {"growing", unix.MAP_PRIVATE | unix.MAP_GROWSDOWN},
		{"locked", unix.MAP_PRIVATE | unix.MAP_LOCKED}, {"in huge pages", unix.MAP_PRIVATE | unix.MAP_HUGETLB},
	} {
		refuse("mmap", "memory that is "+flag.name, 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|flag.value, none, 0)
	}
	for _, flag := range []named{
		{"without room in swap", unix.MAP_NORESERVE}, {"for a stack", unix.MAP_STACK}, {"at a place", unix.MAP_FIXED}, {"at a free place", unix.MAP_FIXED_NOREPLACE},
	} {
		at, want := uintptr(0), unix.Errno(0)
		switch flag.value {
		case unix.MAP_FIXED:
			at = s.at(10)
		case unix.MAP_FIXED_NOREPLACE:
			at, want = s.at(10), unix.EEXIST
		}
		add(performed, want, "mmap", "memory "+flag.name, at, pageSize, unix.PROT_READ|unix.PROT_WRITE, private|flag.value, none, 0)
	}
	refuse("mmap", "a growing range", 0, pageSize, unix.PROT_READ|unix.PROT_GROWSDOWN, private, none, 0)
	refuse("mmap", "a range that grows upwards", 0, pageSize, unix.PROT_READ|unix.PROT_GROWSUP, private, none, 0)
	allow("mprotect", "reading only", s.at(6), pageSize, unix.PROT_READ)
	allow("mprotect", "reading and writing", s.at(6), pageSize, unix.PROT_READ|unix.PROT_WRITE)
	code("mprotect", "executing", s.at(7), pageSize, unix.PROT_READ|unix.PROT_EXEC)
	code("mprotect", "executing only", s.at(7), pageSize, unix.PROT_EXEC)
	refuse("mprotect", "down to the start of a growing range", s.at(6), pageSize, unix.PROT_READ|unix.PROT_GROWSDOWN)
	refuse("mprotect", "up to the end of a growing range", s.at(6), pageSize, unix.PROT_READ|unix.PROT_GROWSUP)

	// Signals.
	allow("tgkill", "a thread of its own", s.pid, s.thread, 0)
	refuse("tgkill", "a thread of its parent", uintptr(os.Getppid()), uintptr(os.Getppid()), 0)
	refuse("tgkill", "a thread of the first process", 1, 1, 0)
	refuse("tgkill", "process 0", 0, s.thread, 0)
	refuse("tgkill", "a process with the number of a call", unix.SYS_MMAP, unix.SYS_MMAP, 0)
	refuse("tgkill", "itself, with bits that the kernel drops", s.pid|1<<32, s.thread, 0)

	// Limits.
	allow("prlimit64", "reading a limit", 0, unix.RLIMIT_NOFILE, 0, s.page)
	refuse("prlimit64", "setting a limit", 0, none, s.page, 0)
	refuse("prlimit64", "setting a limit at a high address", 0, none, 1<<32, 0)
	refuse("prlimit64", "another process", uintptr(os.Getppid()), none, 0, s.page)
	refuse("prlimit64", "itself by its number", s.pid, none, 0, s.page)
	refuse("prlimit64", "a process with the number of a call", unix.SYS_MMAP, none, s.page, 0)

	// Names.
	allow("prctl", "naming a thread", unix.PR_SET_NAME, s.text(5, "test"))
	// A kernel without names for memory says that there is no such option.
	add(performed, memoryNamesErrno(s), "prctl", "naming a memory area", setVMA, 0, s.at(8), pageSize, 0)
	refuse("prctl", "another attribute of a memory area", setVMA, 1, s.at(8), pageSize, 0)
	refuse("prctl", "an option beside it", setVMA+1, 0, s.at(8), pageSize, 0)
	for _, option := range []named{
		{"becoming dumpable", unix.PR_SET_DUMPABLE}, {"a death signal", unix.PR_SET_PDEATHSIG}, {"keeping capabilities", unix.PR_SET_KEEPCAPS},
		{"a filter of its own", unix.PR_SET_SECCOMP}, {"a tracer", unix.PR_SET_PTRACER}, {"the layout of its memory", unix.PR_SET_MM},
		{"the capability bounds", unix.PR_CAPBSET_DROP}, {"ambient capabilities", unix.PR_CAP_AMBIENT}, {"secure bits", unix.PR_SET_SECUREBITS},
		{"adopting orphans", unix.PR_SET_CHILD_SUBREAPER}, {"privileges", unix.PR_SET_NO_NEW_PRIVS}, {"reading its name", unix.PR_GET_NAME},
		{"an option with bits that the kernel drops", unix.PR_SET_NAME | 1<<32},
	} {
		refuse("prctl", option.name, option.value, none, none, none, none)
	}
	return slices.Concat(cases, futexCases(s), cloneCases(s))
}

// futexCases are uses of futex. Those that are let through find nobody to wake, and
// another value than they would wait on.
func futexCases(s *scene) []filterCase {
	const ofThisProcess, realTime = 128, 256 // FUTEX_PRIVATE_FLAG, FUTEX_CLOCK_REALTIME
	var cases []filterCase
	add := func(want outcome, errno unix.Errno, what string, args ...uintptr) {
		cases = append(cases, filterCase{call: "futex", what: what, args: six(args), want: want, errno: errno})
	}
	for _, whose := range []named{{"of this process", ofThisProcess}, {"of any", 0}} {
		add(performed, 0, "waking "+whose.name, s.page, 1|whose.value, 1)
		add(performed, unix.EAGAIN, "waiting "+whose.name, s.page, whose.value, 1, 0)
		add(performed, unix.EAGAIN, "waiting until a time "+whose.name, s.page, 9|whose.value, 1, 0, 0, none)
		add(performed, unix.EAGAIN, "waiting until a time of day "+whose.name, s.page, 9|realTime|whose.value, 1, 0, 0, none)
	}
	for _, operation := range []named{
		{"a descriptor", 2}, {"moving waiters", 3}, {"comparing and moving waiters", 4 | ofThisProcess}, {"waking and changing", 5 | ofThisProcess},
		{"a lending lock", 6 | ofThisProcess}, {"a lending lock of any", 6}, {"giving a lending lock back", 7 | ofThisProcess},
		{"trying a lending lock", 8 | ofThisProcess}, {"waking by a mask", 10 | ofThisProcess},
		{"waiting to be moved to a lending lock", 11 | ofThisProcess}, {"moving waiters to a lending lock", 12 | ofThisProcess},
		{"a lending lock until a time", 13 | ofThisProcess}, {"an operation that is not there", 14 | ofThisProcess},
	} {
		add(killed, 0, operation.name, none, operation.value, 1, 0, none, 0)
	}
	add(killed, 0, "waking, with bits that the kernel drops", none, 1|1<<32, 1)
	return cases
}

// setVMA is PR_SET_VMA, which names memory areas.
const setVMA = 0x53564d41

// memoryNamesErrno returns what this kernel says when a memory area is named.
func memoryNamesErrno(s *scene) unix.Errno {
	_, _, errno := syscall.RawSyscall6(unix.SYS_PRCTL, setVMA, 0, s.at(8), pageSize, 0, 0)
	return errno
}

// cloneCases are uses of clone.
func cloneCases(s *scene) []filterCase {
	var cases []filterCase
	add := func(want outcome, what string, flags uintptr) {
		cases = append(cases, filterCase{call: "clone", what: what, args: cloneArguments(flags), want: want, errno: unix.EPERM})
	}
	cases = append(cases, filterCase{call: "clone", what: "a thread", want: performed, do: func() error {
		thread := make(chan int)
		// A thread whose goroutine ends while it is locked ends too, so that in the end
		// the runtime must make one.
		for range 2 * maxThreads {
			go func() {
				runtime.LockOSThread()
				thread <- unix.Gettid()
			}()
			if !s.threads[strconv.Itoa(<-thread)] {
				return nil
			}
		}
		return errors.New("the runtime made no thread")
	}})
	add(performed, "the flags of a thread", cloneThread)
	add(performed, "the flags of the C library", cloneThreadOfC)
	add(performed, "the thread's own storage of its number", cloneThread|unix.CLONE_CHILD_SETTID)
	add(performed, "a flag without meaning", cloneThread|unix.CLONE_DETACHED)
	for _, flag := range []named{
		{"memory", unix.CLONE_VM}, {"a folder", unix.CLONE_FS}, {"files", unix.CLONE_FILES}, {"signal handlers", unix.CLONE_SIGHAND}, {"a process", unix.CLONE_THREAD},
	} {
		add(killed, "a thread that does not share "+flag.name, cloneThread&^flag.value)
	}
	for _, flag := range []named{
		{"CLONE_NEWCGROUP", unix.CLONE_NEWCGROUP}, {"CLONE_NEWIPC", unix.CLONE_NEWIPC}, {"CLONE_NEWNET", unix.CLONE_NEWNET},
		{"CLONE_NEWNS", unix.CLONE_NEWNS}, {"CLONE_NEWPID", unix.CLONE_NEWPID}, {"CLONE_NEWUSER", unix.CLONE_NEWUSER},
		{"CLONE_NEWUTS", unix.CLONE_NEWUTS}, {"CLONE_NEWTIME", unix.CLONE_NEWTIME}, {"CLONE_PARENT", unix.CLONE_PARENT},
		{"CLONE_PTRACE", unix.CLONE_PTRACE}, {"CLONE_UNTRACED", unix.CLONE_UNTRACED}, {"CLONE_VFORK", unix.CLONE_VFORK},
		{"CLONE_PIDFD", unix.CLONE_PIDFD}, {"CLONE_IO", unix.CLONE_IO}, {"a signal at its end", uintptr(unix.SIGCHLD)},
		{"bit 32", 1 << 32}, {"bit 63", 1 << 63},
	} {
		add(killed, "a thread with "+flag.name, cloneThread|flag.value)
	}
	add(killed, "the flags of a fork", cloneLikeAFork)
	add(killed, "the flags of a vfork", cloneLikeAVfork)
	add(killed, "no flags", 0)
	// The library that assembles the filter by itself lets this one through, as an
	// mmap: see assemble. It is a fork.
	return append(cases, filterCase{call: "clone", what: "the number of a call as flags", args: six([]uintptr{unix.SYS_MPROTECT}), want: killed, duplicates: true})
}

// answeredCases are calls that the filter refuses with an error of its own. The
// kernel would answer each of these with another one.
func answeredCases(s *scene) []filterCase {
	path := s.text(9, "/proc/self/exe")
	answer := func(call string, errno unix.Errno, args ...uintptr) filterCase {
		return filterCase{call: call, what: "refused with an error", args: six(args), want: answered, errno: errno}
	}
	at := uintptr(1<<64 + unix.AT_FDCWD)
	return []filterCase{
		answer("clone3", unix.ENOSYS, 0, 0),
		answer("openat", unix.EACCES, at, path, unix.O_RDONLY),
		answer("readlinkat", unix.EACCES, at, path, s.at(10), 64),
		answer("ioctl", unix.ENOTTY, none, unix.TCGETS, path),
	}
}

// named is a number with what it is.
type named struct {
	name  string
	value uintptr
}

func six(args []uintptr) (out [6]uintptr) {
	copy(out[:], args)
	return out
}
