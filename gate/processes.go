package gate

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
)

// This file owns the standing condition on processes: at rest, every process
// below this one belongs to a target.

// strayTimeout is how long a process may take to end and to be waited for.
const strayTimeout = 3 * time.Second

// strays returns what is wrong with the processes below this one, and ends those;
// mine returns those that may be there. A process is wrong that is seen where it must
// not be, or dead and not waited for, whenever it is looked at until strayTimeout has
// passed: others are about to end, or to be known.
func strays(mine func() map[int]bool) []string {
	deadline := time.Now().Add(strayTimeout)
	suspects, err := suspectsNow(mine)
	for ; err == nil && len(suspects) > 0 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		var still map[int]suspect
		still, err = suspectsNow(mine)
		for pid := range suspects {
			if again, ok := still[pid]; ok && again.Start == suspects[pid].Start {
				suspects[pid] = again
			} else {
				delete(suspects, pid)
			}
		}
	}
	if errors.Is(err, procfs.ErrUnsupported) {
		return nil
	}
	if err != nil {
		return []string{"the processes cannot be listed: " + err.Error()}
	}
	var wrong []string
	for _, s := range suspects {
		wrong = append(wrong, s.what)
		s.end()
	}
	slices.Sort(wrong)
	return wrong
}

// suspect is a process that may not be there, unless it is about to end.
type suspect struct {
	procfs.Process
	what string
}

func suspectsNow(mine func() map[int]bool) (map[int]suspect, error) {
	before := mine()
	descendants, err := procfs.Descendants(os.Getpid())
	if err != nil {
		return nil, err
	}
	after := mine() // a replacement may have been started in between
	out := map[int]suspect{}
	for _, p := range descendants {
		switch {
		case p.Zombie():
			out[p.PID] = suspect{p, fmt.Sprintf("process %d (%s) is a zombie", p.PID, p.Name)}
		case !before[p.PID] && !after[p.PID]:
			out[p.PID] = suspect{p, fmt.Sprintf("process %d (%s, child of %d) is left and belongs to no target", p.PID, p.Name, p.Parent)}
		}
	}
	return out, nil
}

// end ends the process, so that one attack that left it does not spoil the next.
func (s suspect) end() {
	_ = syscall.Kill(s.PID, syscall.SIGKILL) // it may be gone already
	if s.Parent == os.Getpid() {
		var status syscall.WaitStatus
		_, _ = syscall.Wait4(s.PID, &status, 0, nil) // or somebody else waited for it
	}
}
