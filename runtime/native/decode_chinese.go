package native

// This file owns the decoders of gb18030 (and gbk, which has the same) and Big5.

// gb18030 is https://encoding.spec.whatwg.org/#gb18030-decoder.
type gb18030 struct{ first, second, third int }

func newGB18030(state uint32) *gb18030 {
	return &gb18030{int(state & 0xff), int(state >> 8 & 0xff), int(state >> 16 & 0xff)}
}

func (d *gb18030) state() uint32 {
	return uint32(d.first) | uint32(d.second)<<8 | uint32(d.third)<<16
}

func (d *gb18030) handle(q *queue, b int) rune {
	first, second, third := d.first, d.second, d.third
	if b == endOfQueue {
		*d = gb18030{}
		if first == 0 && second == 0 && third == 0 {
			return finished
		}
		return malformed
	}
	switch {
	case third != 0:
		*d = gb18030{}
		if !within(b, 0x30, 0x39) {
			q.restore(b, third, second)
			return malformed
		}
		return gb18030RangesCodePoint((first-0x81)*12600 + (second-0x30)*1260 + (third-0x81)*10 + b - 0x30)
	case second != 0:
		if within(b, 0x81, 0xfe) {
			d.third = b
			return more
		}
		*d = gb18030{}
		q.restore(b, second)
		return malformed
	case first != 0:
		if within(b, 0x30, 0x39) {
			d.second = b
			return more
		}
		d.first = 0
		if within(b, 0x40, 0x7e) || within(b, 0x80, 0xfe) {
			offset := 0x41
			if b < 0x7f {
				offset = 0x40
			}
			if r := indexGB18030().codePoint((first-0x81)*190 + b - offset); r != 0 {
				return r
			}
		}
		if isASCII(b) {
			q.restore(b)
		}
		return malformed
	case isASCII(b):
		return rune(b)
	case b == 0x80:
		return 0x20ac
	case b == 0xff:
		return malformed
	}
	d.first = b
	return more
}

// gb18030RangesCodePoint is
// https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point.
func gb18030RangesCodePoint(pointer int) rune {
	switch {
	case pointer == 7457:
		return 0xe7c7
	case pointer >= 189000 && pointer <= 1237575:
		return rune(pointer - 189000 + 0x10000)
	}
	if r := indexGB18030Ranges().codePoint(pointer); r != 0 {
		return r
	}
	return malformed
}

// big5 is https://encoding.spec.whatwg.org/#big5-decoder.
type big5 struct{ lead int }

func (d *big5) state() uint32 { return uint32(d.lead) }

func (d *big5) handle(q *queue, b int) rune {
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
	if within(b, 0x40, 0x7e) || within(b, 0xa1, 0xfe) {
		offset := 0x62
		if b < 0x7f {
			offset = 0x40
		}
		switch pointer := (lead-0x81)*157 + b - offset; pointer {
		case 1133:
			q.second = 0x0304
			return 0x00ca
		case 1135:
			q.second = 0x030c
			return 0x00ca
		case 1164:
			q.second = 0x0304
			return 0x00ea
		case 1166:
			q.second = 0x030c
			return 0x00ea
		default:
			if r := indexBig5().codePoint(pointer); r != 0 {
				return r
			}
		}
	}
	if isASCII(b) {
		q.restore(b)
	}
	return malformed
}
