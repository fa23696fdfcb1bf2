package reports

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// This file tests the SARIF form against the standard's own schema, which the module that
// the types are from carries in a constant.

// sarifSchema compiles the schema of SARIF 2.1.0.
func sarifSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && spec.Names[0].Name == "schema" {
			if text, err = strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value); err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if title := document.(map[string]any)["title"]; title != "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema" {
		t.Fatalf("the schema is %v", title)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func validateSARIF(schema *jsonschema.Schema, text string) error {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

func TestSARIFIsValid(t *testing.T) {
	schema := sarifSchema(t)
	for name, r := range records() {
		if err := validateSARIF(schema, form(t, "sarif", r)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSARIFRefusesBrokenDocuments(t *testing.T) {
	schema := sarifSchema(t)
	good := form(t, "sarif", whole())
	for _, tc := range []struct{ name, old, new string }{
		{"another version", `"version": "2.1.0"`, `"version": "3.0"`},
		{"a level that is none", `"level": "error"`, `"level": "fatal"`},
		{"a field that is none", `"ruleId":`, `"ruleName":`},
		{"line 0", `"startLine": 1`, `"startLine": 0`},
		{"a message without text", `"message": {`, `"message": {"colour": 1,`},
		{"no runs", `"runs"`, `"walks"`},
	} {
		if err := validateSARIF(schema, breakOnce(t, good, tc.old, tc.new)); err == nil {
			t.Errorf("%s: the schema does not notice", tc.name)
		}
	}
}

// results reads what code scanning would read of each result.
func results(t *testing.T, r *Record) []sarifResult {
	t.Helper()
	var log struct {
		Runs []struct {
			Results []sarifResult
			Tool    struct {
				Driver struct{ Rules []struct{ ID string } }
			}
		}
	}
	if err := json.Unmarshal([]byte(form(t, "sarif", r)), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	for _, result := range run.Results {
		if run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID {
			t.Errorf("the result of %s points to the rule %s", result.RuleID, run.Tool.Driver.Rules[result.RuleIndex].ID)
		}
	}
	return run.Results
}

type sarifResult struct {
	RuleID              string
	RuleIndex           int
	Level               string
	PartialFingerprints map[string]string
	Locations           []sarifLocation
	RelatedLocations    []sarifLocation
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           struct{ StartLine int }
	}
}

func (l sarifLocation) String() string {
	return l.PhysicalLocation.ArtifactLocation.URI + ":" + strconv.Itoa(l.PhysicalLocation.Region.StartLine)
}

func TestSARIFResults(t *testing.T) {
	var got []string
	for _, result := range results(t, whole()) {
		line := result.Level + " " + result.RuleID + " at " + result.Locations[0].String()
		for _, l := range result.RelatedLocations {
			line += ", " + l.String()
		}
		got = append(got, line)
	}
	want := []string{
		"error broken-claim at b.go:1, threats/broken-claim/break.ts:1, threats/broken-claim/claim.yaml:1",
		"error hollow at d.go:1, e.go:1, threats/hollow/claim.yaml:12, threats/hollow/claim.yaml:1",
		"error threat-model at threats/gap/claim.yaml:5",
		"error walk at gate/walk/guest.js:1",
		"error survivor at g.go:20",
		"error measurement/WarmRun at bench/thresholds.json:1",
		"error measurement/Recovery at bench/thresholds.json:1",
		"error measurement/ChildMemory at bench/thresholds.json:1",
		"error hollow at d.go:1, e.go:1, threats/hollow/claim.yaml:12, threats/hollow/claim.yaml:1",
		"note gap at c.go:1, threats/gap/claim.yaml:1",
		"note foreign at f.go:1, threats/foreign/claim.yaml:1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSARIFOfAPassingRunHasNoError(t *testing.T) {
	r := sample()
	r.Claims = slices.Delete(r.Claims, 1, 2)
	if r.State() != Passed {
		t.Fatal(r.Verdict())
	}
	for _, result := range results(t, r) {
		if result.Level != "note" {
			t.Errorf("%s has the level %s", result.RuleID, result.Level)
		}
	}
}

// Code scanning knows a finding again by its fingerprint, whatever was measured and
// wherever it stands.
func TestFingerprintsAreStable(t *testing.T) {
	print := func(r *Record) []string {
		var all []string
		for _, result := range results(t, r) {
			all = append(all, result.RuleID+" "+result.PartialFingerprints[fingerprint])
		}
		return all
	}
	first, again := whole(), whole()
	again.Claims[1].Reason, again.Claims[1].Owners, again.Started = "break: another value", []string{"moved.go"}, again.Started.AddDate(0, 0, 1)
	again.Claims[2].Place.Line = 99
	if diff := cmp.Diff(print(first), print(again)); diff != "" {
		t.Error(diff)
	}
	all := print(first)
	if slices.Sort(all); len(slices.Compact(all)) != len(results(t, first)) {
		t.Error("two findings have the same fingerprint")
	}
}

func TestSARIFRulesHaveASeverity(t *testing.T) {
	var b bytes.Buffer
	if err := SARIF(sample(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"security-severity": "9.5"`, `"security-severity": "8.0"`, `"security-severity": "3.0"`, `"boundary/process"`, "gate verify --run ^held-claim/"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the document lacks %s", want)
		}
	}
}
