/*---
title: buffers made after many were filled and dropped
source: L08
limits: {external: 33554432, wallMs: 20000}
expect: {value: {dirty: 0, made: 300}}
---*/
() => {
  let dirty = 0, made = 0;
  const sizes = [24, 100, 4096, 65_536, 1 << 20];
  for (let round = 0; round < 60; round++) {
    for (const size of sizes) {
      const bytes = new Uint8Array(size);
      for (let i = 0; i < size; i += 7) if (bytes[i] !== 0) dirty++;
      bytes.fill(0xaa);
      made++;
    }
    const garbage = new Array(100_000).fill(round);
    if (garbage.length === 0) return;
  }
  return { dirty, made };
}
