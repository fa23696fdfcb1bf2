package native

// This file owns the decoders of EUC-JP, ISO-2022-JP and Shift_JIS.

// eucJP is https://encoding.spec.whatwg.org/#euc-jp-decoder.
type eucJP struct {
	lead    int
	jis0212 bool
}

func (d *eucJP) state() uint32 {
	state := uint32(d.lead)
	if d.jis0212 {
		state |= 0x100
	}
	return state
}

func (d *eucJP) handle(q *queue, b int) rune {
	lead := d.lead
	d.lead = 0
	switch {
	case b == endOfQueue && lead == 0:
		return finished
	case b == endOfQueue:
		d.jis0212 = false
		return malformed
	case lead == 0x8e && within(b, 0xa1, 0xdf):
		return rune(0xff61 - 0xa1 + b)
	case lead == 0x8f && within(b, 0xa1, 0xfe):
		d.jis0212 = true
		d.lead = b
		return more
	case lead != 0:
		index := indexJIS0208
		if d.jis0212 {
			index = indexJIS0212
		}
		d.jis0212 = false
		if within(lead, 0xa1, 0xfe) && within(b, 0xa1, 0xfe) {
			if r := index().codePoint((lead-0xa1)*94 + b - 0xa1); r != 0 {
				return r
			}
		}
		if isASCII(b) {
			q.restore(b)
		}
		return malformed
	case isASCII(b):
		return rune(b)
	case b == 0x8e || b == 0x8f || within(b, 0xa1, 0xfe):
		d.lead = b
		return more
	}
	return malformed
}

// shiftJIS is https://encoding.spec.whatwg.org/#shift_jis-decoder.
type shiftJIS struct{ lead int }

func (d *shiftJIS) state() uint32 { return uint32(d.lead) }

func (d *shiftJIS) handle(q *queue, b int) rune {
	lead := d.lead
	d.lead = 0
	if lead == 0 {
		switch {
		case b == endOfQueue:
			return finished
		case b <= 0x80:
			return rune(b)
		case within(b, 0xa1, 0xdf):
			return rune(0xff61 - 0xa1 + b)
		case within(b, 0x81, 0x9f) || within(b, 0xe0, 0xfc):
			d.lead = b
			return more
		}
		return malformed
	}
	if within(b, 0x40, 0x7e) || within(b, 0x80, 0xfc) {
		offset, leadOffset := 0x41, 0xc1
		if b < 0x7f {
			offset = 0x40
		}
		if lead < 0xa0 {
			leadOffset = 0x81
		}
		pointer := (lead-leadOffset)*188 + b - offset
		if within(pointer, 8836, 10715) {
			return rune(0xe000 - 8836 + pointer)
		}
		if r := indexJIS0208().codePoint(pointer); r != 0 {
			return r
		}
	}
	if isASCII(b) {
		q.restore(b)
	}
	return malformed
}

// The states of the ISO-2022-JP decoder, with the standard's names.
const (
	stateASCII = iota
	stateRoman
	stateKatakana
	stateLeadByte
	stateTrailByte
	stateEscapeStart
	stateEscape
)

// iso2022JP is https://encoding.spec.whatwg.org/#iso-2022-jp-decoder.
type iso2022JP struct {
	decoder, output int // states
	lead            int
	outputFlag      bool
}

func newISO2022JP(state uint32) *iso2022JP {
	d := &iso2022JP{
		decoder: int(state & 7), output: int(state >> 3 & 7), lead: int(state >> 6 & 0xff), outputFlag: state>>14&1 != 0,
	}
	// What is no state of the decoder would be left by nothing.
	if d.decoder > stateEscape || d.output > stateLeadByte {
		return &iso2022JP{}
	}
	return d
}

func (d *iso2022JP) state() uint32 {
	state := uint32(d.decoder) | uint32(d.output)<<3 | uint32(d.lead)<<6
	if d.outputFlag {
		state |= 1 << 14
	}
	return state
}

func (d *iso2022JP) handle(q *queue, b int) rune {
	switch d.decoder {
	case stateTrailByte:
		return d.handleTrail(b)
	case stateEscapeStart:
		if b == 0x24 || b == 0x28 {
			d.lead = b
			d.decoder = stateEscape
			return more
		}
		q.restore(b)
		d.outputFlag = false
		d.decoder = d.output
		return malformed
	case stateEscape:
		return d.handleEscape(q, b)
	}
	switch b {
	case 0x1b:
		d.decoder = stateEscapeStart
		return more
	case endOfQueue:
		return finished
	}
	d.outputFlag = false
	switch d.decoder {
	case stateRoman:
		switch {
		case b == 0x5c:
			return 0x00a5
		case b == 0x7e:
			return 0x203e
		}
		fallthrough
	case stateASCII:
		if b < 0x80 && b != 0x0e && b != 0x0f {
			return rune(b)
		}
	case stateKatakana:
		if within(b, 0x21, 0x5f) {
			return rune(0xff61 - 0x21 + b)
		}
	case stateLeadByte:
		if within(b, 0x21, 0x7e) {
			d.lead = b
			d.decoder = stateTrailByte
			return more
		}
	}
	return malformed
}

func (d *iso2022JP) handleTrail(b int) rune {
	if b == 0x1b {
		d.decoder = stateEscapeStart
		return malformed
	}
	d.decoder = stateLeadByte
	if within(b, 0x21, 0x7e) {
		if r := indexJIS0208().codePoint((d.lead-0x21)*94 + b - 0x21); r != 0 {
			return r
		}
	}
	return malformed
}

func (d *iso2022JP) handleEscape(q *queue, b int) rune {
	lead := d.lead
	d.lead = 0
	state := -1
	switch {
	case lead == 0x28 && b == 0x42:
		state = stateASCII
	case lead == 0x28 && b == 0x4a:
		state = stateRoman
	case lead == 0x28 && b == 0x49:
		state = stateKatakana
	case lead == 0x24 && (b == 0x40 || b == 0x42):
		state = stateLeadByte
	}
	if state >= 0 {
		d.decoder, d.output = state, state
		flag := d.outputFlag
		d.outputFlag = true
		if flag {
			return malformed
		}
		return more
	}
	q.restore(b, lead)
	d.outputFlag = false
	d.decoder = d.output
	return malformed
}
