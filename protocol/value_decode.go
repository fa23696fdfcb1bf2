package protocol

import (
	"bytes"
	"math"
	"strconv"
)

// This file owns reading codec text in one pass: bounds, scalars, arrays and
// objects. The escape form is in value_escape.go, references are in
// value_references.go.

// Decode reads codec text into a Go value, within bounds. The Go types are those
// that the codec's specification (value_codec.go) lists. What is not codec text
// is a [DecodeError] with the byte offset, a passed bound a [BoundError].
//
// A lone surrogate in a string becomes U+FFFD. Keys of one object that this
// makes equal are an error, because a Go map cannot keep both.
func Decode(text Value, b Bounds) (any, error) {
	d := decoder{bounds: b.orDefault(), build: true}
	return d.run(text)
}

// Check reports whether text is codec text within bounds, with the errors of
// [Decode], and builds nothing.
func Check(text Value, b Bounds) error {
	d := decoder{bounds: b.orDefault()}
	_, err := d.run(text)
	return err
}

// decoder reads one codec text.
type decoder struct {
	scanner
	bounds Bounds
	nodes  int
	depth  int
	// build says that values are wanted; without it every value is nil.
	build bool
	// plain says that "$" means nothing; wraps then lists the objects that
	// have such a key.
	plain bool
	wraps []span

	// values and members are stacks of what is read of the open containers.
	values  []any
	members []member
	// definitions are those opened so far, the id less one being the index.
	definitions []definition
	unresolved  bool // whether a forward placeholder is in a value
	// marks, when wanted, lists where ids of definitions and references stand.
	wantMarks bool
	marks     []idMark

	keys [128]string // recently seen keys, so that equal ones share memory
}

// span is a stretch of text.
type span struct{ start, end int }

// member is a member of an object that is being read.
type member struct {
	key     string // set when values are wanted
	value   any
	at      span // of the key, within its quotes
	escaped bool
}

