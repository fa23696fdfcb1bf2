package soak

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"gonum.org/v1/gonum/stat"

	"github.com/isogate/isogate/bench/procfs"
)

// This file owns the question whether the host grows: samples at rest, and the
// slope of a line through them.

// sample is a look at the host between two rounds, when nothing runs.
type sample struct {
	done                      int // executions so far
	resident, routines, files float64
}

// takeSample looks at this process. Garbage is returned to the system first, so
// that what is seen is what is held.
func takeSample(done int) sample {
	debug.FreeOSMemory()
	s := sample{done: done, routines: float64(runtime.NumGoroutine())}
	if resident, err := procfs.Resident(os.Getpid()); err == nil {
		s.resident = float64(resident)
	}
	if files, err := procfs.Descriptors(os.Getpid()); err == nil {
		s.files = float64(len(files))
	}
	return s
}

// Trend is how one figure of the host went.
type Trend struct {
	What string
	Unit string
	// First and Last are the figure at the ends of the second half of the soak:
	// the first half fills caches.
	First, Last float64
	// Growth is the slope of the line through the second half, by least squares,
	// for 1,000 executions.
	Growth float64
	// Allowed is the growth that is no growth.
	Allowed float64
}

// Growing returns what is wrong, empty when the figure is flat.
func (t Trend) Growing() string {
	if t.Growth <= t.Allowed {
		return ""
	}
	return fmt.Sprintf("%s grow by %.2f %s for 1,000 executions, allowed are %.2f", t.What, t.Growth, t.Unit, t.Allowed)
}

// trends fits lines through the second half of the samples.
func trends(samples []sample) (memory, routines, files Trend) {
	half := samples[len(samples)/2:]
	fit := func(what, unit string, allowed, scale float64, of func(sample) float64) Trend {
		t := Trend{What: what, Unit: unit, Allowed: allowed, First: of(half[0]) / scale, Last: of(half[len(half)-1]) / scale}
		if len(half) < 2 {
			return t
		}
		x, y := make([]float64, len(half)), make([]float64, len(half))
		for i, s := range half {
			x[i], y[i] = float64(s.done)/1000, of(s)/scale
		}
		_, t.Growth = stat.LinearRegression(x, y, nil, false)
		return t
	}
	// The kernel gives memory back late, so that a flat line is seen with noise
	// of some MiB; short soaks cannot be judged finer than that.
	span := float64(half[len(half)-1].done-half[0].done) / 1000
	noise := 1.0
	if span > 0 {
		noise = max(1, 8/span)
	}
	memory = fit("resident memory", "MiB", noise, 1<<20, func(s sample) float64 { return s.resident })
	routines = fit("goroutines", "goroutines", noise, 1, func(s sample) float64 { return s.routines })
	files = fit("descriptors", "descriptors", noise, 1, func(s sample) float64 { return s.files })
	return memory, routines, files
}
