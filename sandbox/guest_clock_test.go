package sandbox

import (
	"testing"
	"time"
)

// This file tests the clock that a program reads.

func TestGuestNow(t *testing.T) {
	cases := []struct {
		name    string
		nanos   int64 // of the start, within its millisecond
		elapsed time.Duration
		want    int64
	}{
		{"at once, at the beginning of a millisecond", 0, 0, 1},
		{"at once, at its end", 999_999, 0, 1},
		{"just before the next", 400_000, 599_999, 1},
		{"with the wall clock's tick", 400_000, 600_000, 2},
		{"a second later", 400_000, time.Second, 1001},
		{"an hour later", 999_999, time.Hour + 1, 3_600_002},
	}
	for _, c := range cases {
		started := time.Unix(1_700_000_000, 7*int64(time.Millisecond)+c.nanos)
		if got := guestNow(started, c.elapsed); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		if got, want := timeOrigin(started)+guestNow(started, c.elapsed), started.Add(c.elapsed).UnixMilli(); got != want {
			t.Errorf("%s: the clock says %d when Date does %d", c.name, got, want)
		}
	}
}
