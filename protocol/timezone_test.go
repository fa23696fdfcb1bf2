package protocol

import (
	"slices"
	"testing"
)

func TestTimeZones(t *testing.T) {
	zones := TimeZones()
	if !slices.IsSorted(zones) || len(slices.Compact(slices.Clone(zones))) != len(zones) || len(zones) < 500 {
		t.Errorf("%d names, not sorted, or one twice", len(zones))
	}
	for _, name := range []string{"UTC", "America/New_York", "Asia/Kolkata", "Asia/Calcutta", "Etc/GMT+5", "EST5EDT"} {
		if !IsTimeZone(name) {
			t.Errorf("%s is not there", name)
		}
	}
	for _, name := range []string{"", "utc", "Local", "America", "America/New_York\n", "../etc/passwd", "UTC+1"} {
		if IsTimeZone(name) {
			t.Errorf("%q is there", name)
		}
	}
	for _, name := range zones {
		if r := (Request{TimeZone: name}); r.Validate() != nil {
			t.Errorf("%s: %v", name, r.Validate())
		}
	}
}
