package protocol

import (
	"errors"
	"fmt"
	"strings"
)

// This file owns which names tools and namespaces may have.

// MaxIdentifier is the longest identifier, in bytes.
const MaxIdentifier = 256

// CheckIdentifier reports why s cannot name a namespace or a tool, or nil. A
// name is an ECMAScript identifier of ASCII letters, digits, "_" and "$", at
// most [MaxIdentifier] bytes, and neither a reserved word (ECMA-262, Keywords and
// Reserved Words, strict mode and modules included) nor a name that the
// language itself looks up on objects. Names are compared byte for byte, so
// there is nothing to normalise.
func CheckIdentifier(s string) error {
	switch {
	case s == "":
		return errors.New("the name is empty")
	case len(s) > MaxIdentifier:
		return fmt.Errorf("the name has %d bytes, the limit is %d", len(s), MaxIdentifier)
	case !isIdentifierName(s):
		return fmt.Errorf("%.300q is not an identifier of ASCII letters, digits, _ and $", s)
	case reservedWords[s]:
		return fmt.Errorf("%q is a reserved word of ECMAScript", s)
	//gate:protects requests-checked
	case objectNames[s]:
		return fmt.Errorf("%q is a name that the language looks up on every object", s)
	}
	return nil
}

// isIdentifierName reports whether s is /^[A-Za-z_$][A-Za-z0-9_$]*$/.
func isIdentifierName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

var reservedWords = wordSet(`
	arguments await break case catch class const continue debugger default delete do else enum eval export extends
	false finally for function if implements import in instanceof interface let new null package private protected
	public return static super switch this throw true try typeof var void while with yield`)

// objectNames are the properties of Object.prototype, and those that make an
// object behave differently when it has them: as a constructor, as a thenable,
// in JSON.stringify.
var objectNames = wordSet(`
	__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty
	isPrototypeOf propertyIsEnumerable prototype then toJSON toLocaleString toString valueOf`)

// globalNames are the globals of ECMAScript and of the Web APIs that a program
// has or may come to have (ECMA-429). A namespace cannot take their place.
var globalNames = wordSet(`
	AggregateError Array ArrayBuffer AsyncDisposableStack AsyncFunction AsyncGeneratorFunction AsyncIterator Atomics
	BigInt BigInt64Array BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry
	Float16Array Float32Array Float64Array Function GeneratorFunction Infinity Int16Array Int32Array Int8Array Intl
	Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
	SharedArrayBuffer String SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array Uint32Array
	Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI
	encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape

	AbortController AbortSignal Blob ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey
	CustomEvent DOMException DecompressionStream ErrorEvent Event EventTarget File FormData Headers MessageChannel
	MessageEvent MessagePort Performance PromiseRejectionEvent ReadableByteStreamController ReadableStream
	ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader
	Request Response SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream
	TransformStreamDefaultController URL URLPattern URLSearchParams WritableStream WritableStreamDefaultController
	WritableStreamDefaultWriter addEventListener atob btoa clearImmediate clearInterval clearTimeout console crypto
	dispatchEvent fetch navigator onerror onrejectionhandled onunhandledrejection performance queueMicrotask
	removeEventListener reportError self setImmediate setInterval setTimeout structuredClone`)

// checkNamespace reports why s cannot name a namespace, or nil.
func checkNamespace(s string) error {
	if err := CheckIdentifier(s); err != nil {
		return err
	}
	if globalNames[s] {
		return fmt.Errorf("%q is a global of the language or its standard library", s)
	}
	if strings.HasPrefix(s, "__isogate") {
		return fmt.Errorf("%q begins with __isogate, which the runtime keeps for itself", s)
	}
	return nil
}
