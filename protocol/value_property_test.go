package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// This file owns the properties of the codec on random values.

// generator makes random values of every kind that decoding can return.
type generator struct {
	*rand.Rand
	// made are the containers so far, finished or not, to be used again.
	made []any
	// plain leaves only what JSON has.
	plain bool
}

func newGenerator(seed uint64, plain bool) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(seed, 0x150_6a7e)), plain: plain}
}

var interestingStrings = []string{"", "$", "v", "id", "a", "b", "0", "1", "10", "9", "01", "-1", "4294967294", "4294967295", "__proto__",
	"\"\\/\b\f\n\r\t\x00\x1f\x7f", "é", "世界", "😀", "\u2028\u2029", "\ufffd", "\ufeff", "<&>", "toString"}

func (g *generator) string() string {
	if g.IntN(2) == 0 {
		return interestingStrings[g.IntN(len(interestingStrings))]
	}
	runes := make([]rune, g.IntN(20))
	for i := range runes {
		if runes[i] = rune(g.IntN(0x80)); g.IntN(8) == 0 {
			for runes[i] = rune(g.IntN(0x110000)); 0xd800 <= runes[i] && runes[i] < 0xe000; {
				runes[i] = rune(g.IntN(0x110000))
			}
		}
	}
	return string(runes)
}

var interestingNumbers = []float64{0, 1, -1, 0.1, -0.5, 1e21, 1e20, 1e-6, 1e-7, 123456789012345680000, maxSafe, -maxSafe, 1 << 53,
	math.MaxFloat64, math.SmallestNonzeroFloat64, math.Pi, 1e15, 999999999999999, 5e-324, 4294967295}

func (g *generator) number() float64 {
	switch g.IntN(4) {
	case 0:
		return interestingNumbers[g.IntN(len(interestingNumbers))]
	case 1:
		return float64(g.IntN(2000) - 1000)
	case 2:
		return g.NormFloat64() * math.Pow(10, float64(g.IntN(600)-300))
	}
	for {
		if f := math.Float64frombits(g.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) && (f != 0 || !math.Signbit(f)) {
			return f
		}
	}
}

func (g *generator) scalar() any {
	switch g.IntN(6) {
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2:
		return g.string()
	case 3, 4:
		return g.number()
	}
	if g.plain {
		return g.string()
	}
	switch g.IntN(9) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1 - 2*g.IntN(2))
	case 2:
		return math.Copysign(0, -1)
	case 3:
		n := new(big.Int).SetUint64(g.Uint64())
		n.Lsh(n, uint(g.IntN(300)))
		if g.IntN(2) == 0 {
			n.Neg(n)
		}
		return n
	case 4:
		if g.IntN(5) == 0 {
			return Date{math.NaN()}
		}
		return Date{float64(g.Int64N(2*maxDate) - maxDate)}
	case 5:
		return RegExp{g.string(), []string{"", "g", "gi", "dgimsuy", "v"}[g.IntN(5)]}
	case 6:
		return URL{g.string()}
	case 7:
		types := []string{"Int8Array", "Uint8Array", "Uint16Array", "Float32Array", "BigInt64Array", "DataView", "ArrayBuffer"}
		b := Bytes{Type: types[g.IntN(len(types))]}
		b.Data = make([]byte, elements[b.Type].size*g.IntN(9))
		for i := range b.Data {
			b.Data[i] = byte(g.Uint32())
		}
		return b
	}
	return Undefined{}
}

func (g *generator) list(depth int, holes bool) []any {
	out := make([]any, g.IntN(5))
	if holes && len(out) > 0 && !g.plain {
		g.made = append(g.made, out) // may come to hold itself
	}
	for i := range out {
		if out[i] = g.value(depth - 1); holes && !g.plain && g.IntN(10) == 0 {
			out[i] = Hole{}
		}
	}
	return out
}

func (g *generator) members(depth int, into map[string]any) {
	for range g.IntN(5) {
		into[g.string()] = g.value(depth - 1)
	}
}

