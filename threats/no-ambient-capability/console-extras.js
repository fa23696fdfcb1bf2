/*---
title: console is the standard's, without the engine's extras
source: E26 E17
expect: {value: {extras: [], context: undefined, memory: undefined, profile: undefined}}
---*/
() => {
  const standard = ["assert", "clear", "debug", "error", "info", "log", "table", "trace", "warn", "dir", "dirxml", "count", "countReset",
    "group", "groupCollapsed", "groupEnd", "time", "timeLog", "timeEnd"];
  return {
    extras: Object.getOwnPropertyNames(console).filter(name => !standard.includes(name)),
    context: typeof console.context, memory: typeof console.memory, profile: typeof console.profile,
  };
}
