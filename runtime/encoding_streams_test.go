package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of TextEncoderStream and TextDecoderStream.

func TestEncodingStreams(t *testing.T) {
	// through pipes chunks through a stream and returns what comes out, and the error.
	const through = `
  const through = async (stream, ...chunks) => { const out = []; try { for await (const c of ReadableStream.from(chunks).pipeThrough(stream)) out.push(typeof c === 'string' ? c : [...c]) } catch (e) { out.push(e.constructor.name) } return out };`
	cases := []struct{ name, source, want string }{
		{"encoding", `through(new TextEncoderStream(), 'a\u00e9', '', 7)`, `[[97,195,169],[55]]`},
		{"halves of a pair in two chunks", `through(new TextEncoderStream(), 'a\ud83d', '\ude00', '\ud83d', 'b', '\ude00\ud83d')`, `[[97],[240,159,152,128],[239,191,189,98],[239,191,189],[239,191,189]]`},
		{"chunks that are no text", `through(new TextEncoderStream(), Symbol('s'))`, `["TypeError"]`},
		{"decoding", `through(new TextDecoderStream(), new Uint8Array([0xef, 0xbb, 0xbf, 97, 0xc3]), new Uint8Array([]), new Uint8Array([0xa9]).buffer, new DataView(new Uint8Array([0xe2, 0x82]).buffer))`, `["a","é","` + "\ufffd" + `"]`},
		{"another encoding", `through(new TextDecoderStream('shift_jis'), new Uint8Array([0x93, 0xfa, 0x96]), new Uint8Array([0x7b]))`, `["日","本"]`},
		{"fatal, in the middle and at the end", `Promise.all([through(new TextDecoderStream('utf-8', { fatal: true }), new Uint8Array([97, 0xff])), through(new TextDecoderStream('utf-8', { fatal: true }), new Uint8Array([97, 0xe2]))])`, `[["TypeError"],["a","TypeError"]]`},
		{"chunks that are no bytes", `Promise.all([undefined, 'a', null, [1], {}].map((c) => through(new TextDecoderStream(), c)))`, `[["TypeError"],["TypeError"],["TypeError"],["TypeError"],["TypeError"]]`},
		{"attributes", `(() => { const d = new TextDecoderStream('latin1', { fatal: 1, ignoreBOM: true }); return [d.encoding, d.fatal, d.ignoreBOM, new TextEncoderStream().encoding, d.readable instanceof ReadableStream, d.writable instanceof WritableStream, d.readable === d.readable] })()`, `["windows-1252",true,true,"utf-8",true,true,true]`},
		{"labels that are none", `[() => new TextDecoderStream('x'), () => new TextDecoderStream(Symbol()), () => TextEncoderStream(), () => TextDecoderStream.prototype.encoding].map((f) => { try { f() } catch (e) { return e.constructor.name } })`, `["RangeError","TypeError","TypeError","TypeError"]`},
		{"a decoder that was patched", `(() => { TextDecoder.prototype.decode = () => 'patched'; Object.defineProperty(TextDecoder.prototype, 'encoding', { get: () => 'patched' }); const d = new TextDecoderStream(); return through(d, new Uint8Array([97])).then((out) => [d.encoding, out]) })()`, `["utf-8",["a"]]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, "() => {"+through+"\n  return "+c.source+" }")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
