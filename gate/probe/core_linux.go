package probe

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns the probe that leaves a core dump.

var coreActs = map[string]act{"dump-core": dumpCore}

// dumpCore goes to the target's folder, allows itself a core dump of 1 MiB as far as
// it can, and ends the process by SIGABRT. Whether there is a dump in the folder
// then says whether it succeeded.
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
	if _, err := raw("rt_sigaction", unix.SYS_RT_SIGACTION, uintptr(unix.SIGABRT), uintptr(unsafe.Pointer(&action)), 0, unsafe.Sizeof(action.mask), 0, 0); err != nil {
		return "", err
	}
	if err := unix.Tgkill(unix.Getpid(), unix.Gettid(), unix.SIGABRT); err != nil {
		return "", tried("tgkill", err)
	}
	return "", state("SIGABRT did not end the process")
}