func (g *generator) value(depth int) any {
	if depth == 0 || g.IntN(3) == 0 {
		return g.scalar()
	}
	if !g.plain && len(g.made) > 0 && g.IntN(4) == 0 {
		return g.made[g.IntN(len(g.made))]
	}
	if g.plain || g.IntN(2) == 0 {
		if g.IntN(2) == 0 {
			return g.list(depth, true)
		}
		m := map[string]any{}
		g.made = append(g.made, m)
		g.members(depth, m)
		if g.plain {
			delete(m, "$")
		}
		return m
	}
	switch g.IntN(3) {
	case 0:
		m := &Map{Entries: []Entry{}}
		g.made = append(g.made, m)
		for range g.IntN(4) {
			m.Entries = append(m.Entries, Entry{g.value(depth - 1), g.value(depth - 1)})
		}
		return m
	case 1:
		s := &Set{}
		g.made = append(g.made, s)
		s.Values = g.list(depth, false)
		return s
	}
	e := &Error{Name: g.string(), Message: g.string()}
	g.made = append(g.made, e)
	if g.IntN(2) == 0 {
		e.Stack = g.string()
	}
	if g.IntN(2) == 0 {
		e.Cause, e.HasCause = g.value(depth-1), true
	}
	if g.IntN(2) == 0 {
		e.Fields = map[string]any{}
		if g.members(depth, e.Fields); len(e.Fields) == 0 {
			e.Fields = nil
		}
	}
	if g.IntN(2) == 0 {
		e.Errors = g.list(depth, false)
	}
	return e
}

