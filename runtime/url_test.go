package runtime_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of URL and URLSearchParams: web-platform-tests' vectors where
// they are beside the checkout, and our own cases.

// wptVectors returns a file of web-platform-tests' data as JSON text, skipping the test without it.
func wptVectors(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "wpt-data", name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("no test vectors: %v", err)
	}
	return string(text)
}

// expectNone fails the test unless a program that returns {tested, wrong} tested
// something and found nothing wrong.
func expectNone(t *testing.T, source string, changes ...change) {
	t.Helper()
	text := value(t, source, changes...)
	var got struct {
		Tested int
		Wrong  []string
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(text)
	}
	if got.Tested == 0 || len(got.Wrong) > 0 {
		t.Errorf("%d tested, wrong are:\n%s", got.Tested, strings.Join(got.Wrong, "\n"))
	}
}

// members are the attributes of a URL that the vectors speak of.
const members = `['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']`

func TestURLVectors(t *testing.T) {
	expectNone(t, `(vectors) => {
  const wrong = [];
  let tested = 0;
  for (const v of vectors) {
    if (typeof v === 'string') continue;
    tested++;
    const base = v.base === null ? undefined : v.base;
    const what = JSON.stringify(v.input) + ' with ' + base;
    let url;
    try {
      url = new URL(v.input, base);
    } catch (error) {
      if (!v.failure || !(error instanceof TypeError)) wrong.push(what + ': ' + error);
      if (URL.canParse(v.input, base) || URL.parse(v.input, base) !== null) wrong.push(what + ': static methods differ');
      continue;
    }
    if (v.failure) wrong.push(what + ': parsed as ' + url.href);
    for (const key of `+members+`) {
      if (key in v && url[key] !== v[key]) wrong.push(what + ': ' + key + ' is ' + url[key] + ', want ' + v[key]);
    }
    if (!URL.canParse(v.input, base) || URL.parse(v.input, base).href !== url.href) wrong.push(what + ': static methods differ');
    if (new URL(url.href).href !== url.href) wrong.push(what + ': the href is another URL');
  }
  return { tested, wrong };
}`, withInput(wptVectors(t, "urltestdata.json")))
}

// setters_tests.json has the value that is set, and what the attributes are then.
func TestURLSetterVectors(t *testing.T) {
	expectNone(t, `(vectors) => {
  const wrong = [];
  let tested = 0;
  for (const key of Object.keys(vectors)) {
    if (key === 'comment') continue;
    for (const v of vectors[key]) {
      tested++;
      const url = new URL(v.href);
      url[key] = v.new_value;
      for (const member of Object.keys(v.expected)) {
        if (url[member] === v.expected[member]) continue;
        wrong.push(v.href + ': after ' + key + ' = ' + JSON.stringify(v.new_value) + ' ' + member + ' is ' + url[member]);
      }
    }
  }
  return { tested, wrong };
}`, withInput(wptVectors(t, "setters_tests.json")))
}

func TestURLDomainVectors(t *testing.T) {
	for _, name := range []string{"toascii.json", "IdnaTestV2.json", "IdnaTestV2-removed.json"} {
		t.Run(name, func(t *testing.T) {
			expectNone(t, `(vectors) => {
  const wrong = [];
  let tested = 0;
  for (const v of vectors) {
    if (typeof v === 'string' || v.input === '') continue;
    tested++;
    const host = URL.parse('https://' + v.input + '/x')?.host ?? null;
    if (host !== v.output) wrong.push(JSON.stringify(v.input) + ': ' + host + ', want ' + v.output);
  }
  return { tested, wrong };
}`, withInput(wptVectors(t, name)))
		})
	}
}

