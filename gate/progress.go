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

// expected is a part of a run, and how long it is expected to take.
type expected struct {
	name  string
	takes time.Duration
}

// planned is a Progress that can show how long the whole run still takes.
type planned interface {
	// plan says of which parts the run is made; none means that it is not known.
	plan([]expected)
	// enter says that a part begins.
	enter(name string)
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
	parts             []expected
	part              int       // index of the part that runs
	entered           time.Time // when it began
}

// plan implements planned.
func (d *display) plan(parts []expected) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.parts, d.part, d.entered = parts, 0, d.now()
}

// enter implements planned.
func (d *display) enter(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.parts {
		if d.parts[i].name == name {
			d.part, d.entered = i, d.now()
		}
	}
}

// wholeLeft returns how long the whole run is expected to take from now on: what is left
// of this part, as its steps show or as it took before, and the parts behind it.
func (d *display) wholeLeft(ofPhase time.Duration) (time.Duration, bool) {
	if d.part >= len(d.parts) {
		return 0, false
	}
	left := max(ofPhase, d.parts[d.part].takes-d.now().Sub(d.entered))
	if d.done > 0 && d.done*10 >= d.steps {
		// A tenth of the steps says more than the last run did; a part has one phase of
		// steps, or further ones that are short.
		left = ofPhase
	}
	for _, p := range d.parts[d.part+1:] {
		left += p.takes
	}
	return left, true
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
	left, ofPhase := "…", time.Duration(0)
	if d.done > 0 {
		ofPhase = elapsed / time.Duration(d.done) * time.Duration(d.steps-d.done)
		left = ofPhase.Round(time.Second).String()
	}
	right := fmt.Sprintf(", %d right", d.good)
	if d.counted {
		right = ""
	}
	whole := ""
	if takes, known := d.wholeLeft(ofPhase); known {
		whole = fmt.Sprintf("; whole run about %s left", roughly(takes))
	}
	line := fmt.Sprintf("%s %d/%d%s, %v, %s left%s  %s", d.phase, d.done, d.steps, right, elapsed.Round(time.Second), left, whole, last)
	const width = 79
	if runes := []rune(line); len(runes) > width {
		line = string(runes[:width-1]) + "…"
	}
	d.clear()
	fmt.Fprint(d.w, line)
	d.drawn, d.last = true, d.now()
}

// roughly writes a duration to the minute, or below two minutes to ten seconds.
func roughly(d time.Duration) string {
	if d < 2*time.Minute {
		return max(d.Round(10*time.Second), 0).String()
	}
	return fmt.Sprintf("%dm", int(d.Round(time.Minute)/time.Minute))
}

// clear removes the redrawn line: back to its start, then erase to its end.
func (d *display) clear() {
	if d.drawn {
		fmt.Fprint(d.w, "\r\x1b[K")
		d.drawn = false
	}
}
