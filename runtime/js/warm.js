// Warming: runs what most programs use, so that the snapshot holds it compiled. This
// happens in a context of its own, of which nothing is kept but what was compiled (sandbox/v8,
// snapshot.cc).

function warm() {
  let calls = 0;
  boot(() => ++calls, undefined);
  const sample = { text: 'a', list: [1, null, true, undefined] };
  const holder = makeTool('warm', 'up');
  settle(calls + 1, ''); // no such call
  holder(sample);
  settle(calls, '{"ok":[1]}');
  begin('{"tools":[],"limits":{}}');
  runFunction((input) => input, '{"a":1}');
}

if (globalObject.__isogate_warm) warm();
