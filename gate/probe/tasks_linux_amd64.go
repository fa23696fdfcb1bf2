package probe

import "golang.org/x/sys/unix"

// This file owns what probes need of amd64: making tasks, calls that other
// machines do not have, and a program.

// makeTask makes a call of the clone family and returns what it returns, as
// negative errno on failure. What it makes waits on the word while it is 0, at most
// for the time, if wait is not nil, and ends. See tasks_linux_amd64.s.
//
//go:noescape
func makeTask(number, a1, a2, a3, a4, a5 uintptr, wait *uint32, most *unix.Timespec) uintptr

// The calls that only some machines have.
const (
	callFork      = unix.SYS_FORK
	callVfork     = unix.SYS_VFORK
	callModifyLDT = unix.SYS_MODIFY_LDT
)

// program is a whole program in the ELF format, see elf(5), that ends at once with
// the status ExitExecuted: a header, one segment, and three instructions.
var program = []byte{
	0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 64 bits, little endian
	2, 0, 62, 0, 1, 0, 0, 0, // an executable for x86-64
	0x78, 0, 0x40, 0, 0, 0, 0, 0, // entry 0x400078
	64, 0, 0, 0, 0, 0, 0, 0, // program headers at 64
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, // no sections
	56, 0, 1, 0, 0, 0, 0, 0, 0, 0, // one program header of 56 bytes

	1, 0, 0, 0, 5, 0, 0, 0, // load, to be read and executed
	0, 0, 0, 0, 0, 0, 0, 0, // from the file's start
	0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, // at 0x400000
	0x84, 0, 0, 0, 0, 0, 0, 0, 0x84, 0, 0, 0, 0, 0, 0, 0, // 0x84 bytes
	0, 0x10, 0, 0, 0, 0, 0, 0, // in pages

	0xbf, ExitExecuted, 0, 0, 0, // mov edi, ExitExecuted
	0xb8, 60, 0, 0, 0, // mov eax, exit
	0x0f, 0x05, // syscall
}
