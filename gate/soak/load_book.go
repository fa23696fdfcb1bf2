package soak

import (
	"errors"
	"sync"
	"time"

	"github.com/isogate/isogate/protocol"
)

// This file owns the books: what was sent for a tenant, and how it ended, as its
// clients saw it.

// answered is the outcome of an execution with a value; others are codes of faults.
const answered = "ok"

// book is the book of one tenant. Its methods may be called from any goroutine.
type book struct {
	mu       sync.Mutex
	sent     int            // guarded by mu
	outcomes map[string]int // guarded by mu
	twice    int            // guarded by mu; answers to what had been answered, or never sent
	calm     []time.Duration
	flooded  []time.Duration // both guarded by mu: from sending to the answer, of what was accepted
	wrong    []string        // guarded by mu; at most mostWrong
	wrongs   int             // guarded by mu
}

func newBook() *book { return &book{outcomes: map[string]int{}} }

// send notes that an execution is being sent.
func (b *book) send() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent++
}

// ended notes an outcome.
func (b *book) ended(outcome string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.outcomes[outcome]++
}

// took notes how long an execution took that was accepted.
func (b *book) took(calm bool, time time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if calm {
		b.calm = append(b.calm, time)
	} else {
		b.flooded = append(b.flooded, time)
	}
}

// judge notes what is wrong with an ending, unless what is empty.
func (b *book) judge(what string) {
	if what == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrongs++
	if len(b.wrong) < mostWrong {
		b.wrong = append(b.wrong, what)
	}
}

// again notes an answer that nothing waited for.
func (b *book) again() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.twice++
}

// open returns how many executions have no outcome.
func (b *book) open() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.sent
	for _, count := range b.outcomes {
		n -= count
	}
	return n
}

// outcomeOf names an ending as the server's metrics do.
func outcomeOf(err error) string {
	var fault protocol.Fault
	switch {
	case err == nil:
		return answered
	case errors.As(err, &fault):
		return string(fault.Code())
	}
	return "no fault: " + err.Error()
}

// refusal reports whether an outcome says that an execution was not accepted.
func refusal(outcome string) bool {
	switch protocol.Code(outcome) {
	case protocol.CodeOverloaded, protocol.CodeQueueDeadline, protocol.CodeQuotaExceeded:
		return true
	}
	return false
}
