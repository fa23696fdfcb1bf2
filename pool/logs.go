package pool

import (
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

// log takes in one entry.
func (x *execution) log(entry protocol.LogEntry) {
	b := &x.logs
	if b.entries < 1 || b.bytes < int64(len(entry.Text)) {
		b.dropped++
		return
	}
	b.entries--
	b.bytes -= int64(len(entry.Text))
	b.kept = append(b.kept, entry)
	x.feed.add(entry)
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
