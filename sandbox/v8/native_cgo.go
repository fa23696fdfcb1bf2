//go:build cgo

package v8

// #include <stdlib.h>
// #include "shim.h"
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// This file owns the way of the native function's library operations into Go.

// SetNative replaces the function that answers the library operations of the native
// function. It must not be called while the isolate is entered.
func (i *Isolate) SetNative(native NativeFunc) { i.native = native }

//export isogateNativeCall
func isogateNativeCall(handle C.uintptr_t, op C.int, first, second C.isogate_text, bytes unsafe.Pointer, size C.size_t,
	number, other C.double, answer *C.isogate_native_answer) {
	i := cgo.Handle(handle).Value().(*Isolate)
	if i.native == nil {
		return
	}
	call := NativeCall{
		Op: int(op), Texts: [2]string{goText(first), goText(second)}, Numbers: [2]float64{float64(number), float64(other)},
	}
	if bytes != nil {
		call.Bytes = unsafe.Slice((*byte)(bytes), int(size))
	}
	got := i.native(call)
	if got.HasNumber {
		answer.has_number, answer.number = 1, C.double(got.Number)
	}
	switch {
	case got.UTF16 != nil:
		answer.utf16, answer.size = 1, C.size_t(2*len(got.UTF16))
		answer.data = (*C.char)(C.malloc(answer.size + 2))
		copy(unsafe.Slice((*uint16)(unsafe.Pointer(answer.data)), len(got.UTF16)), got.UTF16)
	case got.HasText:
		answer.size = C.size_t(len(got.Text))
		answer.data = (*C.char)(C.malloc(answer.size + 1))
		copy(unsafe.Slice((*byte)(unsafe.Pointer(answer.data)), len(got.Text)), got.Text)
	}
}
