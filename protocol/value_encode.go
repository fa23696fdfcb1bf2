package protocol

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// This file owns writing codec text: bounds, scalars and the containers of the
// package. Other Go types are in value_reflect.go, repeated containers in
// value_identity.go.

// Encode returns the codec text of a Go value, within bounds. What may be
// encoded, and how, is in the codec's specification (value_codec.go). What
// cannot cross is an [Unserializable] with the path to it, a passed bound a
// [BoundError]. The value must not change meanwhile.
func Encode(v any, b Bounds) (Value, error) {
	e := encoder{bounds: b.orDefault()}
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

// pair is a member of an object that is being written.
type pair struct {
	key   string
	value any
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
			e.raw("null")
			return nil
		}
		e.raw(`{"$":"bigint","v":"`)
		e.out = v.Append(e.out, 10)
		e.raw(`"}`)
	case big.Int:
		return e.other(&v)
	case *time.Time:
		if v == nil {
			e.raw("null")
			return nil
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
			e.raw("null")
			return nil
		}
		return e.strings(`{"$":"url","v":`, v.String(), `}`)
	case Bytes:
		return e.bytes(v)
	case []byte:
		if v == nil {
			e.raw("null")
			return nil
		}
		return e.bytes(Bytes{Type: "Uint8Array", Data: v})
	case *Map:
		return e.mapEntries(v)
	case *Set:
		return e.set(v)
	case *Error:
		return e.errorObject(v)
	case Map:
		return e.mapBody(&v)
	case Set:
		return e.setBody(&v)
	case Error:
		return e.errorBody(&v)
	case Value:
		return e.text(v)
	case *Value:
		if v == nil {
			e.raw("null")
			return nil
		}
		return e.text(*v)
	default:
		return e.reflect(v)
	}
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

// string writes a string. Invalid UTF-8 cannot cross: there is no string that
// it would be, and no codec text may hold it.
func (e *encoder) string(s string) error {
	if err := e.room(len(s) + 2); err != nil {
		return err
	}
	if !utf8.ValidString(s) {
		return unserializable("string of invalid UTF-8")
	}
	e.out = appendString(e.out, s)
	return nil
}

