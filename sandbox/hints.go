package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/isogate/isogate/protocol"
)

// This file owns hints: the sentence that a fault, or the log entry of an error
// that nobody caught, has in addition to what V8 says. A hint names what to use in
// place of something that is not here, or what a name may have been meant to be.
//
// What is not here stays undeclared, so that programs can ask for it with typeof.
// A hint is chosen by V8's own words alone. A program that imitates them gets the
// same hint and nothing else: no hint changes which fault it is.

// hintSubject is what the guest library says of an error that may be V8's own, see
// runtime/js/hints.js.
type hintSubject struct {
	Name    string   `json:"name"`
	Message string   `json:"message"`
	Globals []string `json:"globals"` // the names on the global object
	Members []string `json:"members"` // of the global that the message begins with
}

// hints answers for one request.
type hints struct {
	tools   []protocol.Namespace
	modules map[string]protocol.Module
}

// hints returns the hints for the execution's request.
func (e *execution) hints() hints { return hints{tools: e.req.Tools, modules: e.req.Modules} }

// withHint puts the hint for an error into the text of its log entry, behind the
// first line, which says what V8 says. subject is the JSON of a hintSubject.
func (e *execution) withHint(text, subject string) string {
	var s hintSubject
	if err := json.Unmarshal([]byte(subject), &s); err != nil {
		panic(fmt.Sprintf("sandbox: the guest library's hint does not parse: %v", err))
	}
	hint := e.hints().of(s)
	if hint == "" {
		return text
	}
	first, rest, more := strings.Cut(text, "\n")
	if more {
		rest = "\n" + rest
	}
	return first + "\n" + hint + rest
}

const (
	maxHintName  = 64 // runes of a name that a hint repeats
	maxHintNames = 5  // tools or modules that a hint lists
)

const (
	noNetwork  = "There is no network in the sandbox"
	noFiles    = "There are no files in the sandbox"
	noStorage  = "Nothing is kept between executions: hold state in variables, and return what is needed later."
	noBrowser  = "There is no browser: no page, window or document. The global object is globalThis."
	noProcess  = "There is no process: values come with the program's input, and queueMicrotask stands in for process.nextTick."
	noSharing  = "Memory is not shared and there are no other threads: use ArrayBuffer."
	noLibrary  = "Libraries are not loaded: use the language's own, or import a module of the request."
	noWorkers  = "There are no workers: use async functions and Promise.all."
	useBytes   = "Use Uint8Array for bytes, TextEncoder and TextDecoder for their text, atob and btoa for base64."
	useExports = "A program is a function, or an ES module that says export default."
	useGlobal  = "The global object is globalThis."
	useConsole = "Use console.log."
	useTimeout = "Use setTimeout(f, 0), or queueMicrotask(f)."
	webAPIs    = "Here are the language, the Web APIs that need no network, and the request's tools."
)

// absent says what to use in place of a name that programs know from elsewhere. A
// sentence without a full stop is continued with the request's tools.
var absent = map[string]string{
	"fetch": noNetwork, "XMLHttpRequest": noNetwork, "WebSocket": noNetwork, "EventSource": noNetwork,
	"RTCPeerConnection": noNetwork, "WebTransport": noNetwork, "axios": noNetwork, "http": noNetwork, "https": noNetwork, "net": noNetwork,
	"fs": noFiles, "__dirname": noFiles, "__filename": noFiles, "FileReader": "Use the methods of Blob: text(), arrayBuffer().",
	"localStorage": noStorage, "sessionStorage": noStorage, "indexedDB": noStorage, "caches": noStorage,
	"document": noBrowser, "window": noBrowser, "location": noBrowser, "history": noBrowser, "DOMParser": noBrowser,
	"HTMLElement": noBrowser, "alert": useConsole, "prompt": noBrowser, "confirm": noBrowser, "requestAnimationFrame": useTimeout,
	"Buffer": useBytes, "process": noProcess, "child_process": noProcess, "os": noProcess,
	"global": useGlobal, "print": useConsole, "setImmediate": useTimeout, "clearImmediate": "Use setTimeout and clearTimeout.",
	"module": useExports, "exports": useExports, "Deno": webAPIs, "Bun": webAPIs,
	"SharedArrayBuffer": noSharing, "Atomics": noSharing, "Worker": noWorkers, "importScripts": noWorkers,
	"WebAssembly": `WebAssembly is off: the host can grant "wasm", to an executor with the profile "jit".`,
	"Temporal":    "Use Date for times, and Intl.DateTimeFormat for time zones.",
	"_":           noLibrary, "lodash": noLibrary, "$": noLibrary, "jQuery": noLibrary, "moment": noLibrary, "dayjs": noLibrary,
	"path": noLibrary, "util": noLibrary, "assert": noLibrary, "z": noLibrary,
}

