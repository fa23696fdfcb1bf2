package probe

import (
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file owns threads that are made below Go's runtime: they wait until they
// are told to end.

// threadFlags are those with which the C library makes threads, see clone(2).
const threadFlags = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD | unix.CLONE_SYSVSEM |
	unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID

// startThreads makes threads until the number is reached or one is refused, and
// ends them all.
func startThreads(number int, flags uintptr) (string, error) {
	// Memory of the kernel's own giving: threads outlive what Go knows of them.
	// Its first word is what they wait on, the last ones the kernel clears at
	// their ends, and in between is what they take for their stack and storage.
	memory, err := unix.Mmap(-1, 0, 16<<10, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return "", tried("mmap", err)
	}
	at := func(offset int) *uint32 { return (*uint32)(unsafe.Pointer(&memory[offset])) }
	const stack, storage, words = 4 << 10, 8 << 10, 12 << 10
	wait := at(0)
	// They have no handlers' stack: no signal may reach them.
	if err := holdAllSignals(); err != nil {
		return "", err
	}
	most := unix.NsecToTimespec(int64(taskTime))
	started := 0
	var refused error
	for ; started < number && refused == nil; started++ {
		word := uintptr(unsafe.Pointer(at(words + 4*started)))
		_, refused = made("clone", makeTask(unix.SYS_CLONE, flags, uintptr(unsafe.Pointer(at(stack))), word, word, uintptr(unsafe.Pointer(at(storage))), wait, &most))
	}
	if refused != nil {
		started--
	}
	const wake = 1 // FUTEX_WAKE, futex(2)
	atomic.StoreUint32(wait, 1)
	if _, err := raw("futex", unix.SYS_FUTEX, uintptr(unsafe.Pointer(wait)), wake, uintptr(number), 0, 0, 0); err != nil {
		return "", err
	}
	if err := ended(at, words, started); err != nil {
		return "", err
	}
	if refused != nil {
		return "", refused
	}
	return fmt.Sprintf("%d threads were started", started), tried("munmap", unix.Munmap(memory))
}

// ended waits until the kernel has cleared the word of every thread.
func ended(at func(int) *uint32, words, started int) error {
	deadline := time.Now().Add(taskTime)
	for i := range started {
		for atomic.LoadUint32(at(words+4*i)) != 0 {
			if time.Now().After(deadline) {
				return fmt.Errorf("thread %d of %d did not end", i, started)
			}
			if _, err := raw("sched_yield", unix.SYS_SCHED_YIELD, 0, 0, 0, 0, 0, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// holdAllSignals holds all signals back from this thread, and from those it makes,
// except what the kernel does not let it.
func holdAllSignals() error {
	return holdSignals(^uint64(0))
}

// holdSignal holds one signal back from this thread.
func holdSignal(signal unix.Signal) error { return holdSignals(1 << (signal - 1)) }

func holdSignals(set uint64) error {
	_, err := raw("rt_sigprocmask", unix.SYS_RT_SIGPROCMASK, unix.SIG_BLOCK, uintptr(unsafe.Pointer(&set)), 0, unsafe.Sizeof(set), 0, 0)
	return err
}
