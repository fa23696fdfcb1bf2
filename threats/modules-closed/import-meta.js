/*---
title: import.meta tells nothing of the host
source: E22
form: module
expect: {value: {keys: [], url: undefined, prototype: true}}
---*/
export default { keys: Reflect.ownKeys(import.meta).map(String), url: typeof import.meta.url, prototype: Object.getPrototypeOf(import.meta) === null };
