package sandbox

import "time"

// This file owns the clock that a program reads by performance.now().

// timeOrigin returns the time that performance.now() counts from, in milliseconds since
// 1970: the last whole millisecond but one before the execution started, so that the
// clock is past it when the program begins.
func timeOrigin(started time.Time) int64 { return started.UnixMilli() - 1 }

// guestNow returns the milliseconds since the time origin when elapsed has gone by since
// the start, which is monotonic time. They are whole and change when the wall clock's
// do: a program that watches both clocks learns the time no finer than from one.
func guestNow(started time.Time, elapsed time.Duration) int64 {
	return (started.UnixNano()+elapsed.Nanoseconds())/int64(time.Millisecond) - timeOrigin(started)
}
