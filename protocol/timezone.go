package protocol

import (
	_ "embed"
	"strings"
	"sync"
)

// This file owns the names of time zones. The list is part of the contract, so that
// every host and executor agrees on it, whatever its machine knows.

//go:embed timezones.txt
var timeZoneNames string

// timeZones has the names as keys.
var timeZones = sync.OnceValue(func() map[string]bool {
	zones := map[string]bool{}
	for _, name := range TimeZones() {
		zones[name] = true
	}
	return zones
})

// TimeZones returns the names that [Request.TimeZone] may have, sorted: those of the
// IANA time zone database that the engine knows, older names for the same zone included.
func TimeZones() []string { return strings.Fields(timeZoneNames) }

// IsTimeZone reports whether [TimeZones] has a name. Letter case matters.
func IsTimeZone(name string) bool { return timeZones()[name] }
