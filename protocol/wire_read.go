package protocol

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// This file owns reading JSON into Go structs by their "json" tags, strictly:
// names match byte for byte, each at most once, none is unknown, all required
// ones are there, and nothing is null.

// fieldError says in which field a text is wrong.
type fieldError struct {
	path string
	err  error
}

func (e *fieldError) Error() string { return e.path + ": " + e.err.Error() }
func (e *fieldError) Unwrap() error { return e.err }

// inField puts one step in front of the path of an error.
func inField(step string, err error) error {
	var f *fieldError
	if !errors.As(err, &f) {
		return &fieldError{step, err}
	}
	if f.path[0] != '[' {
		step += "."
	}
	f.path = step + f.path
	return f
}

// unmarshalStrict reads one JSON text, to its end, into what v points to.
func unmarshalStrict(text []byte, v any) error {
	s := scanner{text: text}
	if err := s.read(reflect.ValueOf(v).Elem()); err != nil {
		return err
	}
	return s.end()
}

// read reads one value into v.
func (s *scanner) read(v reflect.Value) error {
	switch v.Type() {
	case valueType:
		raw, err := s.skip(embeddedDepth())
		if err == nil {
			v.SetBytes(append([]byte(nil), raw...))
		}
		return err
	case limitsType:
		return s.readLimits(v.Addr().Interface().(*Limits))
	case resultType:
		return s.readResult(v.Addr().Interface().(*Result))
	case faultType:
		f, err := s.readFault()
		if err == nil {
			v.Set(reflect.ValueOf(f))
		}
		return err
	}
	switch v.Kind() {
	case reflect.String:
		text, err := s.readString()
		if err == nil {
			v.SetString(text)
		}
		return err
	case reflect.Bool:
		c := s.next()
		if c != 't' && c != 'f' {
			return s.unexpected("true or false")
		}
		v.SetBool(c == 't')
		return s.literal(map[byte]string{'t': "true", 'f': "false"}[c])
	case reflect.Int, reflect.Int64:
		n, err := s.readInt()
		if err == nil {
			v.SetInt(n)
		}
		return err
	case reflect.Float64:
		f, err := s.readFloat()
		if err == nil {
			v.SetFloat(f)
		}
		return err
	case reflect.Slice:
		return s.readList(v)
	case reflect.Map:
		return s.readMap(v)
	case reflect.Struct:
		return s.readStruct(v, nil)
	}
	return fmt.Errorf("a %v has no wire form", v.Type())
}

// readString reads a string that UTF-8 can hold.
func (s *scanner) readString() (string, error) {
	if s.next() != '"' {
		return "", s.unexpected("a string")
	}
	at := s.pos
	raw, escaped, err := s.str()
	if err != nil {
		return "", err
	}
	text, lone := unquote(raw, escaped)
	if lone {
		return "", s.fail(at, "a string with a lone surrogate")
	}
	return text, nil
}

func (s *scanner) digits(want string) (text []byte, integer bool, at int, err error) {
	if c := s.next(); c != '-' && (c < '0' || c > '9') {
		return nil, false, 0, s.unexpected(want)
	}
	at = s.pos
	text, integer, err = s.number()
	return text, integer, at, err
}

func (s *scanner) readInt() (int64, error) {
	text, integer, at, err := s.digits("an integer")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if !integer || err != nil {
		return 0, s.fail(at, "%.40s where an integer of 64 bits should be", text)
	}
	return n, nil
}

func (s *scanner) readFloat() (float64, error) {
	text, _, at, err := s.digits("a number")
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, s.fail(at, "a number beyond the range of a double")
	}
	return f, nil
}

func (s *scanner) readList(v reflect.Value) error {
	if s.next() != '[' {
		return s.unexpected("an array")
	}
	s.pos++
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	if s.accept(']') {
		return nil
	}
	for i := 0; ; i++ {
		item := reflect.New(v.Type().Elem()).Elem()
		if err := s.read(item); err != nil {
			return inField("["+strconv.Itoa(i)+"]", err)
		}
		v.Set(reflect.Append(v, item))
		if s.accept(']') {
			return nil
		}
		if !s.accept(',') {
			return s.unexpected(`',' or ']'`)
		}
	}
}

// members reads an object and calls read for the value of each member, which it
// must consume. at is the offset of the key.
func (s *scanner) members(read func(key string, at int) error) error {
	if s.next() != '{' {
		return s.unexpected("an object")
	}
	s.pos++
	if s.accept('}') {
		return nil
	}
	for {
		s.next()
		at := s.pos
		key, err := s.readString()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := read(key, at); err != nil {
			return err
		}
		if s.accept('}') {
			return nil
		}
		if !s.accept(',') {
			return s.unexpected(`',' or '}'`)
		}
	}
}

func (s *scanner) readMap(v reflect.Value) error {
	v.Set(reflect.MakeMap(v.Type()))
	return s.members(func(key string, at int) error {
		k := reflect.ValueOf(key)
		if v.MapIndex(k).IsValid() {
			return s.repeated(key, at)
		}
		item := reflect.New(v.Type().Elem()).Elem()
		if err := s.read(item); err != nil {
			return inField("["+strconv.Quote(key)+"]", err)
		}
		v.SetMapIndex(k, item)
		return nil
	})
}

func (s *scanner) repeated(key string, at int) error {
	return s.fail(at, "the key %.60q a second time in one object", key)
}

// ignoredDepth bounds the nesting of members that are read past.
const ignoredDepth = 8

// readStruct reads an object into a struct. Members with the names in ignored
// are read past.
func (s *scanner) readStruct(v reflect.Value, ignored []string) error {
	w := wireStructOf(v.Type())
	s.next()
	start := s.pos
	var seen, seenIgnored uint64
	err := s.members(func(key string, at int) error {
		i, known := w.byName[key]
		set := &seen
		if !known {
			set = &seenIgnored
			for i = 0; i < len(ignored) && ignored[i] != key; i++ {
			}
			if i == len(ignored) {
				return s.fail(at, "the unknown member %.60q", key)
			}
		}
		if *set&(1<<i) != 0 {
			return s.repeated(key, at)
		}
		*set |= 1 << i
		var err error
		if known {
			err = s.read(v.FieldByIndex(w.fields[i].index))
		} else {
			_, err = s.skip(ignoredDepth)
		}
		if err != nil {
			return inField(key, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, f := range w.fields {
		if !f.optional && seen&(1<<i) == 0 {
			return inField(f.name, s.fail(start, "is missing from the object"))
		}
	}
	return nil
}

// errFound ends a search; it never leaves find.
var errFound = errors.New("found")

// find returns the string member called name of the object that comes next,
// and leaves the scanner where it is.
func (s *scanner) find(name string) (string, error) {
	ahead := *s
	var found string
	var ok bool
	if c := ahead.next(); c != '{' {
		return "", ahead.unexpected("an object")
	}
	start := ahead.pos
	err := ahead.members(func(key string, _ int) error {
		if key != name {
			_, err := ahead.skip(embeddedDepth() + ignoredDepth)
			return err
		}
		var err error
		if found, err = ahead.readString(); err != nil {
			return inField(name, err)
		}
		ok = true
		return errFound
	})
	if ok {
		return found, nil
	}
	if err != nil {
		return "", err
	}
	return "", inField(name, s.fail(start, "is missing from the object"))
}
