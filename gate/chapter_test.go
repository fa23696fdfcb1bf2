package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/threats"
)

// This file tests the chapter on the threat model: that it is made from the model,
// and that the one in the repository is current.

func TestTheChapterIsCurrent(t *testing.T) {
	m, err := LoadModel("")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "docs", "threat-model.md"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := Chapter(string(text), m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(text), "\n")); diff != "" {
		t.Errorf("docs/threat-model.md is not what the threat model says. Write it anew:\n\n\tgo run ./cmd/gate audit --chapter docs/threat-model.md\n\n(-want +have)\n%s", diff)
	}
}

func TestChapter(t *testing.T) {
	m := &threats.Model{
		Claims: []*threats.Claim{
			{ID: "held", Title: "It | holds", Boundary: threats.BoundaryIsolate, Severity: threats.SeverityHigh, Status: threats.StatusClaimed, Targets: []threats.TargetName{{Name: "hardened"}},
				Owners: []threats.Owner{{File: "a.go"}, {File: "b.go"}}, Attacks: []*threats.Attack{{Name: "x"}, {Name: "y", Canary: true}}, Controls: []*threats.Control{{Name: "c"}}},
			{ID: "gap", Title: "A gap", Boundary: threats.BoundaryProcess, Severity: threats.SeverityLow, Status: threats.StatusOpen, Reason: "not built"},
		},
		NonClaims: []*threats.NonClaim{{ID: "magic", Title: "No magic", Statement: "None\nat all.", Mitigation: "Expect none."}},
	}
	const frame = "# Title\n\n" + chapterBegin + "\n%s" + chapterEnd + "\nafter\n"
	once, err := Chapter(strings.Replace(frame, "%s", "outdated\n", 1), m)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Title\n", "\nafter\n", "2 claims, 2 attacks (1 of them harmless programs that must work), 1 controls.\n",
		"### The isolate boundary\n", "| `held`: It \\| holds | high, for hardened only | `a.go`, `b.go` | 2 | 1 |\n",
		"| `gap`: A gap | low, **open**: not built |  | 0 | 0 |\n", "No claim is made yet at the boundary message, nor at the boundary network, nor at the boundary adapter.\n",
		"**No magic** (`magic`). None at all.\n\n*What an operator can do:* Expect none.\n",
	} {
		if !strings.Contains(once, want) {
			t.Errorf("the chapter lacks %q:\n%s", want, once)
		}
	}
	if strings.Contains(once, "outdated") {
		t.Error("what was there before is left")
	}
	if twice, err := Chapter(once, m); err != nil || twice != once {
		t.Errorf("made twice it differs: %v", err)
	}
	for name, document := range map[string]string{
		"no line":         "# Title\n",
		"no end":          chapterBegin + "\n",
		"in wrong order":  chapterEnd + "\n" + chapterBegin + "\n",
		"two beginnings":  chapterBegin + "\n" + chapterBegin + "\n" + chapterEnd + "\n",
		"two ends":        chapterBegin + "\n" + chapterEnd + "\n" + chapterEnd + "\n",
		"an end too soon": chapterEnd + "\n" + chapterBegin + "\n" + chapterEnd + "\n",
	} {
		if text, err := Chapter(document, m); err == nil {
			t.Errorf("%s: no error, and\n%s", name, text)
		}
	}
}
