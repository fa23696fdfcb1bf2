/*---
title: a timer does not compile a string
source: E23
expect: {value: {ran: false, timeout: TypeError, interval: TypeError, microtask: TypeError}}
---*/
async () => {
  globalThis.ran = false;
  const name = f => { try { f(); return "accepted" } catch (e) { return e.name } };
  const out = {
    timeout: name(() => setTimeout("ran = true", 0)), interval: name(() => setInterval("ran = true", 0)), microtask: name(() => queueMicrotask("ran = true")),
  };
  await new Promise(done => setTimeout(done, 20));
  return { ran, ...out };
}
