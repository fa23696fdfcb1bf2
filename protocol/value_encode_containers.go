package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file owns writing arrays, objects, maps, sets and errors.

// pair is a member of an object that is being written.
type pair struct {
	key   string
	value any
}

// array writes an array. Its elements may be holes.
func (e *encoder) array(v []any) error {
	if v == nil {
		return e.null()
	}
	id := identity{size: len(v), typ: typeSlice}
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
		return e.null()
	}
	mark, repeated := e.open(identity{pointer: pointerOfMap(m), typ: typeMap})
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
