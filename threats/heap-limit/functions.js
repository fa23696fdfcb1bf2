/*---
title: ever more functions, each with code of its own
source: M21
grants: [eval]
limits: {heap: 33554432, wallMs: 20000, cpuMs: 20000}
expect: {fault: memory_exceeded, kind: heap}
resident: 300 MiB
within: 20s
---*/
() => {
  const body = "let n = 0;" + "n += a * 2 + b;".repeat(200) + "return n + ";
  for (const kept = []; ;) {
    const f = new Function("a", "b", body + kept.length); // a body of its own: V8 would share the code
    f(1, 2);
    kept.push(f);
  }
}
