package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// This file owns the SARIF 2.1.0 form, for code scanning: a rule for each claim, a
// result for each finding.

// fingerprint is the name under which a result carries what is the same for it in every
// run, so that code scanning knows it again.
const fingerprint = "isogateFinding/v1"

// scores are what code scanning orders alerts by, from 0 to 10, for each severity.
var scores = map[string]string{"critical": "9.5", "high": "8.0", "medium": "5.5", "low": "3.0"}

// SARIF writes the record as SARIF 2.1.0. What fails the gate is an error; a claim that
// is open or not supported is a note; a record that passes gives no error.
func SARIF(r *Record, w io.Writer) error {
	findings := r.findings()
	run := sarif.NewRunWithInformationURI("isogate gate", "https://"+uriPath(r.Build.Module))
	run.Tool.Driver.WithVersion(visible(r.Build.Version)).WithRules(rules(r, findings))
	run.WithAutomationDetails(sarif.NewRunAutomationDetails().WithID("isogate-gate/"))
	run.WithColumnKind("unicodeCodePoints")
	invocation := sarif.NewInvocation().WithExecutionSuccessful(r.State() != Incomplete)
	invocation.WithStartTimeUtc(r.Started.UTC().Format(time.RFC3339)).WithCommandLine(visible(r.repeat()))
	run.AddInvocation(invocation)
	index := map[string]int{}
	for i, rule := range run.Tool.Driver.Rules {
		index[*rule.ID] = i
	}
	seen := map[string]bool{}
	for i := range findings {
		f := &findings[i]
		print := f.fingerprint()
		if seen[print] {
			continue // the same thing said twice
		}
		seen[print] = true
		run.AddResult(f.result(index[ruleID(f.rule)], print))
	}
	report := sarif.NewReport()
	report.AddRun(run)
	return report.PrettyWrite(w)
}

// fingerprint returns what tells the finding apart from all others, and is the same for
// it in every run: neither lines nor reasons.
func (f *finding) fingerprint() string {
	sum := sha256.Sum256([]byte(string(f.kind) + "\x00" + f.rule + "\x00" + f.subject))
	return hex.EncodeToString(sum[:16])
}

// ruleID returns a rule's id, which is never empty.
func ruleID(rule string) string { return named(rule) }

func (f *finding) result(rule int, print string) *sarif.Result {
	level := sarif.LevelNote
	if f.fails {
		level = sarif.LevelError
	}
	text := f.line()
	if f.claim != nil && f.kind == aboutClaim {
		text += f.details()
	}
	result := sarif.NewRuleResult(ruleID(f.rule)).WithLevel(level).WithRuleIndex(rule).
		WithMessage(sarif.NewTextMessage(shorten(visible(text), 4000))).
		WithPartialFingerprints(map[string]string{fingerprint: print}).
		WithLocations([]*sarif.Location{location(f.place, 0)})
	for i, place := range f.related {
		if i == 20 {
			break
		}
		result.AddRelatedLocation(location(place, i+1))
	}
	return result
}

// details names the attacks and controls that show a finding, one line each.
func (f *finding) details() string {
	var b strings.Builder
	for i := range f.claim.Attacks {
		if a := &f.claim.Attacks[i]; a.Outcome == AttackViolated || a.Outcome == AttackFailed {
			fmt.Fprintf(&b, "\nattack %s (%s): %s", a.Name, a.place(f.claim.ID), oneLine(strings.Join(a.Wrong, "; "), lineLength))
		}
	}
	for _, control := range f.claim.Controls {
		if control.Outcome == ControlVacuous {
			fmt.Fprintf(&b, "\ncontrol %s of %s: %s", control.Name, control.File, oneLine(control.Reason, lineLength))
		}
	}
	return b.String()
}

// location returns a place as a location; id 0 is for none.
func location(p Place, id int) *sarif.Location {
	at := sarif.NewLocation().WithPhysicalLocation(sarif.NewPhysicalLocation().
		WithArtifactLocation(sarif.NewArtifactLocation().WithURI(uriPath(p.File)).WithURIBaseID("%SRCROOT%")).
		WithRegion(sarif.NewRegion().WithStartLine(max(p.Line, 1))))
	if id > 0 {
		at.WithID(id).WithMessage(sarif.NewTextMessage(visible(p.String())))
	}
	return at
}

