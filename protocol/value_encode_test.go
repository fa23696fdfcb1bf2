package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file owns the examples of what Go values are encoded to.

type (
	namedString string
	namedInt    int8
	namedBytes  []byte
	namedMap    map[namedString]namedInt
	inner       struct {
		B    string         `json:"b,omitempty"`
		Maps map[string]any `json:"maps,omitempty"`
	}
	outer struct {
		A int    `json:"a"`
		I *inner `json:"i,omitempty"`
		h string
	}
)

func TestEncodeGoTypes(t *testing.T) {
	one := 1
	text := "x"
	shared := []int{1, 2}
	object := &outer{A: 1}
	link, _ := url.Parse("https://example.org/a b?q=1")
	var nilMap map[string]any
	var nilSlice []any
	var nilPointer *outer
	var nilError *Error
	grid := [2][2]int{{1, 2}, {3, 4}}
	tests := []struct {
		name string
		in   any
		want string
	}{
		{"int kinds", []any{int8(-1), int16(2), int32(3), int64(4), uint8(5), uint16(6), uint32(7), uint64(8), uint(9)}, `[-1,2,3,4,5,6,7,8,9]`},
		{"the largest safe integer", []any{int64(maxSafe), int64(-maxSafe), uint64(maxSafe)}, `[9007199254740991,-9007199254740991,9007199254740991]`},
		{"integers beyond", []any{int64(maxSafe + 1), int64(math.MinInt64), uint64(math.MaxUint64)},
			`[{"$":"bigint","v":"9007199254740992"},{"$":"bigint","v":"-9223372036854775808"},{"$":"bigint","v":"18446744073709551615"}]`},
		{"float32", []any{float32(0.1), float32(16777216)}, `[0.1,16777216]`},
		{"float32 that is none", []float32{float32(math.Inf(-1))}, `[{"$":"number","v":"-Infinity"}]`},
		{"named kinds", []any{namedString("a"), namedInt(3), namedMap{"k": 1}}, `["a",3,{"k":1}]`},
		{"named bytes", namedBytes{1}, `{"$":"bytes","type":"Uint8Array","v":"AQ=="}`},
		{"bytes", []byte{}, `{"$":"bytes","type":"Uint8Array","v":""}`},
		{"array of bytes", [2]byte{1, 2}, `[1,2]`},
		{"big integers", []any{big.NewInt(-5), *big.NewInt(6), (*big.Int)(nil)}, `[{"$":"bigint","v":"-5"},{"$":"bigint","v":"6"},null]`},
		{"json.Number", []any{json.Number("1e400"[:3]), json.Number("12345678901234567890"), json.Number("")}, `[1e4,12345678901234567890,0]`},
		{"time", time.Date(2024, 2, 29, 12, 0, 0, 1_999_999, time.FixedZone("x", 3600)), `{"$":"date","v":1709204400001}`},
		{"time before 1970", time.Unix(-1, 999_000_000), `{"$":"date","v":-1}`},
		{"pointer to time", &time.Time{}, `{"$":"date","v":-62135596800000}`},
		{"URL", []any{link, *link, (*url.URL)(nil)}, `[{"$":"url","v":"https://example.org/a%20b?q=1"},{"$":"url","v":"https://example.org/a%20b?q=1"},null]`},
		{"values of this package by value", []any{Map{}, Set{}, Error{Name: "E"}}, `[{"$":"map","v":[]},{"$":"set","v":[]},{"$":"error","name":"E","message":""}]`},
		{"values of this package by pointer", []any{&Undefined{}, &Date{1}, &RegExp{"a", "g"}, &Bytes{"DataView", nil}},
			`[{"$":"undefined"},{"$":"date","v":1},{"$":"regexp","source":"a","flags":"g"},{"$":"bytes","type":"DataView","v":""}]`},
		{"nil", []any{nil, nilMap, nilSlice, nilPointer, nilError, []byte(nil), (*time.Time)(nil), (map[int]int)(nil), (*Map)(nil), (*Set)(nil)},
			`[null,null,null,null,null,null,null,null,null,null]`},
		{"pointers", []any{&one, &text, &nilMap}, `[1,"x",null]`},
		{"slices of types", []any{[]string{"a"}, []float64{math.NaN()}, []any{}, []map[string]any{{"a": 1}}}, `[["a"],[{"$":"number","v":"NaN"}],[],[{"a":1}]]`},
		{"keys of integers", map[int]string{10: "b", 9: "a", -1: "c"}, `{"9":"a","10":"b","-1":"c"}`},
		{"keys of text", map[netip.Addr]int{netip.MustParseAddr("::1"): 1}, `{"::1":1}`},
		{"struct", outer{A: 1, I: &inner{B: "<b>"}}, `{"a":1,"i":{"b":"<b>"}}`},
		{"struct with a key $", outer{I: &inner{Maps: map[string]any{"$": "ref", "id": 1}}}, `{"a":0,"i":{"maps":{"$":"object","v":{"$":"ref","id":1}}}}`},
		{"text marshaler", netip.MustParseAddr("10.0.0.1"), `"10.0.0.1"`},
		{"json marshaler", json.Marshaler(marshalled{[]byte(` {"$": [1]} `)}), `{"$":"object","v":{"$":[1]}}`},
		{"codec text", []any{Value(`{"$":"hole"}`)[:0], Value(`{"$":"bigint","v":"1"}`), &[]Value{Value(`1`)}}, `[{"$":"undefined"},{"$":"bigint","v":"1"},[1]]`},
		{"keys in order", map[string]any{"b": 1, "a": 2, "10": 3, "9": 4, "": 5, "é": 6, "4294967295": 7}, `{"9":4,"10":3,"":5,"4294967295":7,"a":2,"b":1,"é":6}`},
		{"one key $", map[string]any{"$": nil}, `{"$":"object","v":{"$":null}}`},
		{"holes", []any{[]any{Hole{}}, [1]any{Hole{}}}, `[[{"$":"hole"}],[{"$":"hole"}]]`},

		{"repeated slice of a type", []any{shared, shared}, `[{"$":"def","id":1,"v":[1,2]},{"$":"ref","id":1}]`},
		{"shorter slice of the same array", []any{shared, shared[:1]}, `[[1,2],[1]]`},
		{"slices of different types at one address", []any{grid[:], grid[0][:]}, `[[[1,2],[3,4]],[1,2]]`},
		{"repeated pointer to a struct", []any{object, object, object}, `[{"$":"def","id":1,"v":{"a":1}},{"$":"ref","id":1},{"$":"ref","id":1}]`},
		{"repeated pointer to what is no object", []any{&one, &one, link, link}, `[1,1,{"$":"url","v":"https://example.org/a%20b?q=1"},{"$":"url","v":"https://example.org/a%20b?q=1"}]`},
		{"repeated error", func() any { e := &Error{Name: "E"}; return []any{e, e} }(), `[{"$":"def","id":1,"v":{"$":"error","name":"E","message":""}},{"$":"ref","id":1}]`},
		{"bytes of one array in two types", func() any {
			b := []byte{1, 2}
			return []any{b, Bytes{"Int8Array", b}, b}
		}(), `[{"$":"def","id":1,"v":{"$":"bytes","type":"Uint8Array","v":"AQI="}},{"$":"bytes","type":"Int8Array","v":"AQI="},{"$":"ref","id":1}]`},

		{"Go error", errors.New("broken"), `{"$":"error","name":"Error","message":"broken"}`},
		{"Go error with a cause", fmt.Errorf("reading: %w", io.EOF), `{"$":"error","name":"Error","message":"reading: EOF","cause":{"$":"error","name":"Error","message":"EOF"}}`},
		{"Go errors", errors.Join(io.EOF, &Error{Name: "E", Message: "m"}),
			`{"$":"error","name":"AggregateError","message":"EOF\nE: m","errors":[{"$":"error","name":"Error","message":"EOF"},{"$":"error","name":"E","message":"m"}]}`},
		{"cause without HasCause", &Error{Name: "E", Cause: 1}, `{"$":"error","name":"E","message":"","cause":1}`},
		{"no fields", &Error{Name: "E", Fields: map[string]any{}}, `{"$":"error","name":"E","message":""}`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Encode(tc.in, Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if err := Check(got, Bounds{}); err != nil {
				t.Errorf("the text is refused: %v", err)
			}
		})
	}
	if object.h != "" {
		t.Error("an unexported field was set")
	}
}

