/*---
title: a tool cannot be constructed, extended or given properties
source: E01
tools: [tools.echo]
expect: {value: {construct: TypeError, extend: TypeError, prototype: undefined, property: TypeError, caller: true, answer: 7}}
---*/
async () => {
  "use strict";
  const name = f => { try { f(); return "none" } catch (e) { return e.name } };
  let caller = true;
  for (const key of ["caller", "arguments", "callee"]) {
    try { if (tools.echo[key] != null) caller = false } catch { }
  }
  return {
    construct: name(() => new tools.echo(1)), extend: name(() => { new (class extends tools.echo { })() }), prototype: String(tools.echo.prototype),
    property: name(() => { tools.echo.property = 1 }), caller, answer: await tools.echo(7),
  };
}
