/*---
title: the only timer is cleared
source: own
limits: {wallMs: 20000}
expect: {fault: stalled}
within: 1s
---*/
() => new Promise(done => { const id = setTimeout(done, 5000); clearTimeout(id) })
