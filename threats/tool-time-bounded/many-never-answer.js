/*---
title: calls that timed out make room for others
source: T07 M29
tools: [tools.never]
limits: {toolTimeMs: 50, wallMs: 8000, callsInFlight: 4, toolCalls: 12}
expect: {value: 12}
invoked: {tools.never: 12}
within: 4s
---*/
async () => {
  let timedOut = 0;
  for (let i = 0; i < 3; i++) {
    await Promise.all([0, 1, 2, 3].map(() => tools.never().catch(e => { if (e.name === "ToolTimeout") timedOut++ })));
  }
  return timedOut;
}
