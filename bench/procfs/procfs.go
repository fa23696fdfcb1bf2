// Package procfs reads what the kernel says about processes, from proc(5). It
// exists on Linux; elsewhere every function returns [ErrUnsupported].
package procfs

import "errors"

// ErrUnsupported indicates that this system has no /proc of Linux's kind.
var ErrUnsupported = errors.New("there is no Linux /proc on this system")

// Process is one process at the moment of reading.
type Process struct {
	PID, Parent int
	// State is the letter of proc(5): R, S, D, Z for a zombie, T for stopped, …
	State byte
	// Name is the command's name, at most 15 bytes.
	Name string
	// Start is when it started, in clock ticks after boot. PID and Start
	// together name a process for good.
	Start uint64
}

// Zombie reports whether the process has ended and was not waited for.
func (p Process) Zombie() bool { return p.State == 'Z' || p.State == 'X' }
