// # The value codec
//
// This is its specification. The value_*.go files implement it for Go, the
// runtime implements it for programs, and the vectors in testdata/codec are
// examples that both are tested with.
//
// Codec text is one JSON value (RFC 8259) in UTF-8, no byte order mark. A
// reader refuses what JSON refuses, and besides: invalid UTF-8, an object with
// one key twice, a number beyond the range of a double, text behind the value.
// White space between tokens is allowed; writers write none.
//
// null, true, false, strings, numbers, arrays and objects without a key "$"
// mean themselves. So plain JSON is its own codec text, byte for byte. Strings
// are sequences of UTF-16 code units; a lone surrogate is written as a \u
// escape. Numbers are doubles, written as ECMAScript's Number::toString does
// (-0 has a form of its own, below).
//
// # The value codec: the escape form
//
// An object that has a key "$" is an escape: "$" is its first member and names
// its kind, and the others are exactly those of that kind, in the order given
// here. Those marked ? may be absent. Anything else is refused: an unknown
// kind, an unknown, missing, repeated or misplaced member, "$" after another
// member.
//
//	{"$":"undefined"}
//	{"$":"hole"}                            an element that an array does not have
//	{"$":"number","v":S}                    S is "NaN", "Infinity", "-Infinity" or "-0"
//	{"$":"bigint","v":S}                    S is "0" or decimal digits without leading zeros, "-" before them if negative
//	{"$":"date","v":N}                      N is milliseconds since 1970 UTC, a JSON integer within ±8640000000000000, or null: an invalid date
//	{"$":"regexp","source":S,"flags":S}     flags are different letters of dgimsuvy
//	{"$":"url","v":S}                       S is the href
//	{"$":"bytes","type":S,"v":S}            type is the name of a typed array's constructor, "DataView" or "ArrayBuffer";
//	                                        v the bytes it covers, base64 (RFC 4648 section 4, padded), whole elements, little-endian
//	{"$":"map","v":[[K,V],…]}               entries in order of insertion; K and V are values
//	{"$":"set","v":[V,…]}                   values in order of insertion
//	{"$":"error","name":S,"message":S,"stack"?:S,"cause"?:V,"fields"?:O,"errors"?:[V,…]}
//	                                        fields is a plain object of the own enumerable properties besides;
//	                                        errors makes it an AggregateError
//	{"$":"object","v":{…}}                  a plain object, whose keys are taken literally, "$" too
//	{"$":"def","id":N,"v":C}                the container C, which is referred to further on
//	{"$":"ref","id":N}                      the container that the def with this id holds
//
// S is a JSON string, N a JSON number, V any value. Wherever a value may stand
// an escape may, with these exceptions: "hole" only as an element of an array,
// not of the list in a "set", "map" or "error"; "fields" is an object without a
// key "$", or an "object" escape. Writers use "object" where an object has a
// key "$", and only there; readers accept it anywhere.
//
// The types of "bytes" are Int8Array, Uint8Array, Uint8ClampedArray,
// Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array,
// Float64Array, BigInt64Array, BigUint64Array, DataView and ArrayBuffer. Two
// views of one buffer arrive as views of two.
//
// # The value codec: references
//
// Whatever has identity, that is arrays, objects, and the kinds object, map,
// set, error, date, regexp, url and bytes, is written once. When it occurs
// again, inside itself or later, its first occurrence is a "def" around it and
// each further one a "ref". Ids count from 1 in the order in which the defs
// open in the text. A ref names a def that has been opened before it, closed or
// not. A def that nothing refers to is allowed.
//
// For "before" to mean the same to a reader of text and to a reader of parsed
// objects, writers put the members of an object in the order of ECMAScript's
// OrdinaryOwnPropertyKeys: array indices (the canonical decimal numbers below
// 2³²-1) ascending, then the other keys in their order of insertion. It matters
// only where there are defs; a reader may refuse those of text in another order.
//
// # The value codec: bounds
//
// Both sides bound three figures while they work (see [Bounds]): the bytes of
// the text; how deep arrays, objects, maps, sets and errors nest (a list or
// object that belongs to an escape is no further level); and the number of
// values, a def counting as the container in it and a ref as one.
//
// # The value codec: Go types
//
//	codec              decoded to                  encoded from
//	null               nil                         nil; nil pointers, maps and slices
//	true, false        bool                        kinds of bool
//	number             float64                     float32, float64; integers within ±(2⁵³-1); json.Number
//	bigint             *big.Int                    *big.Int, big.Int; integers beyond ±(2⁵³-1)
//	string             string                      kinds of string, valid UTF-8
//	undefined          Undefined                   Undefined; an empty Value
//	hole               Hole                        Hole
//	date               Date                        Date, time.Time (to the millisecond below)
//	regexp             RegExp                      RegExp
//	url                URL                         URL, url.URL
//	array              []any                       slices and arrays
//	object             map[string]any              maps whose keys are kinds of string or integer, sorted by key
//	map, set           *Map, *Set                  Map, Set, and pointers to them
//	bytes              Bytes                       Bytes; slices of bytes, as Uint8Array
//	error              *Error                      Error, *Error; any error: its text, and what it wraps as cause or errors
//
// A [Value] is codec text already: it is checked and becomes part of the text.
// Pointers stand for what they point to. Structs, and what implements
// json.Marshaler or encoding.TextMarshaler, are written as encoding/json does,
// objects with a key "$" escaped.
//
// Identity in Go is that of maps, of *Map, *Set and *Error, of pointers to
// structs, and of slices that are not empty: the same first element and
// length. Date, RegExp and URL have none in Go.
//
// A string with a lone surrogate is decoded with U+FFFD in its place.
package protocol
