//go:build amd64

package child_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"unsafe"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
)

// This file owns the part of the system-call filter's tests that tries every
// number, and every single way to break a condition, in one process: with the
// product's program, in which only the end of the process has been replaced by an
// error.

// unlisted is the error in place of the process's end. No call returns it otherwise.
const unlisted = unix.EHWPOISON

// Numbers that are tried are all that exist and more, and those with the bit that
// marks the x32 interface: see syscall(2).
const (
	afterNumber = 1024
	x32Bit      = 0x40000000
)

// unfiltered are numbers that the kernel passes by every filter: uretprobe and
// uprobe. Their calls are for the kernel's own probes, and end every process that
// makes them elsewhere by SIGILL.
var unfiltered = []uintptr{335, 336}

// callNumbers makes the calls until one comes out wrong, and prints that one, or how
// many were made. Calls that are not refused may do anything, so it stops then.
func callNumbers(s *scene, profile string) error {
	ruled := map[uintptr]bool{}
	numbers := callNumbersByName()
	for _, name := range ruledCalls(profile) {
		ruled[numbers[name]] = true
	}
	broken := brokenCases(profile, s)
	if err := loadAnswering(profile); err != nil {
		return err
	}
	made := 0
	wrong := func(what string, number uintptr, args [6]uintptr, want unix.Errno) bool {
		made++
		errno := makeCall(s, number, args)
		if errno != want {
			fmt.Printf("%s: %s, want %s\n", what, describe(errno), describe(want))
		}
		return errno != want
	}
	nothing := [6]uintptr{none, none, none, none, none, none}
	for number := range uintptr(afterNumber) {
		if !ruled[number] && !slices.Contains(unfiltered, number) && wrong(fmt.Sprintf("number %d", number), number, nothing, unlisted) {
			return nil
		}
		if wrong(fmt.Sprintf("number %d of the x32 interface", number), number|x32Bit, nothing, unix.ENOSYS) {
			return nil
		}
	}
	for _, c := range broken {
		if wrong(c.name(), numbers[c.call], c.args, unlisted) {
			return nil
		}
	}
	fmt.Println("made", made)
	return nil
}

// loadAnswering puts the product's filter in force with [unlisted] where it ends
// the process.
func loadAnswering(profile string) error {
	program, err := child.Program(profile)
	if err != nil {
		return err
	}
	kill := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: uint32(seccomp.ActionKillProcess)}
	replaced := 0
	for i := range program {
		if program[i] == kill {
			program[i].K = uint32(seccomp.ActionErrno) | uint32(unlisted)
			replaced++
		}
	}
	if replaced == 0 {
		return errors.New("the filter ends no process")
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	filter := &unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	// For this thread alone: only it makes the calls.
	_, _, errno := syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(filter)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return errno
	}
	return nil
}

// ruledCalls returns the names of all calls that the filter does not leave to its
// default, each once.
func ruledCalls(profile string) []string {
	names := slices.Clone(child.Needed())
	for _, call := range child.Narrowed(profile) {
		names = append(names, call.Name)
	}
	for name := range child.Answered() {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// brokenCases returns, for every use of a narrowed call that is allowed, many ways
// to break each of the rule's conditions: with every bit of the argument changed,
// and with the argument the number of a call that has a rule itself.
func brokenCases(profile string, s *scene) []filterCase {
	numbers := callNumbersByName()
	var broken []filterCase
	for _, rule := range child.Narrowed(profile) {
		for _, c := range narrowedCases(profile, s) {
			if c.want != performed || c.do != nil || !allows(rule, &c) {
				continue
			}
			for _, condition := range rule.Conditions {
				change := func(value uintptr, how string) {
					changed := c
					changed.args[condition.Argument] = value
					changed.what = fmt.Sprintf("%s, argument %d %s", c.what, condition.Argument, how)
					if !allowedByAny(profile, &changed) {
						broken = append(broken, changed)
					}
				}
				for bit := range 64 {
					change(c.args[condition.Argument]^1<<bit, fmt.Sprintf("with bit %d changed", bit))
				}
				for _, name := range ruledCalls(profile) {
					change(numbers[name], "the number of "+name)
				}
			}
		}
	}
	return broken
}

// allows reports whether the rule lets the call through.
func allows(rule seccomp.NameWithConditions, c *filterCase) bool {
	return rule.Name == c.call && len(violated(rule, c)) == 0
}

func allowedByAny(profile string, c *filterCase) bool {
	return slices.ContainsFunc(child.Narrowed(profile), func(rule seccomp.NameWithConditions) bool { return allows(rule, c) })
}

// violated returns the indexes of the rule's conditions that the call does not meet.
func violated(rule seccomp.NameWithConditions, c *filterCase) []int {
	var out []int
	for i, condition := range rule.Conditions {
		value, met := uint64(c.args[condition.Argument]), false
		switch condition.Operation {
		case seccomp.Equal:
			met = value == condition.Value
		case seccomp.BitsSet:
			met = value&condition.Value != 0
		case seccomp.BitsNotSet:
			met = value&condition.Value == 0
		default:
			panic("the tests do not know the operation " + condition.Operation)
		}
		if !met {
			out = append(out, i)
		}
	}
	return out
}
