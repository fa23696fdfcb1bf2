package runtime_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of bodies that are forms, and of the types that bodies have.

// formProgram makes a program that reads a body of a type as a form: its entries, or an error.
const formProgram = `
const form = async (body, type) => {
  try {
    const entries = [...await new Response(body, { headers: type === undefined ? {} : { 'content-type': type } }).formData()];
    return Promise.all(entries.map(async ([name, v]) => v instanceof File ? [name, v.name, v.type, await v.text()] : [name, v]));
  } catch (e) { return e.name + ': ' + e.message }
};
const multipart = (...lines) => form(lines.join('\r\n'), 'multipart/form-data; boundary=b');
`

func TestBodyOfForms(t *testing.T) {
	const prefix = "TypeError: the body is not multipart/form-data: "
	cases := []struct{ name, source, want string }{
		{"there and back", `async () => { const f = new FormData(); f.append('a"\n', '1\n2\r3\r\n4'); f.append('\u20ac', new File(['x\n', new Uint8Array([0, 255])], 'f"\r\n.txt', { type: 'Text/X' })); f.append('e', new Blob()); const g = await new Response(f).formData(); const file = g.get('\u20ac');
  return [[...g.keys()], g.get('a"\r\n'), file.name, file.type, [...await file.bytes()], g.get('e').name, g.get('e').type, g.get('e').size] }`,
			`[["a\"\r\n","€","e"],"1\r\n2\r\n3\r\n4","f\"\r\n.txt","text/x",[120,10,0,255],"blob","application/octet-stream",0]`},
		{"as text", `async () => { const f = new FormData(); f.append('a"', 'b'); f.append('c', new File(['d'], 'e')); const r = new Response(f); const type = r.headers.get('content-type'), boundary = type.split('boundary=')[1]; return [boundary.length <= 70, (await r.text()).replaceAll(boundary, 'B'), new Response(f).headers.get('content-type') !== type] }`,
			`[true,"--B\r\nContent-Disposition: form-data; name=\"a%22\"\r\n\r\nb\r\n--B\r\nContent-Disposition: form-data; name=\"c\"; filename=\"e\"\r\nContent-Type: application/octet-stream\r\n\r\nd\r\n--B--\r\n",true]`},
		{"an empty form", `async () => [...await new Response(new FormData()).formData()]`, `[]`},
		{"by a blob", `async () => { const f = new FormData(); f.append('a', 'b'); return (await new Response(await new Response(f).blob()).formData()).get('a') }`, `"b"`},
		{"urlencoded", `async () => Promise.all(['a=b&c=%20d+e&a=2', '', '&&', '%zz=%C3%A9', '\ufeffa'].map((body) => form(body, 'application/x-www-form-urlencoded; charset=x')))`, `[[["a","b"],["c"," d e"],["a","2"]],[],[],[["%zz","é"]],[["` + "\ufeff" + `a",""]]]`},
		{"urlencoded that is no UTF-8", `async () => form(new Uint8Array([97, 61, 0xc3, 37, 65, 57, 38, 0xff, 61, 43]), 'application/x-www-form-urlencoded')`, `[["a","é"],["` + "\ufffd" + `"," "]]`},
		{"of no type, or another", `async () => [await form(new Uint8Array(1)), await form('a=b'), await form('a=b', 'text/html;x/y'), await form('a=b', 'multipart/form-data')]`,
			`["TypeError: formData: the type of the body is neither multipart/form-data nor application/x-www-form-urlencoded","TypeError: formData: the type of the body is neither multipart/form-data nor application/x-www-form-urlencoded","TypeError: formData: the type of the body is neither multipart/form-data nor application/x-www-form-urlencoded","` + prefix + `its type has no boundary"]`},
		{"as others write it", `async () => multipart('', '--b  ', 'CONTENT-disposition:form-data;filename=f.txt ; name=n', 'X-Other: ", ;', 'content-type:  A/b ; c=d\t', '', 'text', '--b', 'Content-Disposition: form-data; name="quoted;=%22"; size=3', '', '', '--b--', 'epilogue')`,
			`[["n","f.txt","a/b ; c=d","text"],["quoted;=\"",""]]`},
		{"content that looks like a boundary", `async () => multipart('--b', 'content-disposition: form-data; name=a', '', '--', '-b', '--c\r--b\n--b \r\n--', '--b--')`, `[["a","--\r\n-b\r\n--c\r--b\n--b \r\n--"]]`},
		{"a quoted boundary", `async () => form('--a b,\r\ncontent-disposition: form-data; name=x\r\n\r\ny\r\n--a b,--', 'multipart/form-data; boundary="a b,"')`, `[["x","y"]]`},
		{"a byte order mark stays", `async () => multipart('--b', 'content-disposition: form-data; name=\ufeffa', '', '\ufeffb', '--b--')`, `[["` + "\ufeff" + `a","` + "\ufeff" + `b"]]`},
		{"a part without content", `async () => multipart('--b', 'content-disposition: form-data; name=a', '', '--b--')`, `[["a",""]]`},
		{"what is none", `async () => Promise.all([multipart(''), multipart('x', '--b--'), multipart('--c--'), multipart('--bb--'), multipart('--b'), multipart('--b', ''), multipart('--b', 'content-disposition: form-data; name=a', '', 'x'), multipart('--b', '', '', 'x', '--b--'), multipart('--b', 'content-disposition: form-data', '', 'x', '--b--'),
  multipart('--b', 'content-disposition: attachment; name=a', '', '--b--'), multipart('--b', 'content-disposition: form-data; name="a', '', '--b--'), multipart('--b', 'content-disposition: form-data; name="a"b', '', '--b--'), multipart('--b', 'content-disposition: form-data; name', '', '--b--'), multipart('--b', 'no header', '', '--b--'), multipart('--b', ': x', '', '--b--')])
  .then((all) => all.map((text) => text.replace('` + prefix + `', '')))`,
			`["it does not begin with the boundary","it does not begin with the boundary","it does not begin with the boundary","a boundary is not at the end of its line","a boundary is not at the end of its line","a part has no empty line behind its headers","its last boundary is missing","a part has no name","a part has no name","a part is not form-data","a quoted name does not end","something is behind a quoted name","a parameter of a part has no value","a part has the line \"no header\", which is no header","a part has the line \": x\", which is no header"]`},
		{"types of blobs", `async () => Promise.all(['TEXT/Html;Charset=UTF-8', 'a/b;c="d\\"e";c=f', 'a/b; c = d;e;f="', 'a', '*/*', 'a/b, c/d;e=f, c/d, */*', 'text/html;charset=x, text/html;a=b', 'a/b;c="d,e", x', ',', '', ' a/b '].map(async (type) => (await new Response('', { headers: { 'content-type': type } }).blob()).type))`,
			`["text/html;charset=UTF-8","a/b;c=\"d\\\"e\"","a/b;f=\"\"","","","c/d","text/html;a=b;charset=x","a/b;c=\"d,e\"","","","a/b"]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, formProgram+c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Large bodies that are made to be slow are not: each of these has millions of bytes, so that
// anything but one pass over them would not end within the bounds of a run.
func TestLargeBodies(t *testing.T) {
	const part = `'--b\r\ncontent-disposition: form-data; name=a\r\n\r\n'`
	cases := []struct{ name, source, want string }{
		{"line breaks only", `form(` + part + ` + '\r\n'.repeat(1e6) + '\r\n--b--', 'multipart/form-data; boundary=b').then((e) => e[0][1].length)`, `2000000`},
		{"beginnings of boundaries", `form(('--' + 'b'.repeat(4000) + '\r\ncontent-disposition: form-data; name=a\r\n\r\n') + ('\r\n--' + 'b'.repeat(3999) + 'c').repeat(500) + '\r\n--' + 'b'.repeat(4000) + '--', 'multipart/form-data; boundary=' + 'b'.repeat(4000)).then((e) => e[0][1].length)`, `2002000`},
		{"many parts", `form((` + part + ` + 'x\r\n').repeat(20000) + '--b--', 'multipart/form-data; boundary=b').then((e) => e.length)`, `20000`},
		{"headers that do not end", `form('--b\r\n' + 'a: b\r\n'.repeat(3e5), 'multipart/form-data; boundary=b')`, `"TypeError: the body is not multipart/form-data: a part has no empty line behind its headers"`},
		{"headers without end in sight", `form('--b\r\n' + 'a: b\r\n'.repeat(1e5) + '\r\n--b--', 'multipart/form-data; boundary=b')`, `"TypeError: the body is not multipart/form-data: a part has no name"`},
		{"parameters", `form('--b\r\ncontent-disposition: form-data' + ';a=" ; = "'.repeat(1e5) + ';name=a\r\n\r\n--b--', 'multipart/form-data; boundary=b')`, `[["a",""]]`},
		{"escapes", `form('--b\r\ncontent-disposition: form-data; name="' + '%0D%22'.repeat(1e5) + '"\r\n\r\n--b--', 'multipart/form-data; boundary=b').then((e) => e[0][0].length)`, `200000`},
		{"a type with many parameters", `form('', 'a/b' + ';c="\\"'.repeat(1e5)).then((e) => e.slice(0, 10))`, `"TypeError:"`},
		{"a list of types", `form('', 'a/b;c=","'.repeat(1) + ',"'.repeat(2e5)).then((e) => e.slice(0, 10))`, `"TypeError:"`},
		{"percent signs that are no UTF-8", `form(new Uint8Array(1e6).fill(255), 'application/x-www-form-urlencoded').then((e) => e[0][0].length)`, `1000000`},
		{"many small chunks", `(async () => { let n = 0; const chunk = new Uint8Array(10); const r = new Response(new ReadableStream({ start(c) { for (; n < 50000; n++) c.enqueue(chunk); c.close() } })); return (await r.bytes()).length })()`, `500000`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			source := formProgram + "async () => await " + c.source
			if diff := cmp.Diff(c.want, value(t, source)); diff != "" {
				t.Errorf("-want +got:\n%s", cut(diff, 2000))
			}
		})
	}
}

func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
