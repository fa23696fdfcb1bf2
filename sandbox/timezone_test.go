package sandbox_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file holds the tests of local time and of the default locale.

func withTimeZone(name string) func(*protocol.Request) {
	return func(r *protocol.Request) { r.TimeZone = name }
}

// Each execution has the zone of its request and none before it, whatever was set
// for the one before and however the isolate was made.
func TestTimeZones(t *testing.T) {
	const source = `() => {
  const d = new Date(Date.UTC(2024, 6, 1, 12));
  return [d.getHours(), d.getTimezoneOffset(), new Date(2024, 0, 1).toISOString(), new Intl.DateTimeFormat('en-US', { timeStyle: 'short' }).format(d),
    Intl.DateTimeFormat().resolvedOptions().timeZone, d.toString(), new Date('2024-07-01T00:00').toISOString()];
}`
	cases := []struct{ zone, want string }{
		{"", `[12,0,"2024-01-01T00:00:00.000Z","12:00 PM","UTC","Mon Jul 01 2024 12:00:00 GMT+0000 (Coordinated Universal Time)","2024-07-01T00:00:00.000Z"]`},
		{"Europe/Berlin", `[14,-120,"2023-12-31T23:00:00.000Z","2:00 PM","Europe/Berlin","Mon Jul 01 2024 14:00:00 GMT+0200 (Central European Summer Time)","2024-06-30T22:00:00.000Z"]`},
		{"America/New_York", `[8,240,"2024-01-01T05:00:00.000Z","8:00 AM","America/New_York","Mon Jul 01 2024 08:00:00 GMT-0400 (Eastern Daylight Time)","2024-07-01T04:00:00.000Z"]`},
		{"Asia/Kathmandu", `[17,-345,"2023-12-31T18:15:00.000Z","5:45 PM","Asia/Katmandu","Mon Jul 01 2024 17:45:00 GMT+0545 (Nepal Time)","2024-06-30T18:15:00.000Z"]`},
		{"Etc/GMT+5", `[7,300,"2024-01-01T05:00:00.000Z","7:00 AM","Etc/GMT+5","Mon Jul 01 2024 07:00:00 GMT-0500 (GMT-05:00)","2024-07-01T05:00:00.000Z"]`},
		{"", `[12,0,"2024-01-01T00:00:00.000Z","12:00 PM","UTC","Mon Jul 01 2024 12:00:00 GMT+0000 (Coordinated Universal Time)","2024-07-01T00:00:00.000Z"]`},
		{"UTC", `[12,0,"2024-01-01T00:00:00.000Z","12:00 PM","UTC","Mon Jul 01 2024 12:00:00 GMT+0000 (Coordinated Universal Time)","2024-07-01T00:00:00.000Z"]`},
	}
	for _, c := range cases {
		if got := text(execute(t, source, withTimeZone(c.zone))); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.zone, got, c.want)
		}
	}
}

// Every zone of the contract is one that the engine knows, both as the local one and by name.
func TestEveryTimeZoneIsKnown(t *testing.T) {
	zones := protocol.TimeZones()
	var b strings.Builder
	for _, zone := range zones {
		fmt.Fprintf(&b, "%q, ", zone)
	}
	got := text(execute(t, "() => ["+b.String()+"].filter((timeZone) => { try { new Intl.DateTimeFormat('en', { timeZone }); return false } catch { return true } })"))
	if got != "[]" {
		t.Errorf("the engine does not know %s", got)
	}
	for i := 0; i < len(zones); i += 7 {
		source := fmt.Sprintf("() => { const d = new Date(Date.UTC(2024, 6, 1)); const there = new Intl.DateTimeFormat('en', { timeZone: %q, dateStyle: 'full', timeStyle: 'full' }); return there.format(d) === new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'full' }).format(d) }", zones[i])
		if got := text(execute(t, source, withTimeZone(zones[i]))); got != "true" {
			t.Errorf("as the local zone %s is another: %s", zones[i], got)
		}
	}
}

// The host's own settings are not there, and the locale is the same on every host.
func TestLocaleIsFixed(t *testing.T) {
	for _, name := range []string{"TZ", "LANG", "LC_ALL", "LANGUAGE"} {
		t.Setenv(name, map[bool]string{true: "Asia/Tokyo", false: "de_DE.UTF-8"}[name == "TZ"])
	}
	s, err := sandbox.New(sandbox.Config{Snapshot: snapshot})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const source = "() => [Intl.NumberFormat().resolvedOptions().locale, (1234.5).toLocaleString(), new Date(0).toLocaleString(), new Date(0).toString(), ['b', 'ä', 'a'].sort(Intl.Collator().compare).join('')]"
	got := text(s.Execute(context.Background(), request(t, source), &testHost{}))
	if want := `["en-US","1,234.5","1/1/1970, 12:00:00 AM","Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)","aäb"]`; got != want {
		t.Error(got)
	}
}

// The engine's data is that of the database's edition 2022e. Where rules have changed
// since, it is wrong; each line here is such a difference and what is right. When one
// fails, the data has become newer: then the documentation is to change as well.
func TestTimeZoneDataIsOf2022(t *testing.T) {
	cases := []struct {
		zone, at    string
		hour, right int // of the day
	}{
		// 2022f: no daylight saving time in most of Mexico from 2022-10-30.
		{"America/Mexico_City", "2026-07-01T12:00Z", 7, 6},
		// 2022f and g: Greenland moves to -02 in 2023, with summer time from 2024.
		{"America/Nuuk", "2026-01-01T12:00Z", 9, 10},
		// 2023c: Egypt has summer time again from 2023.
		{"Africa/Cairo", "2026-07-01T12:00Z", 14, 15},
		// 2024a: Kazakhstan is at +05 from 2024-03-01.
		{"Asia/Almaty", "2026-01-01T12:00Z", 18, 17},
		// 2024b: Paraguay stays at -03 from 2024-10-15.
		{"America/Asuncion", "2026-07-01T12:00Z", 8, 9},
	}
	for _, c := range cases {
		source := fmt.Sprintf("() => new Date(%q).getHours()", c.at)
		if got := text(execute(t, source, withTimeZone(c.zone))); got != fmt.Sprint(c.hour) || c.hour == c.right {
			t.Errorf("%s at %s: %s o'clock, not %d (right is %d)", c.zone, c.at, got, c.hour, c.right)
		}
	}
}
