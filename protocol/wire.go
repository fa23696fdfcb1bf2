package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// This file owns writing Go structs as JSON by their "json" tags, and the table
// of their fields that reading uses too. A field without omitempty or omitzero
// is required.

// wireField is one member of a struct's JSON object.
type wireField struct {
	name     string
	index    []int // as for reflect.Value.FieldByIndex
	optional bool
}

// wireStruct lists the members of a struct's JSON object, at most 64.
type wireStruct struct {
	fields []wireField
	byName map[string]int
}

var wireStructs sync.Map // reflect.Type to *wireStruct

func wireStructOf(t reflect.Type) *wireStruct {
	if w, ok := wireStructs.Load(t); ok {
		return w.(*wireStruct)
	}
	w := &wireStruct{byName: map[string]int{}}
	for _, f := range reflect.VisibleFields(t) {
		tag := []byte(f.Tag.Get("json"))
		if f.Anonymous || len(tag) == 0 {
			continue // an embedded struct's own fields follow
		}
		name, options, _ := bytes.Cut(tag, []byte(","))
		w.byName[string(name)] = len(w.fields)
		w.fields = append(w.fields, wireField{string(name), f.Index, len(options) > 0})
	}
	found, _ := wireStructs.LoadOrStore(t, w)
	return found.(*wireStruct)
}

var (
	valueType  = reflect.TypeFor[Value]()
	limitsType = reflect.TypeFor[Limits]()
	resultType = reflect.TypeFor[Result]()
	faultType  = reflect.TypeFor[Fault]()
)

// embeddedDepth is how deeply JSON may nest in codec text that a message
// carries: a level of a value is at most four levels of JSON.
func embeddedDepth() int { return 4*DefaultBounds.Depth + 64 }

// appendWire appends the JSON of a struct of this package, or of a map or list
// thereof: no HTML escaping, lists never null. Invalid UTF-8 in a string
// becomes U+FFFD.
func appendWire(out []byte, v reflect.Value) ([]byte, error) {
	switch v.Type() {
	case valueType:
		return appendEmbedded(out, v.Bytes())
	case limitsType:
		return v.Interface().(Limits).appendWire(out), nil
	case resultType:
		return v.Interface().(Result).appendWire(out)
	case faultType:
		text, err := EncodeFault(v.Interface().(Fault))
		return append(out, text...), err
	}
	switch v.Kind() {
	case reflect.String:
		return appendString(out, v.String()), nil
	case reflect.Bool:
		return strconv.AppendBool(out, v.Bool()), nil
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(out, v.Int(), 10), nil
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("JSON has no number %v", f)
		}
		return appendFloat(out, v.Float(), 64), nil
	case reflect.Pointer:
		if v.IsNil() {
			return nil, fmt.Errorf("a nil %v", v.Type())
		}
		return appendWire(out, v.Elem())
	case reflect.Slice:
		return appendList(out, v)
	case reflect.Map:
		return appendMap(out, v)
	case reflect.Struct:
		return appendStruct(out, v)
	}
	return nil, fmt.Errorf("a %v has no wire form", v.Type())
}

// appendEmbedded appends codec text, which must be one JSON value so that it
// cannot break what is around it.
func appendEmbedded(out, text []byte) ([]byte, error) {
	s := scanner{text: text}
	_, err := s.skip(embeddedDepth())
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return nil, err
	}
	return append(out, text...), nil
}

func appendList(out []byte, v reflect.Value) (_ []byte, err error) {
	out = append(out, '[')
	for i := range v.Len() {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendWire(out, v.Index(i)); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return append(out, ']'), nil
}

func appendMap(out []byte, v reflect.Value) (_ []byte, err error) {
	byKey := map[string]reflect.Value{}
	for it := v.MapRange(); it.Next(); {
		byKey[it.Key().String()] = it.Value()
	}
	out = append(out, '{')
	for i, k := range slices.Sorted(maps.Keys(byKey)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, k), ':')
		if out, err = appendWire(out, byKey[k]); err != nil {
			return nil, fmt.Errorf("[%q]: %w", k, err)
		}
	}
	return append(out, '}'), nil
}

func appendStruct(out []byte, v reflect.Value) ([]byte, error) {
	out = append(out, '{')
	out, err := appendMembers(out, v)
	if err != nil {
		return nil, err
	}
	return append(out, '}'), nil
}

// appendMembers appends the members of a struct without braces; a comma comes
// first unless the object has just been opened.
func appendMembers(out []byte, v reflect.Value) (_ []byte, err error) {
	for _, f := range wireStructOf(v.Type()).fields {
		field := v.FieldByIndex(f.index)
		if f.optional && isEmpty(field) {
			continue
		}
		if out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = append(appendString(out, f.name), ':')
		if out, err = appendWire(out, field); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return out, nil
}

func isEmpty(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// json.Marshaler is what the rest of the world sees of these types.
var (
	_ json.Marshaler   = Result{}
	_ json.Unmarshaler = (*Result)(nil)
	_ json.Marshaler   = Limits{}
	_ json.Unmarshaler = (*Limits)(nil)
)
