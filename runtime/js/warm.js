// Warming: runs what most programs use once, while the snapshot is made, so that
// the snapshot holds it compiled. It leaves nothing else behind.

function warm() {
  let calls = 0;
  host = () => ++calls;
  const sample = { text: 'a', list: [1, null, true, undefined], map: new Map([['k', new Set([1])]]), date: new Date(0) };
  sample.self = sample;
  const holder = makeTool('warm', 'up');
  settle(calls + 1, ''); // no such call
  holder(sample);
  settle(calls, '{"ok":{"$":"def","id":1,"v":[1,{"$":"map","v":[]},{"$":"ref","id":1}]}}');
  consoleObject.log('%s', sample, [1, 2, 3], 'text', 1);
  consoleObject.log('text');
  fireTimer(timerFunctions.setTimeout(() => {}, 1));
  timerFunctions.clearTimeout(timerFunctions.setTimeout(() => {}, 1));
  begin('{"tools":[],"limits":{}}');
  runFunction((input) => input, '{"a":{"$":"undefined"}}');
  keptKeys.clear();
  keptFirstKeys.clear();
}

warm();
