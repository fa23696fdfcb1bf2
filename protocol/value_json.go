package protocol

import (
	"cmp"
	"slices"
)

// This file owns turning plain JSON text into codec text.

// FromJSON returns the codec text of plain JSON text, in which "$" means
// nothing: the text itself, except that objects which have a key "$" are
// escaped. Errors are those of [Decode]; repeated keys are one.
func FromJSON(text []byte, b Bounds) (Value, error) {
	d := decoder{bounds: b.orDefault(), plain: true}
	if _, err := d.run(text); err != nil {
		return nil, err
	}
	out := appendWrapped(make([]byte, 0, len(text)), text, d.wraps)
	if int64(len(out)) > d.bounds.Bytes {
		return nil, &BoundError{What: BoundBytes, Limit: d.bounds.Bytes, Actual: int64(len(out))}
	}
	return out, nil
}

// appendWrapped appends text with the objects at wraps turned into "object" escapes.
func appendWrapped(out, text []byte, wraps []span) []byte {
	if len(wraps) == 0 {
		return append(out, text...)
	}
	type wrap struct {
		at   int
		text string
	}
	edits := make([]wrap, 0, 2*len(wraps))
	for _, w := range wraps {
		edits = append(edits, wrap{w.start, `{"$":"object","v":`}, wrap{w.end, `}`})
	}
	slices.SortFunc(edits, func(a, b wrap) int { return cmp.Compare(a.at, b.at) })
	done := 0
	for _, w := range edits {
		out = append(out, text[done:w.at]...)
		out = append(out, w.text...)
		done = w.at
	}
	return append(out, text[done:]...)
}
