package link

import (
	"context"
	"errors"
	"sync"
)

// This file owns what waits to be sent on a connection. Bytes that wait are
// bounded, so that a peer that reads slowly holds up what is for it and nothing
// else.

// ErrClosed is what sending on a connection that has ended returns.
var ErrClosed = errors.New("the connection has ended")

// queue is the queue of messages of one connection. Its methods may be called
// from any goroutine.
type queue struct {
	most int64 // bytes, before senders wait

	mu       sync.Mutex
	messages [][]byte      // guarded by mu
	bytes    int64         // guarded by mu; in messages, and of the message that is being sent
	closed   bool          // guarded by mu
	change   chan struct{} // guarded by mu; closed, and replaced, when any of the above changes
}

func newQueue(most int64) *queue {
	return &queue{most: most, change: make(chan struct{})}
}

// changedLocked wakes everybody who waits.
func (o *queue) changedLocked() {
	close(o.change)
	o.change = make(chan struct{})
}

// send queues a message. It waits while the queue is full, until ctx is done or
// the queue is closed. If queued is set, it is called when the message has its
// place, before the peer can have it; it must not use the queue.
func (o *queue) send(ctx context.Context, message []byte, queued func()) error {
	for {
		o.mu.Lock()
		if o.closed {
			o.mu.Unlock()
			return ErrClosed
		}
		if o.bytes < o.most {
			if queued != nil {
				queued()
			}
			o.messages = append(o.messages, message)
			o.bytes += int64(len(message))
			o.changedLocked()
			o.mu.Unlock()
			return nil
		}
		change := o.change
		o.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// next waits for a message. It returns false when there will be none.
func (o *queue) next() ([]byte, bool) {
	for {
		o.mu.Lock()
		if len(o.messages) > 0 {
			message := o.messages[0]
			o.messages[0] = nil
			o.messages = o.messages[1:]
			o.mu.Unlock()
			return message, true
		}
		closed, change := o.closed, o.change
		o.mu.Unlock()
		if closed {
			return nil, false
		}
		<-change
	}
}

// sent says that a message that next returned is gone.
func (o *queue) sent(message []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes -= int64(len(message))
	o.changedLocked()
}

// close ends the queue: nothing more is taken in, and what is in it is dropped.
func (o *queue) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	for _, message := range o.messages {
		o.bytes -= int64(len(message))
	}
	o.messages = nil
	o.changedLocked()
}

// waiting returns the bytes that have not been sent.
func (o *queue) waiting() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes
}

// flush returns when everything has been sent, or when ctx is done.
func (o *queue) flush(ctx context.Context) {
	for {
		o.mu.Lock()
		empty, change := o.bytes == 0, o.change
		o.mu.Unlock()
		if empty {
			return
		}
		select {
		case <-change:
		case <-ctx.Done():
			return
		}
	}
}
