package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns the audit: the threat model as a document, with the last evidence.

// Evidence is where an audit has it from.
type Evidence struct {
	// Record is a run of the gate; nil when there is none. File is where it is from.
	Record *reports.Record
	File   string
	// Asked says that this record was asked for: then it is shown whatever source it is
	// of. Otherwise one of another source counts as none.
	Asked bool
	// Revision is the commit of the source that is audited, "" when it is not known.
	Revision string
}

// Revision returns the commit of the source under root, or "" where git does not say.
func Revision(ctx context.Context, root string) string {
	out, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "--verify", "HEAD").Output()
	if err != nil {
		return "" // not a checkout, or no git: the commit is not known
	}
	return strings.TrimSpace(string(out))
}

// changed reports whether git knows of changes under root that are not committed.
func changed(ctx context.Context, root string) bool {
	out, err := exec.CommandContext(ctx, "git", "-C", root, "status", "--porcelain").Output()
	return err == nil && len(out) > 0
}

// used returns the record that is shown, or nil.
func (e *Evidence) used() *reports.Record {
	if e.Record == nil || !e.Asked && (e.Revision == "" || e.Record.Build.Revision != e.Revision) {
		return nil
	}
	return e.Record
}

// String says in one line what the evidence is.
func (e *Evidence) String() string {
	if e.Record == nil {
		return "No run of the gate is recorded: nothing below says whether it holds. make gate records one."
	}
	b := e.Record.Build
	commit := "a commit that is not known"
	if b.Revision != "" {
		commit = "commit " + shortened(b.Revision)
	}
	if b.Modified {
		commit += " with changes"
	}
	when := e.Record.Started.UTC().Format(time.DateTime) + " UTC"
	if e.used() == nil {
		return fmt.Sprintf("The last run of the gate, of %s, was of %s and this is commit %s, so that it is no evidence. make gate records one.", when, commit, shortened(e.Revision))
	}
	line := fmt.Sprintf("Evidence: the run of %s, of %s, on %s/%s, %s.", when, commit, e.Record.Host.OS, e.Record.Host.Arch, e.Record.Verdict())
	if b.Revision != e.Revision {
		line += fmt.Sprintf(" That is not the source that is audited, which is commit %s.", shortened(e.Revision))
	}
	return line
}

func shortened(revision string) string {
	if revision == "" {
		return "not known"
	}
	return revision[:min(12, len(revision))]
}

// Audit writes the threat model: the known gaps first, then every claim with its
// owners, attacks, controls, status and evidence, and what is not claimed.
func Audit(m *threats.Model, e Evidence, w io.Writer) error {
	d := &document{claims: map[string]*reports.Claim{}}
	if record := e.used(); record != nil {
		for i := range record.Claims {
			d.claims[record.Claims[i].ID] = &record.Claims[i]
		}
	}
	t := count(m)
	fmt.Fprintf(d, "# Threat model\n\n%d claims, %d attacks (%d of them harmless programs that must work), %d controls.\n\n%s\n",
		len(m.Claims), t.attacks, t.canaries, t.controls, e.String())
	d.gaps(m)
	for _, boundary := range threats.Boundaries {
		first := true
		for _, c := range m.Claims {
			if c.Boundary != boundary {
				continue
			}
			if first {
				fmt.Fprintf(d, "\n## The %s boundary\n", boundary)
				first = false
			}
			d.claim(c)
		}
	}
	fmt.Fprint(d, "\n## What is not claimed\n\n")
	for _, n := range m.NonClaims {
		fmt.Fprintf(d, "- **%s** %s: %s %s\n", n.ID, oneLine(n.Title), oneLine(n.Statement), oneLine(n.Mitigation))
	}
	_, err := io.WriteString(w, d.String())
	return err
}

// document is an audit that is being written, with the evidence by the claims' ids.
type document struct {
	strings.Builder
	claims map[string]*reports.Claim
}

