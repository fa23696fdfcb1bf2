package runtime_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of Event, CustomEvent and EventTarget.

var stamp = regexp.MustCompile(`timeStamp: \d+`)

func TestEvents(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"attributes", `() => { const e = new Event('x', { bubbles: 1, cancelable: true }), c = new CustomEvent('y', { detail: { a: 1 } });
  return [e.type, e.bubbles, e.cancelable, e.composed, e.defaultPrevented, e.returnValue, e.eventPhase, e.target, e.currentTarget, e.isTrusted, e.timeStamp > 0, c.detail, new CustomEvent('z').detail, e.composedPath()] }`,
			`["x",true,true,false,false,true,0,null,null,false,true,{"a":1},null,[]]`},
		{"dispatch", `() => { const t = new EventTarget(), out = [];
  t.addEventListener('x', function (e) { out.push(['f', this === t, e.target === t, e.currentTarget === t, e.eventPhase, e.composedPath().length]) });
  t.addEventListener('x', { handleEvent(e) { out.push(['o', 'handleEvent' in this]) } });
  t.addEventListener('y', () => out.push('never'));
  const e = new Event('x'); out.push(t.dispatchEvent(e), e.currentTarget, e.target === t, e.eventPhase); return out }`,
			`[["f",true,true,true,2,1],["o",true],true,null,true,0]`},
		{"the same listener once, capture another", `() => { const t = new EventTarget(); let n = 0; const f = () => n++;
  t.addEventListener('x', f); t.addEventListener('x', f, {}); t.addEventListener('x', f, true); t.dispatchEvent(new Event('x'));
  t.removeEventListener('x', f, { capture: true }); t.dispatchEvent(new Event('x')); t.removeEventListener('x', f); t.dispatchEvent(new Event('x')); return n }`, `3`},
		{"capture first", `() => { const t = new EventTarget(), out = []; t.addEventListener('x', () => out.push('b')); t.addEventListener('x', () => out.push('c'), true); t.dispatchEvent(new Event('x')); return out }`, `["c","b"]`},
		{"once, passive and stopping", `() => { const t = new EventTarget(), out = [];
  t.addEventListener('x', (e) => { out.push('once'); e.preventDefault() }, { once: true });
  t.addEventListener('x', (e) => { e.preventDefault(); out.push(['passive', e.defaultPrevented]) }, { passive: true });
  t.addEventListener('x', (e) => { if (out.length > 3) e.stopImmediatePropagation() });
  t.addEventListener('x', () => out.push('last'));
  out.push(t.dispatchEvent(new Event('x', { cancelable: true })), t.dispatchEvent(new Event('x', { cancelable: true }))); return out }`,
			`["once",["passive",true],"last",["passive",false],false,true]`},
		{"listeners that are added and removed meanwhile", `() => { const t = new EventTarget(), out = []; const b = () => out.push('b');
  t.addEventListener('x', () => { out.push('a'); t.removeEventListener('x', b); t.addEventListener('x', () => out.push('new')) }, { once: true });
  t.addEventListener('x', b); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); return out }`, `["a","new"]`},
		{"dispatching what is being dispatched", `() => { const t = new EventTarget(); let name; t.addEventListener('x', (e) => { try { t.dispatchEvent(e) } catch (f) { name = f.name } }); t.dispatchEvent(new Event('x')); return name }`, `"InvalidStateError"`},
		{"wrong arguments", `() => { const t = new EventTarget(); return [() => t.addEventListener('x'), () => t.addEventListener('x', 1), () => t.addEventListener('x', 'f'), () => t.dispatchEvent({}),
  () => t.dispatchEvent(), () => new Event(), () => new Event(Symbol()), () => new Event('x', 1), () => t.addEventListener('x', () => {}, { signal: {} }), () => Event('x'), () => EventTarget.prototype.addEventListener('x', null)]
  .map((f) => { try { f(); return 'none' } catch (e) { return e.constructor.name } }).join() }`,
			`"TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError"`},
		{"a listener that is null", `() => new EventTarget().addEventListener('x', null) === undefined`, `true`},
		{"derived classes", `() => { class Bus extends EventTarget { emit(type, detail) { return this.dispatchEvent(new CustomEvent(type, { detail })) } }
  const bus = new Bus(); let got; bus.addEventListener('x', (e) => { got = e.detail }); bus.emit('x', 7); return [got, bus instanceof EventTarget] }`, `[7,true]`},
		{"isTrusted cannot be forged", `() => { const e = new Event('x'); const d = Object.getOwnPropertyDescriptor(e, 'isTrusted');
  return [d.configurable, d.enumerable, d.set === undefined, d.get === Object.getOwnPropertyDescriptor(new Event('y'), 'isTrusted').get] }`, `[false,true,true,true]`},
		{"a prototype that was replaced", `() => { Object.setPrototypeOf(AbortSignal, class { constructor() { return { fake: 1 } } }); Object.setPrototypeOf(CustomEvent, null);
  return [new AbortController().signal.fake === undefined, new CustomEvent('x').type] }`, `[true,"x"]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What a listener throws is logged, and the others are called.
func TestListenersThatThrow(t *testing.T) {
	body := `
  const t = new EventTarget();
  t.addEventListener('x', () => { throw 'first' });
  t.addEventListener('x', { handleEvent: 1 });
  t.addEventListener('x', () => console.log('called'));
  t.dispatchEvent(new Event('x'));`
	want := `error: Uncaught exception in an event listener: 'first'
error: Uncaught exception in an event listener: TypeError: an event listener has no function handleEvent
    at program
called`
	if diff := cmp.Diff(want, withoutPositions(logged(t, body))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestEventsAreShown(t *testing.T) {
	body := `
  const show = (value) => console.log(value);
  show(new EventTarget());
  show(new AbortController());
  show(AbortSignal.abort());
  class Mine extends EventTarget { a = 1 }
  show(new Mine());`
	want := `EventTarget {}
AbortController { signal: AbortSignal { aborted: false } }
AbortSignal { aborted: true }
Mine [EventTarget] { a: 1 }`
	if diff := cmp.Diff(want, logged(t, body)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	result, _ := run(t, "() => console.log(new CustomEvent('x', { detail: [1] }))")
	text := stamp.ReplaceAllString(result.Logs[0].Text, "timeStamp: T")
	want = `CustomEvent {
  type: 'x',
  defaultPrevented: false,
  cancelable: false,
  timeStamp: T,
  detail: [ 1 ]
}`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