// strings writes raw text and strings in turn.
func (e *encoder) strings(parts ...string) error {
	for i, p := range parts {
		if i%2 == 0 {
			e.raw(p)
		} else if err := e.string(p); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) float(f float64, bits int) {
	switch {
	case math.IsNaN(f):
		e.raw(`{"$":"number","v":"NaN"}`)
	case math.IsInf(f, 1):
		e.raw(`{"$":"number","v":"Infinity"}`)
	case math.IsInf(f, -1):
		e.raw(`{"$":"number","v":"-Infinity"}`)
	case f == 0 && math.Signbit(f):
		e.raw(`{"$":"number","v":"-0"}`)
	default:
		e.out = appendFloat(e.out, f, bits)
	}
}

// maxSafe is Number.MAX_SAFE_INTEGER.
const maxSafe = 1<<53 - 1

func (e *encoder) int(n int64) {
	if n > maxSafe || n < -maxSafe {
		e.raw(`{"$":"bigint","v":"`)
		e.out = strconv.AppendInt(e.out, n, 10)
		e.raw(`"}`)
		return
	}
	e.out = strconv.AppendInt(e.out, n, 10)
}

func (e *encoder) uint(n uint64) {
	if n > maxSafe {
		e.raw(`{"$":"bigint","v":"`)
		e.out = strconv.AppendUint(e.out, n, 10)
		e.raw(`"}`)
		return
	}
	e.out = strconv.AppendUint(e.out, n, 10)
}

// number writes a json.Number as it is. The empty one is 0, as in encoding/json.
func (e *encoder) number(n json.Number) error {
	if n == "" {
		n = "0"
	}
	s := scanner{text: []byte(n)}
	if _, _, err := s.number(); err != nil || s.pos < len(n) {
		return unserializable("json.Number that is no number")
	}
	if _, err := n.Float64(); err != nil {
		return unserializable("json.Number beyond the range of a double")
	}
	e.raw(string(n))
	return nil
}

func (e *encoder) date(v Date) error {
	if math.IsNaN(v.MS) {
		e.raw(`{"$":"date","v":null}`)
		return nil
	}
	if math.Abs(v.MS) > maxDate || v.MS != math.Trunc(v.MS) {
		return unserializable("date that is no whole number of milliseconds in the range of ECMAScript")
	}
	e.raw(`{"$":"date","v":`)
	e.out = strconv.AppendInt(e.out, int64(v.MS), 10)
	e.raw(`}`)
	return nil
}

func (e *encoder) bytes(v Bytes) error {
	size, ok := elementSize[v.Type]
	if !ok || len(v.Data)%size != 0 {
		return unserializable(fmt.Sprintf("value of %d bytes with the type %.40q", len(v.Data), v.Type))
	}
	id := identity{size: len(v.Data), kind: kindBytes, typ: v.Type}
	if len(v.Data) > 0 {
		id.pointer = pointerOf(&v.Data[0])
	}
	mark, repeated := e.open(id)
	if repeated {
		return nil
	}
	if err := e.room(base64.StdEncoding.EncodedLen(len(v.Data))); err != nil {
		return err
	}
	e.raw(`{"$":"bytes","type":"`)
	e.raw(v.Type)
	e.raw(`","v":"`)
	e.out = base64.StdEncoding.AppendEncode(e.out, v.Data)
	e.raw(`"}`)
	e.close(mark)
	return nil
}

// array writes an array. Its elements may be holes.
func (e *encoder) array(v []any) error {
	if v == nil {
		e.raw("null")
		return nil
	}
	id := identity{size: len(v), kind: kindSlice}
	if len(v) > 0 {
		id.pointer = pointerOf(&v[0])
	}
	mark, repeated := e.open(id)
	if repeated {
		return nil
	}
	if err := e.enter(); err != nil {
		return err
	}
	if err := e.list(v, true); err != nil {
		return err
	}
	e.depth--
	e.close(mark)
	return nil
}

// list writes values in brackets.
func (e *encoder) list(values []any, holes bool) error {
	e.raw("[")
	for i, v := range values {
		if i > 0 {
			e.raw(",")
		}
		if err := e.element(v, holes); err != nil {
			return under(err, "["+strconv.Itoa(i)+"]")
		}
	}
	e.raw("]")
	return nil
}

// element writes an element of an array or, without holes, of another list.
func (e *encoder) element(v any, holes bool) error {
	if _, hole := v.(Hole); !hole || !holes {
		return e.value(v)
	}
	if e.nodes++; e.nodes > e.bounds.Nodes {
		return &BoundError{What: BoundNodes, Limit: int64(e.bounds.Nodes), Actual: int64(e.nodes)}
	}
	e.raw(`{"$":"hole"}`)
	return e.room(0)
}

// object writes a map as an object, its keys in the order that ECMAScript gives
// them: array indices ascending, then the others, which Go sorts.
func (e *encoder) object(m map[string]any) error {
	if m == nil {
		e.raw("null")
		return nil
	}
	mark, repeated := e.open(identity{pointer: pointerOfMap(m), kind: kindMap})
	if repeated {
		return nil
	}
	if err := e.enter(); err != nil {
		return err
	}
	base := len(e.pairs)
	for k, v := range m {
		e.pairs = append(e.pairs, pair{k, v})
	}
	if err := e.members(base); err != nil {
		return err
	}
	e.depth--
	e.close(mark)
	return nil
}

// members writes the pairs above base as an object and removes them.
func (e *encoder) members(base int) error {
	n := len(e.pairs) - base
	slices.SortFunc(e.pairs[base:], func(a, b pair) int { return compareKeys(a.key, b.key) })
	dollar := slices.ContainsFunc(e.pairs[base:], func(p pair) bool { return p.key == "$" })
	if dollar {
		e.raw(`{"$":"object","v":`)
	}
	e.raw("{")
	for i := range n {
		p := e.pairs[base+i]
		if i > 0 {
			e.raw(",")
		}
		if err := e.string(p.key); err != nil {
			return under(err, memberStep(p.key))
		}
		e.raw(":")
		if err := e.value(p.value); err != nil {
			return under(err, memberStep(p.key))
		}
	}
	e.raw("}")
	if dollar {
		e.raw("}")
	}
	clear(e.pairs[base:])
	e.pairs = e.pairs[:base]
	return nil
}

// compareKeys orders the keys of an object.
func compareKeys(a, b string) int {
	if startsWithDigit(a) || startsWithDigit(b) {
		i, indexA := arrayIndex(a)
		j, indexB := arrayIndex(b)
		switch {
		case indexA && indexB:
			return int(i - j)
		case indexA:
			return -1
		case indexB:
			return 1
		}
	}
	return strings.Compare(a, b)
}

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// arrayIndex reports whether a key is an array index (ECMA-262, Object Type) and which.
func arrayIndex(key string) (int64, bool) {
	if len(key) == 0 || len(key) > 10 || key[0] == '0' && len(key) > 1 {
		return 0, false
	}
	var n int64
	for i := range len(key) {
		if key[i] < '0' || key[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(key[i]-'0')
	}
	return n, n < 1<<32-1
}

func (e *encoder) mapEntries(m *Map) error {
	if m == nil {
		e.raw("null")
		return nil
	}
	mark, repeated := e.open(identity{pointer: pointerOf(m), kind: kindPointer, typ: "Map"})
	if repeated {
		return nil
	}
	err := e.mapBody(m)
	e.close(mark)
	return err
}

func (e *encoder) mapBody(m *Map) error {
	if err := e.enter(); err != nil {
		return err
	}
	e.raw(`{"$":"map","v":[`)
	for i, entry := range m.Entries {
		if i > 0 {
			e.raw(",")
		}
		e.raw("[")
		if err := e.value(entry.Key); err != nil {
			return under(err, fmt.Sprintf("[key %d]", i))
		}
		e.raw(",")
		if err := e.value(entry.Value); err != nil {
			return under(err, fmt.Sprintf("[value %d]", i))
		}
		e.raw("]")
	}
	e.raw("]}")
	e.depth--
	return nil
}

func (e *encoder) set(s *Set) error {
	if s == nil {
		e.raw("null")
		return nil
	}
	mark, repeated := e.open(identity{pointer: pointerOf(s), kind: kindPointer, typ: "Set"})
	if repeated {
		return nil
	}
	err := e.setBody(s)
	e.close(mark)
	return err
}

func (e *encoder) setBody(s *Set) error {
	if err := e.enter(); err != nil {
		return err
	}
	e.raw(`{"$":"set","v":`)
	if err := e.list(s.Values, false); err != nil {
		return err
	}
	e.raw("}")
	e.depth--
	return nil
}

func (e *encoder) errorObject(v *Error) error {
	if v == nil {
		e.raw("null")
		return nil
	}
	mark, repeated := e.open(identity{pointer: pointerOf(v), kind: kindPointer, typ: "Error"})
	if repeated {
		return nil
	}
	err := e.errorBody(v)
	e.close(mark)
	return err
}

func (e *encoder) errorBody(v *Error) error {
	if err := e.enter(); err != nil {
		return err
	}
	if err := e.strings(`{"$":"error","name":`, v.Name, `,"message":`, v.Message); err != nil {
		return err
	}
	if v.Stack != "" {
		if err := e.strings(`,"stack":`, v.Stack); err != nil {
			return err
		}
	}
	if v.HasCause || v.Cause != nil {
		e.raw(`,"cause":`)
		if err := e.value(v.Cause); err != nil {
			return under(err, ".cause")
		}
	}
	if len(v.Fields) > 0 {
		e.raw(`,"fields":`)
		base := len(e.pairs)
		for k, field := range v.Fields {
			e.pairs = append(e.pairs, pair{k, field})
		}
		if err := e.members(base); err != nil {
			return err
		}
	}
	if v.Errors != nil {
		e.raw(`,"errors":`)
		if err := e.list(v.Errors, false); err != nil {
			return under(err, ".errors")
		}
	}
	e.raw("}")
	e.depth--
	return nil
}
