/*---
title: Error.prepareStackTrace is never called
source: E12 CVE-2022-36067
tools: [tools.fail]
expect: {value: {called: 0, sites: [], text: true}}
---*/
async () => {
  let called = 0;
  const sites = [];
  Error.prepareStackTrace = (error, frames) => {
    called++;
    for (const frame of frames ?? []) sites.push(typeof frame.getThis, typeof frame.getFunction);
    return frames;
  };
  const errors = [new Error("plain"), await tools.fail().catch(e => e)];
  try { null.x } catch (e) { errors.push(e) }
  const target = {};
  Error.captureStackTrace(target);
  errors.push(target);
  return { called, sites, text: errors.every(e => e.stack === undefined || typeof e.stack === "string") };
}
