package codemode_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/codemode"
)

// This file owns the tests of normal forms and of tools' names. The vectors are what the npm
// package itself answers; the npm client is held to the same.

func vectors[T any](t testing.TB, name string) []T {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	if len(out) < 50 {
		t.Fatalf("%s has %d vectors", name, len(out))
	}
	return out
}

type normalForm struct{ Code, Want string }

func TestNormalizeCode(t *testing.T) {
	for _, v := range vectors[normalForm](t, "normalize.json") {
		if diff := cmp.Diff(v.Want, codemode.NormalizeCode(v.Code)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", v.Code, diff)
		}
	}
}

// TestNormalizeCodeLong checks that long programs are read whole, in bounded time.
func TestNormalizeCodeLong(t *testing.T) {
	long := "async () => { const spec = {" + strings.Repeat(`"/path": {"get": {"id": "x"}}, `, 100_000) + "}; return spec }"
	if got := codemode.NormalizeCode(long); got != long {
		t.Errorf("a function of %d bytes becomes one of %d", len(long), len(got))
	}
	sum := strings.Repeat("a\n+ ", 2000) + "b"
	if got, want := codemode.NormalizeCode(sum), "async () => {\n"+sum+"\n}"; got != want {
		t.Errorf("a sum of %d bytes becomes %.60q", len(sum), got)
	}
	deep := strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000)
	if got, want := codemode.NormalizeCode(deep), "async () => {\n"+deep+"\n}"; got != want {
		t.Errorf("a deep expression becomes %.60q", got)
	}
}

func TestSanitizeToolName(t *testing.T) {
	for _, v := range vectors[struct{ Name, Want string }](t, "sanitize.json") {
		if got := codemode.SanitizeToolName(v.Name); got != v.Want {
			t.Errorf("%q becomes %q, want %q", v.Name, got, v.Want)
		}
	}
}

func FuzzNormalizeCode(f *testing.F) {
	for _, v := range vectors[normalForm](f, "normalize.json") {
		f.Add(v.Code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		if codemode.NormalizeCode(code) == "" {
			t.Error("an empty normal form")
		}
	})
}

func FuzzSanitizeToolName(f *testing.F) {
	f.Add("a-b")
	f.Fuzz(func(t *testing.T, name string) {
		got := codemode.SanitizeToolName(name)
		if got == "" || got != codemode.SanitizeToolName(got) && !strings.HasSuffix(got, "_") {
			t.Errorf("%q becomes %q", name, got)
		}
	})
}
