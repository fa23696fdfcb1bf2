package protocol

// This file owns the request: what a caller asks to be executed.

// Language names the language a program or module is written in.
type Language string

// The languages that a program may be written in. The empty string means
// [JavaScript].
const (
	JavaScript Language = "js"
	TypeScript Language = "ts"
	// JSON is for modules only: the default export is what the text says.
	JSON Language = "json"
)

// Form says how a program's text becomes a value.
type Form string

// The forms of a program. The empty Form means: a script when the text parses
// as a script, otherwise an ES module.
const (
	// FormFunction is a script whose completion value is a function. The
	// function is called with the input; what it returns (awaited) is the value.
	FormFunction Form = "function"
	// FormModule is an ES module. Its default export is the value; when the
	// default export is a function, it is called with the input and its
	// (awaited) result is the value.
	FormModule Form = "module"
)

// Grant names a power that a program does not have unless it is granted.
type Grant string

// The grants that exist.
const (
	// GrantEval allows eval and the Function constructors.
	GrantEval Grant = "eval"
	// GrantWasm allows WebAssembly. It needs an executor with the jit profile.
	GrantWasm Grant = "wasm"
)

// Grants lists every grant that exists, in the order they are documented.
var Grants = []Grant{GrantEval, GrantWasm}

// WallClock says which time counts against [Limits.Wall].
type WallClock string

// The wall clocks. The empty WallClock counts all time.
const (
	// WallClockProgram stops the clock while the program only waits for tools:
	// its event loop has nothing to run and at least one tool call is open. A
	// timer that is not due yet does not keep the clock running. Each tool call
	// is still bounded by [Limits.ToolTime], the program's work by [Limits.CPU].
	WallClockProgram WallClock = "program"
)

// Namespace is a named group of tools. In the program it is a frozen global
// object whose properties are the tools, frozen async functions.
type Namespace struct {
	// Name is an identifier, see [CheckIdentifier], and no global of the
	// language or its standard library.
	Name string `json:"name"`
	// Tools are the names of the tools, each an identifier, without repeats.
	Tools []string `json:"tools"`
}

// Module is a virtual module that the program may import. It is JavaScript, TypeScript
// or JSON, as its language says, whatever attributes an import has.
type Module struct {
	Source   string   `json:"source"`
	Language Language `json:"language,omitempty"`
}

// Script is a classic script that runs before the program, in the program's realm.
// What it declares at its top level, with const, let and class too, is in scope in
// the scripts behind it, in the program and in its modules; it is no property of
// the global object unless var or function made it.
type Script struct {
	// Name is the script's file name in stacks and faults: 1 to [MaxScriptName] bytes of
	// visible ASCII, neither "program" nor a module's specifier, without repeats.
	Name string `json:"name"`
	// Source is JavaScript, UTF-8. Its completion value is dropped.
	Source string `json:"source"`
}

// Request is one execution as the caller asks for it.
type Request struct {
	// Source is the program's text, UTF-8.
	Source   string   `json:"source"`
	Language Language `json:"language,omitempty"`
	Form     Form     `json:"form,omitempty"`
	// Input is the codec text of the argument that the program is called with;
	// absent means undefined.
	Input Value `json:"input,omitempty"`
	// Tools are the functions of the caller that the program may call.
	Tools []Namespace `json:"tools,omitempty"`
	// Modules maps exact import specifiers to virtual modules. Nothing else can
	// be imported.
	Modules map[string]Module `json:"modules,omitempty"`
	// Scripts run before the program, in their order. One that fails ends the
	// execution.
	Scripts []Script `json:"scripts,omitempty"`
	Grants  []Grant  `json:"grants,omitempty"`
	// Limits left at zero take the executor's defaults; see [Limits.Resolve].
	Limits Limits `json:"limits,omitzero"`
	// TimeZone is the local time zone of the program, a name of the IANA time zone
	// database as [TimeZones] has it; empty means UTC. That of the host is unknown
	// to programs.
	TimeZone string `json:"timeZone,omitempty"`
	// WallClock says which time counts against Limits.Wall.
	WallClock WallClock `json:"wallClock,omitempty"`
	// Tenant keeps executions of different tenants in different processes.
	Tenant string `json:"tenant,omitempty"`
	// Parent is the id of the running execution whose tool makes this request.
	Parent string `json:"parent,omitempty"`
	// Trace carries W3C trace context ("traceparent", "tracestate").
	Trace map[string]string `json:"trace,omitempty"`
}

// HasTool reports whether the request offers the tool namespace.name.
func (r *Request) HasTool(namespace, name string) bool {
	for _, n := range r.Tools {
		if n.Name != namespace {
			continue
		}
		for _, t := range n.Tools {
			if t == name {
				return true
			}
		}
	}
	return false
}

// HasGrant reports whether the request asks for the grant g.
func (r *Request) HasGrant(g Grant) bool {
	for _, have := range r.Grants {
		if have == g {
			return true
		}
	}
	return false
}
