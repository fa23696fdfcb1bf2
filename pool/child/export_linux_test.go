package child

import (
	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/sys/unix"
)

// This file owns what the tests of the system-call filter see of it.

// FilterSystemCalls puts the product's filter in force.
var FilterSystemCalls = filterSystemCalls

// Program returns the product's filter as the kernel gets it.
func Program(profile string) ([]unix.SockFilter, error) { return assemble(policy(profile)) }

// Needed returns the calls that are allowed with any arguments.
func Needed() []string { return needed }

// Narrowed returns the calls that are allowed with some arguments only.
func Narrowed(profile string) []seccomp.NameWithConditions { return narrowed(profile) }

// Answered returns the calls that are refused with an error, and which.
func Answered() map[string]unix.Errno {
	calls := map[string]unix.Errno{}
	for _, call := range answered {
		calls[call.name] = call.errno
	}
	return calls
}