// noEval goes with V8's refusal to make code from strings.
const noEval = "Write the code as functions of the program, and read data with JSON.parse."

// The words of V8 10.9. A name is an identifier of the program.
var (
	notDefined  = regexp.MustCompile(`^([\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*) is not defined$`)
	notFunction = regexp.MustCompile(`^(?:\(0 , )?(?:([\w$]+)\??\.)?([\w$]+)\)? is not a (?:function|constructor)$`)
	ofCall      = regexp.MustCompile(`^([\w$]+)\.([\w$]+)\(\.\.\.\)\.([\w$]+) is not a function$`)
	ofIteration = regexp.MustCompile(`^([\w$]+)\.([\w$]+)(?:\(\.\.\.\))? is not a function or its return value is not (?:async )?iterable$`)
)

// of returns the hint for an error, empty when there is none.
func (h hints) of(s hintSubject) string {
	switch s.Name {
	case "ReferenceError":
		if m := notDefined.FindStringSubmatch(s.Message); m != nil {
			return h.ofName(m[1], s.Globals)
		}
	case "TypeError":
		return h.ofType(s)
	case "EvalError":
		if strings.HasPrefix(s.Message, "Code generation from strings") {
			return noEval
		}
	case "SyntaxError":
		return patternHint(s.Message)
	}
	return ""
}

// ofName is the hint for a name that is nothing.
func (h hints) ofName(name string, globals []string) string {
	if near := h.tool("", name, true); near != "" {
		return meant(near)
	}
	if name == "require" {
		return "Modules are imported, with import x from 'name' or await import('name'): " + h.importable()
	}
	if sentence, ok := absent[name]; ok {
		return h.finish(sentence)
	}
	var namespaces []string
	for _, n := range h.tools {
		namespaces = append(namespaces, n.Name)
	}
	near, distance := nearest(name, namespaces)
	if tool := h.tool("", name, false); tool != "" && near == "" {
		near, distance = tool, 1
	}
	if global, d := nearest(name, globals); global != "" && (near == "" || d < distance) {
		near = global
	}
	return meant(near)
}

// ofType is the hint for a property that is no function, and for a promise that is
// used in place of what it is a promise of.
func (h hints) ofType(s hintSubject) string {
	if m := ofCall.FindStringSubmatch(s.Message); m != nil && h.has(m[1], m[2]) {
		return fmt.Sprintf("%s.%s returns a promise: write (await %[1]s.%[2]s(…)).%[3]s.", m[1], m[2], m[3])
	}
	if m := ofIteration.FindStringSubmatch(s.Message); m != nil && h.has(m[1], m[2]) {
		return fmt.Sprintf("%s.%s returns a promise: write await %[1]s.%[2]s(…).", m[1], m[2])
	}
	m := notFunction.FindStringSubmatch(s.Message)
	if m == nil {
		return ""
	}
	owner, name := m[1], m[2]
	switch {
	case owner == "":
		if tools, ok := h.namespace(name); ok {
			return name + " is a namespace of tools: " + list(tools, name+".")
		}
		return meant(h.tool("", name, false))
	case owner == "globalThis" || owner == "self":
		return h.ofName(name, s.Members)
	}
	if _, ok := h.namespace(owner); !ok {
		near, _ := nearest(name, s.Members)
		return meant(prefixed(owner, near))
	}
	if near := h.tool(owner, name, false); near != "" {
		return meant(near)
	}
	for _, exact := range []bool{true, false} {
		if near := h.tool("", name, exact); near != "" {
			return meant(near)
		}
	}
	tools, _ := h.namespace(owner)
	return owner + " has the tools " + list(tools, owner+".")
}

