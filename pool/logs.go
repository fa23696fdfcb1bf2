package pool

import (
	"fmt"
	"sync"

	"github.com/isogate/isogate/protocol"
)

// This file owns the logs of one execution on the parent's side.

// logBook keeps the log entries of an execution within its bounds. The child
// keeps the same bounds, and is not believed.
type logBook struct {
	bytes, entries int64 // what is left
	kept           []protocol.LogEntry
	dropped        int
}

// log takes in one entry. A child that goes on sending what it knows to be beyond
// the bounds only keeps this side busy, and is stopped.
func (x *execution) log(entry protocol.LogEntry) *protocol.ProtocolViolation {
	b := &x.logs
	//gate:protects child-results-checked
	if b.entries < 1 || b.bytes < int64(len(entry.Text)) {
		if b.dropped++; int64(b.dropped) > x.request.Limits.LogEntries {
			return &protocol.ProtocolViolation{What: fmt.Sprintf("%d log entries beyond the limits on logs", b.dropped)}
		}
		return nil
	}
	b.entries--
	b.bytes -= int64(len(entry.Text))
	b.kept = append(b.kept, entry)
	x.feed.add(entry)
	return nil
}

// logFeed carries log entries to the caller's goroutine. What it holds is
// bounded by the limits on logs.
type logFeed struct {
	wanted bool
	wake   chan struct{} // capacity 1; there are entries

	mu      sync.Mutex
	entries []protocol.LogEntry // guarded by mu
}

func (f *logFeed) add(entry protocol.LogEntry) {
	if !f.wanted {
		return
	}
	f.mu.Lock()
	f.entries = append(f.entries, entry)
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// deliver calls onLog with what has arrived.
func (f *logFeed) deliver(onLog func(protocol.LogEntry)) {
	f.mu.Lock()
	entries := f.entries
	f.entries = nil
	f.mu.Unlock()
	for _, entry := range entries {
		onLog(entry)
	}
}