// uriPath returns a path as a relative reference.
func uriPath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

// rules returns a rule for each claim, and for each finding that is about none.
func rules(r *Record, findings []finding) []*sarif.ReportingDescriptor {
	out := []*sarif.ReportingDescriptor{}
	seen := map[string]bool{}
	add := func(id, short, full, help, markdown string, properties map[string]any, tags ...string) {
		if id = ruleID(id); seen[id] {
			return
		}
		seen[id] = true
		bag := sarif.NewPropertyBag().WithTags(tags)
		for key, value := range properties {
			bag.Add(key, value)
		}
		rule := sarif.NewRule(id).WithProperties(bag)
		rule.WithShortDescription(sarif.NewMultiformatMessageString().WithText(oneLine(short, 1000)))
		rule.WithFullDescription(sarif.NewMultiformatMessageString().WithText(oneLine(full, 1000)))
		rule.WithHelp(sarif.NewMultiformatMessageString().WithText(visible(help)).WithMarkdown(markdown))
		rule.WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarif.LevelError))
		out = append(out, rule)
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		properties := map[string]any{"precision": "very-high", "problem.severity": "error"}
		if score := scores[c.Severity]; score != "" {
			properties["security-severity"] = score
		}
		add(c.ID, nonEmpty(c.Title, c.ID), nonEmpty(c.Statement, c.ID), c.help(), c.helpMarkdown(), properties, "security", "boundary/"+word(c.Boundary), "severity/"+word(c.Severity))
	}
	for i := range findings {
		f := &findings[i]
		switch f.kind {
		case aboutModel:
			add(f.rule, "The threat model is complete", "Every claim has owners, attacks and controls that apply to the source.",
				"Run gate audit to see every problem with its file and line.", "Run `gate audit` to see every problem with its file and line.", nil, "security")
		case aboutSweep:
			add(f.rule, "An attack notices each mutation of a marked protection", "Protections are marked in the source and mutated mechanically; a mutation that no attack notices is a protection that is not tested.",
				"Run gate controls with --sweep to see every survivor.", "Run `gate controls --sweep` to see every survivor.", nil, "security")
		case aboutRelease:
			add(f.rule, "A release leaves nothing out", "What a run left out was not checked, which a release does not permit.",
				"Run gate without a budget.", "Run `gate` without a budget.", nil, "security")
		case aboutWalk:
			add(f.rule, "Every hostile call of a built-in ends in a typed outcome, on time",
				"Each function that a program can reach is called with hostile receivers and arguments.", "Run gate walk to make every call.", "Run `gate walk` to make every call.", nil, "security")
		case aboutFigure:
			add(f.rule, f.rule+" is not worse", "The figure is within what is registered for it in "+thresholdsFile+".",
				"Run gate bench to measure it and gate ab REF to compare it with a reference.", "Run `gate bench` to measure it and `gate ab REF` to compare it with a reference.", nil, "performance")
		default:
			add(f.rule, f.rule, f.rule, "Run gate to see it with its evidence.", "Run `gate` to see it with its evidence.", nil, "security")
		}
	}
	return out
}

func nonEmpty(text, otherwise string) string {
	if strings.TrimSpace(text) == "" {
		return named(otherwise)
	}
	return text
}

// verdictsExplained says what the verdicts of a rule mean.
const verdictsExplained = "Violated means that an attack did not end in its safe outcome; vacuous, that the protection was removed " +
	"from a copy of the source and no attack noticed; open, that it is a known gap."

// help says what a claim states, what enforces it and how to try it.
func (c *Claim) help() string {
	return fmt.Sprintf("%s\n\nEnforced by %s.\n\n%s\n\nTry it: %s", oneLine(c.Statement, 3*lineLength), strings.Join(c.Owners, ", "), verdictsExplained, c.try())
}

func (c *Claim) helpMarkdown() string {
	return fmt.Sprintf("%s\n\nEnforced by %s.\n\n%s\n\nTry it: %s", escape(oneLine(c.Statement, 3*lineLength)), codeList(c.Owners), verdictsExplained, code(c.try(), 200))
}

// try returns the command that tries the claim's attacks.
func (c *Claim) try() string { return "gate verify --run " + quote("^"+c.ID+"/") }
