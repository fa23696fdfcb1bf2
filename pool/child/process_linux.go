package child

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// This file owns what a child needs of Linux beside its sealing.

// maxSnapshot is how much the role snapshot may write to its memory file, in bytes.
const maxSnapshot = 64 << 20

// nameProcess gives the process the name that ps and top show, which would
// otherwise be that of the file it was started from. See proc_pid_comm(5).
func nameProcess() {
	// Only people depend on it.
	_ = os.WriteFile("/proc/self/comm", []byte(Arg0), 0)
}

// mapSnapshot maps the snapshot's memory file for reading, once for the
// process: all children of a pool share its pages, and it never moves. The
// descriptor is closed.
func mapSnapshot() ([]byte, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(Snapshot, &stat); err != nil {
		return nil, err
	}
	if stat.Size <= 0 || stat.Size > maxSnapshot {
		return nil, fmt.Errorf("its size is %d bytes", stat.Size)
	}
	blob, err := unix.Mmap(Snapshot, 0, int(stat.Size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	return blob, unix.Close(Snapshot)
}
