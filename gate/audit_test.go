package gate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file tests the audit: what the document says, what evidence it takes, and that
// everything that is missing from the model is found.

const auditRevision = "0123456789abcdef0123456789abcdef01234567"

// auditModel returns a small model: a claim that is held, and a known gap.
func auditModel() *threats.Model {
	return &threats.Model{
		Claims: []*threats.Claim{
			{ID: "held", Title: "It holds", Statement: "It does.", Boundary: threats.BoundaryIsolate, Severity: threats.SeverityHigh, Status: threats.StatusClaimed,
				Owners: []threats.Owner{{File: "a.go"}}, Targets: []threats.TargetName{{Name: "hardened"}},
				Attacks:  []*threats.Attack{{Name: "first", Title: "the first"}, {Name: "second", Title: "the second"}, {Name: "third", Title: "the third"}},
				Controls: []*threats.Control{{Name: "gone", Trips: []string{"first"}}, {Name: "left", Trips: []string{"second"}}}},
			{ID: "gap", Title: "A gap", Boundary: threats.BoundaryProcess, Severity: threats.SeverityLow, Status: threats.StatusOpen, Reason: "not built"},
		},
		NonClaims: []*threats.NonClaim{{ID: "magic", Title: "No magic", Statement: "None.", Mitigation: "Expect none."}},
	}
}

func auditRecord() *reports.Record {
	return &reports.Record{
		Schema: reports.Schema, Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Build: reports.Build{Revision: auditRevision}, Host: reports.Host{OS: "linux", Arch: "amd64"},
		Claims: []reports.Claim{{
			ID: "held", Verdict: reports.Vacuous, Reason: "control left: nobody noticed",
			Attacks: []reports.Attack{
				{Name: "first", Outcome: reports.AttackHeld, Evidence: reports.Evidence{WallMS: 12.3, Fault: []byte(`{"code":"stalled"}`)}},
				{Name: "second", Outcome: reports.AttackViolated, Wrong: []string{"the value is 2"}, Evidence: reports.Evidence{WallMS: 5, Value: "2"}},
			},
			Controls: []reports.Control{{Name: "gone", Outcome: reports.Tripped, Tripped: []string{"first"}}, {Name: "left", Outcome: reports.ControlVacuous, Reason: "nobody noticed"}},
		}},
	}
}

func TestAuditWithEvidence(t *testing.T) {
	shown := []string{
		"- held was vacuous in the last run: control left: nobody noticed", "Last seen: **vacuous**.", "the first. *held after 12 ms with the fault stalled*",
		"the second. *violated after 5 ms: the value is 2*", "the third. *not tried in the last run*", "*tripped by first*", "*vacuous: nobody noticed*",
	}
	always := []string{"- gap: not built\n", "Made for hardened only.", "- **magic** No magic: None. Expect none.\n"}
	tests := []struct {
		name     string
		evidence func() Evidence
		want     string
		shown    bool
	}{
		{"none", func() Evidence { return Evidence{Revision: auditRevision} }, "No run of the gate is recorded: nothing below says whether it holds.", false},
		{"of this commit", func() Evidence { return Evidence{Record: auditRecord(), Revision: auditRevision} },
			"Evidence: the run of 2026-03-01 12:00:00 UTC, of commit 0123456789ab, on linux/amd64, FAILED", true},
		{"of this commit with changes", func() Evidence {
			r := auditRecord()
			r.Build.Modified = true
			return Evidence{Record: r, Revision: auditRevision}
		}, "of commit 0123456789ab with changes", true},
		{"of another commit", func() Evidence { return Evidence{Record: auditRecord(), Revision: "fedcba" + auditRevision[6:]} },
			"The last run of the gate, of 2026-03-01 12:00:00 UTC, was of commit 0123456789ab and this is commit fedcba6789ab, so that it is no evidence.", false},
		{"of another commit, asked for", func() Evidence {
			return Evidence{Record: auditRecord(), Asked: true, Revision: "fedcba" + auditRevision[6:]}
		}, "That is not the source that is audited, which is commit fedcba6789ab.", true},
		{"of a commit that is not known", func() Evidence {
			r := auditRecord()
			r.Build.Revision = ""
			return Evidence{Record: r, Revision: auditRevision}
		}, "was of a commit that is not known and this is commit 0123456789ab, so that it is no evidence", false},
		{"in a source whose commit is not known", func() Evidence { return Evidence{Record: auditRecord()} }, "this is commit not known, so that it is no evidence", false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Audit(auditModel(), tc.evidence(), &b); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			for _, want := range append(always, tc.want) {
				if !strings.Contains(text, want) {
					t.Errorf("the document lacks %q:\n%s", want, text)
				}
			}
			for _, want := range shown {
				if strings.Contains(text, want) != tc.shown {
					t.Errorf("%q stands in the document: %v, must be %v:\n%s", want, !tc.shown, tc.shown, text)
				}
			}
			if gaps := strings.Index(text, "## Known gaps"); gaps < 0 || gaps > strings.Index(text, "## The isolate boundary") {
				t.Error("the known gaps do not come first")
			}
		})
	}
}

