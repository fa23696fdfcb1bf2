package native

import "strings"

// This file owns what UTS #46 has changed, by its revisions 31 and 33, for code points that
// the tables of Unicode 15 know (https://www.unicode.org/reports/tr46/#Modifications):
// capital letters that were disallowed are mapped, code points that are ignorable by default
// are ignored, and five compatibility ideographs are mapped as their corrigendum says.
// Tables of a newer version say the same.

// mapNewer returns what the mapping step makes of a code point that has changed.
func mapNewer(r rune) (string, bool) {
	switch {
	case 0x10a0 <= r && r <= 0x10c5: // Georgian capital letters
		return string(r - 0x10a0 + 0x2d00), true
	case 0x115f <= r && r <= 0x1160, 0x17b4 <= r && r <= 0x17b5, 0x2061 <= r && r <= 0x2063, 0x206a <= r && r <= 0x206f,
		0x1d173 <= r && r <= 0x1d17a:
		return "", true
	}
	switch r {
	case 0x180e, 0x3164, 0xffa0:
		return "", true
	case 0x04c0:
		return "\u04cf", true
	case 0x1e9e:
		return "\u00df", true
	case 0x2132:
		return "\u214e", true
	case 0x2183:
		return "\u2184", true
	case 0x2f868:
		return "\u36fc", true
	case 0x2f874:
		return "\u5f53", true
	case 0x2f91f:
		return "\U000243ab", true
	case 0x2f95f:
		return "\u7aee", true
	case 0x2f9bf:
		return "\u45d7", true
	}
	return "", false
}

// knownAs puts code points that tables of Unicode 15 know in place of those that have become
// valid since, so that whether the rest is valid can be asked: a hyphen for the one hyphen,
// and an ideograph for all ideographs, which are alike in every other respect. Letters of the
// scripts that are newer than the tables are left, and found to be invalid.
func knownAs(domain string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0x1806:
			return 0x2010
		case 0x2b73a <= r && r <= 0x2b73f, 0x2cea2 <= r && r <= 0x2cead, 0x2ebf0 <= r && r <= 0x2ee5d, 0x323b0 <= r && r <= 0x33479:
			return 0x4e00
		}
		return r
	}, domain)
}
