package protocol

import "fmt"

// This file owns reading the escape form, {"$": kind, …}. The members of an
// escape are exactly those of its kind, in the order of the specification.

// place says where a value stands, as far as that decides what it may be.
type place uint8

const (
	anywhere place = iota
	element        // directly in an array: may be a hole
	defined        // in a definition: must be something that has identity
	fields         // the fields of an error: must be a plain object
)

// escape reads the rest of an escape, behind its first key; start is its brace.
func (d *decoder) escape(start int, at place) (any, error) {
	if err := d.expect(':'); err != nil {
		return nil, err
	}
	d.next()
	kindAt := d.pos
	kind, err := d.shortString("the kind of the escape")
	if err != nil {
		return nil, err
	}
	if at == defined {
		switch kind {
		case "undefined", "hole", "number", "bigint", "def", "ref":
			return nil, d.fail(kindAt, "%q in a definition; only what has identity may be referred to", kind)
		}
	}
	if at == fields && kind != "object" {
		return nil, d.fail(kindAt, "%.60q where the fields of an error should be, a plain object", kind)
	}
	var v any
	switch kind {
	case "undefined":
		v = Undefined{}
	case "hole":
		if at != element {
			return nil, d.fail(kindAt, "a hole outside an array")
		}
		v = Hole{}
	case "number":
		v, err = d.specialNumber()
	case "bigint":
		v, err = d.bigInt()
	case "date":
		v, err = d.date()
	case "regexp":
		v, err = d.regExp()
	case "url":
		var href string
		if err = d.member("v"); err == nil {
			href, err = d.string()
		}
		v = URL{href}
	case "bytes":
		v, err = d.bytes()
	case "map":
		v, err = d.mapEntries()
	case "set":
		v, err = d.set()
	case "error":
		return d.errorObject()
	case "object":
		if err = d.member("v"); err == nil {
			v, err = d.literalObject()
		}
	case "def":
		v, err = d.definition()
	case "ref":
		v, err = d.reference()
	default:
		return nil, d.fail(kindAt, "the escape %.60q, which does not exist,", kind)
	}
	if err != nil {
		return nil, err
	}
	if !d.accept('}') {
		return nil, d.unexpected(fmt.Sprintf("the end of the escape %q", kind))
	}
	return v, nil
}

// member consumes the comma, name and colon of the next member of an escape.
func (d *decoder) member(name string) error {
	if !d.accept(',') {
		return d.unexpected(fmt.Sprintf("the member %q", name))
	}
	return d.memberName(name)
}

func (d *decoder) memberName(name string) error {
	d.next()
	at := d.pos
	got, err := d.shortString("the name of a member")
	if err != nil {
		return err
	}
	if got != name {
		return d.fail(at, "the member %.60q where %q should be", got, name)
	}
	return d.expect(':')
}

// shortString reads a string even when no values are wanted.
func (d *decoder) shortString(what string) (string, error) {
	if d.next() != '"' {
		return "", d.unexpected(what)
	}
	raw, escaped, err := d.str()
	if err != nil {
		return "", err
	}
	s, _ := unquote(raw, escaped)
	return s, nil
}

// string reads a string, which is empty when no values are wanted.
func (d *decoder) string() (string, error) {
	raw, escaped, err := d.str()
	if err != nil || !d.build {
		return "", err
	}
	s, _ := unquote(raw, escaped)
	return s, nil
}

func (d *decoder) mapEntries() (any, error) {
	if err := d.member("v"); err != nil {
		return nil, err
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	if err := d.expect('['); err != nil {
		return nil, err
	}
	base := len(d.values)
	for more := !d.accept(']'); more; {
		if err := d.pair(); err != nil {
			return nil, err
		}
		if more = d.accept(','); !more && !d.accept(']') {
			return nil, d.unexpected(`',' or ']'`)
		}
	}
	d.depth--
	if !d.build {
		return nil, nil
	}
	flat := d.values[base:]
	m := &Map{Entries: make([]Entry, len(flat)/2)}
	for i := range m.Entries {
		m.Entries[i] = Entry{flat[2*i], flat[2*i+1]}
	}
	clear(flat)
	d.values = d.values[:base]
	return m, nil
}

// pair reads one [key, value] of a map.
func (d *decoder) pair() error {
	if err := d.expect('['); err != nil {
		return err
	}
	for i := range 2 {
		if i == 1 {
			if err := d.expect(','); err != nil {
				return err
			}
		}
		v, err := d.value()
		if err != nil {
			return err
		}
		if d.build {
			d.values = append(d.values, v)
		}
	}
	return d.expect(']')
}

func (d *decoder) set() (any, error) {
	if err := d.member("v"); err != nil {
		return nil, err
	}
	base := len(d.values)
	if err := d.list(false); err != nil {
		return nil, err
	}
	return &Set{Values: d.taken(base)}, nil
}

// literalObject reads the object of an "object" escape, in which "$" is a key
// like any other.
func (d *decoder) literalObject() (any, error) {
	if d.next() != '{' {
		return nil, d.unexpected("an object")
	}
	return d.object(anywhere, true)
}

// errorObject reads the rest of an "error" escape with its brace.
func (d *decoder) errorObject() (any, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	e := new(Error)
	var err error
	if err = d.member("name"); err == nil {
		e.Name, err = d.string()
	}
	if err == nil {
		err = d.member("message")
	}
	if err == nil {
		e.Message, err = d.string()
	}
	// The others may be absent, but not out of order.
	optional := []string{"stack", "cause", "fields", "errors"}
	for err == nil && d.accept(',') {
		d.next()
		at := d.pos
		var name string
		if name, err = d.shortString("the name of a member"); err != nil {
			break
		}
		i := 0
		for i < len(optional) && optional[i] != name {
			i++
		}
		if i == len(optional) {
			err = d.fail(at, "the member %.60q, which an error does not have there,", name)
			break
		}
		optional = optional[i+1:]
		if err = d.expect(':'); err == nil {
			err = d.errorMember(e, name)
		}
	}
	if err != nil {
		return nil, err
	}
	if !d.accept('}') {
		return nil, d.unexpected(`the end of the escape "error"`)
	}
	d.depth--
	return e, nil
}

func (d *decoder) errorMember(e *Error, name string) (err error) {
	switch name {
	case "stack":
		e.Stack, err = d.string()
	case "cause":
		e.HasCause = true
		e.Cause, err = d.value()
	case "fields":
		err = d.errorFields(e)
	case "errors":
		base := len(d.values)
		d.depth-- // the list is the error's own
		err = d.list(false)
		d.depth++
		if err == nil {
			e.Errors = d.taken(base)
		}
	}
	return err
}

// errorFields reads the own fields of an error: a plain object, written as an
// "object" escape when a field is called "$".
func (d *decoder) errorFields(e *Error) error {
	if d.next() != '{' {
		return d.unexpected("an object")
	}
	d.depth-- // the object is the error's own
	v, err := d.object(fields, false)
	d.depth++
	if err == nil && d.build {
		e.Fields = v.(map[string]any)
	}
	return err
}
