package sandbox

import (
	"sync"
	"time"
)

// This file owns the wall clock of one execution: which time counts.

// wallClock measures the time that counts against the wall clock's limit. The
// engine's thread stops and continues it, any goroutine may read it.
type wallClock struct {
	started time.Time
	// stops: the time in which the program only waits for tools does not count.
	stops bool
	// continued has capacity 1: the clock ran on after a stop.
	continued chan struct{}

	mu      sync.Mutex
	waited  time.Duration // guarded by mu; what does not count
	stopped time.Time     // guarded by mu; since when it stands still, else zero
}

func newWallClock(started time.Time, stops bool) *wallClock {
	return &wallClock{started: started, stops: stops, continued: make(chan struct{}, 1)}
}

// used returns the time that counts, and whether more of it passes now.
func (c *wallClock) used() (used time.Duration, runs bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped.IsZero() {
		return c.stopped.Sub(c.started) - c.waited, false
	}
	return time.Since(c.started) - c.waited, true
}

// stop makes the clock stand still until run is called, if it is one that stops.
func (c *wallClock) stop() {
	//gate:protects tool-time-bounded
	if !c.stops {
		return
	}
	c.mu.Lock()
	c.stopped = time.Now()
	c.mu.Unlock()
}

// run lets the clock go on.
func (c *wallClock) run() {
	if !c.stops {
		return
	}
	c.mu.Lock()
	if !c.stopped.IsZero() {
		c.waited += time.Since(c.stopped)
		c.stopped = time.Time{}
	}
	c.mu.Unlock()
	select {
	case c.continued <- struct{}{}:
	default:
	}
}
