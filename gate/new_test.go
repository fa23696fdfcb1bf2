package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isogate/isogate/threats"
)

// This file tests skeletons: they are valid in form, and never end in a green gate.

// newModule returns the folder of claims in a module of its own, which says what is
// not claimed and has one source file.
func newModule(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	folder := filepath.Join(root, "threats")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"code.go":                 "package code\n",
		"threats/non-claims.yaml": "- {id: magic, title: No magic, statement: None., mitigation: Expect none.}\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestSkeletonsAreValidAndIncomplete(t *testing.T) {
	folder := newModule(t)
	root := filepath.Dir(folder)
	problems := func() string {
		t.Helper()
		m, err := LoadModelFrom(folder, root)
		if m == nil {
			t.Fatalf("the skeletons are malformed: %v", err)
		}
		if err == nil {
			return ""
		}
		return err.Error()
	}
	claim, err := NewClaim(folder, NewClaimOptions{ID: "clocks-coarse", Title: "It's: coarse", Boundary: threats.BoundaryAdapter, Severity: threats.SeverityLow})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the claim is a draft", "the claim has no attack", "the claim has no owner", "the claim has no control"} {
		if got := problems(); !strings.Contains(got, claim+":1:1: "+want) && !strings.Contains(got, want) {
			t.Errorf("the gate says\n%s\nand must say %q", got, want)
		}
	}
	for _, o := range []NewAttackOptions{
		{Claim: "clocks-coarse", Name: "fine-clock", Title: "a 'fine' clock: # one", Source: "T01"},
		{Claim: "clocks-coarse", Name: "typed-clock", TypeScript: true},
	} {
		file, err := NewAttack(folder, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := problems(); !strings.Contains(got, file+":") || !strings.Contains(got, "the attack is a draft") {
			t.Errorf("the gate says\n%s", got)
		}
	}
	m, _ := LoadModelFrom(folder, root)
	c := m.Claim("clocks-coarse")
	if c.Title != "It's: coarse" || c.Boundary != threats.BoundaryAdapter || c.Severity != threats.SeverityLow || c.Attacks[0].Title != "a 'fine' clock: # one" || c.Attacks[1].Language != "ts" {
		t.Errorf("%+v, %+v", c, c.Attacks[0])
	}
	// Filled in, and the marks removed, it is complete.
	for name, edits := range map[string][]string{
		"claim.yaml":    {"owners: []", "owners: [code.go]", "draft: true", "controls:\n  - {name: gone, file: code.go, find: package, replace: pack, trips: [fine-clock]}"},
		"fine-clock.js": {"draft: true\n", ""}, "typed-clock.ts": {"draft: true\n", ""},
	} {
		file := filepath.Join(folder, "clocks-coarse", name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.NewReplacer(edits...).Replace(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := problems(); got != "" {
		t.Errorf("filled in: %s", got)
	}
}

// A skeleton of which only the mark is removed does not hold.
func TestAnEmptySkeletonIsViolated(t *testing.T) {
	folder := newModule(t)
	if _, err := NewClaim(folder, NewClaimOptions{ID: "c"}); err != nil {
		t.Fatal(err)
	}
	if _, err := NewAttack(folder, NewAttackOptions{Claim: "c", Name: "a"}); err != nil {
		t.Fatal(err)
	}
	m, _ := LoadModelFrom(folder, "")
	claims, err := Verify(t.Context(), VerifyOptions{Model: m, Progress: NoProgress()})
	if err != nil {
		t.Fatal(err)
	}
	if claims[0].Verdict != "violated" || !strings.Contains(claims[0].Reason, "the value is") {
		t.Errorf("%s: %s", claims[0].Verdict, claims[0].Reason)
	}
}

func TestNewRefuses(t *testing.T) {
	folder := newModule(t)
	if _, err := NewClaim(folder, NewClaimOptions{ID: "there"}); err != nil {
		t.Fatal(err)
	}
	if _, err := NewAttack(folder, NewAttackOptions{Claim: "there", Name: "taken"}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(folder, "there", "taken.js"))
	if err != nil {
		t.Fatal(err)
	}
	claim := func(o NewClaimOptions) func() (string, error) {
		return func() (string, error) { return NewClaim(folder, o) }
	}
	attack := func(o NewAttackOptions) func() (string, error) {
		return func() (string, error) { return NewAttack(folder, o) }
	}
	tests := []struct {
		name string
		make func() (string, error)
		want string
	}{
		{"an id that is none", claim(NewClaimOptions{ID: "../evil"}), `the claim's id: "../evil" is no name: it must be small letters`},
		{"no id", claim(NewClaimOptions{}), `"" is no name`},
		{"a claim that is there", claim(NewClaimOptions{ID: "there"}), "there is there already"},
		{"a boundary that is none", claim(NewClaimOptions{ID: "x", Boundary: "galaxy"}), `there is no boundary "galaxy"; the boundaries are isolate, process, message, network, adapter`},
		{"a severity that is none", claim(NewClaimOptions{ID: "x", Severity: "dire"}), `there is no severity "dire"; the severities are critical, high, medium, low`},
		{"an owner that is none", claim(NewClaimOptions{ID: "x", Owner: "none.go"}), "the owner none.go is no file of the source"},
		{"an owner elsewhere", claim(NewClaimOptions{ID: "x", Owner: "../x.go"}), "must be the path of a file relative to the module's root"},
		{"a title of two lines", claim(NewClaimOptions{ID: "x", Title: "a\nb"}), "the title must be one line"},
		{"an attack on no claim", attack(NewAttackOptions{Claim: "none", Name: "a"}), `there is no claim "none"`},
		{"an attack's name that is none", attack(NewAttackOptions{Claim: "there", Name: "A b"}), `the attack's name: "A b" is no name`},
		{"an attack that is there", attack(NewAttackOptions{Claim: "there", Name: "taken"}), "taken.js is there already"},
		{"one in the other language", attack(NewAttackOptions{Claim: "there", Name: "taken", TypeScript: true}), "taken.js is there already"},
		{"a source that ends the comment", attack(NewAttackOptions{Claim: "there", Name: "x", Source: "---*/"}), "the source must be one line, without ---*/"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if file, err := tc.make(); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("wrote %q, %v; must say %q", file, err, tc.want)
			}
		})
	}
	if after, err := os.ReadFile(filepath.Join(folder, "there", "taken.js")); err != nil || string(after) != string(before) {
		t.Errorf("what was there was changed: %v", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
		t.Errorf("something was written: %v, %v", entries, err)
	}
}
