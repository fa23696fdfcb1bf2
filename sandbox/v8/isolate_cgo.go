//go:build cgo

package v8

// #cgo CXXFLAGS: -std=c++17 -fno-rtti -fPIC -O2 -Wall -DV8_COMPRESS_POINTERS -DV8_31BIT_SMIS_ON_64BIT_ARCH -DV8_ENABLE_SANDBOX
// #cgo CXXFLAGS: -I${SRCDIR}/include
// #cgo CXXFLAGS: -I${SRCDIR}/../../vendor/rogchap.com/v8go/deps/include
// #cgo CXXFLAGS: -I${SRCDIR}/../../../../../rogchap.com/v8go/deps/include
// #cgo CXXFLAGS: -I${SRCDIR}/../../../../../rogchap.com/v8go@v0.9.0/deps/include
// #include <stdlib.h>
// #include "shim.h"
import "C"

import (
	"errors"
	"runtime/cgo"
	"sync"
	"time"
	"unsafe"

	// For its link flags: V8 itself is its library.
	_ "rogchap.com/v8go"
)

// This file owns the Go side of the shim.
//
// The include paths are, in order: the link that "make deps" makes in a clone,
// a vendor folder of this module, a vendor folder that holds this module, and
// the module cache that holds this module.

var initOnce sync.Once

// Init initialises V8 for this process. Only the first call has an effect. It
// installs dispositions for SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS and
// SIGFPE, so that a crash of the engine ends the process with that signal.
func Init(o Options) {
	initOnce.Do(func() {
		flags := C.CString(o.flags())
		defer C.free(unsafe.Pointer(flags))
		C.isogate_init(flags, 2)
	})
}

// Version returns the version string of the linked V8.
func Version() string { return C.GoString(C.isogate_version()) }

// Snapshot runs source in a new context and returns the startup snapshot that
// holds the context as it is then. Name is the script's name in stack traces.
// Init must have been called.
func Snapshot(source, name string) ([]byte, error) {
	var size C.size_t
	var failure *C.char
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	blob := C.isogate_snapshot(text(source), cname, &size, &failure)
	if blob == nil {
		return nil, takeError(failure)
	}
	defer C.free(unsafe.Pointer(blob))
	return C.GoBytes(unsafe.Pointer(blob), C.int(size)), nil
}

// Isolate is one V8 isolate with one context, for one run.
type Isolate struct {
	handle cgo.Handle
	host   HostFunc
	native NativeFunc

	mu       sync.Mutex // guards disposal against Terminate from other goroutines
	isolate  *C.isogate_isolate
	disposed bool
}

// NewIsolate restores an isolate from a snapshot. blob must stay unchanged, and
// must not be moved, until Dispose: memory from mmap, or pinned. heap bounds
// V8's heap, in bytes.
//
// Isolates that live at the same time should be of one snapshot. They share V8's read-only
// memory, in the order of the snapshot of the first; one of another snapshot can refer to other objects
// there than it means.
func NewIsolate(blob []byte, heap int64, host HostFunc) (*Isolate, error) {
	if len(blob) == 0 {
		return nil, errors.New("v8: the snapshot is empty")
	}
	i := &Isolate{host: host}
	i.handle = cgo.NewHandle(i)
	var failure *C.char
	i.isolate = C.isogate_new(C.isogate_text{(*C.char)(unsafe.Pointer(&blob[0])), C.size_t(len(blob))},
		C.size_t(heap), C.uintptr_t(i.handle), &failure)
	if i.isolate == nil {
		i.handle.Delete()
		return nil, takeError(failure)
	}
	return i, nil
}

// RestoreTimes returns how long the making of the isolate took, and that of its context
// with all that is installed in it then.
func (i *Isolate) RestoreTimes() (isolate, context time.Duration) {
	var times [2]C.int64_t
	C.isogate_restore_times(i.isolate, &times[0])
	return time.Duration(times[0]), time.Duration(times[1])
}

// RunPlain measures what an execution costs without the library: it makes an isolate
// from V8's own default snapshot, runs a script that evaluates to a function, calls it
// without arguments, and disposes of the isolate.
func RunPlain(source string, heap int64) (PlainTimes, error) {
	var times [3]C.int64_t
	if C.isogate_plain_run(text(source), C.size_t(heap), &times[0]) != 0 {
		return PlainTimes{}, errors.New("v8: the program without the library failed")
	}
	return PlainTimes{time.Duration(times[0]), time.Duration(times[1]), time.Duration(times[2])}, nil
}

// SetHost replaces the function that answers host calls. It must not be called
// while the isolate is entered.
func (i *Isolate) SetHost(host HostFunc) { i.host = host }

// Begin prepares the one run: the bound on ArrayBuffer memory in bytes, what is
// allowed beyond the ordinary, and the runtime's configuration as JSON.
func (i *Isolate) Begin(external int64, allow Allowed, config string) Outcome {
	var o C.isogate_outcome
	C.isogate_begin(i.isolate, C.size_t(external), flag(allow.Eval), flag(allow.Wasm), text(config), &o)
	return take(&o)
}

