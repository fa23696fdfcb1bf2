package native

// This file owns the decoders of EUC-KR, UTF-16, x-user-defined and of the encodings with
// one byte for a character.

// eucKR is https://encoding.spec.whatwg.org/#euc-kr-decoder.
type eucKR struct{ lead int }

func (d *eucKR) state() uint32 { return uint32(d.lead) }

func (d *eucKR) handle(q *queue, b int) rune {
	lead := d.lead
	d.lead = 0
	switch {
	case lead == 0 && b == endOfQueue:
		return finished
	case lead == 0 && isASCII(b):
		return rune(b)
	case lead == 0 && within(b, 0x81, 0xfe):
		d.lead = b
		return more
	case lead == 0 || b == endOfQueue:
		return malformed
	}
	if within(b, 0x41, 0xfe) {
		if r := indexEUCKR().codePoint((lead-0x81)*190 + b - 0x41); r != 0 {
			return r
		}
	}
	if isASCII(b) {
		q.restore(b)
	}
	return malformed
}

// utf16Decoder is https://encoding.spec.whatwg.org/#shared-utf-16-decoder.
type utf16Decoder struct {
	bigEndian bool
	lead      int // the first byte of a code unit, -1 for none
	surrogate int // a lead surrogate, 0 for none
}

func newUTF16(bigEndian bool, state uint32) *utf16Decoder {
	d := &utf16Decoder{bigEndian: bigEndian, lead: -1}
	if state&0x100 != 0 {
		d.lead = int(state & 0xff)
	}
	if state&0x80000 != 0 {
		d.surrogate = 0xd800 + int(state>>9&0x3ff)
	}
	return d
}

func (d *utf16Decoder) state() uint32 {
	var state uint32
	if d.lead >= 0 {
		state = 0x100 | uint32(d.lead)
	}
	if d.surrogate != 0 {
		state |= 0x80000 | uint32(d.surrogate-0xd800)<<9
	}
	return state
}

func (d *utf16Decoder) handle(q *queue, b int) rune {
	if b == endOfQueue {
		if d.lead < 0 && d.surrogate == 0 {
			return finished
		}
		d.lead, d.surrogate = -1, 0
		return malformed
	}
	if d.lead < 0 {
		d.lead = b
		return more
	}
	lead := d.lead
	d.lead = -1
	unit := b<<8 | lead
	if d.bigEndian {
		unit = lead<<8 | b
	}
	if high := d.surrogate; high != 0 {
		d.surrogate = 0
		if within(unit, 0xdc00, 0xdfff) {
			return rune(0x10000 + (high-0xd800)<<10 + unit - 0xdc00)
		}
		q.restore(b, lead)
		return malformed
	}
	switch {
	case within(unit, 0xd800, 0xdbff):
		d.surrogate = unit
		return more
	case within(unit, 0xdc00, 0xdfff):
		return malformed
	}
	return rune(unit)
}

// singleByte is https://encoding.spec.whatwg.org/#single-byte-decoder.
type singleByte struct{ index *[128]uint16 }

func (singleByte) state() uint32 { return 0 }

func (d singleByte) handle(_ *queue, b int) rune {
	switch {
	case b == endOfQueue:
		return finished
	case isASCII(b):
		return rune(b)
	}
	if r := d.index[b-0x80]; r != 0 {
		return rune(r)
	}
	return malformed
}

// userDefined is https://encoding.spec.whatwg.org/#x-user-defined-decoder.
type userDefined struct{}

func (userDefined) state() uint32 { return 0 }

func (userDefined) handle(_ *queue, b int) rune {
	switch {
	case b == endOfQueue:
		return finished
	case isASCII(b):
		return rune(b)
	}
	return rune(0xf780 + b - 0x80)
}
