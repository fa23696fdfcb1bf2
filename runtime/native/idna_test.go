package native

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// This file holds the tests of domain to ASCII: web-platform-tests' vectors where they are
// beside the checkout, and our own.

// ascii returns what a domain becomes, "failure" when it fails.
func ascii(domain string) string {
	answer := Do(Call{Op: OpDomainToASCII, Texts: [2]string{domain}})
	if !answer.HasText {
		return "failure"
	}
	return answer.Text
}

func TestDomainToASCII(t *testing.T) {
	for _, c := range []struct{ what, domain, want string }{
		{"ASCII", "Example.COM", "example.com"},
		{"a sharp s", "Faß.de", "xn--fa-hia.de"},
		{"a capital sharp s", "FAẞ.de", "xn--fa-hia.de"},
		{"an encoded label", "xn--fa-hia.de", "xn--fa-hia.de"},
		{"an encoded label in capitals", "XN--FA-HIA.de", "xn--fa-hia.de"},
		{"fullwidth letters and an ideographic stop", "ｅｘ。ｊｐ", "ex.jp"},
		{"a fullwidth encoded label", "ｘn--fa-hia", "xn--fa-hia"},
		{"a soft hyphen", "a\u00adb", "ab"},
		{"an ignored code point of a newer version", "look\u180eout.net", "lookout.net"},
		{"a Georgian capital", "\u10a0", "xn--rkj"},
		{"a hyphen that became valid", "a\u1806b", "xn--ab-h0o"},
		{"an ideograph of a newer version", "\U00032b9a", "xn--wr3o"},
		{"composition", "u\u0308.com", "xn--tda.com"},
		{"hyphens", "-a-.a--b", "-a-.a--b"},
		{"empty labels", "a..ü.", "a..xn--tda."},
		{"symbols of STD3 rules", "a_b<ü", "xn--a_b<-3ra"},
		{"the empty encoded label", "a.xn--.b", "failure"},
		{"an encoded label of ASCII", "xn--ascii-", "failure"},
		{"an encoded label within one", "xn--xn---epa", "failure"},
		{"an encoded label that is not mapped", "xn--Fa-xyz.xn--4ba", "failure"},
		{"broken Punycode", "xn--a", "failure"},
		{"an encoded label beyond ASCII", "xn--ü", "failure"},
		{"a combining mark in front", "\u0300a", "failure"},
		{"a joiner without reason", "a\u200cb", "failure"},
		{"a joiner behind a virama", "a\u094d\u200cb", "xn--ab-fsf604u"},
		{"right to left behind left to right", "aא.com", "failure"},
		{"a digit in front in a bidi domain", "1a.א", "failure"},
		{"a code point that is disallowed", "a\ue000", "failure"},
		{"a lone surrogate", "a\ufffd", "failure"},
		{"nothing", "", ""},
		{"the bound", strings.Repeat("ü", 4000) + strings.Repeat("a", 384), "long"},
		{"beyond the bound", strings.Repeat("ü", maxDomain/2+1), "failure"},
	} {
		got := ascii(c.domain)
		if c.want == "long" && strings.HasPrefix(got, acePrefix) {
			continue
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// vectors reads a file of web-platform-tests' data, skipping the test without it.
func vectors(t *testing.T, name string, into any) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "wpt-data", name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("no test vectors: %v", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestDomainToASCIIVectors(t *testing.T) {
	for _, name := range []string{"toascii.json", "IdnaTestV2.json", "IdnaTestV2-removed.json"} {
		t.Run(name, func(t *testing.T) {
			var entries []json.RawMessage
			vectors(t, name, &entries)
			tested := 0
			for _, entry := range entries {
				var c struct {
					Input   *string
					Output  *string
					Comment string
				}
				if json.Unmarshal(entry, &c) != nil || c.Input == nil || *c.Input == "" {
					continue // a comment, or the empty domain, which no URL can have
				}
				tested++
				want := "failure"
				if c.Output != nil {
					want = *c.Output
				}
				got := ascii(*c.Input)
				// What the caller looks for.
				if got == "" || strings.ContainsFunc(got, forbidden) {
					got = "failure"
				}
				if got != want {
					t.Errorf("%+q (%s): %s, want %s", *c.Input, c.Comment, got, want)
				}
			}
			if tested == 0 {
				t.Error("the file has no vectors")
			}
		})
	}
}

// forbidden is https://url.spec.whatwg.org/#forbidden-domain-code-point.
func forbidden(r rune) bool {
	return r <= 0x20 || r == 0x7f || strings.ContainsRune("#/:<>?@[\\]^|%", r)
}

func FuzzDomainToASCII(f *testing.F) {
	for _, domain := range []string{"example.com", "Faß.de", "xn--fa-hia.de", "a\u200cb", "א.1", "xn--\u0300", "。。", "\xff"} {
		f.Add(domain)
	}
	f.Fuzz(func(t *testing.T, domain string) {
		got, ok := toASCII(domain)
		if !ok {
			return
		}
		if !isASCIIText(got) {
			t.Errorf("%+q becomes %+q", domain, got)
		}
		// What is ASCII already is left alone.
		if again, ok := toASCII(got); !ok || again != got {
			t.Errorf("%+q becomes %s, and that %s", domain, got, again)
		}
	})
}
