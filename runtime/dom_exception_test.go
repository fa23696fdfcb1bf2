package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of DOMException and QuotaExceededError.

func TestDOMException(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"name, message and code", `() => [new DOMException(), new DOMException('m'), new DOMException('m', 'AbortError'), new DOMException(null, undefined),
  new DOMException('m', 'SomeError')].map((e) => [e.name, e.message, e.code])`,
			`[["Error","",0],["Error","m",0],["AbortError","m",20],["Error","null",0],["SomeError","m",0]]`},
		{"is an error", `() => { const e = new DOMException('m', 'AbortError'); return [e instanceof Error, e instanceof DOMException, Object.getPrototypeOf(DOMException) === Function.prototype,
  Object.prototype.toString.call(e), String(e), Object.getOwnPropertyNames(e), Error.isError(e)] }`,
			`[true,true,true,"[object DOMException]","AbortError: m",["stack"],true]`},
		{"the stack is the program's", `() => { function here() { return new DOMException('m', 'AbortError') } return here().stack.split('\n').slice(0, 2).map((l) => l.replace(/:\d+:\d+/, '')) }`,
			`["AbortError: m","    at here (program)"]`},
		{"derived classes", `() => { class Mine extends DOMException { constructor() { super('m', 'AbortError'); this.extra = 1 } } const e = new Mine();
  return [e instanceof Mine, e instanceof DOMException, e.name, e.extra, Object.getPrototypeOf(e) === Mine.prototype] }`, `[true,true,"AbortError",1,true]`},
		{"no forgery", `() => ['name', 'message', 'code'].map((k) => { try { return Object.create(DOMException.prototype)[k] } catch (e) { return e.constructor.name } })`,
			`["TypeError","TypeError","TypeError"]`},
		{"not without new", `() => { try { DOMException('x') } catch (e) { return e.name } }`, `"TypeError"`},
		{"arguments that throw", `() => [() => new DOMException(Symbol()), () => new DOMException('', { toString() { throw 'up' } })].map((f) => { try { f() } catch (e) { return e.name ?? e } })`,
			`["TypeError","up"]`},
		{"constants", `() => [DOMException.ABORT_ERR, DOMException.prototype.DATA_CLONE_ERR, new DOMException('', 'InvalidStateError').INVALID_STATE_ERR,
  delete DOMException.ABORT_ERR.x, Object.keys(DOMException).length]`, `[20,25,11,true,25]`},
		{"quota", `() => [new QuotaExceededError(), new QuotaExceededError('m', { quota: 1, requested: 2.5 })].map((e) => [e.name, e.message, e.code, e.quota, e.requested, e instanceof DOMException])`,
			`[["QuotaExceededError","",22,null,null,true],["QuotaExceededError","m",22,1,2.5,true]]`},
		{"quota that cannot be", `() => [{ quota: -1 }, { requested: -1 }, { quota: 2, requested: 1 }, { quota: NaN }, 1].map((o) => { try { new QuotaExceededError('', o) } catch (e) { return e.name } })`,
			`["RangeError","RangeError","RangeError","TypeError","TypeError"]`},
		{"the quota of random bytes", `() => { try { crypto.getRandomValues(new Uint8Array(65537)) } catch (e) { return [e.name, e.code, e.constructor.name] } }`,
			`["QuotaExceededError",22,"QuotaExceededError"]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestDOMExceptionsAreShown(t *testing.T) {
	body := `
  const e = new DOMException('stopped', 'AbortError');
  console.log(e);
  e.stack = ''; e.extra = 1;
  console.log([e]);
  class Mine extends DOMException {}
  const mine = new Mine('m', 'DataError'); mine.stack = '';
  console.log([mine, Object.assign(new QuotaExceededError('full'), { stack: '' })]);
  console.log(Object.create(DOMException.prototype) instanceof Error);`
	want := `DOMException [AbortError]: stopped
    at program
[ [DOMException [AbortError]: stopped] { extra: 1 } ]
[ [Mine [DataError]: m], [QuotaExceededError: full] ]
true`
	if diff := cmp.Diff(want, withoutPositions(logged(t, body))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// An exception that nobody catches is the fault with its own name and message.
func TestDOMExceptionAsFault(t *testing.T) {
	got := withoutPositions(value(t, "() => { throw new DOMException('stopped', 'AbortError') }"))
	if want := "thrown: uncaught AbortError: stopped\n    at program"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := `{"$":"error","name":"AbortError","message":"stopped"`
	if got := value(t, "() => new DOMException('stopped', 'AbortError')"); got[:min(len(got), len(want))] != want {
		t.Error(got)
	}
}
