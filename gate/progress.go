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
	End()
	// Note shows a line between the steps.
	Note(format string, args ...any)
}

// NoProgress shows nothing.
func NoProgress() Progress { return silent{} }

type silent struct{}

func (silent) Begin(string, int)   {}
func (silent) Step(Step)           {}
func (silent) End()                {}
func (silent) Note(string, ...any) {}

// NewProgress shows progress on w: on a terminal one line that is redrawn, with
// counts and the time left, and a line for what is wrong; otherwise a plain line
// for each step.
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
}

// Begin opens a phase.
func (d *display) Begin(phase string, steps int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.phase, d.steps, d.done, d.good, d.begun = phase, steps, 0, 0, d.now()
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

// End closes the phase with its counts.
func (d *display) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	fmt.Fprintf(d.w, "%s: %d of %d right, in %v\n", d.phase, d.good, d.done, d.now().Sub(d.begun).Round(100*time.Millisecond))
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
	line := fmt.Sprintf("%s %d/%d, %d right, %v, %s left  %s", d.phase, d.done, d.steps, d.good, elapsed.Round(time.Second), left, last)
	const width = 79
	if runes := []rune(line); len(runes) > width {
		line = string(runes[:width-1]) + "…"
	}
	d.clear()
	fmt.Fprint(d.w, line)
	d.drawn = true
}

// clear removes the redrawn line: back to its start, then erase to its end.
func (d *display) clear() {
	if d.drawn {
		fmt.Fprint(d.w, "\r\x1b[K")
		d.drawn = false
	}
}
