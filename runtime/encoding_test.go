package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of TextEncoder, TextDecoder, atob and btoa.

func TestTextEncoder(t *testing.T) {
	for _, c := range []struct{ what, source, want string }{
		{"text", "() => [...new TextEncoder().encode('a\\u00e9\\u20ac\\u{1f4a9}')].join()", `"97,195,169,226,130,172,240,159,146,169"`},
		{"lone surrogates", "() => [...new TextEncoder().encode('\\ud800a\\udc00\\ud800')].join()", `"239,191,189,97,239,191,189,239,191,189"`},
		{"nothing", "() => [new TextEncoder().encode().length, new TextEncoder().encode(undefined).length, new TextEncoder().encode('').length, String(new TextEncoder().encode(null))]", `[0,0,0,"110,117,108,108"]`},
		{"what it returns", "() => { const b = new TextEncoder().encode('ab'); return [b.constructor.name, b.byteOffset, b.buffer.byteLength] }", `["Uint8Array",0,2]`},
		{"its interface", "() => [new TextEncoder().encoding, TextEncoder.length, TextEncoder.prototype.encode.length, TextEncoder.prototype.encodeInto.length, String(new TextEncoder()), Object.keys(TextEncoder.prototype)]",
			`["utf-8",0,0,2,"[object TextEncoder]",["encoding","encode","encodeInto"]]`},
		{"encodeInto", "() => { const b = new Uint8Array(10); return [new TextEncoder().encodeInto('a\\u{1f4a9}b', b), new TextEncoder().encodeInto('a\\u{1f4a9}b', b.subarray(0, 4)), new TextEncoder().encodeInto('\\ud800', b.subarray(0, 2)), new TextEncoder().encodeInto('\\u20ac', b.subarray(7)), b.join()] }",
			`[{"read":4,"written":6},{"read":1,"written":1},{"read":0,"written":0},{"read":1,"written":3},"97,240,159,146,169,98,0,226,130,172"]`},
		{"encodeInto of another kind", "() => [new Int8Array(1), new ArrayBuffer(1), new DataView(new ArrayBuffer(1)), {}, null, undefined].map((d) => { try { new TextEncoder().encodeInto('', d) } catch (e) { return e.constructor.name } })",
			`["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"a receiver of another kind", "() => { try { TextEncoder.prototype.encode.call({}, '') } catch (e) { return e.message } }", `"TextEncoder.encode: Illegal invocation"`},
		{"much text", "() => { const s = 'a\\u20ac'.repeat(500000); const b = new TextEncoder().encode(s); return [b.length, new TextDecoder().decode(b) === s] }", `[2000000,true]`},
	} {
		if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.what, diff)
		}
	}
}

func TestTextDecoder(t *testing.T) {
	const bytes = "const bytes = (...b) => new Uint8Array(b); const code = (s) => [...s].map((c) => c.codePointAt(0).toString(16)).join(' ');"
	for _, c := range []struct{ what, source, want string }{
		{"defaults", "() => { const d = new TextDecoder(); return [d.encoding, d.fatal, d.ignoreBOM, TextDecoder.length, TextDecoder.prototype.decode.length, String(d), Object.keys(TextDecoder.prototype)] }",
			`["utf-8",false,false,0,0,"[object TextDecoder]",["encoding","fatal","ignoreBOM","decode"]]`},
		{"labels", "() => [' UTF8\\n', 'latin1', 'ascii', 'UTF-16', 'utf-16be', 'gb2312', 'sjis', 'ISO-8859-8-I', 'x-user-defined', 'l9'].map((l) => new TextDecoder(l).encoding)",
			`["utf-8","windows-1252","windows-1252","utf-16le","utf-16be","gbk","shift_jis","iso-8859-8-i","x-user-defined","iso-8859-15"]`},
		{"labels of nothing", "() => ['', 'utf', 'utf-8 utf8', '=utf-8', 'replacement', 'hz-gb-2312', 'utf-7', '\\u212aoi8-r', '\\u000butf-8', null].map((l) => { try { return new TextDecoder(l).encoding } catch (e) { return e.constructor.name } })",
			`["RangeError","RangeError","RangeError","RangeError","RangeError","RangeError","RangeError","RangeError","RangeError","RangeError"]`},
		{"invalid sequences", "() => code(new TextDecoder().decode(bytes(0xc0, 0x80, 0xe0, 0x80, 0xed, 0xa0, 0x80, 0xf0, 0x90, 0x41, 0xf4, 0x90, 0xff, 0xe2, 0x82)))",
			`"fffd fffd fffd fffd fffd fffd fffd fffd 41 fffd fffd fffd fffd"`},
		{"a byte order mark", "() => { const b = bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x61); return [code(new TextDecoder().decode(b)), code(new TextDecoder('utf8', { ignoreBOM: true }).decode(b)), code(new TextDecoder('utf-16le').decode(bytes(0xff, 0xfe, 0x61, 0))), code(new TextDecoder('utf-16be').decode(bytes(0xff, 0xfe))), code(new TextDecoder('gb18030').decode(bytes(0x84, 0x31, 0x95, 0x33)))] }",
			`["feff 61","feff feff 61","61","fffe","feff"]`},
		{"a byte order mark in pieces", "() => { const d = new TextDecoder(); const s = (b, stream) => code(d.decode(bytes(...b), { stream })); return [s([0xef], true), s([0xbb], true), s([0xbf, 0x61], true), s([0xef, 0xbb, 0xbf], false), s([0xef, 0xbb, 0xbf], true), s([], false)] }",
			`["","","61","feff","",""]`},
		{"errors that are fatal", "() => ['utf-8', 'utf-16le', 'gbk', 'shift_jis', 'euc-kr', 'windows-1253', 'iso-2022-jp'].map((l) => { try { return new TextDecoder(l, { fatal: true }).decode(bytes(0xaa, 0xff, 0xd2)) } catch (e) { return e.constructor.name } })",
			`["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"the rest behind a fatal error", "() => { const d = new TextDecoder('utf-8', { fatal: true }); const out = []; for (const b of [[0x61, 0xe2], [0x41, 0x42], [0x43]]) { try { out.push(d.decode(bytes(...b), { stream: true })) } catch { out.push('error') } } return out.concat(d.decode()) }",
			`["a","error","ABC",""]`},
		{"the same of a legacy encoding", "() => { const d = new TextDecoder('gb18030', { fatal: true }); const out = []; for (const b of [[0x61, 0x81], [0x30, 0x81], [0x41], [0x42]]) { try { out.push(d.decode(bytes(...b), { stream: true })) } catch { out.push('error') } } try { out.push(d.decode()) } catch { out.push('error') } return out.map(code) }",
			`["61","","65 72 72 6f 72","30 4e04 42",""]`},
		{"a new stream behind a fatal error", "() => { const d = new TextDecoder('euc-jp', { fatal: true }); try { d.decode(bytes(0xff, 0x41)) } catch {} return d.decode(bytes(0x42)) }", `"B"`},
		{"kinds of input", "() => { const b = new Uint8Array([0x7a, 0x61, 0x62, 0x63]); const d = new TextDecoder(); return [d.decode(b.buffer), d.decode(b.subarray(1, 3)), d.decode(new DataView(b.buffer, 2)), d.decode(new Uint16Array(b.buffer)), d.decode(), d.decode(undefined)] }",
			`["zabc","ab","bc","zabc","",""]`},
		{"other inputs", "() => ['a', [97], {}, null, 1].map((v) => { try { return new TextDecoder().decode(v) } catch (e) { return e.constructor.name } })",
			`["TypeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"options that change the input", "() => { const b = bytes(0x61); return new TextDecoder().decode(b, { get stream() { b[0] = 0x62; return false } }) }", `"b"`},
		{"options that are no object", "() => { try { new TextDecoder('utf-8', 1) } catch (e) { return e.constructor.name } }", `"TypeError"`},
		{"input that changes later", "() => { const b = bytes(0xe2, 0x82); const d = new TextDecoder(); d.decode(b, { stream: true }); b[0] = 0; return d.decode(bytes(0xac)) }", `"€"`},
		{"ISO-2022-JP remembers its state", "() => { const d = new TextDecoder('iso-2022-jp'); const s = (...b) => d.decode(bytes(...b), { stream: true }); return [s(0x1b, 0x24), s(0x42, 0x50), s(0x50), s(0x1b, 0x28, 0x42, 0x50), code(d.decode(bytes(0x1b)))] }",
			`["","","佩","P","fffd"]`},
		{"a receiver of another kind", "() => { try { TextDecoder.prototype.decode.call({}) } catch (e) { return e.message } }", `"TextDecoder.decode: Illegal invocation"`},
	} {
		if diff := cmp.Diff(c.want, value(t, bytes+"\n"+c.source)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.what, diff)
		}
	}
}

// What is decoded in pieces is the same as the whole, for every encoding, also where the
// whole is more than one call of a decoder takes.
func TestPiecesOfAStreamDecodeToTheWhole(t *testing.T) {
	expectNone(t, `() => {
  const labels = ['utf-8', 'utf-16le', 'utf-16be', 'gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr', 'x-user-defined',
    'windows-1252', 'iso-8859-8-i', 'koi8-u'];
  let seed = 4321;
  const next = (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % n;
  };
  const interesting = [0x00, 0x0e, 0x1b, 0x24, 0x28, 0x40, 0x41, 0x42, 0x4a, 0x30, 0x39, 0x7e, 0x80, 0x81, 0x8e, 0x8f, 0x90, 0xa1, 0xbf, 0xc2, 0xd8, 0xdc, 0xe2, 0xed,
    0xef, 0xf0, 0xf4, 0xfe, 0xff];
  const some = (size) => {
    const bytes = new Uint8Array(size);
    for (let i = 0; i < size; i++) bytes[i] = next(3) === 0 ? next(256) : interesting[next(interesting.length)];
    return bytes;
  };
  const wrong = [];
  let tested = 0;
  for (const label of labels) {
    for (let round = 0; round < 40; round++) {
      const bytes = some(round === 0 ? 600000 : next(50));
      const whole = new TextDecoder(label).decode(bytes);
      const decoder = new TextDecoder(label);
      let pieces = '';
      let mostly = round === 0 ? 200000 : 4;
      for (let from = 0; from < bytes.length;) {
        const to = Math.min(bytes.length, from + 1 + next(mostly));
        pieces += decoder.decode(bytes.subarray(from, to), { stream: true });
        from = to;
      }
      pieces += decoder.decode();
      tested++;
      if (pieces !== whole) wrong.push(label + ' ' + (bytes.length > 50 ? bytes.length : bytes.join()));
      // Fatal, in a stream, going on behind each error: as many errors as were replaced.
      if (round === 0 || label.startsWith('utf-16') || label === 'gb18030' || label === 'gbk') continue;
      const strict = new TextDecoder(label, { fatal: true });
      let errors = 0;
      const attempt = (input, options) => { try { strict.decode(input, options); return true; } catch { errors++; return false; } };
      for (let i = 0; i < bytes.length; i++) {
        if (attempt(bytes.subarray(i, i + 1), { stream: true })) continue;
        while (!attempt(new Uint8Array(0), { stream: true }));
      }
      attempt();
      if (errors !== whole.split('\ufffd').length - 1) wrong.push(label + ' ' + bytes.join() + ': ' + errors + ' fatal errors');
    }
  }
  return { tested, wrong };
}`)
}

func TestBase64Vectors(t *testing.T) {
	expectNone(t, `(vectors) => {
  const wrong = [];
  for (const [input, want] of vectors) {
    let got = null;
    try {
      got = [...atob(input)].map((c) => c.charCodeAt(0));
    } catch (e) {
      if (!(e instanceof DOMException) || e.name !== 'InvalidCharacterError') wrong.push(JSON.stringify(input) + ' throws ' + e);
    }
    if (JSON.stringify(got) !== JSON.stringify(want)) wrong.push(JSON.stringify(input) + ' is ' + got);
    if (got !== null && got.length > 0 && atob(btoa(atob(input))) !== atob(input)) wrong.push(JSON.stringify(input) + ' and back');
  }
  return { tested: vectors.length, wrong };
}`, withInput(wptVectors(t, "base64.json")))
}

func TestBase64(t *testing.T) {
	for _, c := range []struct{ what, source, want string }{
		{"btoa", "() => ['', 'a', 'ab', 'abc', '\\u00ff\\u0000', null, 12.5].map((v) => btoa(v))", `["","YQ==","YWI=","YWJj","/wA=","bnVsbA==","MTIuNQ=="]`},
		{"atob", "() => [atob(' Y W\\nJj\\t'), atob('YWI'), atob(''), atob('YQ')]", `["abc","ab","","a"]`},
		{"text outside of Latin1", "() => { try { btoa('\\u0100') } catch (e) { return [e.name, e.code, e instanceof DOMException] } }", `["InvalidCharacterError",5,true]`},
		{"no base64", "() => ['a', '=', 'ab=', 'abc==', 'ab=c', 'abcd=', '\\u00e9===', 'a-b_'].map((v) => { try { return atob(v) } catch (e) { return e.name } })",
			`["InvalidCharacterError","InvalidCharacterError","InvalidCharacterError","InvalidCharacterError","InvalidCharacterError","InvalidCharacterError","InvalidCharacterError","InvalidCharacterError"]`},
		{"no argument", "() => [atob, btoa].map((f) => { try { f() } catch (e) { return e.constructor.name } })", `["TypeError","TypeError"]`},
		{"the functions", "() => ['atob', 'btoa'].map((n) => { const d = Object.getOwnPropertyDescriptor(globalThis, n); return [d.value.name, d.value.length, d.enumerable, d.writable, d.configurable] })",
			`[["atob",1,true,true,true],["btoa",1,true,true,true]]`},
		{"much text", "() => { let s = ''; for (let i = 0; i < 20000; i++) s += String.fromCharCode(i & 255); return [btoa(s).length, atob(btoa(s)) === s, atob(btoa(s + 'x')) === s + 'x'] }", `[26668,true,true]`},
	} {
		if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.what, diff)
		}
	}
}

// Detached memory counts as no bytes, and a guest that patches everything before its first
// use gets the same texts.
func TestEncodingDependsOnNothingPatchable(t *testing.T) {
	source := `() => {
  const detached = new Uint8Array(8);
  structuredClone(detached, { transfer: [detached.buffer] });
  const empty = [new TextDecoder().decode(detached), new TextDecoder().decode(detached.buffer), new TextDecoder('big5').decode(detached),
    JSON.stringify(new TextEncoder().encodeInto('abc', detached))];
  const input = new Uint8Array([0xef, 0xbb, 0xbf, 0xe2, 0x82, 0xac]);
  const japanese = new Uint8Array([0x93, 0xfa, 0x96, 0x7b]);
` + patchEverything + `
  globalThis.Uint8Array = boom;
  const text = new TextDecoder().decode(input) + new TextDecoder('shift_jis').decode(japanese) + atob('YWJj') + btoa('abc');
  const bytes = new TextEncoder().encode('a');
  return text + bytes[0] + empty[0] + empty[1] + empty[2] + empty[3];
}`
	want := `"€日本abcYWJj97{\"read\":0,\"written\":0}"`
	if diff := cmp.Diff(want, value(t, source)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
