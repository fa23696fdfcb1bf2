package protocol

import (
	"math"
	"sync"
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
	d := newDecoder(b)
	defer d.release()
	d.build = true
	return d.run(text)
}

// Check reports whether text is codec text within bounds, with the errors of
// [Decode], and builds nothing.
func Check(text Value, b Bounds) error {
	d := newDecoder(b)
	defer d.release()
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
	// chunk is a copy of the text from chunkAt on, which short strings share.
	chunk   string
	chunkAt int
}

// decoders keeps the stacks of decoders that have finished.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

func newDecoder(b Bounds) *decoder {
	d := decoders.Get().(*decoder)
	d.bounds = b.orDefault()
	return d
}

// release makes the decoder ready for the next text.
func (d *decoder) release() {
	clear(d.values) // left over by a failure
	clear(d.members)
	values, members := d.values[:0], d.members[:0]
	if cap(values) > keptEntries {
		values = nil
	}
	if cap(members) > keptEntries {
		members = nil
	}
	*d = decoder{values: values, members: members}
	decoders.Put(d)
}

// span is a stretch of text.
type span struct{ start, end int }

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
		return d.stringOf(raw, escaped), nil
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
		if f >= 0 && f < float64(len(smallNumbers)) {
			if i := int(f); float64(i) == f && !math.Signbit(f) {
				return smallNumbers[i], nil
			}
		}
		return f, nil
	}
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
