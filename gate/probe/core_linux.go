package probe

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probe that leaves a core dump.

var coreActs = map[string]act{"dump-core": dumpCore}

// dumpCore goes to the target's folder, allows itself a core dump of 1 MiB as far as
// it can, and ends the process by a fault. Whether there is a dump in the folder then
// says whether it succeeded. A signal that it sent to itself would not do: the first
// process of a pid namespace, as a sealed child is, does not heed those.
func dumpCore(t *Target) (string, error) {
	for _, undo := range []func() error{
		func() error { return unix.Chdir(t.Directory) },
		func() error { return unix.Prlimit(0, unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}, nil) },
		func() error { return unix.Prlimit(0, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}, nil) },
		func() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0) },
	} {
		_ = undo() // the next may go without it
	}
	// Go's runtime and the engine catch the signal; the kernel's own action is to dump.
	action := struct {
		handler, flags, restorer, mask uint64
	}{}
	if _, err := raw("rt_sigaction", unix.SYS_RT_SIGACTION, uintptr(unix.SIGSEGV), uintptr(unsafe.Pointer(&action)), 0, unsafe.Sizeof(action.mask), 0, 0); err != nil {
		return "", err
	}
	memory, err := unix.Mmap(-1, 0, page, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return "", tried("mmap", err)
	}
	return "", state(fmt.Sprintf("reading memory that is not to be read gave %d", memory[0]))
}