// gaps lists what is open, and what the last run did not find held.
func (d *document) gaps(m *threats.Model) {
	var lines []string
	for _, c := range m.Claims {
		if c.Status == threats.StatusOpen {
			lines = append(lines, fmt.Sprintf("- %s: %s", c.ID, oneLine(c.Reason)))
		}
	}
	for _, c := range m.Claims {
		if seen := d.claims[c.ID]; seen != nil && seen.Verdict != reports.Held && seen.Verdict != reports.Open {
			lines = append(lines, fmt.Sprintf("- %s was %s in the last run: %s", c.ID, seen.Verdict, oneLine(seen.Reason)))
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(d, "\n## Known gaps\n\n%s\n", strings.Join(lines, "\n"))
	}
}

func (d *document) claim(c *threats.Claim) {
	fmt.Fprintf(d, "\n### %s: %s\n\n%s\n\nSeverity %s, %s.", c.ID, c.Title, oneLine(c.Statement), c.Severity, c.Status)
	if len(c.Targets) > 0 {
		fmt.Fprintf(d, " Made for %s only.", targetList(c.Targets))
	}
	var owners []string
	for _, o := range c.Owners {
		owners = append(owners, "`"+o.File+"`")
	}
	fmt.Fprintf(d, " Enforced by %s.", strings.Join(owners, ", "))
	seen := d.claims[c.ID]
	if seen != nil {
		fmt.Fprintf(d, " Last seen: **%s**.", seen.Verdict)
	}
	fmt.Fprint(d, "\n\n")
	for _, a := range c.Attacks {
		d.attack(seen, a.Name, a.Title, a.Source, a.Canary, a.Targets)
	}
	for _, n := range c.Native {
		if a, ok := native.Find(n.Name); ok {
			d.attack(seen, a.Name, a.Title, a.Source, a.Canary, n.Targets)
		}
	}
	for _, control := range c.Controls {
		var files []string
		for _, e := range control.Edits {
			files = append(files, "`"+e.File+"`")
		}
		fmt.Fprintf(d, "- control **%s** in %s, noticed by %s%s\n", control.Name, strings.Join(files, ", "), strings.Join(control.Trips, ", "), controlEvidence(seen, control.Name))
	}
}

func (d *document) attack(seen *reports.Claim, name, title, source string, canary bool, targets []threats.TargetName) {
	kind := "attack"
	if canary {
		kind = "canary"
	}
	if len(targets) > 0 {
		kind += " for " + targetList(targets)
	}
	fmt.Fprintf(d, "- %s **%s** (%s): %s%s\n", kind, name, source, oneLine(title), attackEvidence(seen, name))
}

// attackEvidence says what the last run saw of an attack: how it came out, why it did
// not hold or what the safe outcome was, and after how long.
func attackEvidence(seen *reports.Claim, name string) string {
	if seen == nil {
		return ""
	}
	for i := range seen.Attacks {
		a := &seen.Attacks[i]
		if a.Name != name {
			continue
		}
		what := ""
		switch {
		case len(a.Wrong) > 0:
			what = ": " + oneLine(a.Wrong[0])
		case len(a.Evidence.Fault) > 0:
			what = " with the fault " + faultCode(a.Evidence.Fault)
		case a.Evidence.Value != "":
			what = " with a value"
		}
		return fmt.Sprintf(". *%s after %.0f ms%s*", a.Outcome, a.Evidence.WallMS, what)
	}
	return ". *not tried in the last run*"
}

// faultCode returns the code of a fault's wire form.
func faultCode(wire json.RawMessage) string {
	var fault struct{ Code string }
	if err := json.Unmarshal(wire, &fault); err != nil || fault.Code == "" {
		return "that cannot be read"
	}
	return fault.Code
}

func controlEvidence(seen *reports.Claim, name string) string {
	if seen == nil {
		return ""
	}
	for _, control := range seen.Controls {
		if control.Name != name {
			continue
		}
		if len(control.Tripped) > 0 {
			return fmt.Sprintf(". *%s by %s*", control.Outcome, strings.Join(control.Tripped, ", "))
		}
		return fmt.Sprintf(". *%s: %s*", control.Outcome, oneLine(control.Reason))
	}
	return ". *not run in the last run*"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
