/*---
title: a module with top-level await and a default function
source: own
canary: true
form: module
input: 2
tools: [tools.echo]
expect: {value: 42}
---*/
const base = await tools.echo(40);
export default input => base + input;
