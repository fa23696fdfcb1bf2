package runtime_test

import "testing"

// This file holds the tests of Error.prototype.stack and of RegExp's legacy properties.

func TestErrorStack(t *testing.T) {
	testPrograms(t, []program{
		{"the getter", `const { get } = Object.getOwnPropertyDescriptor(Error.prototype, 'stack'); const e = new RangeError('x');
  return [get.call(e) === e.stack, get.call({}), get.call(Error.prototype), get.call(new Proxy(e, {})), thrown(() => get.call(1)), Object.create(Error.prototype).stack].map(String);`,
			`["true","undefined","undefined","undefined","TypeError","undefined"]`},
		{"the setter", `const { set } = Object.getOwnPropertyDescriptor(Error.prototype, 'stack'); const o = Object.create(Error.prototype); o.stack = 'mine';
  return [Object.keys(o), o.stack, thrown(() => set.call(Error.prototype, 'x')), thrown(() => set.call({}, 1)), thrown(() => set.call(undefined, ''))];`,
			`[["stack"],"mine","TypeError","TypeError","TypeError"]`},
	})
}

func TestLegacyPropertiesOfRegExp(t *testing.T) {
	testPrograms(t, []program{
		{"the last match", `/(b)(c)/.exec('abcd'); return [RegExp.$1, RegExp.$2, RegExp.$9, RegExp['$&'], RegExp.lastMatch, RegExp.lastParen, RegExp['$+'], RegExp.leftContext, RegExp["$'"], RegExp.input];`,
			`["b","c","","bc","bc","c","c","a","d","abcd"]`},
		{"other receivers", `class Sub extends RegExp {} const { get } = Object.getOwnPropertyDescriptor(RegExp, '$1'); return [thrown(() => Sub.$1), thrown(() => get()), thrown(() => Reflect.set(RegExp, 'input', 'x', Sub))];`,
			`["TypeError","TypeError","TypeError"]`},
		{"setters", `RegExp.input = 'new'; return [RegExp.$_, Object.getOwnPropertyDescriptor(RegExp, '$1').set, Reflect.set(RegExp, 'lastMatch', 'x')].map(String);`,
			`["new","undefined","false"]`},
	})
}
