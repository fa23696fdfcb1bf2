package runtime_test

import (
	"testing"

	"github.com/isogate/isogate/runtime"
)

// This file holds the tests of what is built on first use: to a program the globals of
// a part look like any other property, before and after.

func TestLazyGlobalsLookLikeOthers(t *testing.T) {
	source := `(name) => {
  const d = Object.getOwnPropertyDescriptor(globalThis, name);
  const again = Object.getOwnPropertyDescriptor(globalThis, name);
  return [name in globalThis, Object.hasOwn(globalThis, name), Object.keys(globalThis).includes(name),
    Reflect.ownKeys(globalThis).filter((k) => k === name).length,
    typeof d.value, d.value.name, d.writable, d.enumerable, d.configurable, 'get' in d,
    d.value === again.value, d.value === globalThis[name]];
}`
	for _, part := range runtime.Parts() {
		for _, global := range part.Globals {
			want := `[true,true,false,1,"function","` + global + `",true,false,true,false,true,true]`
			if global == "console" {
				want = `[true,true,false,1,"object",{"$":"undefined"},true,false,true,false,true,true]`
			}
			if got := value(t, source, withInput(`"`+global+`"`)); got != want {
				t.Errorf("%s: %s, want %s", global, got, want)
			}
		}
	}
}

func TestLazyGlobalsAreOrdinaryProperties(t *testing.T) {
	for _, c := range []struct{ what, source, want string }{
		{"assignment", "() => { globalThis.Crypto = 1; return [Crypto, Object.getOwnPropertyDescriptor(globalThis, 'Crypto').enumerable]; }", `[1,false]`},
		{"deletion", "() => { const gone = delete globalThis.Crypto; return [gone, typeof Crypto, 'Crypto' in globalThis]; }", `[true,"undefined",false]`},
		{"definition", "() => { Object.defineProperty(globalThis, 'Crypto', { value: 2 }); return Crypto; }", `2`},
		{"a declaration", "var Crypto = 3; () => Crypto", `3`},
		{"a function", "function Crypto() { return 4; } () => Crypto()", `4`},
		{"a lexical declaration", "let Crypto = 5; () => Crypto", `5`},
		{"freezing the global", "() => { try { Object.freeze(globalThis); } catch (e) { return e.name; } return typeof Crypto; }", `"function"`},
		{"a global object as prototype", "() => Object.create(globalThis).Crypto === Crypto", `true`},
	} {
		if got := value(t, c.source); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// Intl.Locale is read first when a program has patched what the building of its part could use.
func TestLocaleIsBuiltAfterPatches(t *testing.T) {
	source := `() => {
  const { defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const { Error, String } = globalThis;
  const owners = [Object, Reflect, Function.prototype, String.prototype, Object.prototype, Array.prototype];
  for (let i = 0; i < owners.length; i++) {
    const keys = ownKeys(owners[i]);
    for (let j = 0; j < keys.length; j++) {
      const d = getOwnPropertyDescriptor(owners[i], keys[j]);
      if (keys[j] === 'constructor' || !d.configurable || typeof d.value !== 'function') continue;
      defineProperty(owners[i], keys[j], { value: () => { throw new Error('patched ' + String(keys[j])); } });
    }
  }
  const { value, writable, enumerable, configurable } = getOwnPropertyDescriptor(Intl, 'Locale');
  const locale = new value('de-1996-u-fw-sun');
  return [
    value === Intl.Locale, value.name, value.prototype.constructor === value, writable, enumerable, configurable,
    locale.firstDayOfWeek, locale.variants, locale.getWeekInfo().firstDay,
  ];
}`
	if got := value(t, source); got != `[true,"Locale",true,true,false,true,"sun","1996",7]` {
		t.Error(got)
	}
}

// A part that cannot be built for want of stack is built the next time.
func TestPartIsBuiltAgainAfterItFailed(t *testing.T) {
	source := `() => {
  let failed = 0;
  const down = () => {
    try {
      down();
    } catch {}
    try {
      if (typeof Crypto !== 'function') failed++;
    } catch { failed++; }
  };
  down();
  return [failed > 0, typeof Crypto, crypto instanceof Crypto, crypto.constructor === Crypto];
}`
	if got := value(t, source); got != `[true,"function",true,true]` {
		t.Error(got)
	}
}
