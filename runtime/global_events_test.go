package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of the global object as an event target: what it is told of
// exceptions that nobody caught and of rejections, and what that changes in the logs.

func TestGlobalObjectIsTold(t *testing.T) {
	const tick = "await new Promise((resolve) => setTimeout(resolve, 5));"
	cases := []struct{ name, body, want string }{
		{"of a timer's exception, with its place",
			"addEventListener('error', (e) => { console.log(e.type, e.message, e.filename, e.lineno, e.colno, e.error instanceof TypeError, e.target === globalThis, e.isTrusted) });\nsetTimeout(function late() { throw new TypeError('no') });\n" + tick,
			"error Uncaught TypeError: no program 3 36 true true true\nerror: Uncaught exception in a timer: TypeError: no\n    at late (program)"},
		{"and handles it", "onerror = (message, file, line, column, error) => { console.log(message, file, line, error.message); return true };\nqueueMicrotask(() => { throw new Error('no') });\n" + tick,
			"Uncaught Error: no program 3 no"},
		{"and handles it by preventing what follows", "addEventListener('error', (e) => e.preventDefault());\nreportError('text');\nonerror = null;\nreportError(1)", ""},
		{"and does not handle it by false", "onerror = () => false;\nreportError('text')", "error: Uncaught exception: 'text'"},
		{"of what is no error", "onerror = (...all) => { console.log(all) };\nreportError(null)", "[ 'Uncaught null', '', 0, 0, null ]\nerror: Uncaught exception: null"},
		{"and throws itself", "addEventListener('error', () => { throw 'again' });\nreportError('first')",
			"error: Uncaught exception in an event listener: 'again'\nerror: Uncaught exception: 'first'"},
		{"of a rejection", "onunhandledrejection = (e) => { console.log(e.type, e.reason, e.promise === p, e.cancelable) };\nconst p = Promise.reject('no');\n" + tick,
			"unhandledrejection no true true\nerror: Unhandled rejection: 'no'"},
		{"of a rejection, and handles it", "addEventListener('unhandledrejection', (e) => e.preventDefault());\nPromise.reject('no');\n" + tick, ""},
		{"of a rejection, and handles another promise", "const p = Promise.reject('first'), q = Promise.reject('second');\naddEventListener('unhandledrejection', () => { q.catch(() => {}) });\n" + tick,
			"error: Unhandled rejection: 'first'"},
		{"of a rejection that is handled later", "onrejectionhandled = (e) => { console.log(e.type, e.reason, e.promise === p) };\nconst p = Promise.reject('no');\n" + tick + "\np.catch(() => {});\n" + tick,
			"error: Unhandled rejection: 'no'\nrejectionhandled no true"},
		{"of a rejection at the very end", "onunhandledrejection = (e) => { console.log(e.reason); e.preventDefault() };\nPromise.reject('late');", "late"},
		{"of a listener's exception", "onerror = (m) => { console.log(m); return true };\nconst t = new EventTarget();\nt.addEventListener('x', () => { throw new Error('no') });\nt.dispatchEvent(new Event('x'))", "Uncaught Error: no"},
		{"of nothing that is the program's fault", "onerror = onunhandledrejection = (e) => { console.log('told'); e.preventDefault?.(); return true };\nthrow 'no'", "fault thrown: uncaught 'no'"},
		{"of what stops its listener without end", "onerror = () => { reportError('again') };\nreportError('first')", "error: Uncaught exception: 'again'\nerror: Uncaught exception: 'first'"},
		{"by a program's own events", "let seen = 0;\naddEventListener('mine', () => seen++, { once: true });\n(0, dispatchEvent)(new Event('mine'));\nglobalThis.dispatchEvent(new Event('mine'));\nconsole.log(seen, addEventListener === EventTarget.prototype.addEventListener, onerror, typeof onunhandledrejection)", "1 true null object"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, withoutPositions(logged(t, c.body))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestErrorEvents(t *testing.T) {
	source := `() => {
  const e = new ErrorEvent('error', { message: 'm', filename: 'f', lineno: 1, colno: 2, error: 3, cancelable: true });
  const plain = new ErrorEvent('x'), promise = Promise.resolve();
  const r = new PromiseRejectionEvent('y', { promise, reason: 'why' });
  const fails = [() => ErrorEvent('x'), () => new ErrorEvent(), () => new PromiseRejectionEvent('y'), () => new PromiseRejectionEvent('y', {})];
  return [
    e.message, e.filename, e.lineno, e.colno, e.error, e.isTrusted, plain.message, plain.error === undefined, r.promise === promise, r.reason,
    e instanceof Event, fails.map((f) => { try { f() } catch (error) { return error.name } }),
  ];
}`
	want := `["m","f",1,2,3,false,"",true,true,"why",true,["TypeError","TypeError","TypeError","TypeError"]]`
	if diff := cmp.Diff(want, value(t, source)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
