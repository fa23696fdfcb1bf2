package native

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of the legacy decoders: sequences of the standard's cases,
// and that pieces of a stream decode to the same as the whole.

// encodings are the names of all encodings that OpDecode knows.
func encodings() []string {
	names := []string{
		"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "utf-16le", "utf-16be", "x-user-defined",
	}
	for name := range charmaps {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// call decodes one piece and returns its text and the state behind it. read is -1, or
// where a fatal error is.
func call(encoding string, text []byte, state float64, flags int) (units []uint16, next float64, read int) {
	answer := Do(Call{Op: OpDecode, Texts: [2]string{encoding}, Numbers: [2]float64{state, float64(flags)}, Bytes: text})
	if answer.HasNumber && answer.Number < 0 {
		read, err := strconv.Atoi(answer.Text)
		if err != nil {
			panic(err)
		}
		return nil, -1 - answer.Number, read
	}
	return answer.UTF16, answer.Number, -1
}

// whole decodes a text at once.
func whole(encoding string, text []byte) string {
	units, _, _ := call(encoding, text, 0, FlagFlush)
	return string(utf16.Decode(units))
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ encoding, bytes, want string }{
		{"gbk", "s\x80\xff", "s€\ufffd"},
		{"gb18030", "\x81\x40\x81\x7e\x81\x7f", "\u4e02\u4e8a\ufffd\u007f"},
		{"gb18030", "\x81\x30\x81\x30", "\u0080"},
		{"gb18030", "\x81\x35\xf4\x37\x83\x36\xc8\x30", "\ue7c7\ue7c8"},
		{"gb18030", "\x90\x30\x81\x30\xe3\x32\x9a\x35\xe3\x32\x9a\x36", "\U00010000\U0010ffff\ufffd"},
		{"gb18030", "\x84\x31\xa4\x39\x84\x31\xa5\x30", "\uffff\ufffd"},
		{"gb18030", "\x81\x30\xfe\x29", "\ufffd0\ufffd)"},
		{"gb18030", "\x81\x30\x81\xff", "\ufffd0\ufffd"},
		{"gb18030", "\xa6\xd9\xfe\xa0\xa3\xa0\xa8\xbc", "\ufe10\u9fbb\u3000\u1e3f"},
		{"gb18030", "\x81\x30\x81", "\ufffd"},
		{"gb18030", "\xaa\xa1\xfe\xfe\xa1\x40\xa7\xa0\xa2\xab\x84\x31\xa4\x37", "\ue000\ue4c5\ue4c6\ue765\ue766\ufffd"},
		{"big5", "\x88\x62\x88\x64\x88\xa3\x88\xa5", "\u00ca\u0304\u00ca\u030c\u00ea\u0304\u00ea\u030c"},
		{"big5", "\x87\x40\xfe\xfe\x81\x40\xa4", "\u43f0\u79d4\ufffd@\ufffd"},
		{"big5", "\x80\xff", "\ufffd\ufffd"},
		{"euc-jp", "\xa1\xa1\x8e\xb1\x8f\xb0\xa1\x8f\xa1", "\u3000\uff71\u4e02\ufffd"},
		{"euc-jp", "\x8eA\xa1\x00\x80", "\ufffdA\ufffd\x00\ufffd"},
		{"shift_jis", "\x81\x40\xb1\x80\xf0\x40\xfc\x4b\xa0\x81", "\u3000\uff71\u0080\ue000\u9ed1\ufffd\ufffd"},
		{"shift_jis", "\x81A\x81\x20", "\u3001\ufffd "},
		{"euc-kr", "\xb0\xa1\x81\x41\xb0", "\uac00\uac02\ufffd"},
		{"euc-kr", "\xc9A\xff\x80", "\ufffdA\ufffd\ufffd"},
		{"iso-2022-jp", "P\x1b(JP\\~\x1b(IP\x1b$B\x50\x50\x1b(BP", "PP¥‾\uff90\u4f69P"},
		{"iso-2022-jp", "\x1b$P\x1b", "\ufffd$P\ufffd"},
		{"iso-2022-jp", "\x1b(B\x1b(BP\x0e\x80", "\ufffdP\ufffd\ufffd"},
		{"iso-2022-jp", "\x1b$@P\x1b$@PP \x50", "\ufffd\u4f69\ufffd\ufffd"},
		{"utf-16le", "a\x00=\xd8\xa9\xdc\x00\xd8a\x00\x00\xdcb", "a\U0001f4a9\ufffda\ufffd\ufffd"},
		{"utf-16be", "\xfe\xff\x00a\xd8=\xdc\xa9\xd8\x00", "\ufeffa\U0001f4a9\ufffd"},
		{"x-user-defined", "a\x80\xff", "a\uf780\uf7ff"},
		{"windows-1252", "a\x80\x81\xff", "a€\u0081ÿ"},
		{"iso-8859-6", "\xa1\xc7", "\ufffd\u0627"},
		{"iso-8859-8-i", "\xe0\xa1", "א\ufffd"},
		{"koi8-u", "\xae\xbe", "ўЎ"},
	} {
		if diff := cmp.Diff(c.want, whole(c.encoding, []byte(c.bytes))); diff != "" {
			t.Errorf("%s %+q: -want +got\n%s", c.encoding, c.bytes, diff)
		}
	}
}

// The standard says how many code points each index has.
func TestIndexesAreWhole(t *testing.T) {
	for _, c := range []struct {
		name  string
		index index
		want  int
	}{
		{"gb18030", indexGB18030(), 23940},
		{"gb18030 ranges", indexGB18030Ranges(), 39420},
		{"Big5", indexBig5(), 18590},
		{"EUC-KR", indexEUCKR(), 17048},
		{"jis0208", indexJIS0208(), 7724},
		{"jis0212", indexJIS0212(), 6067},
	} {
		got := 0
		for _, r := range c.index {
			if r != 0 {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d code points, want %d", c.name, got, c.want)
		}
	}
}

func TestUnknownEncodingHasNoAnswer(t *testing.T) {
	for _, name := range []string{"", "utf-8", "replacement", "UTF-16LE", "gb2312"} {
		if diff := cmp.Diff(Answer{}, Do(Call{Op: OpDecode, Texts: [2]string{name}, Bytes: []byte("a")})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// hostile returns bytes that have sequences of many kinds, right and wrong, next to each other.
func hostile(r *rand.Rand, size int) []byte {
	alphabet := []byte("\x00\x0e\x0f\x1b\x1b$(@BIJaz ~0\x39\x40\x50\x7e\x7f\x80\x81\x84\x88\x8e\x8f\x90\xa0\xa1\xa3\xb0\xd8\xdc\xe3\xfc\xfe\xff")
	text := make([]byte, size)
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
		if r.IntN(4) == 0 {
			text[i] = byte(r.Uint32())
		}
	}
	return text
}

// checkPieces compares a text decoded in pieces with the same decoded at once.
func checkPieces(t *testing.T, encoding string, text []byte, sizes func() int) {
	t.Helper()
	want := whole(encoding, text)
	var got []uint16
	var state float64
	for rest := text; ; {
		size := min(len(rest), sizes())
		flags := 0
		if size == len(rest) {
			flags = FlagFlush
		}
		units, next, _ := call(encoding, rest[:size], state, flags)
		got = append(got, units...)
		state = next
		if rest = rest[size:]; flags == FlagFlush {
			break
		}
	}
	if diff := cmp.Diff(want, string(utf16.Decode(got))); diff != "" {
		t.Fatalf("%s % x: -whole +pieces\n%s", encoding, text, diff)
	}
	if state != 0 && encoding != "iso-2022-jp" {
		t.Fatalf("%s % x: state %v at the end", encoding, text, state)
	}
	checkFatal(t, encoding, text, sizes)
}

// countErrors returns how many errors a decoder finds in a text.
func countErrors(encoding string, text []byte) int {
	d, q := newDecoder(encoding, 0), &queue{bytes: text}
	for errors := 0; ; {
		b := endOfQueue
		if next, ok := q.next(); ok {
			b = int(next)
		}
		switch d.handle(q, b) {
		case finished:
			return errors
		case malformed:
			errors++
		}
	}
}

// checkFatal decodes with every error fatal, going on behind each as a TextDecoder does in
// a stream, and counts the errors.
func checkFatal(t *testing.T, encoding string, text []byte, sizes func() int) {
	t.Helper()
	var state float64
	errors := 0
	for rest := text; ; {
		size := min(len(rest), sizes())
		flags := FlagFatal
		if size == len(rest) {
			flags |= FlagFlush
		}
		_, next, read := call(encoding, rest[:size], state, flags)
		state = next
		switch {
		case read > size:
			t.Fatalf("%s % x: %d of %d bytes read", encoding, text, read, size)
		case read >= 0:
			errors++
			rest = rest[read:]
			continue
		}
		if rest = rest[size:]; flags&FlagFlush != 0 {
			break
		}
	}
	if want := countErrors(encoding, text); errors != want {
		t.Fatalf("%s % x: %d errors, and %d fatal ones in pieces", encoding, text, want, errors)
	}
}

func TestPiecesDecodeToTheWhole(t *testing.T) {
	for _, encoding := range encodings() {
		t.Run(encoding, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 300 {
				checkPieces(t, encoding, hostile(r, r.IntN(40)), func() int { return 1 + r.IntN(4) })
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	names := encodings()
	for i := range names {
		f.Add(i, []byte("a\x1b$B\x81\x30\x81\x30\xa1\xa1\xff"), 3, 0.0, 3.0)
	}
	f.Fuzz(func(t *testing.T, which int, text []byte, size int, state, flags float64) {
		encoding := names[int(uint(which)%uint(len(names)))]
		checkPieces(t, encoding, text, func() int { return 1 + int(uint(size)%7) })
		// Any state and flags are taken; a state comes back that is a whole number.
		_, next, _ := call(encoding, text, state, 0)
		if next != math.Trunc(next) || next > maxState {
			t.Errorf("state %v", next)
		}
		Do(Call{Op: OpDecode, Texts: [2]string{encoding}, Numbers: [2]float64{state, flags}, Bytes: text})
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, encoding := range []string{"windows-1252", "utf-16le", "shift_jis", "gb18030"} {
		b.Run(encoding, func(b *testing.B) {
			text := bytes.Repeat([]byte("abcd\x81\x40"), 1000)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				call(encoding, text, 0, FlagFlush)
			}
		})
	}
}
