/*---
title: eval, direct, indirect, nested and by reflection
source: E23
expect: {value: [EvalError, EvalError, EvalError, EvalError, EvalError, EvalError]}
---*/
() => {
  const name = f => { try { return "ran: " + f() } catch (e) { return e.name } };
  return [
    name(() => eval("1+1")), name(() => (0, eval)("1+1")), name(() => globalThis.eval("1+1")), name(() => Reflect.apply(eval, null, ["1+1"])),
    name(() => eval.call(null, "1+1")), name(() => [eval][0]("1+1")),
  ];
}
