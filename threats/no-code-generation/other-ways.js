/*---
title: other functions that once compiled strings
source: E23 E31
expect: {value: {shadow: undefined, compartment: undefined, worker: undefined, script: undefined, dynamic: TypeError}}
---*/
async () => ({
  shadow: typeof ShadowRealm, compartment: typeof Compartment, worker: typeof Worker, script: typeof importScripts,
  dynamic: await import("data:text/javascript,export default 1").then(() => "imported", e => e.name),
})
