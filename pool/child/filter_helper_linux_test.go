//go:build amd64

package child_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
)

// This file owns the process that the system-call filter's tests start: this test
// binary again, which puts the product's filter in force and then makes calls, and
// says on its standard output what came of each.

// filterHelper is argument 0 of the process; 1 is the engine profile, 2 what it is
// to do, 3 a case's name.
const filterHelper = "isogate-filter-test"

// What the process can be asked to do.
const (
	makeAllowed   = "allowed"    // every case that the filter lets through, or answers
	makeOne       = "one"        // the case that argument 3 names
	makeOpen      = "open"       // every case that it does not let through, without a filter
	makeNumbers   = "numbers"    // every number, with a filter that answers where the product's kills
	startThreads  = "threads"    // threads before the filter
	filterThreads = "divergence" // a thread with a filter of its own before the filter
)

func init() {
	if len(os.Args) == 4 && os.Args[0] == filterHelper {
		runtime.LockOSThread()
		syscall.Exit(filterHelperMain(os.Args[1], os.Args[2], os.Args[3]))
	}
}

// filterHelperMain returns the process's exit status.
func filterHelperMain(profile, action, name string) int {
	failed := func(err error) int {
		fmt.Println("the helper failed:", err)
		return 1
	}
	// A process that the filter ends would leave a core dump.
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return failed(err)
	}
	s, err := newScene()
	if err != nil {
		return failed(err)
	}
	load := func() error { return child.FilterSystemCalls(profile) }
	switch action {
	case makeAllowed:
		return makeCalls(s, profile, load, func(c *filterCase) bool { return c.want != killed })
	case makeOne:
		return makeCalls(s, profile, load, func(c *filterCase) bool { return c.name() == name })
	case makeOpen:
		none := func() error { return nil }
		return makeCalls(s, profile, none, func(c *filterCase) bool { return c.want != performed && !c.duplicates })
	case makeNumbers:
		err = callNumbers(s, profile)
	case startThreads:
		err = waitWithThreads(load)
	case filterThreads:
		err = filterOneThread(load)
	default:
		err = fmt.Errorf("there is no action %q", action)
	}
	if err != nil {
		return failed(err)
	}
	return 0
}

// allCases returns every case in the order in which one process can try them.
func allCases(profile string, s *scene) []filterCase {
	cases := slices.Concat(narrowedCases(profile, s), answeredCases(s), refusedCases(s), neededCases(s))
	slices.SortStableFunc(cases, func(a, b filterCase) int {
		switch {
		case a.ends == b.ends:
			return 0
		case a.ends:
			return 1
		}
		return -1
	})
	return cases
}

// makeCalls loads the filter and makes the selected calls. Each is named before it
// is made, and its outcome written behind.
func makeCalls(s *scene, profile string, load func() error, selected func(*filterCase) bool) int {
	numbers, cases := callNumbersByName(), allCases(profile, s)
	if err := load(); err != nil {
		fmt.Println("the filter was not loaded:", err)
		return 1
	}
	for _, c := range cases {
		if !selected(&c) {
			continue
		}
		fmt.Printf("%s\t", c.name())
		var err error
		if c.do != nil {
			err = c.do()
		} else {
			errno := makeCall(s, numbers[c.call], c.args)
			if errno != 0 {
				err = errno
			}
		}
		fmt.Println(describe(err))
	}
	return 0
}

// makeCall makes one call. Should it be let through although it must not, and make a
// second process of this one, then that one ends at once.
func makeCall(s *scene, number uintptr, args [6]uintptr) syscall.Errno {
	_, _, errno := syscall.RawSyscall6(number, args[0], args[1], args[2], args[3], args[4], args[5])
	if pid, _, _ := syscall.RawSyscall(unix.SYS_GETPID, 0, 0, 0); pid != s.pid {
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	return errno
}

// describe returns an outcome in one word, if it is an error of the kernel.
func describe(err error) string {
	switch err := err.(type) {
	case nil:
		return "done"
	case syscall.Errno:
		return unix.ErrnoName(err)
	}
	return err.Error()
}

// callNumbersByName returns the numbers of this architecture's calls.
func callNumbersByName() map[string]uintptr {
	info, err := arch.GetInfo("")
	if err != nil {
		panic(err)
	}
	numbers := map[string]uintptr{}
	for name, number := range info.SyscallNames {
		numbers[name] = uintptr(number)
	}
	return numbers
}

// threadsBefore is how many threads [startThreads] starts.
const threadsBefore = 8

// waitWithThreads starts threads, loads the filter, says so, and waits for the end
// of standard input.
func waitWithThreads(load func() error) error {
	var started sync.WaitGroup
	stop := make(chan struct{})
	for range threadsBefore {
		started.Add(1)
		go func() {
			runtime.LockOSThread()
			started.Done()
			<-stop
		}()
	}
	started.Wait()
	if err := load(); err != nil {
		return err
	}
	fmt.Println("filtered")
	_, err := bufio.NewReader(os.Stdin).ReadByte()
	close(stop)
	if err != io.EOF {
		return err
	}
	return nil
}

// filterOneThread gives another thread a filter that the kernel cannot replace, and
// prints what then comes of loading the product's.
func filterOneThread(load func() error) error {
	filtered, stop := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		filtered <- seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Policy: seccomp.Policy{
			DefaultAction: seccomp.ActionAllow,
			Syscalls:      []seccomp.SyscallGroup{{Action: seccomp.ActionErrno, Names: []string{"reboot"}}},
		}})
		<-stop
	}()
	defer close(stop)
	if err := <-filtered; err != nil {
		return err
	}
	fmt.Println(load())
	return nil
}
