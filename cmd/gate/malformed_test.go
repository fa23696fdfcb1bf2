package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// This file tests that nothing malformed, missing or incomplete ends in a green gate,
// and that the command says what is wrong and where.

const (
	goodClaim     = "id: c\ntitle: t\nstatement: s\nboundary: isolate\nseverity: low\nowners: [go.mod]\ncontrols:\n  - {name: gone, file: go.mod, find: \"module github\", replace: pack, trips: [a]}\n"
	goodAttack    = "/*---\ntitle: t\nsource: own\nexpect: {value: 1}\n---*/\n() => 1\n"
	goodNonClaims = "- {id: m, title: t, statement: s, mitigation: m}\n"
)

// modelFolder writes a small model with changes to its files; "" leaves one out.
func modelFolder(t *testing.T, changes map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"c/claim.yaml": goodClaim, "c/a.js": goodAttack, "non-claims.yaml": goodNonClaims}
	for name, text := range changes {
		files[name] = text
	}
	for name, text := range files {
		if text == "" {
			continue
		}
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAMalformedModelIsNeverGreen(t *testing.T) {
	withoutControls := goodClaim[:strings.Index(goodClaim, "controls:")]
	tests := []struct {
		name    string
		changes map[string]string
		status  int
		want    string
	}{
		{"nothing wrong", nil, exitHeld, ""},
		{"a claim that is not YAML", map[string]string{"c/claim.yaml": "id: [c"}, exitSetup, "c/claim.yaml:1:1: not YAML: did not find expected"},
		{"a claim cut in half", map[string]string{"c/claim.yaml": goodClaim[:40]}, exitSetup, "c/claim.yaml:"},
		{"a claim without its file", map[string]string{"c/claim.yaml": ""}, exitSetup, "c/claim.yaml:1:1: the claim's file cannot be read"},
		{"a claim with a field that is none", map[string]string{"c/claim.yaml": goodClaim + "risk: high\n"}, exitSetup, `c/claim.yaml:9:1: there is no field "risk"`},
		{"an attack that is malformed", map[string]string{"c/a.js": strings.Replace(goodAttack, "title", "titel", 1)}, exitSetup, `c/a.js:2:1: there is no field "titel"`},
		{"an attack without its comment", map[string]string{"c/a.js": "() => 1"}, exitSetup, "c/a.js:1:1: an attack opens with a comment"},
		{"non-claims that are malformed", map[string]string{"non-claims.yaml": "id: m\n"}, exitSetup, "non-claims.yaml:1:1: must be a list, is a mapping"},
		{"no non-claims", map[string]string{"non-claims.yaml": ""}, exitFailed, "it does not say what is not claimed"},
		{"no attack", map[string]string{"c/a.js": "", "c/claim.yaml": withoutControls}, exitFailed, "c/claim.yaml:1:1: the claim has no attack"},
		{"no control", map[string]string{"c/claim.yaml": withoutControls}, exitFailed, "c/claim.yaml:1:1: the claim has no control"},
		{"an owner that is gone", map[string]string{"c/claim.yaml": strings.Replace(goodClaim, "[go.mod]", "[gone.go]", 1)}, exitFailed, "c/claim.yaml:6:10: the owner gone.go is no file of the source"},
		{"a control that does not apply", map[string]string{"c/claim.yaml": strings.Replace(goodClaim, "module github", "modul github", 1)}, exitFailed, `control "gone": the text to find occurs 0 times in go.mod`},
		{"a target that is none", map[string]string{"c/claim.yaml": goodClaim + "targets: [mainframe]\n"}, exitFailed, `c/claim.yaml:9:11: there is no target "mainframe"; the targets are hardened, jit`},
		{"a draft", map[string]string{"c/a.js": strings.Replace(goodAttack, "source: own", "source: own\ndraft: true", 1)}, exitFailed, "c/a.js:4:8: the attack is a draft"},
		{"an attack in Go that is none", map[string]string{"c/claim.yaml": goodClaim + "native: [ghost]\n"}, exitFailed, `there is no attack in Go named "ghost"`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			folder := modelFolder(t, tc.changes)
			status, _, stderr := gateCommand(t, "audit", "--threats", folder)
			if status != tc.status || !strings.Contains(stderr, tc.want) {
				t.Errorf("audit: status %d, must be %d, and say %q\n%s", status, tc.status, tc.want, stderr)
			}
			if strings.Contains(tc.want, "no attack") {
				return // there is nothing to verify
			}
			status, _, stderr = gateCommand(t, "verify", "--threats", folder)
			if status != tc.status || !strings.Contains(stderr, tc.want) {
				t.Errorf("verify: status %d, must be %d, and say %q\n%s", status, tc.status, tc.want, stderr)
			}
		})
	}
}

