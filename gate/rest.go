package gate

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/isogate/isogate/bench/procfs"
)

// This file owns the standing condition on this process, the host of the target: at
// rest it has no more open files and no more goroutines than before the attack.

// restInterval is how long is waited between two looks.
const restInterval = 5 * time.Millisecond

// rest is how much of some things this process has.
type rest struct{ descriptors, goroutines int }

// restNow counts. Where the system does not tell, there are 0 descriptors.
func restNow() rest {
	r := rest{goroutines: runtime.NumGoroutine()}
	if open, err := procfs.Descriptors(os.Getpid()); err == nil {
		r.descriptors = len(open)
	} else if !errors.Is(err, procfs.ErrUnsupported) {
		r.descriptors = -1 // a bound that nothing meets: what cannot be seen does not hold
	}
	return r
}

// left returns what there is more than r after strayTimeout.
func (r rest) left() []string {
	deadline := time.Now().Add(strayTimeout)
	for {
		now := restNow()
		var left []string
		if now.descriptors > r.descriptors || now.descriptors < 0 {
			left = append(left, fmt.Sprintf("the host has %d files open, had %d before", now.descriptors, r.descriptors))
		}
		if now.goroutines > r.goroutines {
			left = append(left, fmt.Sprintf("the host has %d goroutines, had %d before", now.goroutines, r.goroutines))
		}
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
		time.Sleep(restInterval)
	}
}
