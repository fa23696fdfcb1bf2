package protocol

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file owns the examples of what decoding returns and refuses.

func TestDecodeToGoTypes(t *testing.T) {
	text := `{"u":{"$":"undefined"},"h":[{"$":"hole"},1],"d":{"$":"date","v":null},"r":{"$":"regexp","source":"a","flags":"g"},` +
		`"l":{"$":"url","v":"u:"},"m":{"$":"map","v":[[1,{}]]},"s":{"$":"set","v":[]},"b":{"$":"bytes","type":"Int8Array","v":"/w=="},` +
		`"e":{"$":"error","name":"N","message":"M","stack":"S","cause":null,"fields":{"c":1},"errors":[]}}`
	got, err := Decode(Value(text), Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"u": Undefined{}, "h": []any{Hole{}, 1.0}, "d": Date{math.NaN()}, "r": RegExp{"a", "g"}, "l": URL{"u:"},
		"m": &Map{Entries: []Entry{{1.0, map[string]any{}}}}, "s": &Set{Values: []any{}}, "b": Bytes{"Int8Array", []byte{0xff}},
		"e": &Error{Name: "N", Message: "M", Stack: "S", HasCause: true, Fields: map[string]any{"c": 1.0}, Errors: []any{}},
	}
	if !sameValue(want, got) {
		t.Errorf("got %#v", got)
	}
}

// The error says what is wrong and at which byte.
func TestDecodeErrorsSayWhatAndWhere(t *testing.T) {
	tests := []struct{ text, want string }{
		{``, `the text ends where a value should be at byte 0`},
		{` `, `the text ends where a value should be at byte 1`},
		{`[1 2]`, `'2' where ',' or ']' should be at byte 3`},
		{`{"a" 1}`, `'1' where ':' should be at byte 5`},
		{`{"a":1 "b"}`, `'"' where ',' or '}' should be at byte 7`},
		{`{1:1}`, `'1' where a string should be at byte 1`},
		{`{"a":1,}`, `'}' where a string should be at byte 7`},
		{`nul`, `'n' where a value should be at byte 0`},
		{"\x00", `'\x00' where a value should be at byte 0`},
		{"[\xff]", `byte 0xff where a value should be at byte 1`},
		{`01`, `more text after the end of the value at byte 1`},
		{`-`, `the text ends where a digit should be at byte 1`},
		{`1.e5`, `'e' where a digit should be at byte 2`},
		{`[1e]`, `']' where a digit should be at byte 3`},
		{`-1e999`, `a number beyond the range of a double at byte 0`},
		{`[1` + strings.Repeat("0", 400) + `]`, `a number beyond the range of a double at byte 1`},
		{`"abc`, `a string without an end at byte 0`},
		{`"abc\"`, `a string without an end at byte 0`},
		{"[\"12345678\n\"]", `control character 0x0a in a string at byte 10`},
		{`"1234567\x"`, `an escape that JSON does not have at byte 8`},
		{`"\u12G4"`, `an escape that JSON does not have at byte 1`},
		{`"\`, `an escape that JSON does not have at byte 1`},
		{"\"é12345\xc3\"", `invalid UTF-8, byte 0xc3 at byte 8`},
		{"{\"a\xed\xa0\x80\":1}", `invalid UTF-8, byte 0xed at byte 3`},
		{`null x`, `more text after the end of the value at byte 5`},
		{`{"a":1,"a":2}`, `the key "a" a second time in one object at byte 7`},
		{`{"a":1,"b":{"c":1,"\u0063":2}}`, `the key "c" a second time in one object at byte 18`},
		{`{"` + strings.Repeat("k", 70) + `":1,"` + strings.Repeat("k", 70) + `":2}`, `the key "` + strings.Repeat("k", 60) + `" a second time in one object at byte 76`},
		{`{"a":1,"$":2}`, `"$" after another member; it marks an escape and comes first at byte 7`},
		{`{"$":"what"}`, `the escape "what", which does not exist, at byte 5`},
		{`{"$":7}`, `'7' where the kind of the escape should be at byte 5`},
		{`{"$":"undefined","v":1}`, `',' where the end of the escape "undefined" should be at byte 16`},
		{`{"$":"number"}`, `'}' where the member "v" should be at byte 13`},
		{`{"$":"number","w":1}`, `the member "w" where "v" should be at byte 14`},
		{`{"$":"number","v":"0"}`, `the number "0", which is none of NaN, Infinity, -Infinity and -0, at byte 18`},
		{`{"$":"bigint","v":"1_0"}`, `a bigint that is not a decimal integer without leading zeros at byte 18`},
		{`{"$":"date","v":1.5}`, `a date that is not a whole number of milliseconds within ±8.64e15 at byte 16`},
		{`{"$":"date","v":true}`, `'t' where a number or null should be at byte 16`},
		{`{"$":"regexp","source":"","flags":"ii"}`, `the flags "ii", which are not different letters of dgimsuvy, at byte 34`},
		{`{"$":"bytes","type":"Buffer","v":""}`, `the type of bytes "Buffer", which does not exist, at byte 20`},
		{`{"$":"bytes","type":"Uint8Array","v":"A==="}`, `bytes that are not padded base64 of the standard alphabet at byte 37`},
		{`{"$":"bytes","type":"Int32Array","v":"AAA="}`, `2 bytes, which are no whole elements of a Int32Array, at byte 37`},
		{`{"$":"map","v":[1]}`, `'1' where '[' should be at byte 16`},
		{`{"$":"hole"}`, `a hole outside an array at byte 5`},
		{`{"$":"error","name":"E","message":"","x":1}`, `the member "x", which an error does not have there, at byte 37`},
		{`{"$":"error","name":"E","message":"","fields":{"$":"map","v":[]}}`, `"map" where the fields of an error should be, a plain object at byte 51`},
		{`{"$":"object","v":{"$":1,"$":2}}`, `the key "$" a second time in one object at byte 25`},
		{`{"$":"def","id":0,"v":[]}`, `'0' where an id, a whole number from 1, should be at byte 16`},
		{`{"$":"def","id":1.0,"v":[]}`, `an id that is not a whole number from 1 at byte 16`},
		{`{"$":"def","id":2,"v":[]}`, `the definition 2 where 1 is next at byte 16`},
		{`{"$":"def","id":1,"v":"s"}`, `'"' where an array or an object should be at byte 22`},
		{`{"$":"def","id":1,"v":{"$":"number","v":"NaN"}}`, `"number" in a definition; only what has identity may be referred to at byte 27`},
		{`{"$":"ref","id":3}`, `a reference to 3, which is not defined before it, at byte 16`},
		{`{"$":"ref","id":99999999999999999999}`, `an id that is not a whole number from 1 at byte 16`},
	}
	for _, tc := range tests {
		for name, read := range map[string]func() error{
			"Decode": func() error { _, err := Decode(Value(tc.text), Bounds{}); return err },
			"Check":  func() error { return Check(Value(tc.text), Bounds{}) },
		} {
			if err := read(); err == nil || err.Error() != tc.want {
				t.Errorf("%s(%s):\n got  %v\n want %s", name, tc.text, err, tc.want)
			}
		}
	}
}

// A key beyond the number of members that are compared one by one is still seen.
func TestRepeatedKeyAmongMany(t *testing.T) {
	for _, n := range []int{2, 12, 13, 1000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":%d,`, i, i)
		}
		text := `{` + b.String() + `"k0":0}`
		if err := Check(Value(text), Bounds{}); err == nil {
			t.Errorf("Check accepts a repeated key among %d", n+1)
		}
		if _, err := Decode(Value(text), Bounds{}); err == nil {
			t.Errorf("Decode accepts a repeated key among %d", n+1)
		}
		if err := Check(Value(strings.Replace(text, `"k0":0}`, `"k":0}`, 1)), Bounds{}); err != nil {
			t.Errorf("Check refuses %d different keys: %v", n+1, err)
		}
	}
}

