/*---
title: a tool's error that nobody catches is the program's fault, with the tool's name and fields
source: own
canary: true
tools: [tools.reject]
expect: {fault: thrown, class: program, name: QuotaError, text: no more today, value: {contains: E_QUOTA}, delivered: [tools.reject]}
---*/
async () => { await tools.reject() }
