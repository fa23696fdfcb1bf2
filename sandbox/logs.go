package sandbox

import (
	"time"
	"unicode/utf8"

	"github.com/isogate/isogate/protocol"
)

// This file owns the logs of one execution and their bounds.

// logs keeps entries up to two bounds. What is beyond is dropped and counted;
// logs never fail a run. It belongs to the engine's thread.
type logs struct {
	bytes, entries int64 // what is left of the bounds
	kept           []protocol.LogEntry
	dropped        int
}

func newLogs(l protocol.Limits) *logs { return &logs{bytes: l.LogBytes, entries: l.LogEntries} }

// add keeps an entry and returns it as kept, or reports that it was dropped. An
// entry that is too long for what is left is cut, and what follows is dropped.
func (l *logs) add(level protocol.Level, text string, at time.Duration) (protocol.LogEntry, bool) {
	//gate:protects log-bound
	if l.entries <= 0 || l.bytes <= 0 {
		l.dropped++
		return protocol.LogEntry{}, false
	}
	switch level {
	case protocol.LevelDebug, protocol.LevelLog, protocol.LevelInfo, protocol.LevelWarn, protocol.LevelError:
	default:
		level = protocol.LevelLog
	}
	if int64(len(text)) > l.bytes {
		text = cut(text, int(l.bytes))
		l.bytes = 0
		l.dropped++ // its rest
	} else {
		l.bytes -= int64(len(text))
	}
	l.entries--
	entry := protocol.LogEntry{Level: level, Text: text, MS: at.Milliseconds()}
	l.kept = append(l.kept, entry)
	return entry, true
}

// cut returns at most n bytes of text, whole characters only.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
