package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of MessageChannel, MessagePort and MessageEvent.

func TestMessaging(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"messages are clones, in order, each in a task of its own", `async () => { const { port1, port2 } = new MessageChannel(); const out = []; const sent = { a: [1] };
  const done = new Promise((r) => { port2.onmessage = (e) => { out.push(e.data); Promise.resolve().then(() => out.push('microtask')); if (e.data === 'end') r() } });
  port1.postMessage(sent); sent.a[0] = 2; port1.postMessage('end'); out.push('sync'); await done; return out }`, `["sync",{"a":[1]},"microtask","end","microtask"]`},
		{"a port waits until it is started", `async () => { const { port1, port2 } = new MessageChannel(); const out = []; port2.addEventListener('message', (e) => out.push(e.data)); port1.postMessage(1); await new Promise((r) => setTimeout(r, 5)); out.push('start'); port2.start(); await new Promise((r) => setTimeout(r, 5)); return out }`, `["start",1]`},
		{"the event", `async () => { const { port1, port2 } = new MessageChannel(); port1.postMessage(7); const e = await new Promise((r) => { port2.onmessage = r }); return [e.type, e.data, e.isTrusted, e instanceof MessageEvent, e.target === port2, e.origin, e.source, e.ports, Object.isFrozen(e.ports)] }`,
			`["message",7,true,true,true,"",null,[],true]`},
		{"transfer", `async () => { const { port1, port2 } = new MessageChannel(), other = new MessageChannel(); const b = new ArrayBuffer(3); port1.postMessage({ b, p: other.port2 }, [b, other.port2]); const e = await new Promise((r) => { port2.onmessage = r });
  const got = new Promise((r) => { e.data.p.onmessage = (m) => r(m.data) }); other.port1.postMessage('through'); return [b.byteLength, e.data.b.byteLength, e.ports.length, e.ports[0] === e.data.p, await got] }`, `[0,3,1,true,"through"]`},
		{"messages go with a port", `async () => { const { port1, port2 } = new MessageChannel(); port1.postMessage('early'); const moved = structuredClone(port2, { transfer: [port2] }); return await new Promise((r) => { moved.onmessage = (e) => r(e.data) }) }`, `"early"`},
		{"closing", `async () => { const { port1, port2 } = new MessageChannel(); const out = []; port2.onmessage = (e) => out.push(e.data); const closed = new Promise((r) => { port2.onclose = r }); port1.postMessage(1); port1.close(); port1.postMessage(2); await closed; port2.postMessage(3); return out }`, `[1]`},
		{"what cannot be sent", `() => { const { port1, port2 } = new MessageChannel(); return [() => port1.postMessage(() => {}), () => port1.postMessage(1, [port1]), () => port1.postMessage(port2), () => port1.postMessage(), () => port1.postMessage(1, 1), () => port1.postMessage(1, [1]), () => new MessagePort(), () => MessagePort.prototype.start()]
  .map((f) => { try { f(); return 'none' } catch (e) { return e.name } }).join() }`, `"DataCloneError,DataCloneError,DataCloneError,TypeError,TypeError,TypeError,TypeError,TypeError"`},
		{"an open port keeps nothing alive", `() => { const { port1, port2 } = new MessageChannel(); port2.onmessage = () => {}; return 'over' }`, `"over"`},
		{"many messages", `async () => { const { port1, port2 } = new MessageChannel(); let n = 0; const done = new Promise((r) => { port2.onmessage = () => { if (++n === 20000) r() } }); for (let i = 0; i < 20000; i++) port1.postMessage(i); await done; return n }`, `20000`},
		{"MessageEvent", `() => { const { port1 } = new MessageChannel(); const e = new MessageEvent('x', { data: 1, origin: 'o', lastEventId: 'i', source: port1, ports: [port1] }); e.initMessageEvent('y', true); return [e.type, e.data, e.bubbles, new MessageEvent('z', { ports: new Set([port1]) }).ports[0] === port1] }`, `["y",null,true,true]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A program that waits for a message which nobody can send is stalled.
func TestStalledForAMessage(t *testing.T) {
	source := "() => new Promise((r) => { new MessageChannel().port2.onmessage = r })"
	if result, _ := run(t, source); result.Fault == nil || result.Fault.Code() != "stalled" {
		t.Errorf("%v", result.Fault)
	}
}