// Checking an object for repeated keys is not quadratic in their number.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 300_000 {
		fmt.Fprintf(&b, `,"%d":0`, i)
	}
	start := time.Now()
	if err := Check(Value("{"+b.String()[1:]+"}"), Bounds{}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("300000 keys took %v", took)
	}
}

// Programs may have strings that UTF-8 cannot hold. Their keys stay different
// for a reader of text, and a Go map that cannot keep them apart says so.
func TestLoneSurrogates(t *testing.T) {
	got, err := Decode(Value(`["\ud800","\udc00\ud800","\ud83d\ude00","\ud83dx","\ud83d\u0041"]`), Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{"\ufffd", "\ufffd\ufffd", "😀", "\ufffdx", "\ufffdA"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	different := Value(`{"\ud800":1,"\ud801":2}`)
	if err := Check(different, Bounds{}); err != nil {
		t.Errorf("Check: %v", err)
	}
	if v, err := Decode(different, Bounds{}); err == nil {
		t.Errorf("Decode dropped one of two keys: %v", v)
	}
	if err := Check(Value(`{"\ud800":1,"\uD800":2}`), Bounds{}); err == nil {
		t.Error("Check accepts a repeated key")
	}
}

func nested(open, middle, end string, n int) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

func TestBounds(t *testing.T) {
	b := Bounds{Bytes: 1000, Depth: 5, Nodes: 10}
	tests := []struct {
		name, text string
		want       *BoundError
	}{
		{"arrays that fit", nested("[", "", "]", 5), nil},
		{"arrays", nested("[", "", "]", 6), &BoundError{BoundDepth, 5, 6}},
		{"objects that fit", nested(`{"a":`, "1", "}", 5), nil},
		{"objects", nested(`{"a":`, "{}", "}", 5), &BoundError{BoundDepth, 5, 6}},
		{"escaped objects that fit", nested(`{"$":"object","v":{"$":`, "1", "}}", 5), nil},
		{"maps that fit", nested(`{"$":"map","v":[[1,`, "1", `]]}`, 4), nil},
		{"maps", nested(`{"$":"map","v":[[`, `{"$":"set","v":[]}`, `,1]]}`, 5), &BoundError{BoundDepth, 5, 6}},
		{"sets", nested(`{"$":"set","v":[`, `[]`, `]}`, 5), &BoundError{BoundDepth, 5, 6}},
		{"causes that fit", nested(`{"$":"error","name":"","message":"","cause":`, "1", "}", 5), nil},
		{"causes", nested(`{"$":"error","name":"","message":"","cause":`, "{}", "}", 5), &BoundError{BoundDepth, 5, 6}},
		{"fields that fit", nested(`{"$":"error","name":"","message":"","fields":{"x":`, "1", "}}", 5), nil},
		{"errors", nested(`{"$":"error","name":"","message":"","errors":[`, "[]", "]}", 5), &BoundError{BoundDepth, 5, 6}},
		{"definitions that fit", `{"$":"def","id":1,"v":[` + nested("[", "", "]", 4) + `]}`, nil},
		{"siblings that fit", `[[[[[]]]],[[[[]]]]]`, nil},
		{"nodes that fit", `[1,2,3,4,5,6,7,8,9]`, nil},
		{"nodes", `[1,2,3,4,5,6,7,8,9,0]`, &BoundError{BoundNodes, 10, 11}},
		{"members that fit", `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9}`, nil},
		{"map entries", `{"$":"map","v":[[1,2],[3,4],[5,6],[7,8],[9,0]]}`, &BoundError{BoundNodes, 10, 11}},
		{"holes", `[` + strings.Repeat(`{"$":"hole"},`, 9) + `{"$":"hole"}]`, &BoundError{BoundNodes, 10, 11}},
		{"definitions and references that fit", `[{"$":"def","id":1,"v":{"a":0}}` + strings.Repeat(`,{"$":"ref","id":1}`, 7) + `]`, nil},
		{"references", `[{"$":"def","id":1,"v":{"a":0}}` + strings.Repeat(`,{"$":"ref","id":1}`, 8) + `]`, &BoundError{BoundNodes, 10, 11}},
		{"bytes that fit", `"` + strings.Repeat("x", 998) + `"`, nil},
		{"bytes", `"` + strings.Repeat("x", 999) + `"`, &BoundError{BoundBytes, 1000, 1001}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			value, err := Decode(Value(tc.text), Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			_, decodeErr := Decode(Value(tc.text), b)
			_, encodeErr := Encode(value, b)
			_, embedErr := Encode(Value(tc.text), b)
			for name, err := range map[string]error{"Decode": decodeErr, "Check": Check(Value(tc.text), b), "Encode": encodeErr, "Encode of text": embedErr} {
				var got *BoundError
				errors.As(err, &got)
				if diff := cmp.Diff(tc.want, got); diff != "" || (tc.want == nil) != (err == nil) {
					t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
				}
			}
		})
	}
}

// A pointer is no node of its own, and no level of depth.
func TestPointersAreNotCounted(t *testing.T) {
	one := 1
	list := &[]any{&one, &one, &struct{ A *int }{&one}}
	pointer := &list
	if _, err := Encode(&pointer, Bounds{Nodes: 5, Depth: 2}); err != nil {
		t.Errorf("5 nodes of depth 2: %v", err)
	}
	var bound *BoundError
	if _, err := Encode(&pointer, Bounds{Nodes: 4}); !errors.As(err, &bound) {
		t.Errorf("with a bound of 4 nodes: %v", err)
	}
}

// The bound on bytes holds for the text with its definitions, and stops the
// work long before a large value is written out.
func TestEncodeStopsAtTheBoundOnBytes(t *testing.T) {
	a := []any{1.0}
	many := make([]any, 1000)
	for i := range many {
		many[i] = a
	}
	full, err := Encode(many, Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Encode(many, Bounds{Bytes: int64(len(full))}); err != nil {
		t.Errorf("the exact size is refused: %v", err)
	}
	var bound *BoundError
	if _, err := Encode(many, Bounds{Bytes: int64(len(full)) - 1}); !errors.As(err, &bound) || bound.What != BoundBytes {
		t.Errorf("one byte less: %v", err)
	}
	big := strings.Repeat("x", 1<<20)
	huge := make([]any, 1000) // 1 GiB of text
	for i := range huge {
		huge[i] = big
	}
	before := allocated(func() { _, err = Encode(huge, Bounds{Bytes: 4 << 20}) })
	if !errors.As(err, &bound) || bound.Actual > 6<<20 {
		t.Errorf("got %v", err)
	}
	if before > 64<<20 {
		t.Errorf("%d bytes were allocated for a bound of 4 MiB", before)
	}
}

// Decoding deep text needs no deep Go stack beyond the bound, and a huge bound is no crash.
func TestDeepText(t *testing.T) {
	text := Value(nested("[", "", "]", 1_000_000))
	var bound *BoundError
	if _, err := Decode(text, Bounds{Nodes: 2_000_000}); !errors.As(err, &bound) || bound.What != BoundDepth {
		t.Errorf("got %v", err)
	}
	deep := nested("[", "", "]", 100_000)
	v, err := Decode(Value(deep), Bounds{Depth: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := Encode(v, Bounds{Depth: 100_000}); err != nil || string(text) != deep {
		t.Errorf("encoded again: %.40s, %v", text, err)
	}
}
