package executor_test

import (
	"testing"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
)

// This file owns the test that local time is the request's and not the host's.

func TestTimeZoneOfTheRequest(t *testing.T) {
	t.Setenv("TZ", "Asia/Tokyo")
	t.Setenv("LANG", "de_DE.UTF-8")
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	e, err := executor.New(t.Context(), executor.Config{Pool: pool.Config{Size: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const source = "() => new Date(2024, 6, 1).toISOString() + ' ' + (1e3).toLocaleString() + ' ' + Intl.DateTimeFormat().resolvedOptions().timeZone"
	for _, c := range []struct{ zone, want string }{
		{"", `"2024-07-01T00:00:00.000Z 1,000 UTC"`},
		{"America/New_York", `"2024-07-01T04:00:00.000Z 1,000 America/New_York"`},
		{"", `"2024-07-01T00:00:00.000Z 1,000 UTC"`},
	} {
		result, err := e.Execute(t.Context(), executor.Request{Source: source, TimeZone: c.zone})
		if err != nil || string(result.Value) != c.want {
			t.Errorf("zone %q: %s, %v; want %s", c.zone, result.Value, err, c.want)
		}
	}
}
