package protocol

import (
	"errors"
	"flag"
	"math"
	"math/big"
	"reflect"
	"runtime"
)

// This file owns what the tests of the package share.

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

func asError[E error](err error, target *E) bool { return errors.As(err, target) }

// sameValue reports whether two decoded values are the same, with the same
// identities: what is one container in one is one container in the other.
func sameValue(a, b any) bool {
	return (&comparison{forth: map[uintptr]uintptr{}, back: map[uintptr]uintptr{}}).same(a, b)
}

// comparison pairs the containers of two values.
type comparison struct{ forth, back map[uintptr]uintptr }

// met reports whether two containers have been paired before, and whether they
// may be a pair at all.
func (c *comparison) met(a, b any) (before, possible bool) {
	p, q := reflect.ValueOf(a).Pointer(), reflect.ValueOf(b).Pointer()
	toB, knownA := c.forth[p]
	toA, knownB := c.back[q]
	if knownA || knownB {
		return true, knownA && knownB && toB == q && toA == p
	}
	c.forth[p], c.back[q] = q, p
	return false, true
}

func (c *comparison) list(a, b []any) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for i := range a {
		if !c.same(a[i], b[i]) {
			return false
		}
	}
	return true
}

func (c *comparison) object(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if v, ok := b[k]; !ok || !c.same(a[k], v) {
			return false
		}
	}
	return true
}

func (c *comparison) same(a, b any) bool {
	if reflect.TypeOf(a) != reflect.TypeOf(b) {
		return false
	}
	switch a := a.(type) {
	case float64:
		return math.Float64bits(a) == math.Float64bits(b.(float64)) || a != a && b != b
	case Date:
		return a == b.(Date) || a.MS != a.MS && b.(Date).MS != b.(Date).MS
	case *big.Int:
		return a.Cmp(b.(*big.Int)) == 0
	case Bytes:
		other := b.(Bytes)
		return a.Type == other.Type && string(a.Data) == string(other.Data)
	case []any:
		if len(a) == 0 {
			return len(b.([]any)) == 0
		}
		if before, possible := c.met(a, b); before || !possible {
			return possible
		}
		return c.list(a, b.([]any))
	case map[string]any:
		if before, possible := c.met(a, b); before || !possible {
			return possible
		}
		return c.object(a, b.(map[string]any))
	case *Map:
		if before, possible := c.met(a, b); before || !possible {
			return possible
		}
		other := b.(*Map)
		if len(a.Entries) != len(other.Entries) {
			return false
		}
		for i, e := range a.Entries {
			if !c.same(e.Key, other.Entries[i].Key) || !c.same(e.Value, other.Entries[i].Value) {
				return false
			}
		}
		return true
	case *Set:
		if before, possible := c.met(a, b); before || !possible {
			return possible
		}
		return c.list(a.Values, b.(*Set).Values)
	case *Error:
		if before, possible := c.met(a, b); before || !possible {
			return possible
		}
		other := b.(*Error)
		return a.Name == other.Name && a.Message == other.Message && a.Stack == other.Stack && a.HasCause == other.HasCause &&
			c.same(a.Cause, other.Cause) && c.list(a.Errors, other.Errors) && c.object(a.Fields, other.Fields)
	}
	return a == b
}

// allocated returns how many bytes f allocated.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}
