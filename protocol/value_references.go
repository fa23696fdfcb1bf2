package protocol

import (
	"reflect"
	"strconv"
)

// This file owns reading definitions and references, which carry repeated and
// cyclic containers.

// definition is a container that may be referred to.
type definition struct {
	value any
	open  bool // while its own text is being read
}

// forward stands for a container whose text was still being read when it was
// referred to, until the whole value is there. It holds the index of its definition.
type forward int

// idMark is where the id of a definition or reference stands.
type idMark struct {
	at         span
	id         int
	definition bool
}

func (d *decoder) definition() (any, error) {
	id, at, err := d.id()
	if err != nil {
		return nil, err
	}
	if id != len(d.definitions)+1 {
		return nil, d.fail(at, "the definition %d where %d is next", id, len(d.definitions)+1)
	}
	if err := d.member("v"); err != nil {
		return nil, err
	}
	if d.wantMarks {
		d.marks = append(d.marks, idMark{at: d.idSpan(at), id: id, definition: true})
	}
	d.definitions = append(d.definitions, definition{open: true})
	var v any
	switch d.next() {
	case '[':
		v, err = d.array()
	case '{':
		v, err = d.object(defined, false)
	default:
		err = d.unexpected("an array or an object")
	}
	if err != nil {
		return nil, err
	}
	d.definitions[id-1] = definition{value: v}
	return v, nil
}

func (d *decoder) reference() (any, error) {
	id, at, err := d.id()
	if err != nil {
		return nil, err
	}
	if id > len(d.definitions) {
		return nil, d.fail(at, "a reference to %d, which is not defined before it,", id)
	}
	if d.wantMarks {
		d.marks = append(d.marks, idMark{at: d.idSpan(at), id: id})
	}
	if def := &d.definitions[id-1]; !def.open {
		return def.value, nil
	}
	if !d.build {
		return nil, nil
	}
	d.unresolved = true
	return forward(id - 1), nil
}

// id reads the member "id", a whole number from 1.
func (d *decoder) id() (id, at int, err error) {
	if err := d.member("id"); err != nil {
		return 0, 0, err
	}
	c := d.next()
	at = d.pos
	if c < '1' || c > '9' {
		return 0, 0, d.unexpected("an id, a whole number from 1,")
	}
	text, integer, err := d.number()
	if err != nil {
		return 0, 0, err
	}
	id, err = strconv.Atoi(string(text))
	if err != nil || !integer {
		return 0, 0, d.fail(at, "an id that is not a whole number from 1")
	}
	return id, at, nil
}

// idSpan returns the span of the digits at offset at.
func (d *decoder) idSpan(at int) span {
	end := at
	for end < len(d.text) && '0' <= d.text[end] && d.text[end] <= '9' {
		end++
	}
	return span{at, end}
}

// resolve puts the finished containers where v still holds placeholders, and
// returns v.
func (d *decoder) resolve(v any) any {
	visited := map[uintptr]bool{}
	first := func(p uintptr) bool {
		if visited[p] {
			return false
		}
		visited[p] = true
		return true
	}
	var walk func(v any) any
	list := func(values []any) {
		for i := range values {
			values[i] = walk(values[i])
		}
	}
	walk = func(v any) any {
		switch v := v.(type) {
		case forward:
			return d.definitions[v].value
		case []any:
			if len(v) > 0 && first(reflect.ValueOf(v).Pointer()) {
				list(v)
			}
		case map[string]any:
			if first(reflect.ValueOf(v).Pointer()) {
				for k := range v {
					v[k] = walk(v[k])
				}
			}
		case *Map:
			if first(reflect.ValueOf(v).Pointer()) {
				for i := range v.Entries {
					e := &v.Entries[i]
					e.Key, e.Value = walk(e.Key), walk(e.Value)
				}
			}
		case *Set:
			if first(reflect.ValueOf(v).Pointer()) {
				list(v.Values)
			}
		case *Error:
			if first(reflect.ValueOf(v).Pointer()) {
				e := v
				e.Cause = walk(e.Cause)
				for k := range e.Fields {
					e.Fields[k] = walk(e.Fields[k])
				}
				list(e.Errors)
			}
		}
		return v
	}
	return walk(v)
}
