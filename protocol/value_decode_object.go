package protocol

import "bytes"

// This file owns reading objects: their members, and that no key is there twice.

// member is a member of an object that is being read.
type member struct {
	key     string // set when values are wanted
	value   any
	at      span // of the key, within its quotes
	escaped bool
}

// object reads an object or an escape; the text is at its brace. With literal,
// "$" is a key like any other.
func (d *decoder) object(at place, literal bool) (any, error) {
	start, base := d.pos, len(d.members)
	d.pos++
	if d.accept('}') {
		if err := d.enter(); err != nil {
			return nil, err
		}
		d.depth--
		return d.takenObject(base)
	}
	dollar := false
	for first := true; ; first = false {
		raw, escaped, err := d.str()
		if err != nil {
			return nil, err
		}
		if !literal && isDollar(raw, escaped) {
			if !d.plain && first {
				return d.escape(start, at)
			} else if !d.plain {
				return nil, d.fail(d.pos-len(raw)-2, `"$" after another member; it marks an escape and comes first`)
			}
			dollar = true
		}
		if first {
			if err := d.enter(); err != nil {
				return nil, err
			}
		}
		m := member{at: span{d.pos - 1 - len(raw), d.pos - 1}, escaped: escaped}
		if err := d.expect(':'); err != nil {
			return nil, err
		}
		if d.build {
			m.key = d.key(raw, escaped)
		}
		if m.value, err = d.value(); err != nil {
			return nil, err
		}
		d.members = append(d.members, m)
		if d.accept(',') {
			continue
		}
		if !d.accept('}') {
			return nil, d.unexpected(`',' or '}'`)
		}
		d.depth--
		if dollar {
			d.wraps = append(d.wraps, span{start, d.pos})
		}
		return d.takenObject(base)
	}
}

// isDollar reports whether a key is "$", however it is written.
func isDollar(raw []byte, escaped bool) bool {
	if !escaped {
		return len(raw) == 1 && raw[0] == '$'
	}
	return string(raw) == `\u0024`
}

// key returns the string of a key, the same memory for the same key when it was
// seen not long ago.
func (d *decoder) key(raw []byte, escaped bool) string {
	if escaped || len(raw) == 0 || len(raw) > 32 {
		s, _ := unquote(raw, escaped)
		return s
	}
	slot := &d.keys[(uint(len(raw))*31+uint(raw[0])*7+uint(raw[len(raw)-1])*13+uint(raw[len(raw)/2]))%uint(len(d.keys))]
	if *slot != string(raw) {
		*slot = string(raw)
	}
	return *slot
}

// takenObject removes the members above base from the stack and returns their
// object. A key that is there twice is an error.
func (d *decoder) takenObject(base int) (any, error) {
	members := d.members[base:]
	var object map[string]any
	if d.build {
		object = make(map[string]any, len(members))
		for i := range members {
			object[members[i].key] = members[i].value
		}
		if len(object) < len(members) {
			return nil, d.repeated(members)
		}
		clear(members)
	} else if d.mayRepeat(members) {
		if err := d.repeated(members); err != nil {
			return nil, err
		}
	}
	d.members = d.members[:base]
	if !d.build {
		return nil, nil
	}
	return object, nil
}

// mayRepeat reports whether two of the members may have one key. It is exact
// for a few members whose keys have no escapes, which are nearly all objects.
func (d *decoder) mayRepeat(members []member) bool {
	if len(members) > 12 {
		return true
	}
	for i := range members {
		if members[i].escaped {
			return true
		}
		key := d.text[members[i].at.start:members[i].at.end]
		for j := range i {
			if other := members[j].at; bytes.Equal(key, d.text[other.start:other.end]) {
				return true
			}
		}
	}
	return false
}

// repeated returns the error for the first key that is there twice.
func (d *decoder) repeated(members []member) error {
	seen := make(map[string]bool, len(members))
	var exact []byte
	for _, m := range members {
		exact = exact[:0]
		raw := d.text[m.at.start:m.at.end]
		if m.escaped {
			exact = appendExact(exact, raw)
			raw = exact
		}
		if seen[string(raw)] {
			return d.fail(m.at.start-1, "the key %.60q a second time in one object", raw)
		}
		seen[string(raw)] = true
	}
	if d.build {
		return d.fail(members[0].at.start-1, "keys that differ only in lone surrogates, which a Go map cannot keep apart,")
	}
	return nil
}
