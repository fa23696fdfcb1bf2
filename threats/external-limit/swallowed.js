/*---
title: a program that catches every refusal gets no further
source: M09
limits: {external: 16777216, wallMs: 20000}
expect: {value: {refused: 100, kept: true}}
usage: {peakExternal: {max: 16777216}}
resident: 300 MiB
---*/
() => {
  const kept = [];
  let refused = 0;
  while (refused < 100) {
    try { kept.push(new Uint8Array(1 << 20).fill(1)) } catch { refused++ }
  }
  return { refused, kept: kept.length >= 10 && kept.length <= 16 };
}
