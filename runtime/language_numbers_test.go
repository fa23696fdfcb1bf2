package runtime_test

import "testing"

// This file holds the tests of numbers: Math.sumPrecise, and the half-precision numbers of
// Math and DataView; and of the information of locales.

func TestSumPrecise(t *testing.T) {
	testPrograms(t, []program{
		{"rounded once", "return [Math.sumPrecise([1e20, 0.1, -1e20]), Math.sumPrecise([0.1, 0.1, 0.1]), Math.sumPrecise(Array(10).fill(0.1)), Math.sumPrecise([1, 2 ** -53, 2 ** -106])];",
			"[0.1,0.30000000000000004,1,1.0000000000000002]"},
		{"large numbers", `const M = Number.MAX_VALUE; const h = 2 ** 970;
  return [[M, M, -M], [M, h / 2], [M, h / 2, -1], [M, h], [-M, -h], [1e308, 1e308, 0.1, 0.1, 1e30, 0.1, -1e30, -1e308, -1e308], [M, 1, -M]].map((a) => String(Math.sumPrecise(a)));`,
			`["1.7976931348623157e+308","1.7976931348623157e+308","1.7976931348623157e+308","Infinity","-Infinity","0.30000000000000004","1"]`},
		{"ties go to even", "return [[1, 2 ** -53], [1 + 2 ** -52, 2 ** -53], [2 ** 1000, 2 ** 947], [2 ** 1000, 2 ** 947, 2 ** -1074]].map(Math.sumPrecise).map((x) => x === 1 || x === 2 ** 1000);", "[true,false,true,false]"},
		{"small numbers", "const m = Number.MIN_VALUE; return [Math.sumPrecise([m, m, m]) === 3 * m, Math.sumPrecise([2 ** 1000, m, -(2 ** 1000)]) === m, Math.sumPrecise([2 ** -1022, -m]) === 2 ** -1022 - m];", "[true,true,true]"},
		{"zeros, infinities and NaN", "return [[], [-0, -0], [-0, 0], [1, -1], [-0, 1, -1], [Infinity, 1e308], [Infinity, -Infinity], [NaN, 1], [-Infinity]].map(Math.sumPrecise).map((x) => Object.is(x, -0) ? '-0' : String(x));",
			`["-0","-0","0","0","0","Infinity","NaN","NaN","-Infinity"]`},
		{"the exact sum", `let seed = 1; const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
  const units = (x) => { let e = 0; while (!Number.isInteger(x)) { x *= 2; e++; } return BigInt(x) << BigInt(1100 - e); };
  let wrong = 0;
  for (let round = 0; round < 40; round++) {
    const values = []; for (let i = 0; i < 30; i++) values.push((random() - 0.5) * 2 ** Math.floor(random() * 300 - 150));
    const exact = values.reduce((a, x) => a + units(x), 0n); const sum = Math.sumPrecise(values);
    const distance = (x) => { const d = exact - units(x); return d < 0n ? -d : d; };
    const bits = new BigInt64Array(new Float64Array([sum]).buffer); const neighbour = (n) => new Float64Array(new BigInt64Array([bits[0] + n]).buffer)[0];
    if (distance(sum) > distance(neighbour(1n)) || distance(sum) > distance(neighbour(-1n))) wrong++;
  }
  return wrong;`, "0"},
		{"only numbers", `const it = { [Symbol.iterator]() { return this; }, next: () => ({ value: 1n }), return: () => { log.push('closed'); return {}; } };
  return [thrown(() => Math.sumPrecise(['1'])), thrown(() => Math.sumPrecise(it)), log, thrown(() => Math.sumPrecise()), thrown(() => Math.sumPrecise(1))];`,
			`["TypeError","TypeError",["closed"],"TypeError","TypeError"]`},
	})
}

