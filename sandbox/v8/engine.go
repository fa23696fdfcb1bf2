// Package v8 is the narrow Go side of a small C++ shim over V8, and the only
// package that uses cgo. It knows isolates, snapshots and entries into guest
// code; it does not know requests, tools or processes.
//
// The V8 that is linked is 10.9.194.9, the library of rogchap.com/v8go v0.9.0,
// whose headers say 11.1: abi_test.go watches over the differences.
//
// An [Isolate] belongs to one goroutine locked to its OS thread, which must not
// be the process's first thread. Only [Isolate.Terminate] may be called from elsewhere.
package v8

import "time"

// Exit statuses with which the engine ends the process when it cannot go on.
const (
	// ExitHeap: V8 ran out of its heap limit.
	ExitHeap = 71
	// ExitFatal: V8 reported a fatal error that is not about memory.
	ExitFatal = 72
	// ExitProcess: the operating system refused memory.
	ExitProcess = 73
	// ExitSignal: this and the number of a signal, in a process that the kernel does
	// not let end itself by one, see pid_namespaces(7).
	ExitSignal = 128
)

// Status says how an entry into an isolate ended.
type Status int

// The statuses of an entry.
const (
	// OK: it returned and the run may go on.
	OK Status = iota
	// Syntax: a text does not parse; the outcome has the position.
	Syntax
	// ModuleNotFound: a static import names nothing. Message is the specifier,
	// Resource the importing module.
	ModuleNotFound
	// Thrown: guest code threw, and the runtime has reported it to the host.
	Thrown
	// Terminated: the isolate was terminated.
	Terminated
	// Internal: the shim or the runtime broke its own rules.
	Internal
)

// Outcome is how an entry into an isolate ended.
type Outcome struct {
	Status  Status
	Message string
	// Resource is the script or module that Line and Column are in. Both count
	// from 1; columns are UTF-16 code units.
	Resource     string
	Line, Column int
	SourceLine   string
}

// Op is an operation of the host function, see runtime/js/entry.js.
type Op int

// The operations of the host function.
const (
	OpCall       Op = 1
	OpLog        Op = 2
	OpTimerStart Op = 3
	OpTimerClear Op = 4
	OpResult     Op = 5
	OpFault      Op = 6
	OpPosition   Op = 7
	OpLower      Op = 8
	OpNow        Op = 9
	OpTimeOrigin Op = 10
	OpSuspends   Op = 11
)

// HostCall is one call of the host function. The strings are copies.
type HostCall struct {
	Op      Op
	Texts   [3]string
	Numbers [2]float64
}

// HostFunc answers host calls, on the isolate's thread, while guest code waits.
// It must not enter the isolate and must not block.
type HostFunc func(HostCall) int64

// NativeCall is one call of a library operation of the native function
// (runtime/js/native.js). The texts are copies; Bytes is the memory of a typed array or
// DataView of the program, valid during the call only.
type NativeCall struct {
	Op      int
	Texts   [2]string
	Numbers [2]float64
	Bytes   []byte
}

// NativeAnswer is what an operation gives back: undefined when it is zero, a text, a
// number, or a text and a number.
type NativeAnswer struct {
	Text      string // valid UTF-8, when HasText
	HasText   bool
	UTF16     []uint16 // the text in place of Text, when not nil
	Number    float64
	HasNumber bool
}

// NativeFunc answers library operations, on the isolate's thread, while guest code
// waits. It must not enter the isolate, and takes time that an interrupt cannot end.
type NativeFunc func(NativeCall) NativeAnswer

// Stats are the memory figures of an isolate, in bytes.
type Stats struct {
	UsedHeap, PeakHeap, HeapLimit int64
	External, PeakExternal        int64
	// ExternalRefused counts ArrayBuffer allocations refused because of the limit.
	ExternalRefused int64
}

// PlainTimes are those of one run without the library, see RunPlain.
type PlainTimes struct {
	Isolate, Context time.Duration
	// Whole is the time of everything, the program and the disposal included.
	Whole time.Duration
}

// Allowed is what one run may do beyond the ordinary.
type Allowed struct {
	// Eval allows code to be made from strings.
	Eval bool
	// Wasm allows WebAssembly, where the process has it.
	Wasm bool
}

// Options are V8's process-wide settings.
type Options struct {
	// JIT allows the compilers, and with them executable memory.
	JIT bool
	// Wasm allows WebAssembly; it needs JIT.
	Wasm bool
}

// flags returns V8's flags for the options. The names that V8 installs after a
// context is restored are removed by flag, because hiding them in the snapshot
// would leave the real ones reachable.
func (o Options) flags() string {
	flags := "--no-harmony-sharedarraybuffer --no-harmony-atomics --no-harmony-shadow-realm"
	if !o.JIT {
		flags += " --jitless"
	}
	if !o.JIT || !o.Wasm {
		flags += " --no-expose-wasm"
	}
	return flags
}
