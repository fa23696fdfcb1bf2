/*---
title: errors thrown through the runtime show no frame of it
source: E13 I04
tools: [tools.echo, tools.fail]
expect: {value: {foreign: [], own: true}}
---*/
async () => {
  const stacks = [];
  const keep = e => stacks.push(String(e.stack));
  await new Promise(done => setTimeout(() => { keep(new Error("timer")); done() }, 0));
  await new Promise(done => queueMicrotask(() => { keep(new Error("microtask")); done() }));
  await tools.echo({ get field() { keep(new Error("getter in arguments")); return 1 } });
  await tools.fail().catch(keep);
  await tools.echo(Symbol("s")).catch(keep);
  try { console.log({ get field() { keep(new Error("getter in log")); return 1 } }) } catch (e) { keep(e) }
  try { setTimeout() } catch (e) { keep(e) }
  try { (function f() { f() })() } catch (e) { keep(e) }
  const deep = []; deep[0] = deep;
  await import("missing").catch(keep);
  const foreign = [];
  for (const stack of stacks) {
    for (const line of stack.split("\n").slice(1)) {
      // A frame is of the program, or of a function of the language without a place.
      if (!/^\s+at .*(\(?program:\d+:\d+\)?|<anonymous>\)?|native\)?)$/.test(line) && !/^\s+at async /.test(line) && !/\(index \d+\)$/.test(line)) foreign.push(line);
      if (/isogate|runtime|\.go:|\.cc|\/|native code/.test(line)) foreign.push(line);
    }
  }
  return { foreign, own: stacks.every(stack => stack.includes("\n")) || stacks.filter(stack => stack.includes("program:")).length >= 4 };
}
