package runtime_test

import "testing"

// This file holds the tests of Intl.DurationFormat.

func TestDurationFormat(t *testing.T) {
	for _, c := range []struct{ what, expression, want string }{
		{"short", `new Intl.DurationFormat('en').format({ hours: 1, minutes: 46, seconds: 40 })`, `"1 hr, 46 min, 40 sec"`},
		{"long", `new Intl.DurationFormat('de', { style: 'long' }).format({ years: 1, days: 2 })`, `"1 Jahr, 2 Tage"`},
		{"narrow", `new Intl.DurationFormat('en', { style: 'narrow' }).format({ weeks: 3, milliseconds: 5 })`, `"3w 5ms"`},
		{"digital", `new Intl.DurationFormat('en', { style: 'digital' }).format({ hours: 1, seconds: 7, milliseconds: 50 })`, `"1:00:07.05"`},
		{"digits of seconds", `new Intl.DurationFormat('en', { style: 'digital', fractionalDigits: 2 }).format({ seconds: 7, milliseconds: 999 })`, `"0:00:07.99"`},
		{"seconds with a fraction", `new Intl.DurationFormat('en', { milliseconds: 'numeric' }).format({ seconds: 1, microseconds: -0, nanoseconds: 5 })`, `"1.000000005 sec"`},
		{"exact", `new Intl.DurationFormat('en', { style: 'digital', hours: 'numeric' }).format({ seconds: 9007199254740991 })`, `"0:00:9007199254740991"`},
		{"negative", `new Intl.DurationFormat('en', { style: 'digital' }).format({ hours: -0, minutes: -5 })`, `"-0:05:00"`},
		{"small units", `new Intl.DurationFormat('en', { style: 'long' }).format({ microseconds: 1, nanoseconds: 2 })`, `"1 microsecond, 2 nanoseconds"`},
		{"small units, short", `new Intl.DurationFormat('en').format({ microseconds: 1, nanoseconds: 2 })`, `"1 μs, 2 ns"`},
		{"text", `new Intl.DurationFormat('en').format('-P1Y2M3W4DT5H6M7.008009S')`, `"-1 yr, 2 mths, 3 wks, 4 days, 5 hr, 6 min, 7 sec, 8 ms, 9 μs"`},
		{"text with a fraction of hours", `new Intl.DurationFormat('en').format('pt1,5h')`, `"1 hr, 30 min"`},
		{"nothing", `new Intl.DurationFormat('en').format({ seconds: 0 })`, `""`},
		{"parts", `new Intl.DurationFormat('en', { style: 'digital' }).formatToParts({ hours: 1 }).map((p) => [p.type, p.value, p.unit])`,
			`[["integer","1","hour"],["literal",":",{"$":"undefined"}],["integer","00","minute"],["literal",":",{"$":"undefined"}],["integer","00","second"]]`},
		{"digits of another system", `new Intl.DurationFormat('en-u-nu-arab', { style: 'digital' }).format({ minutes: 12 })`, `"٠:١٢:٠٠"`},
		{"options", `Object.entries(new Intl.DurationFormat('en', { style: 'digital', fractionalDigits: 3 }).resolvedOptions()).filter(([k]) => !k.includes('s'))`, `[["locale","en"]]`},
		{"supported", `Intl.DurationFormat.supportedLocalesOf(['de', 'xx'])`, `["de"]`},
	} {
		if got := value(t, "() => "+c.expression); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

func TestDurationFormatRefuses(t *testing.T) {
	for _, c := range []struct{ expression, want string }{
		{`Intl.DurationFormat()`, "TypeError"},
		{`new Intl.DurationFormat('en', null)`, "TypeError"},
		{`new Intl.DurationFormat('en', { style: 'large' })`, "RangeError"},
		{`new Intl.DurationFormat('en', { fractionalDigits: 10 })`, "RangeError"},
		{`new Intl.DurationFormat('en', { hours: 'numeric', minutes: 'long' })`, "RangeError"},
		{`new Intl.DurationFormat('en', { numberingSystem: 'a' })`, "RangeError"},
		{`new Intl.DurationFormat().format()`, "TypeError"},
		{`new Intl.DurationFormat().format({})`, "TypeError"},
		{`new Intl.DurationFormat().format({ hours: 1.5 })`, "RangeError"},
		{`new Intl.DurationFormat().format({ hours: 1, days: -1 })`, "RangeError"},
		{`new Intl.DurationFormat().format({ years: 2 ** 32 })`, "RangeError"},
		{`new Intl.DurationFormat().format({ seconds: 2 ** 53 })`, "RangeError"},
		{`new Intl.DurationFormat().format('P')`, "RangeError"},
		{`new Intl.DurationFormat().format('PT')`, "RangeError"},
		{`new Intl.DurationFormat().format('P1DT')`, "RangeError"},
		{`new Intl.DurationFormat().format('P1H')`, "RangeError"},
		{`new Intl.DurationFormat().format('P1.5D')`, "RangeError"},
		{`new Intl.DurationFormat().format('PT1.5H1M')`, "RangeError"},
		{`new Intl.DurationFormat().format('PT1H2H')`, "RangeError"},
		{`new Intl.DurationFormat().format('PT1.0000000001S')`, "RangeError"},
		{`Intl.DurationFormat.prototype.format.call({}, { hours: 1 })`, "TypeError"},
	} {
		if got := value(t, "() => { try { "+c.expression+" } catch (e) { return e.name } }"); got != `"`+c.want+`"` {
			t.Errorf("%s: %s, want a %s", c.expression, got, c.want)
		}
	}
}

func TestDurationFormatDependsOnNothingPatchable(t *testing.T) {
	const patches = `for (const f of [Intl.NumberFormat, Intl.ListFormat, Intl.DateTimeFormat]) for (const k of Reflect.ownKeys(f.prototype)) delete f.prototype[k];
		delete Array.prototype[Symbol.iterator]; Object.prototype.style = 'long'; Object.prototype.get = () => 1;
		Intl.NumberFormat = Intl.ListFormat = BigInt = undefined; String.prototype.padStart = () => 'x';`
	want := `"1:02:03.5"`
	if got := value(t, `() => { const f = new Intl.DurationFormat('en', { style: 'digital' }); `+patches+` return f.format({ hours: 1, minutes: 2, seconds: 3, milliseconds: 500 }) }`); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
