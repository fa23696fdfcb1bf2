package native

import (
	"encoding/base64"
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file tests that texts are found in every form in which they may be kept.

func TestFindTexts(t *testing.T) {
	const secret = "canary-in-the-coal-mine"
	wide := ""
	for _, c := range secret {
		wide += string(c) + "\x00"
	}
	texts := []hostText{{"the canary", secret}, {"another", "something else entirely"}, {"nothing", ""}}
	for _, test := range []struct {
		name, blob string
		want       []string
	}{
		{"none", "a blob without it, canary-in-the-coal-min", nil},
		{"as it is", "before" + secret + "behind", []string{"the canary"}},
		{"wide", "x" + wide, []string{"the canary in two bytes for each character"}},
		{"in hexadecimal", hex.EncodeToString([]byte("/home/" + secret)), []string{"the canary in hexadecimal"}},
		{"in base64", base64.StdEncoding.EncodeToString([]byte(secret)), []string{"the canary in base64"}},
		{"in base64, within other text", base64.StdEncoding.EncodeToString([]byte("/" + secret + "/x")), []string{"the canary in base64"}},
		{"in base64, within more text", base64.StdEncoding.EncodeToString([]byte("//" + secret + "/xy")), []string{"the canary in base64"}},
		{"in base64 of another alphabet", base64.RawURLEncoding.EncodeToString([]byte("=" + secret)), []string{"the canary in base64"}},
		{"two", secret + " and something else entirely", []string{"the canary", "another"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if d := cmp.Diff(test.want, findTexts([]byte(test.blob), texts)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAbsolutePath(t *testing.T) {
	for text, want := range map[string]bool{
		"at /home/someone/src/file.go:7": true, "\x00/usr/local/go/src\x00": true, "/root/go/pkg/mod": true, "/var/folders/x1": true,
		"a / b": false, "text/plain": false, "//tmp": false, "/usr/": false, "MB/usr": false,
	} {
		if got := absolutePath.MatchString(text); got != want {
			t.Errorf("%q is a path: %v, want %v", text, got, want)
		}
	}
}
