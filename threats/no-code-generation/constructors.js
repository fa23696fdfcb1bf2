/*---
title: the constructor of every kind of function
source: E23 E01
tools: [tools.echo]
expect:
  value:
    Function: EvalError
    AsyncFunction: EvalError
    GeneratorFunction: EvalError
    AsyncGeneratorFunction: EvalError
    of-a-tool: EvalError
    of-console: EvalError
    of-a-class: EvalError
    by-reflection: EvalError
    extended: EvalError
---*/
() => {
  const name = f => { try { return "made " + typeof f() } catch (e) { return e.name } };
  const body = "return 1";
  return {
    Function: name(() => new Function(body)),
    AsyncFunction: name(() => new (async () => {}).constructor(body)),
    GeneratorFunction: name(() => new (function* () {}).constructor(body)),
    AsyncGeneratorFunction: name(() => new (async function* () {}).constructor(body)),
    "of-a-tool": name(() => tools.echo.constructor(body)),
    "of-console": name(() => console.log.constructor(body)),
    "of-a-class": name(() => (class {}).constructor(body)),
    "by-reflection": name(() => Reflect.construct(Object.getPrototypeOf(Function.prototype.toString).constructor, [body], Array)),
    extended: name(() => new (class extends Function {})(body)),
  };
}
