package sandbox

import (
	"container/heap"
	"math"
	"time"
)

// This file owns the timers of one execution: which fire when. What they call
// is the guest library's business.

// maxDelay is the longest delay of a timer, as in HTML: 2^31-1 ms.
const maxDelay = math.MaxInt32 * time.Millisecond

// timer is one pending timer.
type timer struct {
	id     int64
	due    time.Time
	order  int64         // of being set: timers due at the same time fire in this order
	repeat time.Duration // zero for a timer that fires once
	index  int           // in the queue
}

// timers is a queue of timers by due time. It belongs to the engine's thread.
type timers struct {
	queue timerQueue
	byID  map[int64]*timer
	next  int64
}

func newTimers() *timers { return &timers{byID: map[int64]*timer{}} }

// delayOf converts the milliseconds that a guest asked for. What is no number,
// or negative, is zero.
func delayOf(ms float64) time.Duration {
	if !(ms > 0) {
		return 0
	}
	if ms >= math.MaxInt32 {
		return maxDelay
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// start adds a timer and returns its id.
func (t *timers) start(now time.Time, delay time.Duration, repeat bool) int64 {
	t.next++
	added := &timer{id: t.next, due: now.Add(delay), order: t.next}
	if repeat {
		// An interval of zero would keep the loop from ever waiting.
		added.repeat = max(delay, time.Millisecond)
	}
	t.byID[added.id] = added
	heap.Push(&t.queue, added)
	return added.id
}

// clear removes a timer; an unknown id is ignored.
func (t *timers) clear(id int64) {
	if found := t.byID[id]; found != nil {
		delete(t.byID, id)
		heap.Remove(&t.queue, found.index)
	}
}

// due returns the id of the timer to fire now, if there is one. A timer that
// fires once is gone after that, an interval is set again.
func (t *timers) due(now time.Time) (id int64, ok bool) {
	if len(t.queue) == 0 || t.queue[0].due.After(now) {
		return 0, false
	}
	first := t.queue[0]
	if first.repeat == 0 {
		t.clear(first.id)
		return first.id, true
	}
	t.next++
	first.due, first.order = now.Add(first.repeat), t.next
	heap.Fix(&t.queue, 0)
	return first.id, true
}

// wait returns how long it is until the next timer is due.
func (t *timers) wait(now time.Time) (time.Duration, bool) {
	if len(t.queue) == 0 {
		return 0, false
	}
	return max(0, t.queue[0].due.Sub(now)), true
}

func (t *timers) pending() int { return len(t.queue) }

// timerQueue implements heap.Interface.
type timerQueue []*timer

func (q timerQueue) Len() int { return len(q) }

func (q timerQueue) Less(i, j int) bool {
	if !q[i].due.Equal(q[j].due) {
		return q[i].due.Before(q[j].due)
	}
	return q[i].order < q[j].order
}

func (q timerQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *timerQueue) Push(x any) {
	t := x.(*timer)
	t.index = len(*q)
	*q = append(*q, t)
}

func (q *timerQueue) Pop() any {
	old := *q
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return t
}