func TestHalfPrecision(t *testing.T) {
	testPrograms(t, []program{
		{"rounding", "return [1.337, 65504, 65519.99, 65520, -65520, 2 ** -24, 2 ** -25, 2 ** -25 * 1.0001, 2049, 2051, 0.1, 6e-8].map(Math.f16round).map(String);",
			`["1.3369140625","65504","65504","Infinity","-Infinity","5.960464477539063e-8","0","5.960464477539063e-8","2048","2052","0.0999755859375","5.960464477539063e-8"]`},
		{"special numbers", "return [NaN, -0, Infinity, undefined, null, '1.5'].map((x) => Math.f16round(x)).map((x) => Object.is(x, -0) ? '-0' : String(x)).concat(thrown(() => Math.f16round(1n)));", `["NaN","-0","Infinity","NaN","0","1.5","TypeError"]`},
		{"every bit pattern survives", `const v = new DataView(new ArrayBuffer(4)); let wrong = 0;
  for (let bits = 0; bits < 65536; bits++) {
    v.setUint16(0, bits); const x = v.getFloat16(0); v.setFloat16(2, x);
    if (x === x ? v.getUint16(2) !== bits || Math.f16round(x) !== x : (bits & 0x7c00) !== 0x7c00 || v.getUint16(2) !== 0x7e00) wrong++;
  }
  return wrong;`, "0"},
		{"byte order", "const v = new DataView(new ArrayBuffer(2)); v.setFloat16(0, 1, true); return [v.getUint8(1), v.getFloat16(0, true), v.getFloat16(0) === 1];", "[60,1,false]"},
		{"order of checks", `const v = new DataView(new ArrayBuffer(2)); const one = { valueOf: () => { log.push('value'); return 1; } }; const at = { valueOf: () => { log.push('offset'); return 9; } };
  return [thrown(() => v.setFloat16(at, one)), log, thrown(() => v.setFloat16(-1, one)), log.length, thrown(() => DataView.prototype.setFloat16.call({}, 0, one)), thrown(() => v.getFloat16(1)), thrown(() => v.setFloat16(0, 1n))];`,
			`["RangeError",["offset","value"],"RangeError",2,"TypeError","RangeError","TypeError"]`},
		{"detached while converting", "const v = new DataView(new ArrayBuffer(2)); return thrown(() => v.setFloat16(0, { valueOf: () => { v.buffer.transfer(); return 1; } }));", `"TypeError"`},
	})
}

func TestDateSetters(t *testing.T) {
	testPrograms(t, []program{
		{"as ever", "const d = new Date(Date.UTC(2024, 0, 31)); return [d.setUTCMonth(1), d.setUTCDate(0), d.setUTCHours(25, 61, 61, 1001), d.setUTCMinutes(1), d.setUTCSeconds(2, 3), d.setUTCMilliseconds(4), d.setHours(0, 0, 0, 0), d.setMonth(11, 24), d.toISOString()];",
			`[1709337600000,1709164800000,1709258522001,1709258462001,1709258462003,1709258462004,1709251200000,1734998400000,"2024-12-24T00:00:00.000Z"]`},
		{"order of conversions", "const n = (x) => ({ valueOf: () => { log.push(String(x)); return x; } }); new Date(0).setHours(n(NaN), n(2), n(3), n(4), n(5)); return log;", `["NaN","2","3","4"]`},
		{"the time is read first", "const d = new Date(NaN); const e = new Date(0); const set = (date, time) => ({ valueOf: () => { date.setTime(time); return 1; } }); return [String(d.setDate(set(d, 0))), d.getTime(), e.setMilliseconds(set(e, NaN)), e.getTime()];", `["NaN",0,1,1]`},
		{"receivers", "return [thrown(() => Date.prototype.setDate.call({}, { valueOf: () => { log.push(1); } })), log.length, String(new Date(0).setMonth())];", `["TypeError",0,"NaN"]`},
	})
}

func TestLocaleInformation(t *testing.T) {
	testPrograms(t, []program{
		{"methods", "const l = new Intl.Locale('de-DE'); return [l.getTextInfo().direction, l.getWeekInfo(), l.getHourCycles(), l.getNumberingSystems(), l.getCalendars().includes('gregory'), l.getTimeZones().includes('Europe/Berlin'), Array.isArray(l.getCollations())];",
			`["ltr",{"firstDay":1,"weekend":[6,7]},["h23"],["latn"],true,true,true]`},
		{"keywords", `const l = (tag) => new Intl.Locale(tag); return [l('en-US-u-rg-gbzzzz').getHourCycles(), l('en-u-sd-gbeng').getHourCycles(), l('en-US-u-sd-gbeng').getHourCycles(), l('en-US-u-hc-h11-rg-gbzzzz').getHourCycles(),
    l('en-US-u-fw-wed').getWeekInfo().firstDay, l('en-US-x-u-fw-wed').getWeekInfo().firstDay, l('en-US-u-ca-buddhist-rg-dezzzz').getCalendars(), l('en-US-u-rg-dezzzz').getWeekInfo()];`,
			`[["h23"],["h23"],["h12"],["h11"],3,7,["buddhist"],{"firstDay":1,"weekend":[6,7]}]`},
		{"variants and the first day", "return ['sl-Latn-IT-nedis-1996-u-fw-mon', 'de-1996', 'en-GB', 'de-Latn-DE-x-fonipa'].map((t) => new Intl.Locale(t)).map((l) => String([l.variants, l.firstDayOfWeek]));",
			`["1996-nedis,mon","1996,",",",","]`},
		{"receivers", "return ['getCalendars', 'getWeekInfo'].map((name) => thrown(() => Intl.Locale.prototype[name].call({})));", `["TypeError","TypeError"]`},
	})
}
