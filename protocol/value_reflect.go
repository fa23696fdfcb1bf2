package protocol

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
)

// This file owns encoding the Go types that are known only by reflection, and
// text that is already JSON.

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// reflect writes a value of any other type.
func (e *encoder) reflect(v any) error {
	if err, ok := v.(error); ok {
		return e.goError(err)
	}
	r := reflect.ValueOf(v)
	t := r.Type()
	if t.Implements(jsonMarshaler) || t.Implements(textMarshaler) {
		return e.marshaler(r)
	}
	switch r.Kind() {
	case reflect.Bool:
		e.out = strconv.AppendBool(e.out, r.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.int(r.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.uint(r.Uint())
	case reflect.Float32, reflect.Float64:
		e.float(r.Float(), t.Bits())
	case reflect.String:
		return e.string(r.String())
	case reflect.Slice, reflect.Array:
		return e.reflectList(r)
	case reflect.Map:
		return e.reflectMap(r)
	case reflect.Pointer:
		return e.pointer(r)
	case reflect.Struct:
		return e.marshaler(r)
	default:
		return unserializable(r.Kind().String())
	}
	return nil
}

// pointer writes what r points to. A pointer to a struct that is written as an
// object has identity.
func (e *encoder) pointer(r reflect.Value) error {
	if r.IsNil() {
		return e.null()
	}
	if e.hops++; e.hops > 100 {
		return unserializable("pointer that leads to nothing but pointers")
	}
	v := r.Elem().Interface()
	var id identity
	switch v.(type) {
	case Undefined, Hole, Date, RegExp, URL, Bytes, Map, Set, Error, url.URL:
	default:
		if r.Elem().Kind() == reflect.Struct {
			id = identity{pointer: r.Pointer(), typ: typeOf(r)}
		}
	}
	mark, repeated := e.open(id)
	if repeated {
		return nil
	}
	e.nodes-- // the value behind the pointer is the same node
	if err := e.value(v); err != nil {
		return err
	}
	e.hops = 0
	e.close(mark)
	return nil
}

func (e *encoder) reflectList(r reflect.Value) error {
	var id identity
	if r.Kind() == reflect.Slice {
		if r.IsNil() {
			return e.null()
		}
		if r.Type().Elem().Kind() == reflect.Uint8 {
			return e.bytes(Bytes{Type: "Uint8Array", Data: r.Bytes()})
		}
		if r.Len() > 0 {
			id = identity{pointer: r.Pointer(), size: r.Len(), typ: typeOf(r)}
		}
	}
	mark, repeated := e.open(id)
	if repeated {
		return nil
	}
	if err := e.enter(); err != nil {
		return err
	}
	e.raw("[")
	for i := range r.Len() {
		if i > 0 {
			e.raw(",")
		}
		if err := e.element(r.Index(i).Interface(), true); err != nil {
			return under(err, "["+strconv.Itoa(i)+"]")
		}
	}
	e.raw("]")
	e.depth--
	e.close(mark)
	return nil
}

// reflectMap writes a map whose keys are strings or integers.
func (e *encoder) reflectMap(r reflect.Value) error {
	if r.IsNil() {
		return e.null()
	}
	key := r.Type().Key()
	if key.Implements(textMarshaler) {
		return e.marshaler(r)
	}
	mark, repeated := e.open(identity{pointer: r.Pointer(), typ: typeMap})
	if repeated {
		return nil
	}
	if err := e.enter(); err != nil {
		return err
	}
	base := len(e.pairs)
	for it := r.MapRange(); it.Next(); {
		var name string
		switch k := it.Key(); {
		case k.Kind() == reflect.String:
			name = k.String()
		case k.CanInt():
			name = strconv.FormatInt(k.Int(), 10)
		case k.CanUint():
			name = strconv.FormatUint(k.Uint(), 10)
		default:
			return unserializable("map with keys of type " + key.String())
		}
		e.pairs = append(e.pairs, pair{name, it.Value().Interface()})
	}
	if err := e.members(base); err != nil {
		return err
	}
	e.depth--
	e.close(mark)
	return nil
}

// goError writes a Go error: as an Error with its message; what it wraps is the
// cause or, when it wraps several, the errors.
func (e *encoder) goError(err error) error {
	if r := reflect.ValueOf(err); r.Kind() == reflect.Pointer && r.IsNil() {
		return e.null()
	}
	out := &Error{Name: "Error", Message: err.Error()}
	// What Unwrap returns may have been made for this call; while it is alive,
	// no other container gets its address.
	defer func() { e.alive = append(e.alive, out) }()
	switch w := err.(type) {
	case interface{ Unwrap() error }:
		if cause := w.Unwrap(); cause != nil {
			out.Cause, out.HasCause = cause, true
		}
	case interface{ Unwrap() []error }:
		out.Name, out.Errors = "AggregateError", []any{}
		for _, each := range w.Unwrap() {
			out.Errors = append(out.Errors, each)
		}
	}
	return e.errorObject(out)
}

// marshaler writes a value as encoding/json does, with objects that have a key
// "$" escaped: nothing in it is taken for an escape.
func (e *encoder) marshaler(r reflect.Value) error {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r.Interface()); err != nil {
		var unsupported *json.UnsupportedTypeError
		if errors.As(err, &unsupported) {
			return unserializable(unsupported.Type.Kind().String() + " in a " + r.Type().String())
		}
		return unserializable(fmt.Sprintf("%v (%.200v)", r.Type(), err))
	}
	return e.plain(bytes.TrimSuffix(buffer.Bytes(), []byte("\n")))
}

// embedded starts a decoder for text that becomes part of the value: it has
// what is left of the bounds.
func (e *encoder) embedded() decoder {
	e.nodes-- // the decoder counts the whole again
	return decoder{bounds: e.bounds, nodes: e.nodes, depth: e.depth}
}

// plain writes plain JSON text.
func (e *encoder) plain(text []byte) error {
	if err := e.room(len(text)); err != nil {
		return err
	}
	d := e.embedded()
	d.plain = true
	if _, err := d.run(text); err != nil {
		return textError(err, "JSON")
	}
	e.nodes = d.nodes
	e.out = appendWrapped(e.out, text, d.wraps)
	return nil
}

// text writes codec text as it is. An empty one is undefined.
func (e *encoder) text(text []byte) error {
	if len(text) == 0 {
		e.raw(`{"$":"undefined"}`)
		return nil
	}
	if err := e.room(len(text)); err != nil {
		return err
	}
	d := e.embedded()
	d.wantMarks = true
	if _, err := d.run(text); err != nil {
		return textError(err, "codec text")
	}
	e.nodes = d.nodes
	start := len(e.out)
	e.out = append(e.out, text...)
	for _, m := range d.marks {
		x := edit{at: start + m.at.start, end: start + m.at.end, what: editRefID, number: m.id, block: e.blocks}
		if m.definition {
			x.what = editDefID
		}
		e.edits = append(e.edits, x)
		e.extra += 8
	}
	e.blocks++
	return nil
}

// textError keeps a passed bound and makes anything else an [Unserializable].
func textError(err error, what string) error {
	var bound *BoundError
	if errors.As(err, &bound) {
		return err
	}
	return unserializable(fmt.Sprintf("text that is no %s (%v)", what, err))
}
