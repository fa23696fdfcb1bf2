package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file tests the JUnit XML form against the schema, and what it counts.

// form returns a record in one form.
func form(t testing.TB, name string, r *Record) string {
	t.Helper()
	var b bytes.Buffer
	if err := Formats[name](r, &b); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return b.String()
}

// records are those that every form is tested with.
func records() map[string]*Record {
	return map[string]*Record{
		"sample": sample(), "whole": whole(), "hostile": hostile(), "empty": {Schema: Schema},
		"comparison alone": {Schema: Schema, Against: against()},
	}
}

func TestJUnitIsValid(t *testing.T) {
	s := junitSchema(t)
	for name, r := range records() {
		if err := s.validate(form(t, "junit", r), "testsuites"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// broken are documents that a validator must refuse, each made from a good one.
var broken = []struct {
	name, old, new string
}{
	{"a required attribute is gone", ` tests="3"`, ``},
	{"an attribute that is none", `<testcase name`, `<testcase colour="red" name`},
	{"an element that is none", `<system-out>`, `<system-output></system-output><system-out>`},
	{"the wrong order", `<testcase `, `<system-err></system-err><testcase `},
	{"a time that is none", `time="0.0`, `time="soon0.0`},
	{"two outcomes of one case", `<failure `, `<skipped/><failure `},
	{"a type of a skipped case", `<skipped `, `<skipped type="x" `},
	{"a timestamp with a zone", `12:00:00"`, `12:00:00Z"`},
	{"no properties", `properties`, `facts`},
	{"a suite without a name", `testsuite name="held-claim"`, `testsuite name=""`},
	{"not well formed", `</testsuites>`, `</testsuite>`},
}

func TestJUnitRefusesBrokenDocuments(t *testing.T) {
	s := junitSchema(t)
	good := form(t, "junit", whole())
	for _, tc := range broken {
		if err := s.validate(breakOnce(t, good, tc.old, tc.new), "testsuites"); err == nil {
			t.Errorf("%s: the validator does not notice", tc.name)
		} else {
			t.Logf("%s: %v", tc.name, err)
		}
	}
}

func breakOnce(t *testing.T, good, old, changed string) string {
	t.Helper()
	bad := strings.Replace(good, old, changed, 1)
	if bad == good {
		t.Fatalf("the document does not hold %s", old)
	}
	return bad
}

func TestValidatorAgreesWithLibxml(t *testing.T) {
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed (Debian, Ubuntu: apt-get install libxml2-utils): the validator of these tests is not compared with libxml2")
	}
	s := junitSchema(t)
	documents := map[string]string{}
	for name, r := range records() {
		documents[name] = form(t, "junit", r)
	}
	for _, tc := range broken {
		documents["broken: "+tc.name] = breakOnce(t, documents["whole"], tc.old, tc.new)
	}
	for name, text := range documents {
		file := filepath.Join(t.TempDir(), "junit.xml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, lint := exec.Command(xmllint, "--nonet", "--noout", "--schema", "testdata/junit.xsd", file).CombinedOutput()
		if ours := s.validate(text, "testsuites"); (ours == nil) != (lint == nil) {
			t.Errorf("%s: this validator says %v, libxml2 %v: %s", name, ours, lint, out)
		}
	}
}

// A case fails exactly when the gate fails because of it.
func TestJUnitFailsWhenTheGateFails(t *testing.T) {
	all := records()
	for _, verdict := range []Verdict{Held, Violated, Vacuous, Unsupported, Open, NotRun} {
		r := sample()
		r.Claims = r.Claims[1:2]
		r.Claims[0].Verdict = verdict
		all["verdict "+string(verdict)] = r
		bare := sample()
		bare.Claims = []Claim{{ID: "c", Verdict: verdict}}
		all["verdict without attacks "+string(verdict)] = bare
	}
	release := &Record{Schema: Schema, Against: against()}
	release.Against.Changes, release.Against.Claims = release.Against.Changes[2:3], nil
	all["unknown"] = release
	released := &Record{Schema: Schema, Against: against()}
	released.Against.Changes, released.Against.Claims, released.Against.Release = released.Against.Changes[2:3], nil, true
	all["unknown in a release"] = released
	for name, r := range all {
		var doc junitSuites
		if err := xml.Unmarshal([]byte(form(t, "junit", r)), &doc); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		failures, errs := 0, 0
		for _, s := range doc.Suites {
			failures, errs = failures+s.Failures, errs+s.Errors
		}
		if failed := failures+errs > 0; failed != (r.State() != Passed) {
			t.Errorf("%s: %d failures and %d errors, and the verdict is %s: %v", name, failures, errs, r.Verdict(), r.Failures())
		}
	}
}

func TestJUnitCases(t *testing.T) {
	var doc junitSuites
	if err := xml.Unmarshal([]byte(form(t, "junit", whole())), &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range doc.Suites {
		for _, c := range s.Cases {
			result := "passed"
			for kind, o := range map[string]*junitOutcome{"failure": c.Failure, "error": c.Error, "skipped": c.Skipped} {
				if o != nil {
					why, _, _ := strings.Cut(o.Message, ":")
					if o.Type != "" {
						why = o.Type
					}
					result = kind + " " + why
				}
			}
			got[s.Name+"/"+c.Name] = result
		}
	}
	want := map[string]string{
		"held-claim/try": "passed", "held-claim/works": "passed", "held-claim/control removed": "passed",
		"broken-claim/break": "failure violated",
		"hollow/look":        "passed", "hollow/control off": "failure vacuous", "hollow/control gone": "error control",
		"foreign/reach": "skipped unsupported",
		`threat model/threats/gap/claim.yaml:5:3: control "c": the text to find occurs 0 times`: "failure threat-model",
		"compared with HEAD~1/claim broken-claim":                                               "failure broken", "compared with HEAD~1/claim new-claim": "passed",
		"compared with HEAD~1/ColdStart ns/op": "passed", "compared with HEAD~1/WarmRun ns/op": "failure worse", "compared with HEAD~1/WarmRun p95-ns/op": "skipped unknown",
		"compared with HEAD~1/ToolCall frames/op": "passed", "compared with HEAD~1/Recovery ns/op": "skipped unfit",
		"sweep of marked protections/g.go:10 negate": "passed", "sweep of marked protections/g.go:20 drop": "failure survived",
		"sweep of marked protections/h.cc:30 drop": "skipped equivalent", "sweep of marked protections/h.cc:40 drop": "skipped broken",
		"walk over the built-ins/global.g (none; empty) after 9s: late": "failure walk",
		"measurements/WarmRun ns/op":                                    "passed", "measurements/WarmRun p95-ns/op": "passed", "measurements/Payload1MiB MB/s": "skipped unfit",
		"measurements/ToolCall frames/op": "passed", "measurements/ChildMemory B/child": "failure worse", "measurements/SealedStart": "passed", "measurements/Recovery": "failure missing",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if doc.Suites[0].Time != "0.013" && doc.Suites[0].Time != "0.012" {
		t.Errorf("12.5 ms became %s s", doc.Suites[0].Time)
	}
}

// What XML cannot hold is seen, and not lost.
func TestJUnitShowsWhatXMLCannotHold(t *testing.T) {
	r := sample()
	r.Claims[1].Attacks[0].Wrong = []string{"nul \x00 bell \x07 turn \u202E"}
	r.Claims[1].Attacks[0].Evidence.Fault = json.RawMessage(`"fault"`)
	text := form(t, "junit", r)
	if want := `nul \u{0} bell \u{7} turn \u{202e}`; !strings.Contains(text, want) {
		t.Errorf("the document lacks %q:\n%s", want, text)
	}
}