// The quick way (url_quick.js) and the state machine must agree. A tab in front, which the
// parser removes, makes any URL one for the state machine.
func TestURLQuickWayAgrees(t *testing.T) {
	expectNone(t, `() => {
  const pieces = ['https://', 'http://', 'https:/', 'HTTPS://', 'ftp://', 'a', 'example', '.com', 'EXAMPLE', 'xn--', 'xn--4ca', 'u@', ':', '@', '1', '0x1',
    ':80', ':443', ':8080', ':08', ':65536', '/', '//', '/.', '/..', '/%2e', '/%2E%2e', '.', '..', '?', '#', "'", '"', '%', '%41', '%zz', '%2', ' ', '\t',
    '\\', '[', ']', '::1', '|', '^', '{', '<', '~', '!', '$', '&=', '+', ',', ';', '*', '(', '-', '_', '\u00fc', '\ud800', '\u{1f4a9}', '\u0000', '\u007f'];
  let seed = 12345;
  const next = (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % n;
  };
  const show = (url) => url === null ? 'failure' : JSON.stringify(`+members+`.map((key) => url[key]));
  const wrong = [];
  let tested = 0;
  let parsed = 0;
  while (tested < 20000) {
    let text = next(4) === 0 ? '' : pieces[next(2)] + 'a';
    for (let i = next(6); i >= 0; i--) text += pieces[next(pieces.length)];
    tested++;
    const quick = show(URL.parse(text));
    const slow = show(URL.parse('\t' + text));
    if (quick !== 'failure') parsed++;
    if (quick !== slow) wrong.push(JSON.stringify(text) + ': ' + quick + ' and ' + slow);
  }
  if (parsed < tested / 10) wrong.push('most texts are no URLs');
  return { tested, wrong };
}`)
}

func TestURLObjects(t *testing.T) {
	for _, c := range []struct{ what, source, want string }{
		{"an error", "() => { try { new URL('nope') } catch (e) { return [e.constructor === TypeError, e.message] } }", `[true,"Invalid URL: \"nope\""]`},
		{"an error with a base", "() => { try { new URL('//', 'https://a.b') } catch (e) { return e.message } }", `"Invalid URL: \"//\" with the base \"https://a.b\""`},
		{"no argument", "() => { try { new URL() } catch (e) { return e.message } }", `"URL constructor: 1 argument required, but only 0 present"`},
		{"a receiver of another kind", "() => { try { Object.create(URL.prototype).href } catch (e) { return e.constructor.name + ': ' + e.message } }", `"TypeError: URL.href: Illegal invocation"`},
		{"an object as URL", "() => new URL({ toString: () => 'https://a.b' }, new URL('c:d')).href", `"https://a.b/"`},
		{"undefined as base", "() => [URL.canParse('a', undefined), URL.parse('a', undefined)]", `[false,null]`},
		{"conversions in order", "() => { const order = []; const o = (n) => ({ toString() { order.push(n); return 'a:b' } }); new URL(o(1), o(2)); return order }", `[1,2]`},
		{"lone surrogates", "() => [new URL('a:\\ud800').href, new URL('https://a/\\udc00?\\ud800#\\ud800').href]",
			`["a:%EF%BF%BD","https://a/%EF%BF%BD?%EF%BF%BD#%EF%BF%BD"]`},
		{"tag and names", "() => [String(new URL('a:b')), Object.prototype.toString.call(new URL('a:b')), URL.name, URL.length, Object.keys(new URL('a:b'))]",
			`["a:b","[object URL]","URL",1,[]]`},
		{"toJSON", "() => JSON.stringify({ u: new URL('a:b') })", `"{\"u\":\"a:b\"}"`},
		{"a subclass", "() => { class U extends URL { get x() { return this.host } } const u = new U('https://h/'); return [u.x, u instanceof U, U.parse('a:b') instanceof U] }",
			`["h",true,false]`},
		{"a value", "() => new URL('https://A.b')", `{"$":"url","v":"https://a.b/"}`},
		{"values that look like one", "() => [Object.create(URL.prototype), { __proto__: URL.prototype, href: 'x' }].map((v) => Object.prototype.toString.call(v))",
			`["[object URL]","[object URL]"]`},
		{"a value whose class was changed", "() => { Object.defineProperty(URL.prototype, 'href', { value: 'no' }); URL.parse = null; return new URL('https://a.b') }", `{"$":"url","v":"https://a.b/"}`},
		{"query and parameters", "() => { const u = new URL('https://a.b?x=1&y=%20'); const p = u.searchParams; p.append('z', 'a b'); u.search = '?q=' + p.get('z'); p.set('n', 'ü'); return [u.href, p === u.searchParams, p.size, [...p]] }",
			`["https://a.b/?q=a+b&n=%C3%BC",true,2,[["q","a b"],["n","ü"]]]`},
		{"no parameters", "() => { const u = new URL('https://a.b?x=1#f'); u.searchParams.delete('x'); return u.href }", `"https://a.b/#f"`},
		{"a new href", "() => { const u = new URL('https://a.b?x=1'); const p = u.searchParams; u.href = 'c:d?y=2'; p.append('z', '3'); return [u.href, p.get('y')] }", `["c:d?y=2&z=3","2"]`},
		{"a base that was changed", "() => { const b = new URL('https://a.b/c/d'); new URL('x', b); b.pathname = '/e/f'; return [new URL('x', b).href, new URL('x', 'https://a.b/c/d').href] }",
			`["https://a.b/e/x","https://a.b/c/x"]`},
		{"origins", "() => ['blob:https://a.b:8443/x', 'blob:ftp://a/', 'file:///x', 'wss://a:443', 'a:b'].map((t) => new URL(t).origin)",
			`["https://a.b:8443","null","null","wss://a","null"]`},
		{"addresses", "() => ['https://0x7f.1', 'https://[1:0:0:2::0.0.0.5]', 'https://256', 'https://1.2.3.4.'].map((t) => new URL(t).host)",
			`["127.0.0.1","[1:0:0:2::5]","0.0.1.0","1.2.3.4"]`},
		{"what is no clone", "() => { try { structuredClone(new URL('a:b')) } catch (e) { return e.name } }", `"DataCloneError"`},
	} {
		if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.what, diff)
		}
	}
}

