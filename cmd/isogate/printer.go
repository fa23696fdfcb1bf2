package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode"

	"github.com/isogate/isogate/protocol"
)

// This file owns what people see: values, log entries and faults as text.

// printer writes to the standard streams. It is safe for concurrent use: logs
// and tools print while the program runs.
type printer struct {
	mu          sync.Mutex
	out, err    io.Writer
	colour      bool // standard error may be coloured
	outTerminal bool
}

func newPrinter(s streams) *printer {
	return &printer{
		out: s.out, err: s.err,
		outTerminal: isTerminal(s.out),
		// https://no-color.org: any value but the empty one turns colour off.
		colour: isTerminal(s.err) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}

// isTerminal reports whether w is a character device, which a file or pipe is not.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// levelColours are ANSI colours (ECMA-48 SGR) of the log levels.
var levelColours = map[protocol.Level]string{
	protocol.LevelDebug: "\x1b[2m",
	protocol.LevelLog:   "\x1b[36m",
	protocol.LevelInfo:  "\x1b[36m",
	protocol.LevelWarn:  "\x1b[33m",
	protocol.LevelError: "\x1b[31m",
}

const (
	failureColour = "\x1b[1;31m"
	noColour      = "\x1b[0m"
)

// value writes codec text and a newline. Undefined writes nothing.
func (p *printer) value(text protocol.Value) error {
	if isUndefined(text) {
		return nil
	}
	line := string(text)
	if p.outTerminal {
		line = escapeJSONControls(line)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := fmt.Fprintln(p.out, line)
	return err
}

// isUndefined reports whether text is the codec text of undefined, which a
// result may also state by having no value.
func isUndefined(text protocol.Value) bool {
	undefined, err := protocol.Encode(protocol.Undefined{}, protocol.DefaultBounds)
	return len(text) == 0 || err == nil && string(text) == string(undefined)
}

// log writes one entry of the program's logs.
func (p *printer) log(e protocol.LogEntry) {
	p.prefixed(string(e.Level), levelColours[e.Level], e.Text)
}

// note writes a remark of isogate's own.
func (p *printer) note(format string, args ...any) {
	p.prefixed("isogate", "", fmt.Sprintf(format, args...))
}

// failure writes an error as one line, or, for a fault with a stack or an
// excerpt, as a line and what belongs to it.
func (p *printer) failure(err error) {
	text := err.Error()
	var fault protocol.Fault
	if errors.As(err, &fault) {
		text = fault.Error()
	}
	p.prefixed("isogate", failureColour, text)
}

// prefixed writes text behind "prefix: ". Lines after the first are indented, so
// that no line that a program wrote can pass for one of isogate's.
func (p *printer) prefixed(prefix, colour, text string) {
	lines := strings.ReplaceAll(visible(text), "\n", "\n  ")
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.colour && colour != "" {
		fmt.Fprintf(p.err, "%s%s:%s %s\n", colour, prefix, noColour, lines)
		return
	}
	fmt.Fprintf(p.err, "%s: %s\n", prefix, lines)
}

// visible replaces the characters by which text could steer a terminal or
// reorder a line (controls but for newline and tab, and the bidirectional
// controls of Unicode) by their escapes, and drops a final newline.
func visible(text string) string {
	var b strings.Builder
	for _, r := range strings.TrimSuffix(text, "\n") {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeJSONControls escapes the control characters that JSON allows inside
// strings as they are, U+007F to U+009F: some terminals obey them. The text
// stays the same JSON value.
func escapeJSONControls(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r >= 0x7f && r <= 0x9f {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
