package gate

import (
	"fmt"
	"io"
	"strings"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/threats"
)

// This file owns the audit: the threat model as a document.

// Audit writes every claim with its owners, attacks, controls and status, known
// gaps first, and behind them what is not claimed.
func Audit(m *threats.Model, w io.Writer) error {
	var b strings.Builder
	t := count(m)
	fmt.Fprintf(&b, "# Threat model\n\n%d claims, %d attacks (%d of them harmless programs that must work), %d controls.\n", len(m.Claims), t.attacks, t.canaries, t.controls)
	open := false
	for _, c := range m.Claims {
		if c.Status != threats.StatusOpen {
			continue
		}
		if !open {
			b.WriteString("\n## Known gaps\n\n")
			open = true
		}
		fmt.Fprintf(&b, "- %s: %s\n", c.ID, oneLine(c.Reason))
	}
	for _, boundary := range threats.Boundaries {
		first := true
		for _, c := range m.Claims {
			if c.Boundary != boundary {
				continue
			}
			if first {
				fmt.Fprintf(&b, "\n## The %s boundary\n", boundary)
				first = false
			}
			auditClaim(&b, c)
		}
	}
	b.WriteString("\n## What is not claimed\n\n")
	for _, n := range m.NonClaims {
		fmt.Fprintf(&b, "- **%s** %s: %s %s\n", n.ID, oneLine(n.Title), oneLine(n.Statement), oneLine(n.Mitigation))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func auditClaim(b *strings.Builder, c *threats.Claim) {
	fmt.Fprintf(b, "\n### %s: %s\n\n%s\n\nSeverity %s, %s.", c.ID, c.Title, oneLine(c.Statement), c.Severity, c.Status)
	b.WriteString(" Enforced by")
	for i, o := range c.Owners {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(b, " `%s`", o.File)
	}
	b.WriteString(".\n\n")
	for _, a := range c.Attacks {
		auditAttack(b, a.Name, a.Title, a.Source, a.Canary)
	}
	for _, n := range c.Native {
		if a, ok := native.Find(n.Name); ok {
			auditAttack(b, a.Name, a.Title, a.Source, a.Canary)
		}
	}
	for _, control := range c.Controls {
		var files []string
		for _, e := range control.Edits {
			files = append(files, "`"+e.File+"`")
		}
		fmt.Fprintf(b, "- control **%s** in %s, noticed by %s\n", control.Name, strings.Join(files, ", "), strings.Join(control.Trips, ", "))
	}
}

func auditAttack(b *strings.Builder, name, title, source string, canary bool) {
	kind := "attack"
	if canary {
		kind = "canary"
	}
	fmt.Fprintf(b, "- %s **%s** (%s): %s\n", kind, name, source, oneLine(title))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