func (d *decoder) run(text []byte) (any, error) {
	if int64(len(text)) > d.bounds.Bytes {
		return nil, &BoundError{What: BoundBytes, Limit: d.bounds.Bytes, Actual: int64(len(text))}
	}
	d.text = text
	v, err := d.value()
	if err != nil {
		return nil, err
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	if d.unresolved {
		v = d.resolve(v)
	}
	return v, nil
}

// value reads one value anywhere but as an element of an array.
func (d *decoder) value() (any, error) {
	if d.nodes++; d.nodes > d.bounds.Nodes {
		return nil, &BoundError{What: BoundNodes, Limit: int64(d.bounds.Nodes), Actual: int64(d.nodes)}
	}
	switch c := d.next(); c {
	case '"':
		raw, escaped, err := d.str()
		if err != nil || !d.build {
			return nil, err
		}
		s, _ := unquote(raw, escaped)
		return s, nil
	case '{':
		return d.object(anywhere, false)
	case '[':
		return d.array()
	case 't':
		return true, d.literal("true")
	case 'f':
		return false, d.literal("false")
	case 'n':
		return nil, d.literal("null")
	default:
		if c != '-' && (c < '0' || c > '9') {
			return nil, d.unexpected("a value")
		}
		f, err := d.float()
		if err != nil || !d.build {
			return nil, err
		}
		return f, nil
	}
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

// enter counts one container more around what follows.
func (d *decoder) enter() error {
	if d.depth++; d.depth > d.bounds.Depth {
		return &BoundError{What: BoundDepth, Limit: int64(d.bounds.Depth), Actual: int64(d.depth)}
	}
	return nil
}

// array reads an array; the text is at its bracket.
func (d *decoder) array() (any, error) {
	base := len(d.values)
	if err := d.list(true); err != nil {
		return nil, err
	}
	return d.taken(base), nil
}

// taken removes the values above base from the stack and returns them.
func (d *decoder) taken(base int) []any {
	if !d.build {
		return nil
	}
	out := make([]any, len(d.values)-base)
	copy(out, d.values[base:])
	clear(d.values[base:])
	d.values = d.values[:base]
	return out
}

// list reads the elements of an array onto the stack of values. Only a real
// array, not the list of values in an escape, may have holes.
func (d *decoder) list(holes bool) error {
	if err := d.enter(); err != nil {
		return err
	}
	if err := d.expect('['); err != nil {
		return err
	}
	if d.accept(']') {
		d.depth--
		return nil
	}
	for {
		var v any
		var err error
		if holes && d.next() == '{' {
			if d.nodes++; d.nodes > d.bounds.Nodes {
				return &BoundError{What: BoundNodes, Limit: int64(d.bounds.Nodes), Actual: int64(d.nodes)}
			}
			v, err = d.object(element, false)
		} else {
			v, err = d.value()
		}
		if err != nil {
			return err
		}
		if d.build {
			d.values = append(d.values, v)
		}
		if d.accept(',') {
			continue
		}
		if d.accept(']') {
			d.depth--
			return nil
		}
		return d.unexpected(`',' or ']'`)
	}
}

// object reads an object or an escape; the text is at its brace. With literal,
// "$" is a key like any other.
func (d *decoder) object(at place, literal bool) (any, error) {
	start, base := d.pos, len(d.members)
	d.pos++
	if d.accept('}') {
		if err := d.enter(); err != nil {
			return nil, err
		}
		d.depth--
		return d.takenObject(base)
	}
	dollar := false
	for first := true; ; first = false {
		raw, escaped, err := d.str()
		if err != nil {
			return nil, err
		}
		if !literal && isDollar(raw, escaped) {
			if !d.plain && first {
				return d.escape(start, at)
			} else if !d.plain {
				return nil, d.fail(d.pos-len(raw)-2, `"$" after another member; it marks an escape and comes first`)
			}
			dollar = true
		}
		if first {
			if err := d.enter(); err != nil {
				return nil, err
			}
		}
		m := member{at: span{d.pos - 1 - len(raw), d.pos - 1}, escaped: escaped}
		if err := d.expect(':'); err != nil {
			return nil, err
		}
		if d.build {
			m.key = d.key(raw, escaped)
		}
		if m.value, err = d.value(); err != nil {
			return nil, err
		}
		d.members = append(d.members, m)
		if d.accept(',') {
			continue
		}
		if !d.accept('}') {
			return nil, d.unexpected(`',' or '}'`)
		}
		d.depth--
		if dollar {
			d.wraps = append(d.wraps, span{start, d.pos})
		}
		return d.takenObject(base)
	}
}

// isDollar reports whether a key is "$", however it is written.
func isDollar(raw []byte, escaped bool) bool {
	if !escaped {
		return len(raw) == 1 && raw[0] == '$'
	}
	return string(raw) == `\u0024`
}

// key returns the string of a key, the same memory for the same key when it was
// seen not long ago.
func (d *decoder) key(raw []byte, escaped bool) string {
	if escaped || len(raw) == 0 || len(raw) > 32 {
		s, _ := unquote(raw, escaped)
		return s
	}
	slot := &d.keys[(uint(len(raw))*31+uint(raw[0])*7+uint(raw[len(raw)-1])*13+uint(raw[len(raw)/2]))%uint(len(d.keys))]
	if *slot != string(raw) {
		*slot = string(raw)
	}
	return *slot
}

// takenObject removes the members above base from the stack and returns their
// object. A key that is there twice is an error.
func (d *decoder) takenObject(base int) (any, error) {
	members := d.members[base:]
	var object map[string]any
	if d.build {
		object = make(map[string]any, len(members))
		for i := range members {
			object[members[i].key] = members[i].value
		}
		if len(object) < len(members) {
			return nil, d.repeated(members)
		}
		clear(members)
	} else if d.mayRepeat(members) {
		if err := d.repeated(members); err != nil {
			return nil, err
		}
	}
	d.members = d.members[:base]
	if !d.build {
		return nil, nil
	}
	return object, nil
}

// mayRepeat reports whether two of the members may have one key. It is exact
// for a few members whose keys have no escapes, which are nearly all objects.
func (d *decoder) mayRepeat(members []member) bool {
	if len(members) > 12 {
		return true
	}
	for i := range members {
		if members[i].escaped {
			return true
		}
		key := d.text[members[i].at.start:members[i].at.end]
		for j := range i {
			if other := members[j].at; bytes.Equal(key, d.text[other.start:other.end]) {
				return true
			}
		}
	}
	return false
}

// repeated returns the error for the first key that is there twice.
func (d *decoder) repeated(members []member) error {
	seen := make(map[string]bool, len(members))
	var exact []byte
	for _, m := range members {
		exact = exact[:0]
		raw := d.text[m.at.start:m.at.end]
		if m.escaped {
			exact = appendExact(exact, raw)
			raw = exact
		}
		if seen[string(raw)] {
			return d.fail(m.at.start-1, "the key %.60q a second time in one object", raw)
		}
		seen[string(raw)] = true
	}
	if d.build {
		return d.fail(members[0].at.start-1, "keys that differ only in lone surrogates, which a Go map cannot keep apart,")
	}
	return nil
}
