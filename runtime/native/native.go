// Package native holds what the guest's standard library has done in Go: work on texts
// and bytes for which a well-kept library is better than JavaScript. The operations
// reach nothing outside their arguments, except random bytes, which are the kernel's.
//
// Programs choose the arguments, so every operation takes any: none panics, and none
// takes more time or memory than its input's size says.
package native

import "crypto/rand"

// This file owns the operations' numbers and their dispatch.

// The operations, as in runtime/js/native.js.
const (
	// OpDomainToASCII is the URL standard's domain to ASCII (idna.go).
	OpDomainToASCII = 32
	// OpDecode decodes bytes in an encoding other than UTF-8 (decode.go).
	OpDecode = 33
	// OpRandom fills the bytes from the kernel's generator.
	OpRandom = 34
)

// Call is one call of an operation.
type Call struct {
	Op      int
	Texts   [2]string // UTF-8
	Numbers [2]float64
	// Bytes is the memory of a typed array or DataView of the program. An operation may
	// write into it, and must not keep it.
	Bytes []byte
}

// Answer is what an operation gives back: undefined when it is zero, a text, a number, or
// a text and a number.
type Answer struct {
	Text      string // valid UTF-8, when HasText
	HasText   bool
	UTF16     []uint16 // the text in place of Text, when not nil
	Number    float64
	HasNumber bool
}

// Do carries out one call. The answer to an operation that does not exist is undefined.
func Do(c Call) Answer {
	switch c.Op {
	case OpDomainToASCII:
		return domainToASCII(c)
	case OpDecode:
		return decode(c)
	case OpRandom:
		// It never fails: without entropy Go ends the process.
		_, _ = rand.Read(c.Bytes)
	}
	return Answer{}
}
