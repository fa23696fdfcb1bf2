package protocol

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strconv"
)

// This file owns writing repeated containers. Whether a container is repeated
// is known only after its text has been written, so the places of definitions
// and references are noted on the way and the text is put together at the end.
// A value without repeats, nearly all, is not copied.

// identity says which container a container is. Two are the same when they are
// the same map, pointer, or slice: the same first element, length and type. An
// empty slice has none, and its pointer here is 0. The value that is being
// encoded keeps alive what it points to, and Go's heap does not move.
type identity struct {
	pointer uintptr
	size    int
	// typ tells containers apart that may have the same address: one of the
	// constants, the constant of bytes plus the number of their type, or the
	// address of a reflect.Type.
	typ uintptr
}

const (
	typeMap uintptr = iota
	typeSlice
	typeMapPointer
	typeSetPointer
	typeErrorPointer
	typeBytes // and up
)

func typeOf(v reflect.Value) uintptr { return reflect.ValueOf(v.Type()).Pointer() }

func pointerOf[T any](p *T) uintptr { return reflect.ValueOf(p).Pointer() }

func pointerOfMap(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }

// identities notes the containers of a value and where they repeat.
type identities struct {
	table      identityTable
	containers []container
	edits      []edit
	// extra estimates the bytes that the edits will add.
	extra  int
	blocks int   // of embedded codec text, so far
	alive  []any // containers that nothing else may keep alive until the end
}

// container is a stretch of text that may have to become a definition.
type container struct {
	span
	repeated bool
}

// identityTable finds the number of a container. It is an open hash table that
// is emptied at no cost, because there is one entry for each container of every
// value that is encoded.
type identityTable struct {
	slots []identitySlot // a power of two of them, at most half of them taken
	taken int
	round uint32
}

type identitySlot struct {
	identity
	number int32
	round  uint32 // the slot is taken when it is the table's
}

func (t *identityTable) reset() {
	t.taken = 0
	if t.round++; t.round == 0 {
		clear(t.slots)
		t.round = 1
	}
}

// slot returns the slot of an identity: its own, or the free one for it.
func (t *identityTable) slot(id identity) *identitySlot {
	hash := uint64(id.pointer)*0x9e3779b97f4a7c15 ^ uint64(id.size)*0xff51afd7ed558ccd ^ uint64(id.typ)*0xc4ceb9fe1a85ec53
	mask := uint64(len(t.slots) - 1)
	for i := hash >> 32 & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.round != t.round || s.identity == id {
			return s
		}
	}
}

// number returns the number of the container, or gives it the next one.
func (t *identityTable) number(id identity, next int) (number int, known bool) {
	if 2*t.taken >= len(t.slots) {
		t.grow()
	}
	s := t.slot(id)
	if s.round == t.round {
		return int(s.number), true
	}
	*s = identitySlot{id, int32(next), t.round}
	t.taken++
	return next, false
}

func (t *identityTable) grow() {
	old := t.slots
	t.slots = make([]identitySlot, max(64, 2*len(old)))
	for i := range old {
		if old[i].round == t.round {
			*t.slot(old[i].identity) = old[i]
		}
	}
}

// edit is something to do at one place when the text is put together.
type edit struct {
	at, end int // the text between is replaced
	what    uint8
	number  int // of the container, or the id within its block
	block   int // of embedded codec text, counted from 0
}

const (
	editOpen  uint8 = iota // open a definition
	editClose              // close a definition
	editRef                // refer to a container
	editDefID              // the id of a definition in embedded codec text
	editRefID              // the id of a reference in embedded codec text
)

// open notes a container that is about to be written. When it has been before,
// it notes a reference instead, and nothing is to be written.
func (e *encoder) open(id identity) (number int, repeated bool) {
	if id.pointer == 0 {
		return -1, false
	}
	n, known := e.table.number(id, len(e.containers))
	if !known {
		e.containers = append(e.containers, container{span: span{start: len(e.out)}})
		return n, false
	}
	c := &e.containers[n]
	if !c.repeated {
		c.repeated = true
		e.extra += len(`{"$":"def","id":1,"v":}`)
	}
	e.extra += len(`{"$":"ref","id":1}`)
	e.edits = append(e.edits, edit{at: len(e.out), end: len(e.out), what: editRef, number: n})
	return n, true
}

// close notes the end of a container that open began.
func (e *encoder) close(number int) {
	if number >= 0 {
		e.containers[number].end = len(e.out)
	}
}

// once writes a container, or a reference to it when it was written before.
func (e *encoder) once(id identity, write func() error) error {
	number, repeated := e.open(id)
	if repeated {
		return nil
	}
	err := write()
	e.close(number)
	return err
}

// finish returns the whole text, which the encoder does not keep.
func (e *encoder) finish() []byte {
	if len(e.edits) == 0 {
		if cap(e.out) > keptBytes {
			return e.out // release drops it
		}
		return bytes.Clone(e.out)
	}
	for n, c := range e.containers {
		if c.repeated {
			e.edits = append(e.edits,
				edit{at: c.start, end: c.start, what: editOpen, number: n},
				edit{at: c.end, end: c.end, what: editClose})
		}
	}
	// No two edits are at one place: between two of them is at least a bracket
	// or a comma.
	slices.SortFunc(e.edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	out := make([]byte, 0, len(e.out)+e.extra+8*len(e.edits))
	ids := make(map[int]int)         // of containers
	embedded := make(map[[2]int]int) // of definitions in embedded text, by block and their own id
	last, done := 0, 0
	for _, x := range e.edits {
		out = append(out, e.out[done:x.at]...)
		done = x.end
		switch x.what {
		case editOpen:
			last++
			ids[x.number] = last
			out = append(out, `{"$":"def","id":`...)
			out = strconv.AppendInt(out, int64(last), 10)
			out = append(out, `,"v":`...)
		case editClose:
			out = append(out, '}')
		case editRef:
			out = append(out, `{"$":"ref","id":`...)
			out = strconv.AppendInt(out, int64(ids[x.number]), 10)
			out = append(out, '}')
		case editDefID:
			last++
			embedded[[2]int{x.block, x.number}] = last
			out = strconv.AppendInt(out, int64(last), 10)
		case editRefID:
			out = strconv.AppendInt(out, int64(embedded[[2]int{x.block, x.number}]), 10)
		}
	}
	return append(out, e.out[done:]...)
}
