package protocol

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// This file owns writing the values that hold no other values.

// string writes a string. Invalid UTF-8 cannot cross: there is no string that
// it would be, and no codec text may hold it.
func (e *encoder) string(s string) error {
	if err := e.room(len(s) + 2); err != nil {
		return err
	}
	if !utf8.ValidString(s) {
		return unserializable("string of invalid UTF-8")
	}
	e.out = appendValidString(e.out, s)
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
	element, ok := elements[v.Type]
	if !ok || len(v.Data)%element.size != 0 {
		return unserializable(fmt.Sprintf("value of %d bytes with the type %.40q", len(v.Data), v.Type))
	}
	id := identity{size: len(v.Data), typ: typeBytes + uintptr(element.number)}
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
