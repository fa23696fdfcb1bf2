/*---
title: jobs and timers queued before the value settles do not call tools after it
source: L05 W10
tools: [tools.echo]
expect: {value: settled}
invoked: {tools.echo: {max: 1}}
logs: {count: {max: 1}}
---*/
() => {
  setTimeout(() => { console.log("late timer"); tools.echo("late timer") }, 1);
  setInterval(() => { console.log("late interval"); tools.echo("late interval") }, 1);
  const again = () => { Promise.resolve().then(again).then(again) };
  return "settled";
}