// builtinModules are the names of Node's modules, which programs import out of
// habit, and what stands in for them.
var builtinModules = map[string]string{
	"fs": noFiles, "fs/promises": noFiles, "path": noFiles, "os": noProcess, "process": noProcess, "child_process": noProcess,
	"http": noNetwork, "https": noNetwork, "http2": noNetwork, "net": noNetwork, "tls": noNetwork, "dns": noNetwork, "dgram": noNetwork,
	"undici": noNetwork, "axios": noNetwork, "node-fetch": noNetwork, "buffer": useBytes, "worker_threads": noWorkers, "cluster": noWorkers,
	"crypto":     "Use the global crypto: getRandomValues, randomUUID.",
	"url":        "Use the global URL, URLSearchParams.",
	"timers":     "Use the global setTimeout, setInterval.",
	"console":    "Use the global console.",
	"events":     "Use the global EventTarget.",
	"perf_hooks": "Use the global performance.",
}

// ofModule is the hint for an import of nothing.
func (h hints) ofModule(specifier string) string {
	if near, _ := nearest(specifier, slices.Sorted(maps.Keys(h.modules))); near != "" {
		return fmt.Sprintf("Did you mean %q?", near)
	}
	for _, known := range slices.Sorted(maps.Keys(h.modules)) {
		if bare(known) == bare(specifier) {
			return fmt.Sprintf("Did you mean %q?", cut(known, maxHintName))
		}
	}
	if sentence, ok := builtinModules[strings.TrimPrefix(specifier, "node:")]; ok {
		return h.finish(sentence)
	}
	if strings.Contains(specifier, "://") {
		return noNetwork + ", nothing is fetched: " + h.importable()
	}
	return "Only modules of the request can be imported: " + h.importable()
}

// bare is a specifier without what programs write differently about the same file.
func bare(specifier string) string {
	s := strings.TrimPrefix(strings.TrimPrefix(specifier, "./"), "/")
	for _, suffix := range []string{".js", ".mjs", ".ts", ".mts", ".json"} {
		s = strings.TrimSuffix(s, suffix)
	}
	return s
}

// importable says which modules the request has.
func (h hints) importable() string {
	if len(h.modules) == 0 {
		return "this request has none."
	}
	var names []string
	for _, specifier := range slices.Sorted(maps.Keys(h.modules)) {
		names = append(names, fmt.Sprintf("%q", cut(specifier, maxHintName)))
	}
	return "this request has " + list(names, "")
}

// finish continues a sentence without a full stop with what can be reached.
func (h hints) finish(sentence string) string {
	if strings.HasSuffix(sentence, ".") {
		return sentence
	}
	var names []string
	for _, n := range h.tools {
		for _, tool := range n.Tools {
			names = append(names, n.Name+"."+tool)
		}
	}
	if len(names) == 0 {
		return sentence + ", and this request has no tools that could stand in."
	}
	return sentence + ": use the request's tools, " + list(names, "")
}

// list names the first few.
func list(names []string, prefix string) string {
	var b strings.Builder
	for i, name := range names {
		if i == maxHintNames {
			fmt.Fprintf(&b, " and %d more", len(names)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(prefix + cut(name, maxHintName))
	}
	if len(names) == 0 {
		return "none."
	}
	return b.String() + "."
}

func (h hints) namespace(name string) ([]string, bool) {
	for _, n := range h.tools {
		if n.Name == name {
			return n.Tools, true
		}
	}
	return nil, false
}

func (h hints) has(namespace, tool string) bool {
	tools, _ := h.namespace(namespace)
	return slices.Contains(tools, tool)
}

// tool returns the full name of the tool that is nearest to name, in one namespace
// or, when that is empty, in all. With exact it must be that name.
func (h hints) tool(namespace, name string, exact bool) string {
	found, best := "", 0
	for _, n := range h.tools {
		if namespace != "" && n.Name != namespace {
			continue
		}
		if exact {
			if slices.Contains(n.Tools, name) {
				return prefixed(n.Name, name)
			}
			continue
		}
		if near, d := nearest(name, n.Tools); near != "" && (found == "" || d < best) {
			found, best = prefixed(n.Name, near), d
		}
	}
	return found
}

func prefixed(owner, name string) string {
	if name == "" {
		return ""
	}
	return owner + "." + name
}

func meant(name string) string {
	if name == "" {
		return ""
	}
	return "Did you mean " + cut(name, 2*maxHintName+1) + "?"
}