// Everything that can be missing from a model is found.
func TestCheckModelFindsWhatIsMissing(t *testing.T) {
	const claim = "id: c\ntitle: t\nstatement: s\nboundary: isolate\nseverity: low\nowners: [code.go]\ncontrols:\n  - {name: gone, file: code.go, find: package, replace: pack, trips: [a]}\n"
	const attack = "/*---\ntitle: t\nsource: own\nexpect: {value: 1}\n---*/\n() => 1\n"
	const none = "- {id: m, title: t, statement: s, mitigation: m}\n"
	tests := []struct {
		name    string
		files   map[string]string // changes to the model
		source  map[string]string
		natives []string
		want    string
	}{
		{name: "nothing is missing"},
		{name: "a claim lacks an attack", files: map[string]string{"c/a.js": "", "c/claim.yaml": claim[:strings.Index(claim, "controls:")]}, want: "threats/c/claim.yaml:1:1: the claim has no attack"},
		{name: "a claim lacks a control", files: map[string]string{"c/claim.yaml": claim[:strings.Index(claim, "controls:")]}, want: "threats/c/claim.yaml:1:1: the claim has no control"},
		{name: "an attack lacks a claim", natives: []string{"stray"}, want: `the attack in Go "stray" belongs to no claim`},
		{name: "an owning file is gone", source: map[string]string{"code.go": ""}, want: "threats/c/claim.yaml:6:10: the owner code.go is no file of the source"},
		{name: "a control does not apply", source: map[string]string{"code.go": "no such text"}, want: `threats/c/claim.yaml:8:5: control "gone": the text to find occurs 0 times in code.go`},
		{name: "nothing says what is not claimed", files: map[string]string{"non-claims.yaml": ""}, want: "it does not say what is not claimed"},
		{name: "a target is none", files: map[string]string{"c/claim.yaml": claim + "targets: [mainframe]\n"}, want: `threats/c/claim.yaml:9:11: there is no target "mainframe"`},
		{name: "a draft", files: map[string]string{"c/claim.yaml": claim + "draft: true\n"}, want: "threats/c/claim.yaml:9:8: the claim is a draft"},
	}
	merged := func(base, changes map[string]string) fstest.MapFS {
		out := fstest.MapFS{}
		for _, files := range []map[string]string{base, changes} {
			for name, text := range files {
				if out[name] = (&fstest.MapFile{Data: []byte(text)}); text == "" {
					delete(out, name)
				}
			}
		}
		return out
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m, err := threats.LoadFS(merged(map[string]string{"c/claim.yaml": claim, "c/a.js": attack, "non-claims.yaml": none}, tc.files), "threats")
			if err != nil {
				t.Fatal(err)
			}
			problems := append(CheckModel(m, tc.natives), threats.CheckSources(m, merged(map[string]string{"code.go": "package code\n"}, tc.source))...)
			var lines []string
			for _, p := range problems {
				lines = append(lines, p.Error())
			}
			if got := strings.Join(lines, "\n"); (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
				t.Errorf("found %q, must find %q", got, tc.want)
			}
		})
	}
}

func TestCheckChapter(t *testing.T) {
	m := auditModel()
	current, err := Chapter("# Title\n"+chapterBegin+"\n"+chapterEnd+"\n", m)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "chapter.md")
	tests := []struct{ name, text, want string }{
		{"current", current, ""},
		{"stale", strings.Replace(current, "A gap", "An old gap", 1), "chapter.md:20: not what the threat model says; renew it: gate audit --chapter docs/threat-model.md"},
		{"without its lines", "# Title\n", "chapter.md: there is no line"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := CheckChapter(file, m); err != nil {
				got = err.Error()
			}
			if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
				t.Errorf("%q, must say %q", got, tc.want)
			}
		})
	}
	if err := CheckChapter(filepath.Join(t.TempDir(), "none.md"), m); err == nil || !strings.Contains(err.Error(), "the chapter on the threat model") {
		t.Errorf("none: %v", err)
	}
}
