package native

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// This file owns the indexes of the legacy encodings (https://encoding.spec.whatwg.org/#indexes).
// They are those of golang.org/x/text, asked for pointer by pointer at the first use of an
// encoding: its decoders treat errors and streams otherwise than the standard, but what they
// make of a right sequence is the index.

// index maps pointers to code points; 0 stands for null.
type index []rune

func (x index) codePoint(pointer int) rune {
	if pointer < 0 || pointer >= len(x) {
		return 0
	}
	return x[pointer]
}

// newIndex makes an index of a size; sequence returns the bytes of a pointer.
func newIndex(size int, from encoding.Encoding, sequence func(pointer int) []byte) index {
	x := make(index, size)
	decoder := from.NewDecoder().Transformer
	var text [16]byte
	for pointer := range x {
		src := sequence(pointer)
		decoder.Reset()
		n, read, err := decoder.Transform(text[:], src, true)
		if err != nil || read != len(src) {
			continue
		}
		if r, size := utf8.DecodeRune(text[:n]); size == n && r != utf8.RuneError {
			x[pointer] = r
		}
	}
	return x
}

// Indexes of two bytes differ in how many trail bytes there are for a lead byte, and where
// the gap among those is.
func twoBytes(lead, trails, firstTrail, gap, behindGap int) func(int) []byte {
	return func(pointer int) []byte {
		trail := pointer % trails
		if trail < gap {
			trail += firstTrail
		} else {
			trail += behindGap
		}
		return []byte{byte(lead + pointer/trails), byte(trail)}
	}
}

// What GB 18030-2005 and 2022 changed, in pointers of the index.
var gb18030Changes = map[int]rune{
	7533: 0x1e3f, 7182: 0xfe10, 7183: 0xfe12, 7184: 0xfe11, 7185: 0xfe13, 7186: 0xfe14, 7187: 0xfe15, 7188: 0xfe16, 7201: 0xfe17,
	7202: 0xfe18, 7208: 0xfe19, 23775: 0x9fb4, 23783: 0x9fb5, 23788: 0x9fb6, 23789: 0x9fb7, 23795: 0x9fb8, 23812: 0x9fb9,
	23829: 0x9fba, 23845: 0x9fbb,
}

var indexGB18030 = sync.OnceValue(func() index {
	x := newIndex(126*190, simplifiedchinese.GB18030, twoBytes(0x81, 190, 0x40, 0x3f, 0x41))
	addPrivateUse(x)
	for pointer, r := range gb18030Changes {
		x[pointer] = r
	}
	return x
})

// addPrivateUse adds the code points for private use, which golang.org/x/text leaves out.
// There are three areas for users, and elsewhere each place without a character has the
// next code point of those that have no sequence of four bytes.
func addPrivateUse(x index) {
	next := rune(0xe000)
	fill := func(firstLead, lastLead, firstTrail, trails int) {
		for lead := firstLead; lead <= lastLead; lead++ {
			for trail := range trails {
				// Places that have a character pass their code point over.
				if pointer := (lead-0x81)*190 + firstTrail - 0x40 + trail; x[pointer] == 0 {
					x[pointer] = next
				}
				next++
			}
		}
	}
	fill(0xaa, 0xaf, 0xa0, 94) // trail bytes from 0xa1, behind the gap
	fill(0xf8, 0xfe, 0xa0, 94)
	fill(0xa1, 0xa7, 0x40, 96)
	fourBytes := map[rune]bool{}
	for _, r := range indexGB18030Ranges() {
		fourBytes[r] = true
	}
	for pointer := range x {
		if x[pointer] == 0 {
			for fourBytes[next] {
				next++
			}
			x[pointer] = next
			next++
		}
	}
}

var indexGB18030Ranges = sync.OnceValue(func() index {
	x := newIndex(39420, simplifiedchinese.GB18030, func(p int) []byte {
		return []byte{byte(0x81 + p/12600), byte(0x30 + p/1260%10), byte(0x81 + p/10%126), byte(0x30 + p%10)}
	})
	x[39417] = utf8.RuneError // the character itself
	return x
})

var indexBig5 = sync.OnceValue(func() index {
	return newIndex(126*157, traditionalchinese.Big5, twoBytes(0x81, 157, 0x40, 0x3f, 0x62))
})

var indexEUCKR = sync.OnceValue(func() index {
	return newIndex(126*190, korean.EUCKR, twoBytes(0x81, 190, 0x41, 190, 0))
})

// The index has more rows than EUC-JP can name; Shift_JIS names all.
var indexJIS0208 = sync.OnceValue(func() index {
	sequence := twoBytes(0x81, 188, 0x40, 0x3f, 0x41)
	return newIndex(60*188, japanese.ShiftJIS, func(pointer int) []byte {
		src := sequence(pointer)
		if src[0] >= 0xa0 {
			src[0] += 0x40
		}
		return src
	})
})

var indexJIS0212 = sync.OnceValue(func() index {
	return newIndex(94*94, japanese.EUCJP, func(p int) []byte { return []byte{0x8f, byte(0xa1 + p/94), byte(0xa1 + p%94)} })
})

// The encodings of one byte, by their names in lower case.
var charmaps = map[string]*charmap.Charmap{
	"ibm866":         charmap.CodePage866,
	"iso-8859-2":     charmap.ISO8859_2,
	"iso-8859-3":     charmap.ISO8859_3,
	"iso-8859-4":     charmap.ISO8859_4,
	"iso-8859-5":     charmap.ISO8859_5,
	"iso-8859-6":     charmap.ISO8859_6,
	"iso-8859-7":     charmap.ISO8859_7,
	"iso-8859-8":     charmap.ISO8859_8,
	"iso-8859-8-i":   charmap.ISO8859_8,
	"iso-8859-10":    charmap.ISO8859_10,
	"iso-8859-13":    charmap.ISO8859_13,
	"iso-8859-14":    charmap.ISO8859_14,
	"iso-8859-15":    charmap.ISO8859_15,
	"iso-8859-16":    charmap.ISO8859_16,
	"koi8-r":         charmap.KOI8R,
	"koi8-u":         charmap.KOI8U,
	"macintosh":      charmap.Macintosh,
	"windows-874":    charmap.Windows874,
	"windows-1250":   charmap.Windows1250,
	"windows-1251":   charmap.Windows1251,
	"windows-1252":   charmap.Windows1252,
	"windows-1253":   charmap.Windows1253,
	"windows-1254":   charmap.Windows1254,
	"windows-1255":   charmap.Windows1255,
	"windows-1256":   charmap.Windows1256,
	"windows-1257":   charmap.Windows1257,
	"windows-1258":   charmap.Windows1258,
	"x-mac-cyrillic": charmap.MacintoshCyrillic,
}

var singleByteTables sync.Map // from names to *[128]uint16

// singleByteTable returns the index of an encoding of one byte, nil for any other name.
func singleByteTable(encoding string) *[128]uint16 {
	if table, ok := singleByteTables.Load(encoding); ok {
		return table.(*[128]uint16)
	}
	from := charmaps[encoding]
	if from == nil {
		return nil
	}
	table := new([128]uint16)
	for i := range table {
		r := from.DecodeByte(byte(0x80 + i))
		if r == utf8.RuneError && i < 0x20 {
			// In the standard what is no character there is a C1 control.
			r = rune(0x80 + i)
		}
		if r != utf8.RuneError {
			table[i] = uint16(r)
		}
	}
	singleByteTables.Store(encoding, table)
	return table
}
