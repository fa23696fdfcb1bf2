package gate

import (
	"os"
	"sync"
	"time"

	"github.com/isogate/isogate/bench/procfs"
)

// This file owns watching the memory of children while an attack runs.

// How often memory is looked at: of known processes always after residentInterval;
// where the processes are looked for each time, which takes memory and time of this
// process that attacks measure, after intervals that double from residentInterval to
// searchInterval.
const (
	residentInterval = 5 * time.Millisecond
	searchInterval   = 500 * time.Millisecond
)

// residentWatch samples the peak resident memory of processes.
type residentWatch struct {
	stop chan struct{}
	done sync.WaitGroup
	peak int64 // read after done
}

// watchResident begins to watch, from outside, the processes that pids returns. The kernel
// keeps the peak of a process for its whole life, so a peak that was reached
// before is not counted again; what lies below it is sampled.
func watchResident(pids func() map[int]bool, longest time.Duration) *residentWatch {
	w := &residentWatch{stop: make(chan struct{})}
	before := map[int]int64{}
	for pid := range pids() {
		if peak, err := procfs.PeakResident(pid); err == nil {
			before[pid] = peak
		}
	}
	look := func() {
		for pid := range pids() {
			if now, err := procfs.Resident(pid); err == nil {
				w.peak = max(w.peak, now)
			}
			if peak, err := procfs.PeakResident(pid); err == nil && peak > before[pid] {
				w.peak = max(w.peak, peak)
			}
		}
	}
	w.done.Go(func() {
		interval := residentInterval
		next := time.NewTimer(interval)
		defer next.Stop()
		for {
			look()
			select {
			case <-next.C:
				interval = min(2*interval, longest)
				next.Reset(interval)
			case <-w.stop:
				look()
				return
			}
		}
	})
	return w
}

// end stops watching and returns the peak in bytes, 0 when it is not known.
func (w *residentWatch) end() int64 {
	close(w.stop)
	w.done.Wait()
	return w.peak
}

// othersBelow returns the processes below this one that are not in mine.
func othersBelow(mine func() map[int]bool) func() map[int]bool {
	return func() map[int]bool {
		own := mine()
		others := map[int]bool{}
		below, err := procfs.Descendants(os.Getpid())
		if err != nil {
			return nil // then the peak is not known
		}
		for _, p := range below {
			if !own[p.PID] {
				others[p.PID] = true
			}
		}
		return others
	}
}
