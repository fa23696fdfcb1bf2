package native

import (
	"strconv"
	"unicode/utf16"
)

// This file owns OpDecode: bytes to text in the encodings other than UTF-8, by the decoders
// of the Encoding standard (https://encoding.spec.whatwg.org/#encodings). Each decoder is a
// file of its own or shares one with its kind, as a machine that is given a byte at a time.
//
// Nothing is kept between calls. What a decoder remembers within a stream goes back to
// JavaScript as a number, and comes again with the next call.
//
// A call has the encoding's name as its first text, the bytes, and as numbers the state (0
// for a new decoder) and flags. The answer is the text and the state behind it; or, when
// the bytes are wrong and FlagFatal is set, how many of them were read up to the error, as
// decimal text, and -1-state. An encoding that is not known has no answer.

// Flags of OpDecode.
const (
	// FlagFatal makes the first error the end. Otherwise an error becomes U+FFFD.
	FlagFatal = 1
	// FlagFlush says that the bytes are the last ones: what is incomplete is an error.
	FlagFlush = 2
)

// endOfQueue stands for the end of the bytes where a decoder is given a byte.
const endOfQueue = -1

// The answers of a decoder other than a code point.
const (
	finished  rune = -1 // the end of the bytes
	more      rune = -2 // another byte is needed, or one that yields nothing was read
	malformed rune = -3
)

const replacement = 0xfffd

// decoder is one of the standard's decoders, in the middle of a stream.
type decoder interface {
	// handle is given one byte, or endOfQueue, and returns a code point, finished, more or
	// malformed. It may restore bytes to the queue.
	handle(q *queue, b int) rune
	// state returns what is remembered as a number of at most 24 bits, 0 at the start.
	state() uint32
}

// A table decoder can yield two code points at once; it returns the first and restores
// nothing, but leaves the second here.
type queue struct {
	restored [3]byte // in front of bytes; the last one comes first
	count    int
	bytes    []byte
	read     int  // of bytes
	second   rune // to be emitted behind the code point of this step, when it is not 0
}

// next returns the next byte.
func (q *queue) next() (byte, bool) {
	if q.count > 0 {
		q.count--
		return q.restored[q.count], true
	}
	if q.read < len(q.bytes) {
		q.read++
		return q.bytes[q.read-1], true
	}
	return 0, false
}

// restore puts bytes back in front, given from the last to the first. The last one may be
// endOfQueue, which needs no place. Between two steps of a decoder the queue has at most
// what one step restored, since a decoder that restores several bytes remembers none.
func (q *queue) restore(bytes ...int) {
	for _, b := range bytes {
		if b != endOfQueue && q.count < len(q.restored) {
			q.restored[q.count] = byte(b)
			q.count++
		}
	}
}

// newDecoder returns the decoder of an encoding, named in lower case, in a state; nil when
// there is none. Any state is right, in that its decoder does not fail.
func newDecoder(encoding string, state uint32) decoder {
	switch encoding {
	case "gbk", "gb18030":
		return newGB18030(state)
	case "big5":
		return &big5{lead: int(state & 0xff)}
	case "euc-jp":
		return &eucJP{lead: int(state & 0xff), jis0212: state&0x100 != 0}
	case "iso-2022-jp":
		return newISO2022JP(state)
	case "shift_jis":
		return &shiftJIS{lead: int(state & 0xff)}
	case "euc-kr":
		return &eucKR{lead: int(state & 0xff)}
	case "utf-16le", "utf-16be":
		return newUTF16(encoding == "utf-16be", state)
	case "x-user-defined":
		return userDefined{}
	}
	if table := singleByteTable(encoding); table != nil {
		return singleByte{table}
	}
	return nil
}

// The state as a number: that of the decoder, and behind it the bytes that were restored
// and not read again, which there are only after an error.
const (
	stateBits     = 24
	restoredShift = stateBits + 24
)

func (q *queue) load(state uint64) {
	q.count = min(int(state>>restoredShift&3), len(q.restored))
	for i := range q.count {
		q.restored[i] = byte(state >> (stateBits + 8*i))
	}
}

func (q *queue) save(d decoder) uint64 {
	state := uint64(d.state())&(1<<stateBits-1) | uint64(q.count)<<restoredShift
	for i := range q.count {
		state |= uint64(q.restored[i]) << (stateBits + 8*i)
	}
	return state
}

// maxState is the largest state there is, which a JavaScript number holds exactly.
const maxState = 1<<(restoredShift+2) - 1

func decode(c Call) Answer {
	var state uint64
	if s := c.Numbers[0]; s > 0 && s <= maxState {
		state = uint64(s)
	}
	d := newDecoder(c.Texts[0], uint32(state&(1<<stateBits-1)))
	if d == nil {
		return Answer{}
	}
	flags := 0
	if f := c.Numbers[1]; f >= 0 && f <= FlagFatal|FlagFlush {
		flags = int(f)
	}
	q := &queue{bytes: c.Bytes}
	q.load(state)
	units, ok := run(d, q, flags)
	if !ok {
		return Answer{
			Text: strconv.Itoa(q.read), HasText: true, Number: -1 - float64(q.save(d)), HasNumber: true,
		}
	}
	return Answer{UTF16: units, Number: float64(q.save(d)), HasNumber: true}
}

// run decodes the queue, to the end unless an error is fatal.
func run(d decoder, q *queue, flags int) ([]uint16, bool) {
	units := make([]uint16, 0, len(q.bytes)+4)
	for {
		b := endOfQueue
		if next, ok := q.next(); ok {
			b = int(next)
		} else if flags&FlagFlush == 0 {
			return units, true
		}
		switch r := d.handle(q, b); {
		case r == finished:
			return units, true
		case r == more:
		case r == malformed:
			if flags&FlagFatal != 0 {
				return nil, false
			}
			units = append(units, replacement)
		case r < 0x10000:
			units = append(units, uint16(r))
			if q.second != 0 {
				units = append(units, uint16(q.second))
				q.second = 0
			}
		default:
			high, low := utf16.EncodeRune(r)
			units = append(units, uint16(high), uint16(low))
		}
	}
}

func isASCII(b int) bool { return b >= 0 && b < 0x80 }

func within(b, low, high int) bool { return b >= low && b <= high }
