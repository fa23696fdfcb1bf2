package gate

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// This file owns how a run shows where it is.

// Step is one thing that was done.
type Step struct {
	Name, Outcome string
	// Good says that nothing is wrong.
	Good    bool
	Details []string
	Took    time.Duration
}

// Progress is told what a run does. Steps may come from several goroutines.
type Progress interface {
	// Begin opens a phase of so many steps.
	Begin(phase string, steps int)
	Step(Step)
	// Count says how many of the phase's steps are done, where they are too many
	// for each to be shown.
	Count(done int)
	End()
	// Note shows a line between the steps.
	Note(format string, args ...any)
}

// NoProgress shows nothing.
func NoProgress() Progress { return silent{} }

type silent struct{}

func (silent) Begin(string, int)   {}
func (silent) Step(Step)           {}
func (silent) Count(int)           {}
func (silent) End()                {}
func (silent) Note(string, ...any) {}

// Counted returns a callback that shows as a phase what is known of as a count only,
// and a function that closes the phase, if it was begun.
func Counted(p Progress, phase string) (counted func(done, of int), end func()) {
	begun := false
	counted = func(done, of int) {
		if !begun {
			p.Begin(phase, of)
			begun = true
		}
		p.Count(done)
	}
	return counted, func() {
		if begun {
			p.End()
		}
	}
}

// NewProgress shows progress on w: on a terminal one line that is redrawn, with
// counts and the time left, and a line for what is wrong; otherwise a plain line
// for each step, or for each tenth of the steps that are only counted.
func NewProgress(w io.Writer, terminal bool) Progress {
	return &display{w: w, terminal: terminal, now: time.Now}
}

// display writes progress for people.
type display struct {
	w        io.Writer
	terminal bool
	now      func() time.Time

	mu                sync.Mutex
	phase             string    // guarded by mu, as all below
	steps, done, good int       //
	begun             time.Time //
	drawn             bool      // the redrawn line stands on the terminal
	last              time.Time // when it was drawn
	counted           bool      // of the steps only the number is known, not how they end
}

// Begin opens a phase.
func (d *display) Begin(phase string, steps int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.phase, d.steps, d.done, d.good, d.begun, d.counted = phase, steps, 0, 0, d.now(), false
	d.draw("")
}

// Step shows one step.
func (d *display) Step(s Step) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done++
	if s.Good {
		d.good++
	}
	if !s.Good || !d.terminal {
		d.clear()
		fmt.Fprintf(d.w, "%s %d/%d %s %s (%v)\n", d.phase, d.done, d.steps, s.Outcome, s.Name, s.Took.Round(time.Millisecond))
		for _, detail := range s.Details {
			fmt.Fprintf(d.w, "    %s\n", strings.ReplaceAll(detail, "\n", "\n    "))
		}
	}
	d.draw(s.Name)
}

// redrawEvery is how often counted steps have the line drawn anew.
const redrawEvery = time.Second

// Count shows how many steps are done.
func (d *display) Count(done int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.done
	d.done, d.counted = done, true
	switch {
	case d.terminal:
		if d.now().Sub(d.last) >= redrawEvery {
			d.draw("")
		}
	case d.steps > 0 && done*10/d.steps > before*10/d.steps:
		fmt.Fprintf(d.w, "%s %d/%d (%v)\n", d.phase, done, d.steps, d.now().Sub(d.begun).Round(time.Second))
	}
}

// End closes the phase with its counts.
func (d *display) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	result := fmt.Sprintf("%d of %d right", d.good, d.done)
	if d.counted {
		result = fmt.Sprintf("%d of %d done", d.done, d.steps)
	}
	fmt.Fprintf(d.w, "%s: %s, in %v\n", d.phase, result, d.now().Sub(d.begun).Round(100*time.Millisecond))
}

// Note shows a line.
func (d *display) Note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	fmt.Fprintf(d.w, format+"\n", args...)
}

// draw redraws the line of a terminal.
func (d *display) draw(last string) {
	if !d.terminal {
		return
	}
	elapsed := d.now().Sub(d.begun)
	left := "…"
	if d.done > 0 {
		left = (elapsed / time.Duration(d.done) * time.Duration(d.steps-d.done)).Round(time.Second).String()
	}
	right := fmt.Sprintf(", %d right", d.good)
	if d.counted {
		right = ""
	}
	line := fmt.Sprintf("%s %d/%d%s, %v, %s left  %s", d.phase, d.done, d.steps, right, elapsed.Round(time.Second), left, last)
	const width = 79
	if runes := []rune(line); len(runes) > width {
		line = string(runes[:width-1]) + "…"
	}
	d.clear()
	fmt.Fprint(d.w, line)
	d.drawn, d.last = true, d.now()
}

// clear removes the redrawn line: back to its start, then erase to its end.
func (d *display) clear() {
	if d.drawn {
		fmt.Fprint(d.w, "\r\x1b[K")
		d.drawn = false
	}
}
