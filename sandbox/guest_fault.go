package sandbox

import (
	"encoding/json"
	"fmt"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns the reading of the guest library's fault reports. The library
// says what happened to the program; which fault that is, is decided here.

// guestReport is the JSON of a fault report, see runtime/js/fault.js.
type guestReport struct {
	Kind      string           `json:"kind"`
	Name      string           `json:"name"`
	Text      string           `json:"text"`
	Stack     string           `json:"stack"`
	Causes    []protocol.Cause `json:"causes"`
	Value     string           `json:"value"`
	Overflow  bool             `json:"overflow"`
	What      string           `json:"what"`
	Path      string           `json:"path"`
	Where     string           `json:"where"`
	Specifier string           `json:"specifier"`
	Importer  string           `json:"importer"`
	Of        string           `json:"of"`
	Actual    int64            `json:"actual"`
	Subject   *hintSubject     `json:"subject"`
}

// outOfExternal is the message of the RangeError with which V8 reports that
// ArrayBuffer memory was refused.
const outOfExternal = "Array buffer allocation failed"

func (e *execution) guestFault(text string) protocol.Fault {
	var r guestReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		panic(fmt.Sprintf("sandbox: the guest library's report does not parse: %v", err))
	}
	limits := e.req.Limits
	switch r.Kind {
	case "unserializable":
		return &protocol.Unserializable{What: r.What, Path: r.Path, Where: r.Where}
	case "module_not_found":
		return e.moduleNotFound(r.Specifier, r.Importer)
	case "result_too_large":
		return &protocol.ResultTooLarge{Size: protocol.Size{Limit: limits.Result, Actual: r.Actual, AtLeast: true}}
	case "arguments_too_large":
		return &protocol.ArgumentsTooLarge{Size: protocol.Size{Limit: limits.Argument, Actual: r.Actual, AtLeast: true}, Of: r.Of}
	case "not_function":
		return &protocol.Thrown{Name: "TypeError", Message: r.Text}
	case "thrown":
		return e.thrown(&r)
	}
	panic("sandbox: the guest library reported a fault of unknown kind " + r.Kind)
}

// moduleNotFound is the fault of an import of nothing. A specifier is whatever
// the program makes of it, of any length.
func (e *execution) moduleNotFound(specifier, importer string) *protocol.ModuleNotFound {
	bound := int(e.req.Limits.ErrorText)
	return &protocol.ModuleNotFound{
		Specifier: cut(specifier, bound), Importer: cut(importer, bound), Hint: e.hints().ofModule(specifier),
	}
}

// parserOverflow is what V8 says of a text that is nested too deeply for its
// parser. What it says of a text that does not parse begins with SyntaxError.
const parserOverflow = "Uncaught RangeError: Maximum call stack size exceeded"

// refused is the fault of a text that V8 does not compile.
func (e *execution) refused(o v8.Outcome) protocol.Fault {
	//gate:protects stack-overflow-contained
	if o.Message == parserOverflow {
		return &protocol.StackExceeded{}
	}
	f := e.program.syntaxFault(o)
	f.Message = cut(f.Message, int(e.req.Limits.ErrorText)) // it may quote the text
	return f
}

func (e *execution) thrown(r *guestReport) protocol.Fault {
	if e.isolate.HeapExceeded() {
		return &protocol.MemoryExceeded{Kind: protocol.MemoryHeap, Limit: e.req.Limits.Heap}
	}
	// Only after a refusal can this RangeError be V8's own.
	if r.Name == "RangeError" && r.Text == outOfExternal && e.isolate.Stats().ExternalRefused > 0 {
		return &protocol.MemoryExceeded{Kind: protocol.MemoryExternal, Limit: e.req.Limits.External}
	}
	bound := int(e.req.Limits.ErrorText)
	stack := cut(r.Stack, bound)
	if r.Overflow {
		return &protocol.StackExceeded{Stack: stack}
	}
	f := &protocol.Thrown{Name: cut(r.Name, bound), Message: cut(r.Text, bound), Stack: stack}
	if r.Subject != nil {
		f.Hint = e.hints().of(*r.Subject)
	}
	for _, cause := range r.Causes {
		cause.Name, cause.Message = cut(cause.Name, bound), cut(cause.Message, bound)
		cause.Path, cause.Stack = cut(cause.Path, bound), cut(cause.Stack, bound)
		f.Causes = append(f.Causes, cause)
	}
	if r.Value != "" && len(r.Value) <= bound {
		f.Value = protocol.Value(r.Value)
	}
	return f
}
