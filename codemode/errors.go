package codemode

import (
	"errors"
	"fmt"
	"strings"

	"github.com/isogate/isogate/protocol"
)

// This file owns the texts of failures: of a run, from its fault, and of a tool.

// failure is an error whose text is the dialect's, to the letter.
type failure string

func (f failure) Error() string { return string(f) }

// ErrNotAwaited is what a tool's context ends with when the program ended before the tool
// did: its answer reaches nobody. It is also the error of a run that such a tool has made.
var ErrNotAwaited error = failure("The code execution finished before this tool call settled. Await every tool call before returning.")

// errNoBase64 is the text of atob in programs.
var errNoBase64 error = failure("atob: the text is not correctly encoded base64")

// tooLarge is the error of a reply that no limit allows, which has at least size bytes.
func tooLarge(size int64) error {
	return failure(fmt.Sprintf("Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: %d bytes.", size))
}

// timedOut is the text of every run that a clock has ended.
const timedOut = "Execution timed out"

// errorText returns the text of a fault, never empty: the message alone where the
// program threw an error, whatever else was thrown as a text.
func errorText(fault protocol.Fault) string {
	switch f := fault.(type) {
	case *protocol.Thrown:
		return thrownText(f)
	case *protocol.Syntax:
		text := fmt.Sprintf("SyntaxError: %s (%s:%d:%d)", f.Message, f.File, f.Line, f.Column)
		if f.Excerpt != "" {
			text += "\n  " + f.Excerpt
		}
		return text
	case *protocol.StackExceeded:
		return "Maximum call stack size exceeded"
	case *protocol.DeadlineExceeded:
		return timedOut
	case *protocol.ModuleNotFound:
		return fmt.Sprintf(`No such module "%s".`, f.Specifier)
	}
	return fault.Error()
}

// The runtime's text of the error that eval throws, and the dialect's.
const (
	evalIsOff      = `Code generation from strings is off; the host can grant "eval"`
	evalDisallowed = "Code generation from strings disallowed for this context"
)

func thrownText(f *protocol.Thrown) string {
	if f.Name != "" {
		if f.Message == evalIsOff {
			return evalDisallowed
		}
		if f.Message != "" {
			return f.Message
		}
		return f.Name
	}
	if len(f.Value) > 0 {
		value, err := protocol.Decode(f.Value, protocol.DefaultBounds)
		if text, ok := value.(string); err == nil && ok && text != "" {
			return text
		}
		if object, ok := value.(map[string]any); err == nil && ok {
			switch message := object["message"].(type) {
			case string:
				if message != "" {
					return message
				}
			case nil, protocol.Undefined:
			default:
				w := writer{open: map[uintptr]int{}}
				if defined, err := w.value(message); err == nil && defined && string(w.out) != "null" {
					return string(w.out)
				}
			}
		}
	}
	if f.Message != "" {
		return f.Message
	}
	return "the program threw something that has no text"
}

// toolFailure is what a program is given of a tool's error: its message alone.
func toolFailure(err error) *protocol.ToolError {
	text := err.Error()
	var tool *protocol.ToolError
	var value *protocol.Error
	switch {
	case errors.As(err, &tool):
		text = firstText(tool.Message, tool.Name)
	case errors.As(err, &value):
		text = firstText(value.Message, value.Name)
	}
	return &protocol.ToolError{Name: "Error", Message: firstText(text, "Error")}
}

func firstText(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// ownFrames takes the frames of the guest's side out of a stack.
func ownFrames(stack string) string {
	lines := strings.Split(stack, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if !strings.Contains(line, "("+guestScript+":") && !strings.HasPrefix(strings.TrimSpace(line), "at "+guestScript+":") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
