package protocol

import (
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
// empty slice has none.
type identity struct {
	pointer uintptr
	size    int
	kind    uint8
	typ     any // a string or reflect.Type where the kind does not settle it, else nil
}

const (
	kindMap uint8 = iota
	kindSlice
	kindPointer
	kindBytes
)

func pointerOf[T any](p *T) uintptr { return reflect.ValueOf(p).Pointer() }

func pointerOfMap(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }

// identities notes the containers of a value and where they repeat.
type identities struct {
	seen       map[identity]int // index in containers
	containers []container
	edits      []edit
	// extra estimates the bytes that the edits will add.
	extra  int
	blocks int // of embedded codec text, so far
}

// container is a stretch of text that may have to become a definition.
type container struct {
	span
	repeated bool
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
	if n, ok := e.seen[id]; ok {
		c := &e.containers[n]
		if !c.repeated {
			c.repeated = true
			e.extra += len(`{"$":"def","id":1,"v":}`)
		}
		e.extra += len(`{"$":"ref","id":1}`)
		e.edits = append(e.edits, edit{at: len(e.out), end: len(e.out), what: editRef, number: n})
		return n, true
	}
	if e.seen == nil {
		e.seen = map[identity]int{}
	}
	e.seen[id] = len(e.containers)
	e.containers = append(e.containers, container{span: span{start: len(e.out)}})
	return len(e.containers) - 1, false
}

// close notes the end of a container that open began.
func (e *encoder) close(number int) {
	if number >= 0 {
		e.containers[number].end = len(e.out)
	}
}

// forget takes back what open noted last: what was written has no identity.
func (e *encoder) forget(id identity, number int) {
	delete(e.seen, id)
	e.containers = e.containers[:number]
}

// finish returns the whole text.
func (e *encoder) finish() []byte {
	if len(e.edits) == 0 {
		return e.out
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
