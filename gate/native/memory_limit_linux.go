package native

import "golang.org/x/sys/unix"

// This file owns taking the rest of its memory from a child, on Linux.

// exhaustData lowers the soft RLIMIT_DATA of a process to one page, which every
// process uses already: it gets no private writable memory any more, see
// getrlimit(2). Its hard limit stays.
func exhaustData(pid int) error {
	var limit unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_DATA, nil, &limit); err != nil {
		return err
	}
	limit.Cur = uint64(unix.Getpagesize())
	return unix.Prlimit(pid, unix.RLIMIT_DATA, &limit, nil)
}
