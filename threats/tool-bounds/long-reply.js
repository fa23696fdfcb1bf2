/*---
title: a tool that answers with more than a reply may be
source: M30
tools: [tools.big]
limits: {reply: 65536}
expect: {fault: reply_too_large, limit: 65536, actual: {min: 65537}, of: tools.big, delivered: [tools.big]}
invoked: {tools.big: 1}
within: 5s
---*/
() => tools.big({ bytes: 5_000_000 }).then(text => text.length, () => "caught")
