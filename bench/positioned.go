package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// This file owns reading JSON so that every mistake in it has a line and a column.

// mistake is an error at a place of the text.
type mistake struct {
	offset int64
	what   string
}

func (m *mistake) Error() string { return m.what }

// wrong returns the mistake at an offset.
func wrong(offset int64, format string, args ...any) *mistake {
	return &mistake{offset, fmt.Sprintf(format, args...)}
}

// position returns the line and the column of an offset, both from 1; columns count
// characters.
func position(text []byte, offset int64) (line, column int) {
	before := text[:min(max(offset, 0), int64(len(text)))]
	line = 1 + bytes.Count(before, []byte("\n"))
	start := bytes.LastIndexByte(before, '\n') + 1
	return line, 1 + utf8.RuneCount(before[start:])
}

// node is one value of a JSON text.
type node struct {
	offset  int64  // of its first byte
	members []pair // of an object, in order
	items   []node // of an array
	scalar  any    // string, json.Number, bool or nil of anything else
	kind    string // "object", "array", "string", "number", "boolean" or "null"
}

// pair is one member of an object.
type pair struct {
	offset int64 // of its name
	name   string
	value  node
}

// maxNesting bounds how deep the values of a text may be nested.
const maxNesting = 32

// parse reads a text of one value. Names that an object has twice are mistakes.
func parse(text []byte) (node, error) {
	var whole json.RawMessage
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(text, &whole); {
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return node{}, wrong(int64(len(text)), "the text ends in the middle of a value")
	case errors.As(err, &syntax):
		return node{}, wrong(syntax.Offset-1, "%v", syntax)
	case err != nil:
		return node{}, err
	}
	p := &parser{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	p.decoder.UseNumber()
	return p.value(0)
}

// parser reads a text that is known to be JSON.
type parser struct {
	text    []byte
	decoder *json.Decoder
}

// next returns the offset of the token that comes next.
func (p *parser) next() int64 {
	at := p.decoder.InputOffset()
	for at < int64(len(p.text)) && strings.IndexByte(" \t\r\n,:", p.text[at]) >= 0 {
		at++
	}
	return at
}

// token reads one token and returns where it begins.
func (p *parser) token() (json.Token, int64, error) {
	at := p.next()
	t, err := p.decoder.Token()
	if err != nil {
		return nil, at, wrong(at, "%v", err)
	}
	return t, at, nil
}

func (p *parser) value(depth int) (node, error) {
	t, at, err := p.token()
	if err != nil {
		return node{}, err
	}
	n := node{offset: at, scalar: t}
	switch t := t.(type) {
	case string:
		n.kind = "string"
	case json.Number:
		n.kind = "number"
	case bool:
		n.kind = "boolean"
	case nil:
		n.kind = "null"
	case json.Delim:
		n.scalar = nil
		if depth >= maxNesting {
			return node{}, wrong(at, "values are nested deeper than %d", maxNesting)
		}
		if t == '{' {
			n.kind = "object"
			n.members, err = p.object(depth)
		} else {
			n.kind = "array"
			n.items, err = p.array(depth)
		}
	}
	return n, err
}

func (p *parser) object(depth int) ([]pair, error) {
	var members []pair
	seen := map[string]bool{}
	for p.decoder.More() {
		t, at, err := p.token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string) // JSON has no other names
		if seen[name] {
			return nil, wrong(at, "%q is there twice", name)
		}
		seen[name] = true
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		members = append(members, pair{at, name, value})
	}
	_, _, err := p.token()
	return members, err
}

func (p *parser) array(depth int) ([]node, error) {
	var items []node
	for p.decoder.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, _, err := p.token()
	return items, err
}

// fields are the readers of an object's members.
type fields map[string]func(node) error

// read reads an object: each of its members by the reader of that name. A member
// without a reader is a mistake, and so is a reader without a member, unless its
// name ends in "?".
func (n node) read(what string, readers fields) error {
	if n.kind != "object" {
		return wrong(n.offset, "%s must be an object, not a value of the kind %s", what, n.kind)
	}
	have := map[string]bool{}
	for _, m := range n.members {
		reader := readers[m.name]
		if reader == nil {
			reader = readers[m.name+"?"]
		}
		if reader == nil {
			return wrong(m.offset, "%s has an unknown field %q", what, m.name)
		}
		have[m.name] = true
		if err := reader(m.value); err != nil {
			return err
		}
	}
	for name := range readers {
		if !strings.HasSuffix(name, "?") && !have[name] {
			return wrong(n.offset, "%s lacks the field %q", what, name)
		}
	}
	return nil
}

// each reads an array item by item.
func (n node) each(what string, read func(node) error) error {
	if n.kind != "array" {
		return wrong(n.offset, "%s must be an array, not a value of the kind %s", what, n.kind)
	}
	for _, item := range n.items {
		if err := read(item); err != nil {
			return err
		}
	}
	return nil
}

// text returns a reader of a string.
func text(to *string) func(node) error {
	return func(n node) error {
		s, ok := n.scalar.(string)
		if !ok {
			return wrong(n.offset, "must be a string, not a value of the kind %s", n.kind)
		}
		*to = s
		return nil
	}
}

// flag returns a reader of true or false.
func flag(to *bool) func(node) error {
	return func(n node) error {
		b, ok := n.scalar.(bool)
		if !ok {
			return wrong(n.offset, "must be true or false, not a value of the kind %s", n.kind)
		}
		*to = b
		return nil
	}
}

// number returns a reader of a number within bounds, both included.
func number(to *float64, least, most float64) func(node) error {
	return func(n node) error {
		literal, ok := n.scalar.(json.Number)
		if !ok {
			return wrong(n.offset, "must be a number, not a value of the kind %s", n.kind)
		}
		v, err := literal.Float64()
		if err != nil || v < least || v > most {
			return wrong(n.offset, "%s is outside %v to %v", literal, least, most)
		}
		*to = v
		return nil
	}
}

// integer returns a reader of a whole number within bounds, both included.
func integer(to *int, least, most int) func(node) error {
	return func(n node) error {
		var v float64
		if err := number(&v, float64(least), float64(most))(n); err != nil {
			return err
		}
		if v != math.Trunc(v) {
			return wrong(n.offset, "%v is no whole number", n.scalar)
		}
		*to = int(v)
		return nil
	}
}
