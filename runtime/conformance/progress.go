package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns how a run shows where it is.

// How often progress is shown: redrawn on a terminal, as a line elsewhere.
const (
	redrawEvery = 200 * time.Millisecond
	lineEvery   = 15 * time.Second
)

// progress shows how many tests are done and how they ended.
type progress struct {
	w        io.Writer
	terminal bool
	name     string
	begun    time.Time

	mu          sync.Mutex
	steps, done int // guarded by mu, as all below
	outcomes    map[suite.Outcome]int
	last        time.Time
	drawn       bool
}

func newProgress(s streams, name string, steps int) *progress {
	now := time.Now()
	return &progress{w: s.err, terminal: s.terminal, name: name, steps: steps, begun: now, last: now, outcomes: map[suite.Outcome]int{}}
}

// step counts one result. Any goroutine may call it.
func (p *progress) step(r suite.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if r.LeftOut == "" {
		p.outcomes[r.Outcome]++
	}
	every := lineEvery
	if p.terminal {
		every = redrawEvery
	}
	if time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	p.show(p.line())
}

// line is where the run is, in one line.
func (p *progress) line() string {
	elapsed := time.Since(p.begun)
	left := elapsed / time.Duration(p.done) * time.Duration(p.steps-p.done)
	return fmt.Sprintf("%s %d/%d%s, %v, %v left", p.name, p.done, p.steps, p.counts(), elapsed.Round(time.Second), left.Round(time.Second))
}

// counts names the outcomes that are no pass.
func (p *progress) counts() string {
	text := ""
	for _, o := range suite.Outcomes {
		if n := p.outcomes[o]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, o)
		}
	}
	return text
}

func (p *progress) show(line string) {
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		p.drawn = true
		return
	}
	fmt.Fprintln(p.w, line)
}

// end closes the display.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	fmt.Fprintf(p.w, "%s: %d of %d tests done%s, in %v\n", p.name, p.done, p.steps, p.counts(), time.Since(p.begun).Round(100*time.Millisecond))
}
