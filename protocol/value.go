package protocol

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// This file owns the Go types of the values that Go itself has no type for, and
// the bounds on a value.

// Value is codec text: JSON plus the escape form that value_codec.go specifies.
// Where a Value may be absent, an empty one means undefined.
type Value = json.RawMessage

// Undefined is the value undefined.
type Undefined struct{}

// Hole is an element that an array does not have, as the second of [1,,3]. It
// is valid only as an element of an array.
type Hole struct{}

// Date is a date: milliseconds since 1970-01-01T00:00:00Z, a whole number within
// ±8.64e15 (ECMA-262, Time Values and Time Range), or NaN when it is invalid.
type Date struct{ MS float64 }

// maxDate is the largest time value.
const maxDate = 8.64e15

// Time returns the instant, and false when the date is invalid.
func (d Date) Time() (time.Time, bool) {
	if math.IsNaN(d.MS) || math.Abs(d.MS) > maxDate {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(d.MS)).UTC(), true
}

// RegExp is a regular expression. Go cannot run it: the syntax is ECMAScript's.
type RegExp struct{ Source, Flags string }

// String returns the expression as a literal.
func (r RegExp) String() string { return "/" + r.Source + "/" + r.Flags }

// URL is a URL object.
type URL struct{ Href string }

// Map is a Map: entries in order of insertion, keys of any kind.
type Map struct{ Entries []Entry }

// Entry is one entry of a Map.
type Entry struct{ Key, Value any }

// Set is a Set: values in order of insertion.
type Set struct{ Values []any }

// Bytes is a typed array, a DataView or an ArrayBuffer.
type Bytes struct {
	// Type is the name of the constructor, "Uint8Array" for example.
	Type string
	// Data are the bytes that the view covers. Elements of several bytes are
	// little-endian. The length is a multiple of the element's size.
	Data []byte
}

// elementType describes the elements of a type of Bytes.
type elementType struct {
	size   int // in bytes
	number int // of the type
}

// elements lists the types of Bytes.
var elements = map[string]elementType{
	"Int8Array": {1, 0}, "Uint8Array": {1, 1}, "Uint8ClampedArray": {1, 2}, "Int16Array": {2, 3}, "Uint16Array": {2, 4},
	"Int32Array": {4, 5}, "Uint32Array": {4, 6}, "Float32Array": {4, 7}, "Float64Array": {8, 8},
	"BigInt64Array": {8, 9}, "BigUint64Array": {8, 10}, "DataView": {1, 11}, "ArrayBuffer": {1, 12},
}

// Error is an error object of a program, as data. It is a Go error too.
type Error struct {
	Name, Message string
	// Stack is empty when there is none.
	Stack string
	// Cause is meaningful when HasCause is set: an error may have the cause
	// undefined or null.
	Cause    any
	HasCause bool
	// Fields are the own enumerable properties that the error has besides.
	Fields map[string]any
	// Errors are those of an AggregateError; nil means that it is none.
	Errors []any
}

func (e *Error) Error() string {
	if e.Name == "" || e.Message == "" {
		return e.Name + e.Message
	}
	return e.Name + ": " + e.Message
}

// Unwrap returns the cause, when it is an error too.
func (e *Error) Unwrap() error {
	cause, _ := e.Cause.(error)
	return cause
}

// Bounds bound one value while it is encoded or decoded. A field left at zero
// takes that of [DefaultBounds].
type Bounds struct {
	// Bytes bounds the codec text.
	Bytes int64
	// Depth bounds how deeply arrays, objects, maps, sets and errors nest:
	// [] has depth 1.
	Depth int
	// Nodes bounds the number of values: each element, member, map key, map
	// value, hole and reference is one, and so is the whole. The name of an
	// object's member is none.
	Nodes int
}

// DefaultBounds are the bounds that apply where none are given.
var DefaultBounds = Bounds{Bytes: 32 * mib, Depth: 1000, Nodes: 1_000_000}

// orDefault returns the bounds with every zero field filled in.
func (b Bounds) orDefault() Bounds {
	if b.Bytes == 0 {
		b.Bytes = DefaultBounds.Bytes
	}
	if b.Depth == 0 {
		b.Depth = DefaultBounds.Depth
	}
	if b.Nodes == 0 {
		b.Nodes = DefaultBounds.Nodes
	}
	return b
}

// What a [BoundError] names.
const (
	BoundBytes = "bytes"
	BoundDepth = "depth"
	BoundNodes = "nodes"
)

// BoundError indicates that a value passed a bound while it was encoded or decoded.
type BoundError struct {
	// What is [BoundBytes], [BoundDepth] or [BoundNodes].
	What  string
	Limit int64
	// Actual is what had been measured when the work stopped: the least that
	// the value has.
	Actual int64
}

func (e *BoundError) Error() string {
	return fmt.Sprintf("value too large: the limit on its %s is %d, it has at least %d", e.What, e.Limit, e.Actual)
}