func TestMalformedArgumentsAreNeverGreen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	none := filepath.Join(dir, "none")
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"a record that is not there", []string{"audit", "--record", none}, "no such file"},
		{"a record that is not JSON", []string{"audit", "--record", write("text.json", "text")}, "text.json: record: not JSON"},
		{"a record cut in half", []string{"audit", "--record", write("half.json", `{"schema": 2, "claims": [`)}, "half.json: record: not JSON: unexpected end of JSON input"},
		{"a record of another schema", []string{"audit", "--record", write("old.json", `{"schema": 1}`)}, "old.json: record: the schema is 1, this build reads 2"},
		{"a record with a field that is none", []string{"audit", "--record", write("more.json", `{"schema": 2, "verdict": "PASSED"}`)}, `unknown field "verdict"`},
		{"claims that are not there", []string{"verify", "--threats", none}, "no such file"},
		{"claims that are a file", []string{"verify", "--threats", write("claims", "x")}, "is no folder"},
		{"a folder without claims", []string{"verify", "--threats", t.TempDir()}, "threat model: there is no claim"},
		{"a target that is none", []string{"verify", "--target", "mainframe"}, `--target: there is no target "mainframe"; the targets are hardened, jit`},
		{"a target that is none, of a whole run", []string{"--target", "mainframe"}, `--target: there is no target "mainframe"`},
		{"a target that is none, of a replay", []string{"replay", write("x.js", goodAttack), "--target", "mainframe"}, `--target: there is no target "mainframe"`},
		{"no repetition", []string{"verify", "--repeat", "0"}, "--repeat is 0, must be at least 1"},
		{"nothing side by side", []string{"verify", "--parallel", "0"}, "--parallel is 0, must be at least 1"},
		{"a negative budget", []string{"--budget", "-1s"}, "--budget is -1s, must not be negative"},
		{"a budget that is no time", []string{"--budget", "soon"}, `invalid argument "soon" for "--budget" flag`},
		{"no repetition of a whole run", []string{"--repeat", "0"}, "--repeat is 0, must be at least 1"},
		{"a revision that is none", []string{"controls", "--since", "no-such-revision"}, `--since: git knows no commit "no-such-revision"`},
		{"a revision that is none, of a whole run", []string{"--since", "no-such-revision", "--out", filepath.Join(dir, "out")}, `--since: git knows no commit "no-such-revision"`},
		{"a new nothing", []string{"new"}, "new needs claim or attack"},
		{"a new claim without an id", []string{"new", "claim"}, "accepts 1 arg(s), received 0"},
		{"a new claim with a bad id", []string{"new", "claim", "Bad Id", "--threats", dir}, `the claim's id: "Bad Id" is no name`},
		{"a new claim at no boundary", []string{"new", "claim", "x", "--boundary", "galaxy", "--threats", dir}, `there is no boundary "galaxy"`},
		{"a new attack on nothing", []string{"new", "attack", "none", "x", "--threats", dir}, `there is no claim "none"`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			status, _, stderr := gateCommand(t, tc.args...)
			if status != exitSetup || !strings.Contains(stderr, "gate: ") || !strings.Contains(stderr, tc.want) {
				t.Errorf("status %d, must be %d, and say %q\n%s", status, exitSetup, tc.want, stderr)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a run that did not begin left a report")
	}
}

// A source whose files are not those that the gate was built with, or whose chapter is
// stale, is found at the command line.
func TestAuditOfAnotherSource(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/isogate/isogate\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(root, "threats"), os.DirFS("../../threats")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	chapter, err := os.ReadFile("../../docs/threat-model.md")
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stale := strings.Replace(string(chapter), "claims, ", "claims or so, ", 1)
	put("docs/threat-model.md", stale)
	put("threats/heap-limit/strings.js", goodAttack)
	put("threats/heap-limit/brand-new.js", goodAttack)
	if err := os.Remove(filepath.Join(root, "threats/heap-limit/maps.js")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	status, _, stderr := gateCommand(t, "audit")
	if status != exitFailed {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{
		"threats/heap-limit/claim.yaml:", "the owner sandbox/v8/isolate.cc is no file of the source",
		"trips \"maps\", which is no attack of the claim",
		"docs/threat-model.md:", "not what the threat model says; renew it: gate audit --chapter docs/threat-model.md",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("audit does not say %q:\n%.3000s", want, stderr)
		}
	}
	put("threats/heap-limit/maps.js", goodAttack)
	put("threats/heap-limit/pending-promises.js", "/*---\n---*/\n1")
	if err := os.Remove(filepath.Join(root, "threats/heap-limit/pending-promises.js")); err != nil {
		t.Fatal(err)
	}
	_, _, stderr = gateCommand(t, "audit")
	for _, want := range []string{
		"threats/heap-limit/brand-new.js:1:1: this gate was built without it; build the gate anew: make build",
		"threats/heap-limit/strings.js:1:1: the file differs from the one that this gate was built with",
		"threats/heap-limit/pending-promises.js:1:1: the file is gone and was in the one that this gate was built with",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("audit does not say %q:\n%.3000s", want, stderr)
		}
	}
}

// New writes what audit then finds incomplete.
func TestNewAtTheCommandLine(t *testing.T) {
	folder := modelFolder(t, nil)
	status, stdout, stderr := gateCommand(t, "new", "claim", "fresh", "--title", "Fresh", "--boundary", "network", "--severity", "critical", "--threats", folder)
	if status != exitHeld || stdout != filepath.Join(folder, "fresh", "claim.yaml")+"\n" || !strings.Contains(stderr, "gate new attack fresh NAME") {
		t.Fatalf("status %d\n%s%s", status, stdout, stderr)
	}
	status, stdout, stderr = gateCommand(t, "new", "attack", "fresh", "first", "--source", "T01", "--typescript", "--threats", folder)
	if status != exitHeld || stdout != filepath.Join(folder, "fresh", "first.ts")+"\n" {
		t.Fatalf("status %d\n%s%s", status, stdout, stderr)
	}
	status, _, stderr = gateCommand(t, "audit", "--threats", folder)
	if status != exitFailed || !strings.Contains(stderr, "fresh/claim.yaml") || !strings.Contains(stderr, "fresh/first.ts") || !strings.Contains(stderr, "FAILED: the threat model has 4 problems") {
		t.Errorf("status %d\n%s", status, stderr)
	}
}
