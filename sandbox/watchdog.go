package sandbox

import (
	"runtime"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the clocks of one execution. They run beside the program and
// end it by interrupting V8. What does not listen to an interrupt is ended by
// the supervisor, which holds the same clocks.

// startWatchdog watches the wall clock, the CPU time and the caller until stop
// is called; stop waits for the watch to end.
func (e *execution) startWatchdog() (stop func()) {
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		e.watch(quit)
	}()
	return func() {
		close(quit)
		<-gone
	}
}

func (e *execution) watch(quit <-chan struct{}) {
	limits := e.req.Limits
	used, _ := e.clock.used()
	wall := time.NewTimer(limits.Wall - used)
	defer wall.Stop()
	cpu := time.NewTimer(nextCPUCheck(limits.CPU))
	defer cpu.Stop()
	for {
		select {
		case <-quit:
			return
		case <-e.ended:
			return
		case <-e.ctx.Done():
			e.end(nil, &protocol.Cancelled{Reason: cancelReason(e.ctx)})
			return
		case <-wall.C:
			used, runs := e.clock.used()
			//gate:protects wall-deadline
			if used >= limits.Wall {
				e.end(nil, deadline(protocol.ClockWall, limits.Wall, used))
				return
			}
			if runs {
				wall.Reset(limits.Wall - used)
			}
		case <-e.clock.continued:
			used, _ := e.clock.used()
			wall.Reset(limits.Wall - used)
		case <-cpu.C:
			used := processCPU() - e.cpuBefore
			//gate:protects cpu-deadline
			if used >= limits.CPU {
				e.end(nil, deadline(protocol.ClockCPU, limits.CPU, used))
				return
			}
			cpu.Reset(nextCPUCheck(limits.CPU - used))
		}
	}
}

// late returns the deadline that has passed, or nil. Who states an outcome asks
// it first: the watch is a goroutine like any other and may not have run yet.
func (e *execution) late() *protocol.DeadlineExceeded {
	limits := e.req.Limits
	if used, _ := e.clock.used(); used >= limits.Wall {
		return deadline(protocol.ClockWall, limits.Wall, used)
	}
	if used := processCPU() - e.cpuBefore; used >= limits.CPU {
		return deadline(protocol.ClockCPU, limits.CPU, used)
	}
	return nil
}

// nextCPUCheck returns how long the remaining CPU time lasts at the least: the
// process can use every processor at once.
func nextCPUCheck(remaining time.Duration) time.Duration {
	return max(time.Millisecond, remaining/time.Duration(runtime.NumCPU()))
}

func deadline(kind string, limit, elapsed time.Duration) *protocol.DeadlineExceeded {
	return &protocol.DeadlineExceeded{
		Kind: kind, LimitMS: limit.Milliseconds(), ElapsedMS: elapsed.Milliseconds(), How: protocol.HowInterrupted,
	}
}
