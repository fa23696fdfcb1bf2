package child

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"
)

// This file owns the filter's way into the kernel: from rules to a program, and the
// program in force on all threads. See seccomp(2).

// loadFilter puts a filter in force for the calling thread, with the flag for
// TSYNC on all threads.
func loadFilter(filter seccomp.Filter) error {
	program, err := assemble(filter.Policy)
	if err != nil {
		return err
	}
	if filter.NoNewPrivs {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("giving up new privileges: %w", err)
		}
	}
	description := &unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, uintptr(filter.Flag), uintptr(unsafe.Pointer(description)))
	runtime.KeepAlive(program)
	switch {
	case errno != 0:
		return fmt.Errorf("loading the filter: %w", errno)
	case thread != 0:
		// Then the kernel has loaded it for none.
		return fmt.Errorf("thread %d has a filter of its own", thread)
	}
	return nil
}

// assemble turns rules into a program: the library's programs for the parts of the
// policy, one behind the other, each without its last instruction, which is the
// default.
//
// A call with conditions must be in a part of its own. Where a condition does not
// hold, the library's program goes on to compare what it has loaded last with the
// numbers of the calls that follow: by then an argument, which is the caller's
// choice, instead of the number. Every part begins by loading the number again.
func assemble(policy seccomp.Policy) ([]unix.SockFilter, error) {
	var program []unix.SockFilter
	for _, group := range parts(policy.Syscalls) {
		part := seccomp.Policy{DefaultAction: policy.DefaultAction, Syscalls: []seccomp.SyscallGroup{group}}
		instructions, err := part.Assemble()
		if err != nil {
			return nil, err
		}
		for _, instruction := range instructions {
			raw, err := instruction.Assemble()
			if err != nil {
				return nil, err
			}
			program = append(program, unix.SockFilter{Code: raw.Op, Jt: raw.Jt, Jf: raw.Jf, K: raw.K})
		}
		last := len(program) - 1
		if program[last] != result(policy.DefaultAction) {
			return nil, errors.New("a part of the filter does not end in the default")
		}
		// What would have got there gets to the next part instead.
		program = program[:last]
	}
	return append(program, result(policy.DefaultAction)), nil
}

// result is the instruction that ends a program with the action.
func result(action seccomp.Action) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: uint32(action)}
}

// parts splits groups so that all calls without conditions of a group are in one,
// and each call with conditions is in another, with all its alternatives.
func parts(groups []seccomp.SyscallGroup) []seccomp.SyscallGroup {
	var out []seccomp.SyscallGroup
	for _, group := range groups {
		if len(group.Names) > 0 {
			out = append(out, seccomp.SyscallGroup{Action: group.Action, Names: group.Names})
		}
		at := map[string]int{}
		for _, call := range group.NamesWithCondtions {
			i, ok := at[call.Name]
			if !ok {
				i = len(out)
				at[call.Name] = i
				out = append(out, seccomp.SyscallGroup{Action: group.Action})
			}
			out[i].NamesWithCondtions = append(out[i].NamesWithCondtions, call)
		}
	}
	return out
}