func TestURLSearchParams(t *testing.T) {
	for _, c := range []struct{ what, source, want string }{
		{"texts", "() => [new URLSearchParams('?a=b+c&d&=e&&f=%zz%41%ff').toString(), new URLSearchParams('??a').get('?a'), String(new URLSearchParams())]",
			`["a=b+c&d=&=e&f=%25zzA%EF%BF%BD","",""]`},
		{"serialising", "() => new URLSearchParams([['!*()\\'~-._ ', '\\u00fc\\ud800+&=']]).toString()", `"%21*%28%29%27%7E-._+=%C3%BC%EF%BF%BD%2B%26%3D"`},
		{"sequences", "() => String(new URLSearchParams(new Map([['a', 1], ['b', null]])))", `"a=1&b=null"`},
		{"records", "() => String(new URLSearchParams({ a: 1, b: [2, 3] }))", `"a=1&b=2%2C3"`},
		{"another", "() => { const a = new URLSearchParams('x=1'); const b = new URLSearchParams(a); b.append('y', 2); return [String(a), String(b)] }", `["x=1","x=1&y=2"]`},
		{"pairs of another length", "() => { try { new URLSearchParams([['a', 'b'], ['c']]) } catch (e) { return e.constructor === TypeError } }", `true`},
		{"null", "() => String(new URLSearchParams(null))", `"null="`},
		{"members", "() => { const p = new URLSearchParams('a=1&b=2&a=3'); p.set('a', '4'); p.append('a', '5'); p.delete('a', '4'); return [p.get('a'), p.get('z'), p.getAll('a'), p.has('a', '4'), p.has('a', '5'), p.has('b'), p.size, p.toString()] }",
			`["5",null,["5"],false,true,true,2,"b=2&a=5"]`},
		{"sorting", "() => { const p = new URLSearchParams('\\ufb03=&\\u{1f308}=&a=2&b=1&a=1'); p.sort(); return [...p.keys()].map((k) => k.codePointAt(0).toString(16)).concat(p.getAll('a')) }",
			`["61","61","62","1f308","fb03","2","1"]`},
		{"iterators", "() => { const p = new URLSearchParams('a=1&b=2'); const i = p.entries(); const proto = Object.getPrototypeOf(i); return [p[Symbol.iterator] === p.entries, i[Symbol.iterator]() === i, Object.prototype.toString.call(i), Object.keys(proto), i.next(), [...p.values()], [...i], i.next()] }",
			`[true,true,"[object URLSearchParams Iterator]",["next"],{"value":["a","1"],"done":false},["1","2"],[["b","2"]],{"value":{"$":"undefined"},"done":true}]`},
		{"iterators of another kind", "() => { const next = new URLSearchParams().keys().next; try { next.call({}) } catch (e) { return e.constructor === TypeError } }", `true`},
		{"deleting while iterating", "() => { const p = new URLSearchParams('a=1&b=2&c=3'); const seen = []; for (const [k] of p) { seen.push(k); p.delete(k) } return seen }", `["a","c"]`},
		{"forEach", "() => { const p = new URLSearchParams('a=1'); const seen = []; p.forEach(function (v, k, o) { seen.push(v, k, o === p, this.t) }, { t: 1 }); return seen }", `["1","a",true,1]`},
		{"lengths", "() => ['append', 'delete', 'get', 'getAll', 'has', 'set', 'sort', 'entries', 'keys', 'values', 'forEach', 'toString'].map((n) => URLSearchParams.prototype[n].length)",
			`[2,1,1,1,1,2,0,0,0,0,1,0]`},
		{"conversions that change it", "() => { const u = new URL('a:b?x=1'); u.searchParams.append({ toString() { u.search = '?y=2'; return 'n' } }, 'v'); return u.href }", `"a:b?y=2&n=v"`},
	} {
		if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.what, diff)
		}
	}
	if got := value(t, "() => new URLSearchParams('a=1')"); !strings.HasPrefix(got, "unserializable") {
		t.Errorf("as a value it becomes %s", got)
	}
}

