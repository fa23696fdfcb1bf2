package protocol

import (
	"fmt"
	"strings"
)

// This file owns the faults of class program: the program itself is wrong.

// Codes of the program faults.
const (
	CodeSyntax         Code = "syntax"
	CodeThrown         Code = "thrown"
	CodeStalled        Code = "stalled"
	CodeUnserializable Code = "unserializable"
	CodeModuleNotFound Code = "module_not_found"
	CodeStackExceeded  Code = "stack_exceeded"
)

// programFault is embedded by the faults of class program, which no retry mends.
type programFault struct{ Progress }

// Class says whose fault it is.
func (*programFault) Class() Class { return ClassProgram }

// Retryable reports that the same program fails the same way.
func (*programFault) Retryable() bool { return false }

// Syntax indicates that the program, or a virtual module, does not parse.
type Syntax struct {
	programFault
	Message string `json:"reason"`
	// File is "program" or the specifier of the virtual module.
	File string `json:"file"`
	// Line and Column count from 1, in the text as the caller sent it; columns
	// are UTF-16 code units.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Excerpt is the line of source, cut around the column when it is long.
	Excerpt string `json:"excerpt,omitempty"`
	// Hint is a sentence on what to write instead, when there is one to say.
	Hint string `json:"hint,omitempty"`
}

// Code returns [CodeSyntax].
func (*Syntax) Code() Code { return CodeSyntax }

func (f *Syntax) Error() string {
	text := fmt.Sprintf("syntax error at %s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
	if f.Excerpt != "" {
		text += "\n  " + f.Excerpt
	}
	return text + onItsLine(f.Hint)
}

// onItsLine returns a hint with the line break in front of it.
func onItsLine(hint string) string {
	if hint == "" {
		return ""
	}
	return "\n" + hint
}

// Cause is an error within an error: a link of its cause chain, or a member.
type Cause struct {
	// Path says where it is in what was thrown, as in errors[0] or
	// cause.suppressed. It is empty for the links of the chain of causes.
	Path    string `json:"path,omitempty"`
	Name    string `json:"name,omitempty"`
	Message string `json:"message"`
	Stack   string `json:"stack,omitempty"`
}

// Thrown indicates that the program threw, or rejected, and did not catch.
type Thrown struct {
	programFault
	// Name and Message are those of the error; Name is empty when the thrown
	// value is no error.
	Name    string `json:"name,omitempty"`
	Message string `json:"text"`
	// Hint is a sentence on what to use instead, when there is one to say: of a
	// name that does not exist, what does or what it may have been meant to be.
	Hint string `json:"hint,omitempty"`
	// Stack has one frame a line, in coordinates of the program as it was sent.
	Stack string `json:"stack,omitempty"`
	// Causes are the errors within the error, bounded: the chain of error.cause,
	// outermost first, and after each what an AggregateError or a SuppressedError holds.
	Causes []Cause `json:"causes,omitempty"`
	// Value is the codec text of what was thrown, when it could be encoded.
	Value Value `json:"value,omitempty"`
}

// Code returns [CodeThrown].
func (*Thrown) Code() Code { return CodeThrown }

func (f *Thrown) Error() string {
	var b strings.Builder
	b.WriteString("uncaught ")
	if f.Name != "" {
		b.WriteString(f.Name)
		if f.Message != "" {
			b.WriteString(": ")
		}
	}
	b.WriteString(f.Message)
	b.WriteString(onItsLine(f.Hint))
	if f.Stack != "" {
		b.WriteString("\n" + f.Stack)
	}
	for _, c := range f.Causes {
		if c.Path == "" {
			b.WriteString("\ncaused by ")
		} else {
			b.WriteString("\n" + c.Path + ": ")
		}
		if c.Name != "" {
			b.WriteString(c.Name)
			if c.Message != "" {
				b.WriteString(": ")
			}
		}
		b.WriteString(c.Message)
		if c.Stack != "" {
			b.WriteString("\n" + c.Stack)
		}
	}
	return b.String()
}

// Stalled indicates that nothing is left to run (no job, timer or tool call)
// and the value can therefore never settle.
type Stalled struct{ programFault }

// Code returns [CodeStalled].
func (*Stalled) Code() Code { return CodeStalled }

func (f *Stalled) Error() string {
	return "stalled: the program waits for a promise that nothing can settle (no job, timer or tool call is left)"
}

// Unserializable indicates that a value cannot cross the boundary.
type Unserializable struct {
	programFault
	// What names the thing that cannot cross: "function", "symbol", …
	What string `json:"what"`
	// Path leads to it from the root "$", as in $.items[3].cb.
	Path string `json:"path"`
	// Where says which value it is in: "result", or "arguments of ns.tool".
	Where string `json:"where,omitempty"`
}

// Code returns [CodeUnserializable].
func (*Unserializable) Code() Code { return CodeUnserializable }

func (f *Unserializable) Error() string {
	where := f.Where
	if where == "" {
		where = "value"
	}
	text := fmt.Sprintf("unserializable: %s at %s of the %s cannot cross the isolate's boundary", f.What, f.Path, where)
	if f.What == "Promise" {
		text += "; await it first"
	}
	return text
}

// ModuleNotFound indicates an import of something that the request did not provide.
type ModuleNotFound struct {
	programFault
	Specifier string `json:"specifier"`
	Importer  string `json:"importer"`
	// Hint says what can be imported, or used instead.
	Hint string `json:"hint,omitempty"`
}

// Code returns [CodeModuleNotFound].
func (*ModuleNotFound) Code() Code { return CodeModuleNotFound }

func (f *ModuleNotFound) Error() string {
	return fmt.Sprintf("module not found: %q, imported by %s, is not among the request's modules", f.Specifier, f.Importer) + onItsLine(f.Hint)
}

// StackExceeded indicates an uncaught stack overflow.
type StackExceeded struct {
	programFault
	Stack string `json:"stack,omitempty"`
}

// Code returns [CodeStackExceeded].
func (*StackExceeded) Code() Code { return CodeStackExceeded }

func (f *StackExceeded) Error() string {
	text := "stack exceeded: the program recursed past the isolate's stack"
	if f.Stack != "" {
		text += "\n" + f.Stack
	}
	return text
}