// SetTimeZone sets the local time zone by its name, before any guest code runs. It is a
// setting of the process: what it was before is forgotten.
func (i *Isolate) SetTimeZone(name string) {
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	C.isogate_set_time_zone(i.isolate, cname)
}

// AddModule makes a virtual module available under an exact specifier.
func (i *Isolate) AddModule(specifier, source string) {
	C.isogate_add_module(i.isolate, text(specifier), text(source))
}

// Check compiles a program without running it.
func (i *Isolate) Check(source, name string, module bool) Outcome {
	var o C.isogate_outcome
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	C.isogate_check(i.isolate, text(source), cname, flag(module), &o)
	return take(&o)
}

// RunBefore compiles and runs a script before the program. What it declares stays in
// scope; its value is dropped.
func (i *Isolate) RunBefore(source, name string) Outcome {
	var o C.isogate_outcome
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	C.isogate_run_before(i.isolate, text(source), cname, &o)
	return take(&o)
}

// Run compiles and runs the program. input is codec text, empty for undefined.
// What the program gives back arrives as host calls.
func (i *Isolate) Run(source, name string, module bool, input string) Outcome {
	var o C.isogate_outcome
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	given := C.isogate_text{}
	if input != "" {
		given = text(input)
	}
	C.isogate_run(i.isolate, text(source), cname, flag(module), given, &o)
	return take(&o)
}

// Settle gives a tool's reply envelope to the call with that id.
func (i *Isolate) Settle(call int64, envelope string) Outcome {
	var o C.isogate_outcome
	C.isogate_settle(i.isolate, C.int64_t(call), text(envelope), &o)
	return take(&o)
}

// Fire fires the timer with that id.
func (i *Isolate) Fire(timer int64) Outcome {
	var o C.isogate_outcome
	C.isogate_fire(i.isolate, C.int64_t(timer), &o)
	return take(&o)
}

// Pump runs tasks that V8 has posted to itself, such as finalisation. It
// reports whether one ran.
func (i *Isolate) Pump() (bool, Outcome) {
	var o C.isogate_outcome
	ran := C.isogate_pump(i.isolate, &o)
	return ran != 0, take(&o)
}

// Terminate makes running guest code end, and any that would run later. It may
// be called from any goroutine, also after Dispose.
func (i *Isolate) Terminate() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.disposed {
		C.isogate_terminate(i.isolate)
	}
}

// HeapExceeded reports whether the heap limit was reached.
func (i *Isolate) HeapExceeded() bool { return C.isogate_heap_exceeded(i.isolate) != 0 }

// Stats returns the memory figures.
func (i *Isolate) Stats() Stats {
	var s C.isogate_stats
	C.isogate_statistics(i.isolate, &s)
	return Stats{
		UsedHeap: int64(s.used_heap), PeakHeap: int64(s.peak_heap), HeapLimit: int64(s.heap_limit),
		External: int64(s.external), PeakExternal: int64(s.peak_external), ExternalRefused: int64(s.external_refused),
	}
}

// Dispose ends the isolate and frees its memory. Further calls do nothing.
func (i *Isolate) Dispose() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.disposed {
		return
	}
	i.disposed = true
	C.isogate_dispose(i.isolate)
	i.handle.Delete()
}

//export isogateHostCall
func isogateHostCall(handle C.uintptr_t, op C.int, a, b, c C.isogate_text, first, second C.double) C.int64_t {
	i := cgo.Handle(handle).Value().(*Isolate)
	if i.host == nil {
		return 0
	}
	return C.int64_t(i.host(HostCall{
		Op:      Op(op),
		Texts:   [3]string{goText(a), goText(b), goText(c)},
		Numbers: [2]float64{float64(first), float64(second)},
	}))
}

// abi returns the figures that abi_test.go compares.
func abi() []int64 {
	values := make([]int64, 32)
	n := C.isogate_abi((*C.int64_t)(unsafe.Pointer(&values[0])), C.int(len(values)))
	return values[:n]
}

// emptyText stands in for the address of an empty string, which Go has none of.
var emptyText = [1]byte{}

// text lends a Go string to C for the length of one call.
func text(s string) C.isogate_text {
	if s == "" {
		return C.isogate_text{(*C.char)(unsafe.Pointer(&emptyText[0])), 0}
	}
	return C.isogate_text{(*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))}
}

func goText(t C.isogate_text) string {
	if t.data == nil {
		return ""
	}
	return C.GoStringN(t.data, C.int(t.size))
}

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

func take(o *C.isogate_outcome) Outcome {
	out := Outcome{
		Status: Status(o.status), Message: C.GoString(o.message), Resource: C.GoString(o.resource),
		Line: int(o.line), Column: int(o.column), SourceLine: C.GoString(o.source_line),
	}
	C.isogate_outcome_free(o)
	return out
}

func takeError(message *C.char) error {
	defer C.free(unsafe.Pointer(message))
	return errors.New("v8: " + C.GoString(message))
}
