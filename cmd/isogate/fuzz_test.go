package main

import (
	"testing"

	"github.com/isogate/isogate/protocol"
)

func FuzzSize(f *testing.F) {
	for _, seed := range []string{"64MiB", "512k", "1GB", "0", "-1", "9223372036854775807", "8589934592G", "é", "k"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s size
		if err := s.Set(text); err == nil && s <= 0 {
			t.Errorf("%q is a size of %d bytes", text, s)
		} else if err != nil && s != 0 {
			t.Errorf("%q is refused and sets %d", text, s)
		}
	})
}

// FuzzReadValue holds that what is accepted is codec text.
func FuzzReadValue(f *testing.F) {
	for _, seed := range []string{`{"a":[1,null]}`, `{"$":"date","v":0}`, " \n1", `"\ud800"`, "{", "\xff", "1 2"} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, codec bool) {
		value, err := readValue(text, codec)
		if err != nil {
			return
		}
		if err := protocol.Check(value, protocol.DefaultBounds); err != nil {
			t.Errorf("%q was read as %q, which is no codec text: %v", text, value, err)
		}
	})
}
