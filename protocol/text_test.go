package protocol

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// This file owns the tests of how strings and numbers are written and read,
// against encoding/json and strconv.

// Strings are handled eight bytes at a time: every length, and every place of
// what needs an escape, must come out right.
func TestStringsOfAllLengths(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "é", "世", "😀", "\"", "\\", "\n", "\x00", "\x1f", "\x7f", "\u2028", "\xff", "\xe4\xb8", "\xed\xa0\x80", "plain text of some length"}
	for n := range 4000 {
		var b strings.Builder
		for range n % 90 {
			if random.IntN(3) > 0 {
				b.WriteString(pieces[random.IntN(2)])
			} else {
				b.WriteString(pieces[random.IntN(len(pieces))])
			}
		}
		in := b.String()
		prefix := strings.Repeat("x", random.IntN(9))
		text := appendString([]byte(prefix), in)
		var want string
		if err := json.Unmarshal(text[len(prefix):], &want); err != nil || string(text[:len(prefix)]) != prefix {
			t.Fatalf("%q is written as %s: %v", in, text, err)
		}
		if utf8.ValidString(in) && want != in {
			t.Fatalf("%q is written as %s", in, text)
		}
		s := scanner{text: text, pos: len(prefix)}
		raw, escaped, err := s.str()
		if err != nil || s.pos != len(text) {
			t.Fatalf("%s is not read to its end: %v", text, err)
		}
		if got, lone := unquote(raw, escaped); got != want || lone {
			t.Fatalf("%s is read as %q", text, got)
		}
		if got := string(appendExact(nil, raw)); got != want {
			t.Fatalf("%s is read exactly as %q", text, got)
		}
		// As encoding/json writes it, with other escapes.
		other, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		s = scanner{text: other}
		if raw, escaped, err = s.str(); err != nil {
			t.Fatalf("%s: %v", other, err)
		}
		if got, _ := unquote(raw, escaped); got != want {
			t.Fatalf("%s is read as %q, want %q", other, got, want)
		}
	}
}

// Numbers are written as ECMAScript writes them.
func TestNumbers(t *testing.T) {
	for want, f := range map[string]float64{
		"0": 0, "1": 1, "-1": -1, "0.5": 0.5, "100000000000000000000": 1e20, "1e+21": 1e21, "1.5e+300": 1.5e300, "0.000001": 1e-6,
		"1e-7": 1e-7, "1.25e-10": 1.25e-10, "5e-324": 5e-324, "123456789.125": 123456789.125, "1000000000000000": 1e15, "999999999999999": 999999999999999,
		"4.35": 4.35, "0.1": 0.1, "0.30000000000000004": 0.1 + 0.2, "1.7976931348623157e+308": math.MaxFloat64,
	} {
		if want == "0.30000000000000004" {
			f = math.Nextafter(0.3, 1)
		}
		if got := string(appendFloat(nil, f, 64)); got != want {
			t.Errorf("%v is written as %s, want %s", f, got, want)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		f := math.Float64frombits(random.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		text := appendFloat([]byte("x"), f, 64)
		back, err := strconv.ParseFloat(string(text[1:]), 64)
		other, _ := json.Marshal(f)
		if err != nil || back != f || f != 0 && string(other) != string(text[1:]) {
			t.Fatalf("%v is written as %s, by encoding/json as %s", f, text, other)
		}
		d := decoder{scanner: scanner{text: text[1:]}, build: true}
		if got, err := d.float(); err != nil || got != f {
			t.Fatalf("%s is read as %v, %v", text, got, err)
		}
	}
	for range 20_000 {
		n := random.Int64N(1<<54) - 1<<53
		text := strconv.FormatInt(n>>random.IntN(54), 10)
		want, _ := strconv.ParseFloat(text, 64)
		d := decoder{scanner: scanner{text: []byte(text)}, build: true}
		if got, err := d.float(); err != nil || got != want {
			t.Fatalf("%s is read as %v, %v", text, got, err)
		}
	}
}
