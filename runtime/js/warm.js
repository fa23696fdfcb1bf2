// Warming: runs what most programs use once, while the snapshot is made, so that
// the snapshot holds it compiled. It leaves nothing else behind.

function warm() {
  let calls = 0;
  host = () => ++calls;
  const sample = { text: 'a', list: [1, null, true, undefined] };
  const holder = makeTool('warm', 'up');
  settle(calls + 1, ''); // no such call
  holder(sample);
  settle(calls, '{"ok":[1]}');
  begin('{"tools":[],"limits":{}}');
  runFunction((input) => input, '{"a":1}');
  keptKeys.clear();
  keptFirstKeys.clear();
}

warm();