func TestUnserializable(t *testing.T) {
	type loop *loop
	var circle loop
	circle = &circle
	var endless any
	endless = &endless
	type node struct{ Next *node }
	ring := &node{}
	ring.Next = ring
	long := strings.Repeat("k", 300)
	deep := any(func() {})
	for range 100 {
		deep = map[string]any{"a long key of an object": deep}
	}
	tests := []struct {
		name       string
		in         any
		what, path string
	}{
		{"function", func() {}, "func", "$"},
		{"channel in an array", []any{1, make(chan int)}, "chan", "$[1]"},
		{"complex number", map[string]any{"items": []any{map[string]any{"cb": 1i}}}, "complex128", "$.items[0].cb"},
		{"key that is no identifier", map[string]any{"a b": map[string]any{`q"`: func() {}}}, "func", `$["a b"]["q\""]`},
		{"reserved word", map[string]any{"class": func() {}}, "func", `$.class`},
		{"long key", map[string]any{long: func() {}}, "func", `$["` + long[:100] + `…"]`},
		{"path that is too long", deep, "func", "$…" + strings.Repeat(`["a long key of an object"]`, 37)},
		{"map key", &Map{Entries: []Entry{{1, 2}, {func() {}, 1}}}, "func", "$[key 1]"},
		{"map value", []any{&Map{Entries: []Entry{{1, func() {}}}}}, "func", "$[0][value 0]"},
		{"set", &Set{Values: []any{nil, func() {}}}, "func", "$[1]"},
		{"cause", &Error{Cause: func() {}}, "func", "$.cause"},
		{"field", &Error{Fields: map[string]any{"x": func() {}}}, "func", "$.x"},
		{"errors", &Error{Errors: []any{func() {}}}, "func", "$.errors[0]"},
		{"slice of functions", map[string][]func(){"f": {nil}}, "func", "$.f[0]"},
		{"hole", Hole{}, "hole outside an array", "$"},
		{"hole in an object", map[string]any{"a": Hole{}}, "hole outside an array", "$.a"},
		{"hole in a set", &Set{Values: []any{Hole{}}}, "hole outside an array", "$[0]"},
		{"invalid UTF-8", []any{"a\xff"}, "string of invalid UTF-8", "$[0]"},
		{"surrogate in UTF-8", "\xed\xa0\x80", "string of invalid UTF-8", "$"},
		{"key of invalid UTF-8", map[string]any{"\xff": 1}, "string of invalid UTF-8", `$["\xff"]`},
		{"json.Number", json.Number("1x"), "json.Number that is no number", "$"},
		{"json.Number with space", json.Number("1 "), "json.Number that is no number", "$"},
		{"json.Number beyond a double", json.Number("1e999"), "json.Number beyond the range of a double", "$"},
		{"date out of range", Date{maxDate + 1}, "date that is no whole number of milliseconds in the range of ECMAScript", "$"},
		{"date with a fraction", Date{0.5}, "date that is no whole number of milliseconds in the range of ECMAScript", "$"},
		{"time out of range", time.Date(300_000, 1, 1, 0, 0, 0, 0, time.UTC), "date beyond the range of ECMAScript", "$"},
		{"time far out of range", time.Unix(math.MaxInt64, 0), "date beyond the range of ECMAScript", "$"},
		{"flags", RegExp{"a", "gg"}, `regular expression with the flags "gg"`, "$"},
		{"type of bytes", Bytes{"Buffer", nil}, `value of 0 bytes with the type "Buffer"`, "$"},
		{"half an element", Bytes{"Int16Array", []byte{1}}, `value of 1 bytes with the type "Int16Array"`, "$"},
		{"keys", map[[1]int]int{{1}: 1}, "map with keys of type [1]int", "$"},
		{"pointer to itself", circle, "pointer that leads to nothing but pointers", "$"},
		{"interface that holds its own address", endless, "pointer that leads to nothing but pointers", "$"},
		{"struct with a function", struct{ F func() }{}, "func in a struct { F func() }", "$"},
		{"text that is no codec text", []any{Value(`{"$":"no"}`)}, `text that is no codec text (the escape "no", which does not exist, at byte 5)`, "$[0]"},
		{"marshaler that writes no JSON", marshalled{[]byte(`{`)}, "", "$"},
		{"struct that holds itself", ring, "", "$"},
		{"marshaler that repeats a key", marshalled{[]byte(`{"a":1,"a":2}`)}, `text that is no JSON (the key "a" a second time in one object at byte 7)`, "$"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			text, err := Encode(tc.in, Bounds{})
			var got *Unserializable
			if !errors.As(err, &got) {
				t.Fatalf("got %s, %v", text, err)
			}
			if tc.what == "" {
				tc.what = got.What // encoding/json's words
			}
			if diff := cmp.Diff([]string{tc.what, tc.path}, []string{got.What, got.Path}); diff != "" {
				t.Errorf("what and path (-want +got):\n%s", diff)
			}
			if !strings.Contains(got.Error(), got.What) || !strings.Contains(got.Error(), got.Path) {
				t.Errorf("the text %q lacks what or path", got)
			}
		})
	}
}

