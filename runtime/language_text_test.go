package runtime_test

import "testing"

// This file holds the tests of text: base64 and hexadecimal digits of a Uint8Array,
// RegExp.escape, and well-formed strings.

func TestUint8ArrayText(t *testing.T) {
	testPrograms(t, []program{
		{"vectors of RFC 4648", `const words = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  return words.map((w) => Uint8Array.from(w, (c) => c.charCodeAt(0))).map((b) => [b.toBase64(), b.toBase64({ omitPadding: true }), b.toHex(), String.fromCharCode(...Uint8Array.fromBase64(b.toBase64()))].join());`,
			`[",,,","Zg==,Zg,66,f","Zm8=,Zm8,666f,fo","Zm9v,Zm9v,666f6f,foo","Zm9vYg==,Zm9vYg,666f6f62,foob","Zm9vYmE=,Zm9vYmE,666f6f6261,fooba","Zm9vYmFy,Zm9vYmFy,666f6f626172,foobar"]`},
		{"the alphabet for URLs", `const b = new Uint8Array([251, 255, 254]); const url = { alphabet: 'base64url' };
  return [b.toBase64(), b.toBase64(url), Uint8Array.fromBase64('-__-', url).toHex(), thrown(() => Uint8Array.fromBase64('+//+', url)), thrown(() => Uint8Array.fromBase64('-__-'))];`,
			`["+//+","-__-","fbfffe","SyntaxError","SyntaxError"]`},
		{"last chunks", `const f = (text, lastChunkHandling) => { try { return Uint8Array.fromBase64(text, { lastChunkHandling }).length; } catch (e) { return e.name; } };
  const r = []; for (const handling of ['loose', 'strict', 'stop-before-partial']) r.push(['ZXhhZg==', 'ZXhhZg=', 'ZXhhZg', 'ZXhhZh==', 'ZXhhZ', 'ZXhhZ=', 'ZXhhZg==='].map((text) => f(text, handling)).join()); return r;`,
			`["4,SyntaxError,4,4,SyntaxError,SyntaxError,SyntaxError","4,SyntaxError,SyntaxError,SyntaxError,SyntaxError,SyntaxError,SyntaxError","4,3,3,4,3,SyntaxError,SyntaxError"]`},
		{"white space", "return [Uint8Array.fromBase64(' Z\\tm\\n8\\f=\\r ').toHex(), thrown(() => Uint8Array.fromBase64('Zm\\u00a08=')), thrown(() => Uint8Array.fromHex('66 6f'))];", `["666f","SyntaxError","SyntaxError"]`},
		{"into an array", `const a = new Uint8Array(7); const r = [a.setFromBase64('Zm9vYmFyYmF6'), a.toHex(), a.subarray(5).setFromHex('ABCDEF'), a.toHex()];
  const s = new Uint8Array(4); return [...r, s.setFromBase64('AQIDBAUG', {}), s.toHex()];`,
			`[{"read":8,"written":6},"666f6f62617200",{"read":4,"written":2},"666f6f6261abcd",{"read":4,"written":3},"01020300"]`},
		{"what was read before an error is written", "const a = new Uint8Array(6); const r = [thrown(() => a.setFromBase64('AQID!')), a.toHex(), thrown(() => a.setFromHex('ffzz')), a.toHex(), thrown(() => a.setFromHex('0'))]; return r;",
			`["SyntaxError","010203000000","SyntaxError","ff0203000000","SyntaxError"]`},
		{"options", `const b = new Uint8Array(1); const bad = [() => b.toBase64(null), () => b.toBase64({ alphabet: 'x' }), () => b.toBase64({ alphabet: Object('base64') }), () => Uint8Array.fromBase64('', { lastChunkHandling: null }), () => Uint8Array.fromBase64('', 1), () => Uint8Array.fromBase64(Object('')), () => Uint8Array.fromHex(1)];
  const get = new Proxy({}, { get: (o, k) => { log.push(k); } }); b.toBase64(get); Uint8Array.fromBase64('', get); return [bad.map(thrown), log];`,
			`[["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"],["alphabet","omitPadding","alphabet","lastChunkHandling"]]`},
		{"detached while reading options", `const b = new Uint8Array(4); const options = { get alphabet() { b.buffer.transfer(); } };
  return [thrown(() => b.toBase64(options)), thrown(() => b.setFromBase64('AQID')), thrown(() => b.toHex()), thrown(() => b.setFromHex(''))];`, `["TypeError","TypeError","TypeError","TypeError"]`},
		{"receivers", "const p = Uint8Array.prototype; return [thrown(() => p.toHex.call(new Int8Array(1))), thrown(() => p.toBase64.call({})), thrown(() => p.setFromHex.call(new Uint8ClampedArray(1), '')), Uint8Array.fromHex.call(1, '00').length];",
			`["TypeError","TypeError","TypeError",1]`},
		{"long texts", "const b = new Uint8Array(100001).map((x, i) => i * 7); const t = b.toBase64(); const h = b.toHex(); const same = (c) => c.length === b.length && c.every((x, i) => x === b[i]); return [t.length, h.length, same(Uint8Array.fromBase64(t)), same(Uint8Array.fromHex(h)), Uint8Array.fromBase64(t).buffer.byteLength];",
			"[133336,200002,true,true,100001]"},
	})
}

func TestStrings(t *testing.T) {
	testPrograms(t, []program{
		{"RegExp.escape", "return ['a.b', '1', '_a', '(x)/[y]', 'x\\n\\t\\v\\f\\r', 'x-y z', 'x\\u2028\\ufeff', '\\ud83d\\ude00', 'x\\ud800', '', 'é^$'].map(RegExp.escape);",
			`["\\x61\\.b","\\x31","_a","\\(x\\)\\/\\[y\\]","\\x78\\n\\t\\v\\f\\r","\\x78\\x2dy\\x20z","\\x78\\u2028\\ufeff","😀","\\x78\\ud800","","é\\^\\$"]`},
		{"an escaped text matches itself", `let all = ''; for (let i = 0; i < 0x300; i++) all += String.fromCharCode(i); const bad = [];
  for (const c of [...all, '\\u2003', '\\u3000', '\\ud83d\\ude00', '\\udc00', '\\ud800']) for (const flags of ['', 'u']) if (!new RegExp('^' + RegExp.escape('0' + c) + RegExp.escape(c) + '$', flags).test('0' + c + c)) bad.push(c); return bad.length;`, "0"},
		{"only strings are escaped", "return [thrown(() => RegExp.escape(1)), thrown(() => RegExp.escape()), thrown(() => RegExp.escape(Object('a')))];", `["TypeError","TypeError","TypeError"]`},
		{"isWellFormed", "return ['', 'abc', '\\ud83d\\ude00', 'a\\ud83d', '\\ude00a', '\\ude00\\ud83d', '\\ud83d\\ud83d\\ude00'].map((s) => s.isWellFormed());", "[true,true,true,false,false,false,false]"},
		{"toWellFormed", "return ['abc', 'a\\ud83d', '\\ude00a', '\\ud83d\\ud83d\\ude00', '\\ude00\\ud83d'].map((s) => s.toWellFormed());", `["abc","a�","�a","�😀","��"]`},
		{"receivers", "const f = String.prototype.isWellFormed; return [f.call(1), f.call({ toString: () => '\\ud800' }), thrown(() => f.call(null)), thrown(() => f.call(Symbol())), String.prototype.toWellFormed.call(5)];", `[true,false,"TypeError","TypeError","5"]`},
	})
}
