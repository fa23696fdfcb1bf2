package sandbox

import (
	"fmt"
	"runtime"

	"github.com/isogate/isogate/protocol"
	guest "github.com/isogate/isogate/runtime"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns the making of isolates: the snapshot they are restored from,
// and the one that is restored ahead of its execution.

// BuildSnapshot initialises V8 for the process and returns a snapshot whose
// context holds the guest library. It runs no guest code. The snapshot belongs
// to this binary and profile.
func BuildSnapshot(profile string) ([]byte, error) {
	options, err := engineOptions(profile)
	if err != nil {
		return nil, err
	}
	blob, err := onEngineThread(options, func() ([]byte, error) {
		name, source := guest.Source()
		return v8.Snapshot(source, name)
	})
	if err != nil {
		return nil, fmt.Errorf("sandbox: building the snapshot: %w", err)
	}
	return blob, nil
}

// onEngineThread initialises V8 for the process and calls f on a thread of its own, which
// ends with the call. It is not the process's first thread, whose stack bounds the C
// library can only find in /proc.
func onEngineThread[T any](options v8.Options, f func() (T, error)) (T, error) {
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		v8.Init(options)
		value, err = f()
	}()
	<-done
	return value, err
}

// spareIsolate holds at most one isolate that no execution has used. It belongs
// to the engine's thread.
type spareIsolate struct {
	snapshot []byte
	isolate  *v8.Isolate
	heap     int64
}

// restore makes a spare with a heap limit, unless there is one with that limit.
// The guess is that the next execution has the limits of the last one.
func (s *spareIsolate) restore(heap int64) error {
	if heap <= 0 {
		heap = protocol.DefaultLimits.Heap
	}
	if s.isolate != nil && s.heap == heap {
		return nil
	}
	s.dispose()
	isolate, err := v8.NewIsolate(s.snapshot, heap, nil)
	if err != nil {
		return err
	}
	s.isolate, s.heap = isolate, heap
	return nil
}

// take returns an isolate with exactly that heap limit, the spare if it fits.
// The isolate is the caller's: it serves one execution.
func (s *spareIsolate) take(heap int64) (*v8.Isolate, error) {
	if err := s.restore(heap); err != nil {
		return nil, err
	}
	isolate := s.isolate
	s.isolate = nil
	return isolate, nil
}

func (s *spareIsolate) dispose() {
	if s.isolate != nil {
		s.isolate.Dispose()
		s.isolate = nil
	}
}
