package sandbox

import (
	"github.com/isogate/isogate/runtime/native"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns the way of the guest library's native operations to the package that
// carries them out.

// answerNative is called on the engine's thread while guest code waits.
func answerNative(c v8.NativeCall) v8.NativeAnswer {
	return v8.NativeAnswer(native.Do(native.Call(c)))
}
