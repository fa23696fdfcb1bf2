package wpt

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the tests of META comments and of names.

func TestParseMeta(t *testing.T) {
	none := Meta{Variants: []string{""}, Globals: defaultGlobals}
	for text, want := range map[string]Meta{
		"":                               none,
		"test(() => {});":                none,
		"// META:title=too near is read": {Title: "too near is read", Variants: []string{""}, Globals: defaultGlobals},
		"\ufeff// META: title=a = b\n// a comment\n// META: script=x.js\n// META: script=/y.js?z\n// META: timeout=long\ntest();\n// META: title=late": {
			Title: "a = b", Scripts: []string{"x.js", "/y.js?z"}, Long: true, Variants: []string{""}, Globals: defaultGlobals,
		},
		"// META: variant=\n// META: variant=?1-2\n// META: variant=#h\r\n// META: quic=true": {Variants: []string{"", "?1-2", "#h"}, Globals: defaultGlobals},
		"// META: global=window, serviceworker":                                               {Variants: []string{""}, Globals: []string{"window", "serviceworker"}},
	} {
		got, err := ParseMeta("a.any.js", text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", text, diff)
		}
	}
}

func TestMalformedMeta(t *testing.T) {
	for text, want := range map[string]string{
		"// META: title":                 `a.any.js:1: META "title" has no value`,
		"// x\n// META: timeout=short":   `a.any.js:2: META timeout: "short" is not "long"`,
		"// META: global=window,nowhere": `a.any.js:1: META global: there is no global "nowhere"`,
		"// META: variant=1-2":           `a.any.js:1: META variant: the variant "1-2" begins neither with ? nor with #`,
	} {
		if _, err := ParseMeta("a.any.js", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestRuns(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                     true,
		"// META: global=shadowrealm":          true,
		"// META: global=worker":               true,
		"// META: global=serviceworker":        false,
		"// META: global=serviceworker,window": true,
		"// META: global=sharedworker":         false,
	} {
		m, err := ParseMeta("a.any.js", text)
		if err != nil || m.Runs() != want {
			t.Errorf("%q: %v, %v", text, m.Runs(), err)
		}
	}
}

func TestFileOf(t *testing.T) {
	for reference, want := range map[string]string{
		"x.json":                                "a/b/x.json",
		"./x.json?q#h":                          "a/b/x.json",
		"../x.json":                             "a/x.json",
		"../../../../etc/passwd":                "etc/passwd", // of the checkout
		"/c/x.json":                             "c/x.json",
		"http://web-platform.test:8000/c/x%20y": "c/x y",
		"/resources/WebIDLParser.js":            "resources/webidl2/lib/webidl2.js",
		"http://elsewhere.test/x":               "",
		"//elsewhere.test/x":                    "",
		"file:///etc/passwd":                    "",
		"":                                      "",
		"%":                                     "",
		"http://web-platform.test:8000.elsewhere/x": "",
	} {
		got, ok := fileOf("a/b/t.any.js", reference)
		if got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", reference, got, ok, want)
		}
	}
}

func TestPeers(t *testing.T) {
	p, err := ReadPeers()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, a := range p.Areas {
		if names[a.Name] {
			t.Errorf("the area %s is there twice", a.Name)
		}
		names[a.Name] = true
	}
	for test, want := range map[string]string{
		"encoding/a.any.js":                        "encoding",
		"encoding/streams/a.any.js":                "encoding/streams",
		"encoding/legacy-mb-schinese/gbk/a.any.js": "encoding/legacy-mb",
		"dom/nodes/a.any.js":                       "",
		"urlpattern/a.any.js":                      "urlpattern",
	} {
		if a, _ := p.area(test); a.Name != want {
			t.Errorf("%s is of the area %q, want %q", test, a.Name, want)
		}
	}
}

func FuzzParseMeta(f *testing.F) {
	f.Add("// META: title=a\n// META: variant=?x\n")
	f.Add("// META: global=window,worker\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMeta("a.any.js", text)
		if err == nil && (len(m.Variants) == 0 || len(m.Globals) == 0) {
			t.Errorf("%+v has no variant or no global", m)
		}
	})
}
