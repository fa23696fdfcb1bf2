package gate

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
)

// This file owns the standing condition on processes: at rest, every process
// below this one is a child of the executor.

// strayTimeout is how long a process may take to end and to be waited for.
const strayTimeout = 3 * time.Second

// strays returns what is wrong with the processes below this one; mine returns
// those that may be there. It waits for processes that are about to end.
func strays(mine func() map[int]bool) []string {
	deadline := time.Now().Add(strayTimeout)
	for {
		wrong := straysNow(mine)
		if len(wrong) == 0 || time.Now().After(deadline) {
			return wrong
		}
		time.Sleep(5 * time.Millisecond) // between two looks at /proc
	}
}

func straysNow(mine func() map[int]bool) []string {
	before := mine()
	descendants, err := procfs.Descendants(os.Getpid())
	if errors.Is(err, procfs.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return []string{"the processes cannot be listed: " + err.Error()}
	}
	after := mine() // a replacement may have been started in between
	var wrong []string
	for _, p := range descendants {
		switch {
		case p.Zombie():
			wrong = append(wrong, fmt.Sprintf("process %d (%s) is a zombie", p.PID, p.Name))
		case !before[p.PID] && !after[p.PID]:
			wrong = append(wrong, fmt.Sprintf("process %d (%s, child of %d) is left and belongs to no executor", p.PID, p.Name, p.Parent))
		}
	}
	return wrong
}

// killStrays ends the processes below this one that are not mine, so that one
// attack that left them does not spoil the next.
func killStrays(mine func() map[int]bool) {
	descendants, err := procfs.Descendants(os.Getpid())
	if err != nil {
		return
	}
	keep := mine()
	for _, p := range descendants {
		if keep[p.PID] {
			continue
		}
		_ = syscall.Kill(p.PID, syscall.SIGKILL) // it may be gone already
		if p.Parent == os.Getpid() {
			var status syscall.WaitStatus
			_, _ = syscall.Wait4(p.PID, &status, 0, nil) // or somebody else waited for it
		}
	}
}
