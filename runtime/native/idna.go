package native

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// This file owns OpDomainToASCII: Unicode ToASCII as the URL standard asks for it
// (https://url.spec.whatwg.org/#concept-domain-to-ascii, https://www.unicode.org/reports/tr46/#ToASCII)
// with CheckHyphens, UseSTD3ASCIIRules, Transitional_Processing and VerifyDnsLength false,
// CheckBidi and CheckJoiners true. The call has the domain as its first text; failure has
// no answer. Code points that the standard forbids in a domain are looked for by the caller.
//
// The tables are those of golang.org/x/net/idna, of the Unicode version of the Go toolchain.
// Its own processing follows the rules of that version; those that are newer are here.

// maxDomain bounds a domain, in bytes, because Punycode costs the square of a label's
// length. The name system knows 253.
const maxDomain = 16384

var (
	// mapping makes of a single code point what the mapping step makes of it.
	mapping = idna.New(idna.MapForLookup(), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.CheckJoiners(false),
		idna.Transitional(false))
	// validity leaves a domain of valid labels as it is, and fails or changes any other.
	validity = idna.New(idna.MapForLookup(), idna.StrictDomainName(false), idna.CheckHyphens(false), idna.CheckJoiners(true),
		idna.Transitional(false), idna.BidiRule())
)

// acePrefix begins an encoded label.
const acePrefix = "xn--"

func domainToASCII(c Call) Answer {
	ascii, ok := toASCII(c.Texts[0])
	return Answer{Text: ascii, HasText: ok}
}

func toASCII(domain string) (string, bool) {
	if len(domain) > maxDomain {
		return "", false
	}
	labels := strings.Split(norm.NFC.String(mapDomain(domain)), ".")
	ascii := make([]string, len(labels))
	for i, label := range labels {
		ascii[i] = label
		switch {
		case strings.HasPrefix(label, acePrefix):
			unicode, err := idna.Punycode.ToUnicode(label)
			// A label that needed no encoding, and one that hides an encoded label, are errors.
			if err != nil || !isASCIIText(label) || isASCIIText(unicode) || strings.HasPrefix(unicode, acePrefix) {
				return "", false
			}
			labels[i] = unicode
		case !isASCIIText(label):
			encoded, err := idna.Punycode.ToASCII(label)
			if err != nil {
				return "", false
			}
			ascii[i] = encoded
		}
	}
	unicode := knownAs(strings.Join(labels, "."))
	if valid, err := validity.ToUnicode(unicode); err != nil || valid != unicode {
		return "", false
	}
	return strings.Join(ascii, "."), true
}

// mapDomain is the mapping step: code points are replaced, dropped or left alone. What is
// disallowed is left alone, and found to be invalid later.
func mapDomain(domain string) string {
	var b strings.Builder
	for i, r := range domain {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			b.WriteByte(byte(r))
		case r == utf8.RuneError:
			b.WriteRune(r)
		default:
			if mapped, ok := mapNewer(r); ok {
				b.WriteString(mapped)
				continue
			}
			text := domain[i : i+utf8.RuneLen(r)]
			if mapped, err := mapping.ToUnicode(text); err == nil {
				b.WriteString(mapped)
			} else {
				b.WriteString(text)
			}
		}
	}
	return b.String()
}

func isASCIIText(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