// A guest chooses the length of a bigint: reading must not be quadratic in it.
func TestLongBigInt(t *testing.T) {
	for _, n := range []int{4096, 4097, 8192, 8193, 50_001} {
		want := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n-1)), nil)
		want.Add(want, big.NewInt(12345)).Neg(want)
		text, err := Encode(want, Bounds{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(text, Bounds{})
		if err != nil || want.Cmp(got.(*big.Int)) != 0 {
			t.Errorf("%d digits were decoded to something else (%v)", n, err)
		}
	}
	start := time.Now()
	if _, err := Decode(Value(`{"$":"bigint","v":"`+strings.Repeat("7", 4<<20)+`"}`), Bounds{}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("4 Mi digits took %v", took)
	}
}

func TestErrorIsAGoError(t *testing.T) {
	root := &Error{Name: "TypeError", Message: "root"}
	e := &Error{Name: "Error", Message: "top", Cause: root, HasCause: true}
	if e.Error() != "Error: top" || (&Error{Name: "E"}).Error() != "E" || (&Error{Message: "m"}).Error() != "m" {
		t.Errorf("texts: %q", e)
	}
	if !errors.Is(e, root) {
		t.Error("the cause is not found")
	}
	if errors.Unwrap(&Error{Cause: "text", HasCause: true}) != nil {
		t.Error("a cause that is no error was unwrapped")
	}
}

func TestDateTime(t *testing.T) {
	got, ok := Date{1.5e12}.Time()
	if want := time.UnixMilli(1_500_000_000_000).UTC(); !ok || got != want {
		t.Errorf("got %v, %v, want %v", got, ok, want)
	}
	for _, ms := range []float64{math.NaN(), math.Inf(1), maxDate + 1, -maxDate - 1} {
		if at, ok := (Date{ms}).Time(); ok {
			t.Errorf("Date{%v} is %v", ms, at)
		}
	}
}
