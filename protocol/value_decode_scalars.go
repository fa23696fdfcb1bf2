package protocol

import (
	"math"
	"strconv"
)

// This file owns reading strings and numbers, with few allocations.

// smallNumbers are the numbers 0 to 1023 as values, which then cost no allocation.
var smallNumbers = func() (out [1024]any) {
	for i := range out {
		out[i] = float64(i)
	}
	return out
}()

// Strings of up to shortString bytes share copies of chunkSize bytes of text.
// That saves an allocation for each, and what a caller keeps of a value holds
// on to little more.
const (
	shortString = 64
	chunkSize   = 512
)

// stringOf returns the string that was just read.
func (d *decoder) stringOf(raw []byte, escaped bool) string {
	if escaped || len(raw) > shortString {
		s, _ := unquote(raw, escaped)
		return s
	}
	start := d.pos - 1 - len(raw) - d.chunkAt
	if start < 0 || start+len(raw) > len(d.chunk) {
		d.chunkAt = d.pos - 1 - len(raw)
		d.chunk = string(d.text[d.chunkAt:min(d.chunkAt+chunkSize, len(d.text))])
		start = 0
	}
	return d.chunk[start : start+len(raw)]
}

// float reads a number. One beyond the range of a double is an error: JSON has
// no infinity.
func (d *decoder) float() (float64, error) {
	start := d.pos
	text, integer, err := d.number()
	if err != nil {
		return 0, err
	}
	if integer && len(text) <= 15 {
		negative := text[0] == '-'
		if negative {
			text = text[1:]
		}
		var n int64
		for _, c := range text {
			n = n*10 + int64(c-'0')
		}
		if f := float64(n); !negative {
			return f, nil
		} else if n != 0 {
			return -f, nil
		}
		return math.Copysign(0, -1), nil
	}
	if !d.build && integer && len(text) < 300 {
		return 0, nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, d.fail(start, "a number beyond the range of a double")
	}
	return f, nil
}
