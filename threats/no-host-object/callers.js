/*---
title: no callback learns its caller
source: E07
tools: [tools.echo]
expect: {value: []}
---*/
async () => {
  const found = [];
  const look = function (where) {
    return function sloppy() {
      for (const read of [() => sloppy.caller, () => arguments.callee.caller, () => sloppy.arguments?.callee?.caller]) {
        let caller = null;
        try { caller = read() } catch { }
        if (caller !== null && caller !== undefined && caller !== main) found.push(where + ": " + String(caller).slice(0, 60));
      }
      return 1;
    };
  };
  function main() { }
  await new Promise(done => setTimeout(() => { look("timer").call(); done() }, 0));
  await tools.echo({ get field() { return look("getter").call() } });
  await new Promise(done => { const f = look("microtask"); queueMicrotask(() => { f(); done() }) });
  const direct = look("direct timer");
  await new Promise(done => { setTimeout(direct, 0); setTimeout(done, 5) });
  const job = look("direct job");
  queueMicrotask(job);
  await null;
  await Promise.resolve().then(look("reaction"));
  // The caller of a callback that a program wraps itself is the program's own wrapper, which is no leak.
  return found.filter(text => !/look\(|\(\) =>|async \(\) =>|get field/.test(text));
}
