/*---
title: a then-able result is settled by functions of the program's realm, once
source: E09 CVE-2026-47208
expect: {value: {own: true, caller: none, value: first}}
---*/
() => {
  const seen = {};
  return {
    then(resolve, reject) {
      seen.own = resolve instanceof Function && reject instanceof Function && resolve.constructor === Function;
      try { seen.caller = resolve.caller === null || resolve.caller === undefined ? "none" : "some" } catch { seen.caller = "none" }
      resolve({ ...seen, value: "first" });
      resolve("second");
      reject(new Error("third"));
    },
  };
}