func TestDecodeOfEncodeIsTheSame(t *testing.T) {
	for seed := range uint64(4_000) {
		v := newGenerator(seed, false).value(6)
		text, err := Encode(v, Bounds{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := Check(text, Bounds{}); err != nil {
			t.Fatalf("seed %d: Check(%s): %v", seed, text, err)
		}
		back, err := Decode(text, Bounds{})
		if err != nil {
			t.Fatalf("seed %d: Decode(%s): %v", seed, text, err)
		}
		if !sameValue(v, back) {
			t.Fatalf("seed %d: %s was decoded to something else", seed, text)
		}
		again, err := Encode(back, Bounds{})
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("seed %d: encoded again:\n%s\n%s\n%v", seed, text, again, err)
		}
	}
}

// Text that is put into other text keeps its meaning, whatever ids both have.
func TestEmbeddedTextKeepsItsMeaning(t *testing.T) {
	for seed := range uint64(2_000) {
		g := newGenerator(seed, false)
		v := []any{g.value(5), newGenerator(seed+1, false).value(5), g.value(5)}
		middle, err := Encode(v[1], Bounds{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := Encode([]any{v[0], Value(middle), v[2]}, Bounds{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		back, err := Decode(text, Bounds{})
		if err != nil {
			t.Fatalf("seed %d: Decode(%s): %v", seed, text, err)
		}
		if !sameValue(v, back) {
			t.Fatalf("seed %d: %s was decoded to something else", seed, text)
		}
	}
}

func TestPlainJSONIsItsOwnCodecText(t *testing.T) {
	for seed := range uint64(4_000) {
		v := newGenerator(seed, true).value(6)
		text, err := Encode(v, Bounds{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !json.Valid(text) {
			t.Fatalf("seed %d: %s is no JSON", seed, text)
		}
		var independent any
		if err := json.Unmarshal(text, &independent); err != nil || !sameValue(tree(independent), tree(v)) {
			t.Fatalf("seed %d: encoding/json reads %s differently (%v)", seed, text, err)
		}
		back, err := Decode(text, Bounds{})
		if err != nil || !sameValue(tree(v), tree(back)) {
			t.Fatalf("seed %d: Decode(%s): %v", seed, text, err)
		}
		// As others write it: the order of the keys is theirs, the strings have
		// other escapes, and it stays as it is.
		other, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := FromJSON(other, Bounds{}); err != nil || !bytes.Equal(same, other) {
			t.Fatalf("seed %d: FromJSON(%s): %s, %v", seed, other, same, err)
		}
		if back, err = Decode(other, Bounds{}); err != nil || !sameValue(tree(v), tree(back)) {
			t.Fatalf("seed %d: Decode(%s): %v", seed, other, err)
		}
	}
}

// tree copies plain JSON, so that nothing in it occurs twice.
func tree(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = tree(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			out[k] = tree(v[k])
		}
		return out
	}
	return v
}

// What FromJSON returns means what the JSON means, "$" and all.
func TestFromJSONKeepsTheMeaning(t *testing.T) {
	escaped := 0
	for seed := range uint64(4_000) {
		g := newGenerator(seed, true)
		v := g.value(5)
		addDollars(g, v)
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		codec, err := FromJSON(text, Bounds{})
		if err != nil {
			t.Fatalf("seed %d: FromJSON(%s): %v", seed, text, err)
		}
		if len(codec) > len(text) {
			escaped++
		}
		back, err := Decode(codec, Bounds{})
		if err != nil || !sameValue(tree(v), back) {
			t.Fatalf("seed %d: %s became %s (%v)", seed, text, codec, err)
		}
		// A struct or a Marshaler goes the same way.
		through, err := Encode(marshalled{text}, Bounds{})
		if err != nil || !bytes.Equal(through, codec) && !bytes.Contains(text, []byte(`\u00`)) && !bytes.Contains(text, []byte(`\u20`)) {
			t.Fatalf("seed %d: through a json.Marshaler %s became %s (%v)", seed, text, through, err)
		}
	}
	if escaped < 500 {
		t.Errorf("only %d values needed an escape: the test is too weak", escaped)
	}
}

type marshalled struct{ text []byte }

func (m marshalled) MarshalJSON() ([]byte, error) { return m.text, nil }

func addDollars(g *generator, v any) {
	switch v := v.(type) {
	case []any:
		for _, each := range v {
			addDollars(g, each)
		}
	case map[string]any:
		for _, each := range v {
			addDollars(g, each)
		}
		if g.IntN(2) == 0 {
			v["$"] = []any{"undefined", "ref", "def", "object", nil, 1.0}[g.IntN(6)]
			v["id"], v["v"] = 1.0, []any{}
		}
	}
}

// Check and Decode agree about any text, and neither panics.
func TestCheckAgreesWithDecode(t *testing.T) {
	for seed := range uint64(4_000) {
		g := newGenerator(seed, false)
		text, err := Encode(g.value(4), Bounds{})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			damaged := damage(g, text)
			agree(t, damaged, Bounds{})
			agree(t, damaged, Bounds{Depth: 2, Nodes: 8, Bytes: 200})
		}
	}
}

// agree compares Check with Decode. They may differ only where Go cannot keep
// two keys apart.
func agree(t *testing.T, text []byte, b Bounds) {
	t.Helper()
	v, decodeErr := Decode(text, b)
	checkErr := Check(text, b)
	if fmt.Sprint(checkErr) != fmt.Sprint(decodeErr) && !(checkErr == nil && bytes.Contains(text, []byte(`\u`))) {
		t.Fatalf("%q: Check says %v, Decode %v", text, checkErr, decodeErr)
	}
	if decodeErr != nil {
		return
	}
	again, err := Encode(v, Bounds{Depth: 1 << 20, Nodes: 1 << 40, Bytes: 1 << 40})
	if err != nil {
		t.Fatalf("%q was decoded to what cannot be encoded: %v", text, err)
	}
	back, err := Decode(again, Bounds{Depth: 1 << 20, Nodes: 1 << 40, Bytes: 1 << 40})
	if err != nil || !sameValue(v, back) {
		t.Fatalf("%q became %q, which is something else (%v)", text, again, err)
	}
}

// damage changes a text a little.
func damage(g *generator, text []byte) []byte {
	out := bytes.Clone(text)
	for range 1 + g.IntN(2) {
		if len(out) == 0 {
			break
		}
		i := g.IntN(len(out))
		switch g.IntN(4) {
		case 0:
			out[i] = byte(g.Uint32())
		case 1:
			out = append(out[:i], out[i+1:]...)
		case 2:
			j := i + g.IntN(len(out)-i)
			out = append(out[:j], append(bytes.Clone(out[i:j]), out[j:]...)...)
		case 3:
			const tokens = `{}[]",:$0123-e.\unltrf`
			out[i] = tokens[g.IntN(len(tokens))]
		}
	}
	return out
}