func TestURLsAreShown(t *testing.T) {
	body := `
console.log(new URL('https://a.b?x=1'));
console.log({ u: new URL('https://a.b') });
console.log(new URL('https://a.b/?x=1&y=a+b').searchParams);
console.log(Object.assign(new URL('a:b'), { extra: 1 }));
class Link extends URL {}
console.log(new Link('a:b'));`
	want := `URL { href: 'https://a.b/?x=1' }
{ u: URL { href: 'https://a.b/' } }
URLSearchParams { x: '1', y: 'a b' }
URL { href: 'a:b', extra: 1 }
Link [URL] { href: 'a:b' }`
	if diff := cmp.Diff(want, logged(t, body)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestURLsOfTheHost(t *testing.T) {
	for _, c := range []struct{ what, href, want string }{
		{"a URL", "https://example.org/?q", `["https://example.org/?q",true]`},
		{"one that is written otherwise", "HTTPS://Example.org", `["https://example.org/",true]`},
	} {
		text, _ := json.Marshal(c.href)
		source := "(u) => [u.href, u instanceof URL]"
		if diff := cmp.Diff(c.want, value(t, source, withInput(`{"$":"url","v":`+string(text)+`}`))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.what, diff)
		}
	}
	source := `async () => { try { return await tools.echo({ $: 'url', v: 'a/b' }) } catch (e) { return e.message } }`
	if got := value(t, source); !strings.Contains(got, "a/b") {
		t.Error(got)
	}
}

// patchEverything makes every method and accessor of the usual built-ins throw.
const patchEverything = `
  const boom = () => { throw new Error('patched'); };
  const { defineProperty } = Object;
  const targets = [];
  for (const c of [String, Array, Object, Map, Set, RegExp, Number, Uint8Array, Object.getPrototypeOf(Uint8Array), ArrayBuffer, DataView, Function]) {
    for (const key of Reflect.ownKeys(c.prototype)) {
      if (key !== 'constructor' && Object.getOwnPropertyDescriptor(c.prototype, key).configurable) targets.push([c.prototype, key]);
    }
  }
  const patch = { get: boom, set: boom, configurable: true };
  for (let i = 0; i < targets.length; i++) defineProperty(targets[i][0], targets[i][1], patch);
`

// A guest that patches everything before its first URL gets the same URLs.
func TestURLDependsOnNothingPatchable(t *testing.T) {
	source := `() => {
` + patchEverything + `
  defineProperty(Object.prototype, '0', patch);
  defineProperty(String.prototype, '5', patch);
  globalThis.encodeURI = globalThis.encodeURIComponent = globalThis.decodeURIComponent = globalThis.Uint8Array = boom;
  const u = new URL('../x y?b=1&a=%zz', 'https://\u00fc:p@EXAMPLE.com:8080/a/b/c');
  u.searchParams.append('n', 'v w');
  u.searchParams.sort();
  u.hash = 'f';
  const file = new URL('c|/..', 'file:///d:/e');
  const six = new URL('http://[::1.2.3.4]:80');
  const idn = new URL('https://\u00fc.com');
  let text = u.href + ' ' + file.href + ' ' + six.href + ' ' + idn.href;
  return text;
}`
	want := `"https://%C3%BC:p@example.com:8080/a/x%20y?a=%25zz&b=1&n=v+w#f file:///c:/ http://[::102:304]/ https://xn--tda.com/"`
	if diff := cmp.Diff(want, value(t, source)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func BenchmarkURL(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"typical", "https://api.example.com/v1/users/123/items?limit=50&sort=name#top"},
		{"escaped", "https://example.com/search?q=a%20b%26c&lang=de"},
		{"state machine", "https://example.com/a/../b c?d=\u00fc"},
	} {
		b.Run(c.name, func(b *testing.B) {
			text, _ := json.Marshal(c.text)
			for b.Loop() {
				// One operation is 10,000 URLs.
				if got := value(b, "(text) => { let n = 0; for (let i = 0; i < 10000; i++) n += new URL(text).pathname.length; return n > 0 }", withInput(string(text))); got != "true" {
					b.Fatal(got)
				}
			}
		})
	}
}
