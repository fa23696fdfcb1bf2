//go:build !cgo

package v8

import (
	"errors"
	"time"
)

// This file owns the package's surface for builds without cgo, which have no
// engine: everything fails with one error. It lets the rest of the tree be
// checked on platforms that it cannot be linked for.

var errNoEngine = errors.New("v8: this binary was built without cgo and has no engine")

// Isolate cannot be made in a build without cgo.
type Isolate struct{}

// Init does nothing.
func Init(Options) {}

// Version returns "none".
func Version() string { return "none" }

// Snapshot fails.
func Snapshot(source, name string) ([]byte, error) { return nil, errNoEngine }

// NewIsolate fails.
func NewIsolate(blob []byte, heap int64, host HostFunc) (*Isolate, error) { return nil, errNoEngine }

var noEngine = Outcome{Status: Internal, Message: errNoEngine.Error()}

// RestoreTimes returns nothing.
func (*Isolate) RestoreTimes() (isolate, context time.Duration) { return 0, 0 }

// RunPlain fails.
func RunPlain(source string, heap int64) (PlainTimes, error) { return PlainTimes{}, errNoEngine }

// SetHost does nothing.
func (*Isolate) SetHost(HostFunc) {}

// SetNative does nothing.
func (*Isolate) SetNative(NativeFunc) {}

// Begin fails.
func (*Isolate) Begin(int64, Allowed, string) Outcome { return noEngine }

// SetTimeZone does nothing.
func (*Isolate) SetTimeZone(string) {}

// AddModule does nothing.
func (*Isolate) AddModule(specifier, source string) {}

// Check fails.
func (*Isolate) Check(source, name string, module bool) Outcome { return noEngine }

// RunBefore fails.
func (*Isolate) RunBefore(source, name string) Outcome { return noEngine }

// Run fails.
func (*Isolate) Run(source, name string, module bool, input string) Outcome { return noEngine }

// Settle fails.
func (*Isolate) Settle(int64, string) Outcome { return noEngine }

// Fire fails.
func (*Isolate) Fire(int64) Outcome { return noEngine }

// Pump fails.
func (*Isolate) Pump() (bool, Outcome) { return false, noEngine }

// Terminate does nothing.
func (*Isolate) Terminate() {}

// HeapExceeded reports false.
func (*Isolate) HeapExceeded() bool { return false }

// Stats returns nothing.
func (*Isolate) Stats() Stats { return Stats{} }

// Dispose does nothing.
func (*Isolate) Dispose() {}
