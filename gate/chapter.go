package gate

import (
	"fmt"
	"os"
	"strings"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/threats"
)

// This file owns the part of the chapter on the threat model that is made from the
// model itself, so that it says what is attacked and nothing else.

// The lines between which that part stands in the chapter.
const (
	chapterBegin = "<!-- claims: written by gate audit --chapter, not by hand -->"
	chapterEnd   = "<!-- end of claims -->"
)

// ChapterFile is the document in the module that has that part.
const ChapterFile = "docs/threat-model.md"

// CheckChapter returns an error, which says how to renew it, unless the document's part
// on the claims is what the model says.
func CheckChapter(file string, m *threats.Model) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the chapter on the threat model: %w", err)
	}
	made, err := Chapter(string(text), m)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if made == string(text) {
		return nil
	}
	have, want := strings.Split(string(text), "\n"), strings.Split(made, "\n")
	line := 0
	for line < len(have) && line < len(want) && have[line] == want[line] {
		line++
	}
	return fmt.Errorf("%s:%d: not what the threat model says; renew it: gate audit --chapter %s", file, line+1, ChapterFile)
}

// boundaryTitles say what each boundary is between.
var boundaryTitles = map[threats.Boundary]string{
	threats.BoundaryIsolate: "between a program and its host, in one process",
	threats.BoundaryProcess: "between a child process and the machine, its parent and other children",
	threats.BoundaryMessage: "between what two sides send each other and what they believe of it",
	threats.BoundaryNetwork: "between a client and an executor that serves others",
	threats.BoundaryAdapter: "between the contract and another dialect of it",
}

// Chapter returns the text of a document with its part on the claims made anew from
// the model. The document must have the two lines between which that part stands,
// once each and in order.
func Chapter(document string, m *threats.Model) (string, error) {
	before, rest, found := strings.Cut(document, chapterBegin+"\n")
	old, after, ended := strings.Cut(rest, chapterEnd+"\n")
	switch {
	case !found:
		return "", fmt.Errorf("there is no line %q", chapterBegin)
	case !ended:
		return "", fmt.Errorf("there is no line %q behind the line %q", chapterEnd, chapterBegin)
	case strings.Contains(old+after, chapterBegin) || strings.Contains(before+after, chapterEnd):
		return "", fmt.Errorf("a line that begins or ends the part on the claims stands there twice")
	}
	return before + chapterBegin + "\n\n" + chapterPart(m) + chapterEnd + "\n" + after, nil
}

func chapterPart(m *threats.Model) string {
	var b strings.Builder
	t := count(m)
	fmt.Fprintf(&b, "%d claims, %d attacks (%d of them harmless programs that must work), %d controls.\n", len(m.Claims), t.attacks, t.canaries, t.controls)
	var none []string
	for _, boundary := range threats.Boundaries {
		first := true
		for _, c := range m.Claims {
			if c.Boundary != boundary {
				continue
			}
			if first {
				fmt.Fprintf(&b, "\n### The %s boundary\n\nIt lies %s.\n\n| claim | severity | enforced by | attacks | controls |\n|---|---|---|---|---|\n", boundary, boundaryTitles[boundary])
				first = false
			}
			chapterClaim(&b, c)
		}
		if first {
			none = append(none, string(boundary))
		}
	}
	if len(none) > 0 {
		fmt.Fprintf(&b, "\nNo claim is made yet at the boundary %s.\n", strings.Join(none, ", nor at the boundary "))
	}
	b.WriteString("\n### What is not claimed\n")
	for _, n := range m.NonClaims {
		fmt.Fprintf(&b, "\n**%s** (`%s`). %s\n\n*What an operator can do:* %s\n", oneLine(n.Title), n.ID, oneLine(n.Statement), oneLine(n.Mitigation))
	}
	b.WriteString("\n")
	return b.String()
}

func chapterClaim(b *strings.Builder, c *threats.Claim) {
	severity := string(c.Severity)
	if len(c.Targets) > 0 {
		severity += ", for " + targetList(c.Targets) + " only"
	}
	if c.Status == threats.StatusOpen {
		severity += ", **open**: " + oneLine(c.Reason)
	}
	var owners []string
	for _, o := range c.Owners {
		owners = append(owners, "`"+o.File+"`")
	}
	cell := strings.NewReplacer("|", "\\|")
	fmt.Fprintf(b, "| `%s`: %s | %s | %s | %d | %d |\n", c.ID, cell.Replace(oneLine(c.Title)), cell.Replace(severity), strings.Join(owners, ", "),
		len(c.Attacks)+len(c.Native), len(c.Controls))
}

// totals counts what a model has of each kind.
type totals struct{ attacks, canaries, controls int }

func count(m *threats.Model) totals {
	var t totals
	for _, c := range m.Claims {
		t.attacks += len(c.Attacks) + len(c.Native)
		t.controls += len(c.Controls)
		for _, a := range c.Attacks {
			if a.Canary {
				t.canaries++
			}
		}
		for _, n := range c.Native {
			if a, ok := native.Find(n.Name); ok && a.Canary {
				t.canaries++
			}
		}
	}
	return t
}
