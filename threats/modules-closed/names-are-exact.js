/*---
title: specifiers are compared byte for byte
source: E30 CVE-2026-47140
modules: {"lib/a": "export default 1", "Caf\u00e9": "export default 2"}
expect: {value: [1, 2, [TypeError, TypeError, TypeError, TypeError, TypeError]]}
---*/
async () => {
  const missing = [];
  for (const near of ["lib/A", "./lib/a", "lib//a", "lib/a?x", "Cafe\u0301"]) missing.push(await import(near).then(() => near, e => e.name));
  return [(await import("lib/a")).default, (await import("Caf\u00e9")).default, missing];
}
