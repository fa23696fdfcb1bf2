/*---
title: every kind of value survives the way to a tool and back
source: own
canary: true
tools: [tools.echo]
expect: {value: []}
---*/
async () => {
  const cyclic = { name: "cycle" };
  cyclic.self = cyclic;
  const sent = {
    undefined: undefined, nan: NaN, infinity: -Infinity, zero: -0, big: 2n ** 80n, date: new Date(86_400_000), invalid: new Date(NaN), regexp: /a+/gi,
    map: new Map([["k", [1]], [{}, 2]]), set: new Set([1, "1"]), bytes: new Uint8Array([1, 2, 255]), floats: new Float64Array([0.5]),
    view: new DataView(new ArrayBuffer(3)), holes: [1, , 3], cyclic, error: new RangeError("r", { cause: "c" }), text: "\u2028 \ud800 \u{1F600}",
  };
  const back = await tools.echo(sent), wrong = [];
  const check = (name, good) => { if (!good) wrong.push(name) };
  check("undefined", "undefined" in back && back.undefined === undefined);
  check("nan", Number.isNaN(back.nan));
  check("infinity", back.infinity === -Infinity);
  check("zero", Object.is(back.zero, -0));
  check("big", back.big === 2n ** 80n);
  check("date", back.date instanceof Date && back.date.getTime() === 86_400_000);
  check("invalid", back.invalid instanceof Date && Number.isNaN(back.invalid.getTime()));
  check("regexp", back.regexp instanceof RegExp && String(back.regexp) === "/a+/gi");
  check("map", back.map instanceof Map && back.map.size === 2 && back.map.get("k")[0] === 1);
  check("set", back.set instanceof Set && back.set.has("1") && back.set.has(1));
  check("bytes", back.bytes instanceof Uint8Array && back.bytes.join() === "1,2,255");
  check("floats", back.floats instanceof Float64Array && back.floats[0] === 0.5);
  check("view", back.view instanceof DataView && back.view.byteLength === 3);
  check("holes", back.holes.length === 3 && !(1 in back.holes) && back.holes[2] === 3);
  check("cyclic", back.cyclic.self === back.cyclic);
  check("error", back.error instanceof Error && back.error.message === "r" && back.error.cause === "c");
  // A lone surrogate has no UTF-8: it arrives as the replacement character.
  check("text", back.text === "\u2028 \ufffd \u{1F600}" || back.text === sent.text);
  return wrong;
}
