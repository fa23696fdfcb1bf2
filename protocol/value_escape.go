package protocol

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

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

func (d *decoder) specialNumber() (any, error) {
	if err := d.member("v"); err != nil {
		return nil, err
	}
	d.next()
	at := d.pos
	s, err := d.shortString("a string")
	if err != nil {
		return nil, err
	}
	switch s {
	case "NaN":
		return math.NaN(), nil
	case "Infinity":
		return math.Inf(1), nil
	case "-Infinity":
		return math.Inf(-1), nil
	case "-0":
		return math.Copysign(0, -1), nil
	}
	return nil, d.fail(at, "the number %.60q, which is none of NaN, Infinity, -Infinity and -0,", s)
}

func (d *decoder) bigInt() (any, error) {
	if err := d.member("v"); err != nil {
		return nil, err
	}
	d.next()
	at := d.pos
	raw, _, err := d.str()
	if err != nil {
		return nil, err
	}
	digits := strings.TrimPrefix(string(raw), "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' && string(raw) != "0" {
		return nil, d.fail(at, "a bigint that is not a decimal integer without leading zeros")
	}
	if !d.build {
		return nil, nil
	}
	n := parseDecimal(digits)
	if raw[0] == '-' {
		n.Neg(n)
	}
	return n, nil
}

// parseDecimal converts decimal digits. Splitting long ones makes the cost that
// of multiplication; big.Int.SetString is quadratic, and a guest chooses the length.
func parseDecimal(digits string) *big.Int {
	const direct = 4096
	if len(digits) <= direct {
		n, _ := new(big.Int).SetString(digits, 10)
		return n
	}
	// powers[i] is 10 to the power direct<<i.
	powers := []*big.Int{new(big.Int).Exp(big.NewInt(10), big.NewInt(direct), nil)}
	for direct<<len(powers) < len(digits) {
		last := powers[len(powers)-1]
		powers = append(powers, new(big.Int).Mul(last, last))
	}
	var convert func(digits string, level int) *big.Int
	convert = func(digits string, level int) *big.Int {
		if len(digits) <= direct {
			n, _ := new(big.Int).SetString(digits, 10)
			return n
		}
		cut := len(digits) - direct<<level
		if cut <= 0 {
			return convert(digits, level-1)
		}
		high := convert(digits[:cut], level-1)
		high.Mul(high, powers[level])
		return high.Add(high, convert(digits[cut:], level-1))
	}
	return convert(digits, len(powers)-1)
}

func (d *decoder) date() (any, error) {
	if err := d.member("v"); err != nil {
		return nil, err
	}
	c := d.next()
	if c == 'n' {
		return Date{math.NaN()}, d.literal("null")
	}
	at := d.pos
	if c != '-' && (c < '0' || c > '9') {
		return nil, d.unexpected("a number or null")
	}
	text, integer, err := d.number()
	if err != nil {
		return nil, err
	}
	ms, err := strconv.ParseInt(string(text), 10, 64)
	if !integer || err != nil || math.Abs(float64(ms)) > maxDate {
		return nil, d.fail(at, "a date that is not a whole number of milliseconds within ±8.64e15")
	}
	return Date{float64(ms)}, nil
}

func (d *decoder) regExp() (any, error) {
	if err := d.member("source"); err != nil {
		return nil, err
	}
	source, err := d.string()
	if err != nil {
		return nil, err
	}
	if err := d.member("flags"); err != nil {
		return nil, err
	}
	d.next()
	at := d.pos
	flags, err := d.shortString("a string")
	if err != nil {
		return nil, err
	}
	if !validFlags(flags) {
		return nil, d.fail(at, "the flags %.60q, which are not different letters of dgimsuvy,", flags)
	}
	return RegExp{source, flags}, nil
}

// validFlags reports whether flags are different flags of ECMA-262.
func validFlags(flags string) bool {
	for i := range len(flags) {
		if strings.IndexByte("dgimsuvy", flags[i]) < 0 || strings.IndexByte(flags[:i], flags[i]) >= 0 {
			return false
		}
	}
	return true
}

func (d *decoder) bytes() (any, error) {
	if err := d.member("type"); err != nil {
		return nil, err
	}
	d.next()
	at := d.pos
	name, err := d.shortString("a string")
	if err != nil {
		return nil, err
	}
	size, ok := elementSize[name]
	if !ok {
		return nil, d.fail(at, "the type of bytes %.60q, which does not exist,", name)
	}
	if err := d.member("v"); err != nil {
		return nil, err
	}
	d.next()
	at = d.pos
	raw, escaped, err := d.str()
	if err != nil {
		return nil, err
	}
	if escaped {
		raw = appendExact(nil, raw)
	}
	// The decoder passes over line ends, which the length gives away.
	data := make([]byte, base64.StdEncoding.DecodedLen(len(raw)))
	n, err := base64.StdEncoding.Strict().Decode(data, raw)
	if err != nil || base64.StdEncoding.EncodedLen(n) != len(raw) {
		return nil, d.fail(at, "bytes that are not padded base64 of the standard alphabet")
	}
	if n%size != 0 {
		return nil, d.fail(at, "%d bytes, which are no whole elements of a %s,", n, name)
	}
	return Bytes{name, data[:n:n]}, nil
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
