package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// This file owns writing codec text: bounds, scalars and the containers of the
// package. Other Go types are in value_reflect.go, repeated containers in
// value_identity.go.

// Encode returns the codec text of a Go value, within bounds. What may be
// encoded, and how, is in the codec's specification (value_codec.go). What
// cannot cross is an [Unserializable] with the path to it, a passed bound a
// [BoundError]. The value must not change meanwhile.
func Encode(v any, b Bounds) (Value, error) {
	e := encoders.Get().(*encoder)
	defer e.release()
	e.bounds = b.orDefault()
	e.table.reset()
	if err := e.value(v); err != nil {
		return nil, err
	}
	out := e.finish()
	if int64(len(out)) > e.bounds.Bytes {
		return nil, &BoundError{What: BoundBytes, Limit: e.bounds.Bytes, Actual: int64(len(out))}
	}
	return out, nil
}

// encoder writes one codec text.
type encoder struct {
	out    []byte
	bounds Bounds
	nodes  int
	depth  int
	pairs  []pair // a stack: the members of the open objects
	hops   int    // pointers followed since the last container was entered
	identities
}

// encoders keeps the memory of encoders that have finished, so that a value
// costs little more than its text.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

// Memory beyond these is not kept: bytes of text, and entries of the lists.
const (
	keptBytes   = 2 << 20
	keptEntries = 1 << 15
)

// release makes the encoder ready for the next value.
func (e *encoder) release() {
	clear(e.pairs) // left over by a failure
	next := encoder{out: e.out[:0], pairs: e.pairs[:0]}
	next.table, next.containers, next.edits = e.table, e.containers[:0], e.edits[:0]
	if cap(next.out) > keptBytes {
		next.out = nil
	}
	if cap(next.pairs) > keptEntries {
		next.pairs = nil
	}
	if len(next.table.slots) > keptEntries {
		next.table = identityTable{}
	}
	if cap(next.containers) > keptEntries {
		next.containers = nil
	}
	if cap(next.edits) > keptEntries {
		next.edits = nil
	}
	*e = next
	encoders.Put(e)
}

// unserializable says what cannot cross; the callers on the way out put the
// path in front.
func unserializable(what string) error { return &Unserializable{What: what, Path: "$"} }

// pathLimit bounds a path, in bytes. Of a longer one the front is left out.
const pathLimit = 1024

// under puts one step in front of the path of an [Unserializable].
func under(err error, step string) error {
	var u *Unserializable
	if errors.As(err, &u) {
		if strings.HasPrefix(u.Path, "$…") {
			return err
		}
		if len(u.Path)+len(step) > pathLimit {
			step = "…"
		}
		u.Path = "$" + step + u.Path[1:]
	}
	return err
}

// memberStep is the step of a path to a member of an object.
func memberStep(key string) string {
	if len(key) <= 100 && isIdentifierName(key) {
		return "." + key
	}
	if len(key) > 100 {
		key = strings.ToValidUTF8(key[:100], "") + "…"
	}
	return "[" + strconv.Quote(key) + "]"
}

// value writes v anywhere but as an element of an array.
func (e *encoder) value(v any) error {
	if e.nodes++; e.nodes > e.bounds.Nodes {
		return &BoundError{What: BoundNodes, Limit: int64(e.bounds.Nodes), Actual: int64(e.nodes)}
	}
	if err := e.room(0); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		e.raw("null")
	case bool:
		e.out = strconv.AppendBool(e.out, v)
	case string:
		return e.string(v)
	case float64:
		e.float(v, 64)
	case int:
		e.int(int64(v))
	case int64:
		e.int(v)
	case map[string]any:
		return e.object(v)
	case []any:
		return e.array(v)
	default:
		return e.other(v)
	}
	return nil
}

// other writes the values that are rarer.
func (e *encoder) other(v any) error {
	switch v := v.(type) {
	case Undefined:
		e.raw(`{"$":"undefined"}`)
	case Hole:
		return unserializable("hole outside an array")
	case json.Number:
		return e.number(v)
	case *big.Int:
		if v == nil {
			return e.null()
		}
		e.raw(`{"$":"bigint","v":"`)
		e.out = v.Append(e.out, 10)
		e.raw(`"}`)
	case big.Int:
		return e.other(&v)
	case *time.Time:
		if v == nil {
			return e.null()
		}
		return e.other(*v)
	case url.URL:
		return e.other(&v)
	case Date:
		return e.date(v)
	case time.Time:
		ms := v.UnixMilli()
		if math.Abs(float64(ms)) > maxDate || v.Unix() > maxDate/1000 || v.Unix() < -maxDate/1000 {
			return unserializable("date beyond the range of ECMAScript")
		}
		return e.date(Date{float64(ms)})
	case RegExp:
		if !validFlags(v.Flags) {
			return unserializable(fmt.Sprintf("regular expression with the flags %.20q", v.Flags))
		}
		return e.strings(`{"$":"regexp","source":`, v.Source, `,"flags":`, v.Flags, `}`)
	case URL:
		return e.strings(`{"$":"url","v":`, v.Href, `}`)
	case *url.URL:
		if v == nil {
			return e.null()
		}
		return e.strings(`{"$":"url","v":`, v.String(), `}`)
	case Bytes:
		return e.bytes(v)
	case []byte:
		if v == nil {
			return e.null()
		}
		return e.bytes(Bytes{Type: "Uint8Array", Data: v})
	case *Map:
		if v == nil {
			return e.null()
		}
		return e.once(identity{pointer: pointerOf(v), typ: typeMapPointer}, func() error { return e.mapEntries(v) })
	case *Set:
		if v == nil {
			return e.null()
		}
		return e.once(identity{pointer: pointerOf(v), typ: typeSetPointer}, func() error { return e.set(v) })
	case *Error:
		if v == nil {
			return e.null()
		}
		return e.once(identity{pointer: pointerOf(v), typ: typeErrorPointer}, func() error { return e.errorObject(v) })
	case Map:
		return e.mapEntries(&v)
	case Set:
		return e.set(&v)
	case Error:
		return e.errorObject(&v)
	case Value:
		return e.text(v)
	case *Value:
		if v == nil {
			return e.null()
		}
		return e.text(*v)
	default:
		return e.reflect(v)
	}
	return nil
}

// null writes null.
func (e *encoder) null() error {
	e.raw("null")
	return nil
}

func (e *encoder) raw(s string) { e.out = append(e.out, s...) }

// room reports whether n bytes more would pass the bound on bytes.
func (e *encoder) room(n int) error {
	if have := int64(len(e.out) + n + e.extra); have > e.bounds.Bytes {
		return &BoundError{What: BoundBytes, Limit: e.bounds.Bytes, Actual: have}
	}
	return nil
}

// enter counts one container more around what follows.
func (e *encoder) enter() error {
	e.hops = 0
	if e.depth++; e.depth > e.bounds.Depth {
		return &BoundError{What: BoundDepth, Limit: int64(e.bounds.Depth), Actual: int64(e.depth)}
	}
	return nil
}
