package pool

import (
	"runtime"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the clocks of one execution on the parent's side. The child
// interrupts the program when a deadline passes; the parent kills the child when
// it has not stopped within the grace period after that, whatever the child is
// doing. The time is monotonic: setting the system's clock changes nothing.
//
// A wall clock that stops while the program waits for tools stands still here
// while a tool call is open, for that is all that can be seen from outside. It
// may stand still longer than the child's: a program that works meanwhile is
// bounded by the child's clock, and a child that was taken over by its CPU time
// and by the time and number of its tool calls.

// watchdog watches wall clock and CPU time of one execution.
type watchdog struct {
	timer      *time.Timer
	begun      time.Time
	limits     *protocol.Limits
	grace      time.Duration
	stops      bool          // the wall clock stops while a tool call is open
	waited     time.Duration // what does not count
	stopped    time.Time     // since when the wall clock stands still, else zero
	killAt     time.Time     // set when the child has been told to stop
	stopping   bool          // the child has been told to stop by killAt
	cpuTime    func() (time.Duration, bool)
	cpuAtStart time.Duration
	cpuKnown   bool
}

// newWatchdog starts the clocks. cpuTime returns the child's processor time.
func newWatchdog(request *protocol.Request, grace time.Duration, cpuTime func() (time.Duration, bool)) *watchdog {
	w := &watchdog{
		begun: time.Now(), limits: &request.Limits, grace: grace, cpuTime: cpuTime,
		stops: request.WallClock == protocol.WallClockProgram,
	}
	w.cpuAtStart, w.cpuKnown = cpuTime()
	w.timer = time.NewTimer(w.untilCheck(w.begun, 0))
	return w
}

func (w *watchdog) stop() { w.timer.Stop() }

// waitsForTools tells the watchdog whether a tool call is open, and since when if
// it has just become so.
func (w *watchdog) waitsForTools(open bool, since time.Time) {
	switch {
	case !w.stops || open != w.stopped.IsZero():
	case open:
		w.stopped = since
	default:
		now := time.Now()
		w.waited += now.Sub(w.stopped)
		w.stopped = time.Time{}
		used, _ := w.cpu()
		w.timer.Reset(w.untilCheck(now, used))
	}
}

// wall returns the time until now that counts against the wall clock's limit.
func (w *watchdog) wall(now time.Time) time.Duration {
	if !w.stopped.IsZero() && now.After(w.stopped) {
		now = w.stopped
	}
	return max(0, now.Sub(w.begun)-w.waited)
}

// cpu returns the processor time that the child has used since the start. It
// cannot be read of a process that has been reaped.
func (w *watchdog) cpu() (time.Duration, bool) {
	now, ok := w.cpuTime()
	if !ok || !w.cpuKnown {
		return 0, false
	}
	return now - w.cpuAtStart, true
}

// stopWithinGrace makes the child's time end with the grace period from now, if
// it does not end earlier.
func (w *watchdog) stopWithinGrace() {
	now := time.Now()
	left := w.grace
	if w.stopped.IsZero() {
		left = min(left, w.limits.Wall+w.grace-w.wall(now))
	}
	w.killAt, w.stopping = now.Add(left), true
	w.timer.Reset(w.killAt.Sub(now))
}

// check reports whether the child must be killed now, and the deadline it
// missed. If not, it sets the timer for the next check.
func (w *watchdog) check(now time.Time) (*protocol.DeadlineExceeded, bool) {
	wall := w.wall(now)
	//gate:protects uninterruptible-killed
	if w.stopping && !now.Before(w.killAt) || !w.stopping && wall >= w.limits.Wall+w.grace {
		return missed(protocol.ClockWall, w.limits.Wall, wall, protocol.HowKilled), true
	}
	used, known := w.cpu()
	//gate:protects uninterruptible-killed
	if known && used >= w.limits.CPU+w.grace && !w.stopping {
		return missed(protocol.ClockCPU, w.limits.CPU, used, protocol.HowKilled), true
	}
	w.timer.Reset(w.untilCheck(now, used))
	return nil, false
}

// afterwork is the processor time that a child may use between the end of a
// program and the arrival of its result, beyond the program's limit: it encodes
// the message, and restores the isolate of the next execution meanwhile.
const afterwork = 20 * time.Millisecond

// late returns the deadline that had passed when a result arrived, or nil. The
// child has stopped by itself, so it is not killed for that.
func (w *watchdog) late(when arrival) *protocol.DeadlineExceeded {
	if used := w.wall(when.at); used > w.limits.Wall {
		return missed(protocol.ClockWall, w.limits.Wall, used, protocol.HowInterrupted)
	}
	if used := when.cpu - w.cpuAtStart; w.cpuKnown && when.cpuKnown && used > w.limits.CPU+afterwork {
		return missed(protocol.ClockCPU, w.limits.CPU, used, protocol.HowInterrupted)
	}
	return nil
}

func missed(kind string, limit, used time.Duration, how string) *protocol.DeadlineExceeded {
	f := &protocol.DeadlineExceeded{
		Kind: kind, LimitMS: limit.Milliseconds(), ElapsedMS: used.Milliseconds(), How: how,
	}
	f.Started = true
	return f
}

// untilCheck returns how long nothing can be missed: until the wall clock's end,
// or the earliest moment at which the CPU time can be used up with every
// processor at work for the child.
func (w *watchdog) untilCheck(now time.Time, used time.Duration) time.Duration {
	const shortest, longest = 10 * time.Millisecond, time.Hour
	if w.stopping {
		return max(w.killAt.Sub(now), 0)
	}
	wait := longest
	if w.stopped.IsZero() {
		wait = w.limits.Wall + w.grace - w.wall(now)
	}
	if w.cpuKnown {
		left := (w.limits.CPU + w.grace - used) / time.Duration(runtime.NumCPU())
		wait = min(wait, max(left, shortest))
	}
	return max(wait, 0)
}

// usage returns what the execution cost. The child's figures are kept where they
// can be true; wall clock and CPU time beyond what this side measured cannot.
func (w *watchdog) usage(from *protocol.Result) protocol.Usage {
	wall := protocol.Milliseconds(time.Since(w.begun))
	cpu, known := w.cpu()
	measured := protocol.Usage{WallMS: wall, CPUMS: protocol.Milliseconds(cpu)}
	if from == nil {
		return measured
	}
	u := from.Usage
	u.WallMS = min(max(u.WallMS, 0), wall)
	u.CPUMS = max(u.CPUMS, 0)
	if known {
		u.CPUMS = min(u.CPUMS, measured.CPUMS)
	}
	u.PeakHeap, u.PeakExternal = max(u.PeakHeap, 0), max(u.PeakExternal, 0)
	u.DroppedLogs, u.PendingCalls, u.PendingTimers = max(u.DroppedLogs, 0), max(u.PendingCalls, 0), max(u.PendingTimers, 0)
	return u
}
