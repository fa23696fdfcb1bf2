/*---
title: the error of a tool is caught and used
source: own
canary: true
tools: [tools.fail, tools.reject]
expect: {value: ["the tool failed", QuotaError, 0]}
---*/
async () => {
  const out = [];
  try { await tools.fail() } catch (e) { out.push(e.message) }
  try { await tools.reject() } catch (e) { out.push(e.name, e.left) }
  return out;
}
