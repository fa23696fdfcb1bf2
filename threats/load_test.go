package threats

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// This file tests loading: what is read, and that every mistake is found with
// its position.

const goodClaim = `id: sample
title: A sample
statement: It holds.
boundary: isolate
severity: low
owners:
  - go.mod
controls:
  - name: one
    file: go.mod
    find: "module "
    replace: "modul "
    trips: [first]
`

const goodAttack = `/*---
title: a sample
source: own
expect: {value: 1}
---*/
() => 1
`

const goodNonClaims = `- id: magic
  title: No magic
  statement: It does no magic.
  mitigation: Do not expect any.
`

func sampleFS(changes map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	files := map[string]string{"sample/claim.yaml": goodClaim, "sample/first.js": goodAttack, "non-claims.yaml": goodNonClaims}
	for name, text := range changes {
		files[name] = text
	}
	for name, text := range files {
		if text != "" {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return fsys
}

func TestLoadMistakes(t *testing.T) {
	claim := func(old, new string) map[string]string {
		return map[string]string{"sample/claim.yaml": strings.Replace(goodClaim, old, new, 1)}
	}
	attack := func(old, new string) map[string]string {
		return map[string]string{"sample/first.js": strings.Replace(goodAttack, old, new, 1)}
	}
	tests := []struct {
		name    string
		changes map[string]string
		want    string // each line must stand in the error
	}{
		{"nothing wrong", nil, ""},
		{"not YAML", claim("title: A sample", "title: [A sample"), "not YAML: did not find expected"},
		{"unknown field", claim("severity: low", "severity: low\nrisk: high"), `t/sample/claim.yaml:6:1: there is no field "risk"; the fields are boundary, controls,`},
		{"missing field", claim("statement: It holds.\n", ""), `t/sample/claim.yaml:1:1: the field "statement" is missing`},
		{"repeated field", claim("severity: low", "severity: low\nseverity: low"), `t/sample/claim.yaml:6:1: the field "severity" is repeated`},
		{"unknown boundary", claim("isolate", "galaxy"), `t/sample/claim.yaml:4:11: must be one of isolate, process, message, network, adapter, is "galaxy"`},
		{"id and folder differ", claim("id: sample", "id: other"), `t/sample/claim.yaml:1:5: the id is "other", the folder is "sample"`},
		{"open without reason", claim("severity: low", "severity: low\nstatus: open"), "t/sample/claim.yaml:1:1: an open claim needs a reason"},
		{"owners are no list", claim("owners:\n  - go.mod", "owners: go.mod"), `t/sample/claim.yaml:6:9: must be a list, is "go.mod"`},
		{"control trips nothing known", claim("trips: [first]", "trips: [second]"), `t/sample/claim.yaml:9:5: the control "one" trips "second", which is no attack of the claim; the attacks are first`},
		{"control without find", claim("    find: \"module \"\n", ""), "t/sample/claim.yaml:9:5: a control needs file, find and replace, or edits"},
		{"control that changes nothing", claim("modul ", "module "), "t/sample/claim.yaml:9:5: the edit replaces the text by itself"},
		{"two mistakes", claim("severity: low", "severity: dire\nrisk: 1"), "t/sample/claim.yaml:5:11: must be one of critical, high, medium, low\nt/sample/claim.yaml:6:1: there is no field"},
		{"no claim.yaml", map[string]string{"sample/claim.yaml": ""}, "t/sample/claim.yaml:1:1: the claim's file cannot be read"},
		{"a file of another kind", map[string]string{"sample/notes.txt": "x"}, "t/sample/notes.txt:1:1: neither claim.yaml nor an attack"},
		{"non-claims are no list", map[string]string{"non-claims.yaml": "id: magic"}, `t/non-claims.yaml:1:1: must be a list, is a mapping`},
		{"a non-claim without mitigation", map[string]string{"non-claims.yaml": strings.Replace(goodNonClaims, "  mitigation: Do not expect any.\n", "", 1)}, `t/non-claims.yaml:1:3: the field "mitigation" is missing`},
		{"a non-claim twice", map[string]string{"non-claims.yaml": goodNonClaims + goodNonClaims}, `t/non-claims.yaml:5:7: a second entry with the id "magic"`},
		{"attack without comment", map[string]string{"sample/first.js": "() => 1"}, "t/sample/first.js:1:1: an attack opens with a comment"},
		{"attack with an open comment", attack("---*/", "--- */"), "t/sample/first.js:1:1: the opening comment is not closed"},
		{"attack without a program", attack("() => 1", ""), "t/sample/first.js:5:6: there is no program"},
		{"attack that is no UTF-8", map[string]string{"sample/first.js": goodAttack + "\xff"}, "t/sample/first.js:7:1: not UTF-8"},
		{"unknown attack field", attack("source: own", "source: own\nsorce: own"), `t/sample/first.js:4:1: there is no field "sorce"`},
		{"unknown fault", attack("{value: 1}", "{fault: crashed}"), `t/sample/first.js:4:17: must be one of invalid_request, unsupported_version,`},
		{"value and an unknown kind", attack("{value: 1}", "{values: 1}"), `t/sample/first.js:4:10: there is no field "values"; the fields are value`},
		{"unknown limit", attack("source: own", "source: own\nlimits: {heap: 1, wall: 1}"), `t/sample/first.js:4:25: limits: the unknown limit "wall"`},
		{"a limit that is no number", attack("source: own", "source: own\nlimits: {heap: much}"), `t/sample/first.js:4:16: limits: `},
		{"limits that are none", attack("source: own", "source: own\nlimits:"), `t/sample/first.js:4:8: must be a mapping, is empty`},
		{"unknown tool", attack("source: own", "source: own\ntools: [tools.rm]"), `t/sample/first.js:4:9: there is no tool "rm"; the tools are add,`},
		{"tool without a namespace", attack("source: own", "source: own\ntools: [add]"), `t/sample/first.js:4:9: must be namespace.tool, is "add"`},
		{"invoked names no tool", attack("source: own", "source: own\ninvoked: {tools.add: 1}"), `t/sample/first.js:2:1: invoked names "tools.add", which is not among the tools`},
		{"bad duration", attack("source: own", "source: own\nwithin: fast"), `t/sample/first.js:4:9: must be a duration above zero such as 300ms, is "fast"`},
		{"bad size", attack("source: own", "source: own\nresident: 3 stones"), `t/sample/first.js:4:11: must be a size such as 65536 or 300 MiB, is "3 stones"`},
		{"bad flag", attack("source: own", "source: own\ncanary: perhaps"), `t/sample/first.js:4:9: must be true or false, is "perhaps"`},
		{"bad regular expression", attack("{value: 1}", "{fault: thrown, text: {matches: '('}}"), "t/sample/first.js:4:41: not a regular expression"},
		{"empty matcher", attack("{value: 1}", "{fault: thrown, text: {}}"), "t/sample/first.js:4:31: a matcher without a test matches everything"},
		{"one alternative", attack("{value: 1}", "{any: [{value: 1}]}"), "t/sample/first.js:4:15: must list at least two outcomes"},
		{"unknown grant", attack("source: own", "source: own\ngrants: [root]"), `t/sample/first.js:4:10: must be one of eval, wasm, is "root"`},
		{"a second document", claim("severity: low", "severity: low\n---\nid: other"), `t/sample/claim.yaml:6:1: a second YAML document; there must be one`},
		{"an id that is no name", claim("id: sample", "id: Sample!"), `t/sample/claim.yaml:1:5: "Sample!" is no name: it must be small letters`},
		{"a control's name that is no name", claim("name: one", "name: one|two"), `t/sample/claim.yaml:9:11: "one|two" is no name`},
		{"an attack's name that is no name", map[string]string{"sample/First_One.js": goodAttack}, `t/sample/First_One.js:1:1: the file's name: "First_One" is no name`},
		{"an owner twice", claim("  - go.mod", "  - go.mod\n  - go.mod"), `t/sample/claim.yaml:8:5: the owner go.mod is repeated`},
		{"no targets", claim("severity: low", "severity: low\ntargets: []"), `t/sample/claim.yaml:6:10: must name at least one target`},
		{"a target twice", attack("source: own", "source: own\ntargets: [jit, jit]"), `t/sample/first.js:4:16: the target jit is repeated`},
		{"a native without targets", claim("severity: low", "severity: low\nnative: [{name: x}]"), `t/sample/claim.yaml:6:10: the field "targets" is missing`},
		{"a draft that is none", claim("severity: low", "severity: low\ndraft: false"), `t/sample/claim.yaml:6:8: draft can only be true`},
		{"a flag in another spelling is still read", attack("source: own", "source: own\ncanary: True"), ""},
		{"a key that is no text", attack("source: own", "source: own\ntools: [tools.add]\ninvoked: {[a]: 1}"), `t/sample/first.js:5:11: a key must be a text, is a list`},
		{"a field's name that is no text", attack("source: own", "source: own\n[a]: 1"), `t/sample/first.js:4:1: a field's name must be a text, is a list`},
		{"a field that the fault does not have", attack("{value: 1}", "{fault: thrown, limt: {absent: true}}"), `t/sample/first.js:4:25: the fault thrown has no field "limt"`},
		{"a usage that is none", attack("source: own", "source: own\nusage: {heap: 1}"), `t/sample/first.js:4:9: a usage has no field "heap"; the fields are child, cpuMs,`},
		{"a usage that is no mapping", attack("source: own", "source: own\nusage: 1"), `t/sample/first.js:4:8: must be a mapping, is "1"`},
		{"an exact log that is no text", attack("source: own", "source: own\nlogs: {exact: [[a]]}"), `t/sample/first.js:4:16: must be a text, is a list`},
		{"an empty module", attack("source: own", "source: own\nmodules: {a: }"), `t/sample/first.js:4:14: must be a text, is empty`},
		{"an attack beside the claims", map[string]string{"stray.js": goodAttack}, "t/stray.js:1:1: neither a claim's folder nor non-claims.yaml"},
		{"every mistake of every file at once", map[string]string{
			"sample/claim.yaml": strings.NewReplacer("severity: low", "severity: dire", "trips: [first]", "trips: []").Replace(goodClaim),
			"sample/first.js":   strings.Replace(goodAttack, "source: own", "sorce: own\nwithin: fast", 1),
			"non-claims.yaml":   "- id: 7 Wonders\n",
		}, `t/sample/claim.yaml:5:11: must be one of critical, high, medium, low, is "dire"
t/sample/claim.yaml:13:12: must name at least one attack
t/sample/first.js:3:1: there is no field "sorce"
t/sample/first.js:4:9: must be a duration
t/sample/first.js:2:1: the field "source" is missing
t/non-claims.yaml:1:7: "7 Wonders" is no name
t/non-claims.yaml:1:3: the field "mitigation" is missing`},
		{"two attacks of one name", map[string]string{"sample/first.ts": goodAttack}, `t/sample/first.ts:1:1: a second attack named "first"`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, err := LoadFS(sampleFS(tc.changes), "t")
			got := ""
			if err != nil {
				got = err.Error()
			}
			if tc.want == "" && got != "" {
				t.Fatalf("unexpected error: %s", got)
			}
			for line := range strings.SplitSeq(tc.want, "\n") {
				if !strings.Contains(got, line) {
					t.Errorf("the error is\n%s\nand must contain\n%s", got, line)
				}
			}
		})
	}
}

func TestAttackIsReadWhole(t *testing.T) {
	text := `/*---
title: everything
source: T01
canary: true
form: module
input: {n: [1, null]}
tools: [tools.add, other.echo]
modules: {lib: "export default 1", typed: {language: ts, source: "export const x: number = 1"}}
grants: [eval]
limits: {wallMs: 300, heap: 33554432}
expect: {any: [{value: {a: 1}}, {fault: thrown, name: {oneOf: [A, B]}}]}
within: 750ms
calls: {max: 3}
invoked: {other.echo: 1}
logs: {count: 1, contains: [x]}
usage: {peakHeap: {max: 100}}
resident: 300 MiB
forbid: [secret]
---*/
export default 1;
`
	a, mistakes := ReadAttack("t/sample/everything.ts", "sample", []byte(text))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	if a.ID != "sample/everything" || a.Language != "ts" || a.Form != "module" || !a.Canary || a.Within.Milliseconds() != 750 || a.Resident != 300<<20 {
		t.Errorf("%+v", a)
	}
	request := a.Request(new(Toolbox))
	if request.Source != text {
		t.Error("the program is not the whole file")
	}
	if diff := cmp.Diff(`{"n":[1,null]}`, string(a.Input)); diff != "" {
		t.Error(diff)
	}
	if len(request.Tools["tools"]) != 1 || len(request.Tools["other"]) != 1 || request.Modules["typed"].Language != "ts" || request.Limits.Heap != 32<<20 {
		t.Errorf("%+v", request)
	}
}

// The model that ships is well-formed, and its owners and controls fit the source.
func TestEmbeddedModel(t *testing.T) {
	m, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range CheckSources(m, os.DirFS(root)) {
		t.Error(problem)
	}
	attacks, controls := 0, 0
	for _, c := range m.Claims {
		attacks += len(c.Attacks) + len(c.Native)
		controls += len(c.Controls)
	}
	if len(m.Claims) < 20 || attacks < 60 || controls < 20 {
		t.Errorf("%d claims, %d attacks, %d controls", len(m.Claims), attacks, controls)
	}
	if m.Claim("wall-deadline") == nil || m.Claim("none") != nil {
		t.Error("claims are not found by their ids")
	}
}

func TestCheckModel(t *testing.T) {
	tests := []struct {
		name    string
		changes map[string]string
		native  []string
		want    string
	}{
		{"complete", nil, nil, ""},
		{"nothing is not claimed", map[string]string{"non-claims.yaml": ""}, nil, "threat model: it does not say what is not claimed"},
		{"no control", map[string]string{"sample/claim.yaml": goodClaim[:strings.Index(goodClaim, "controls:")]}, nil, "t/sample/claim.yaml:1:1: the claim has no control"},
		{"open without control", map[string]string{"sample/claim.yaml": goodClaim[:strings.Index(goodClaim, "controls:")] + "status: open\nreason: not built\n"}, nil, ""},
		{"no owner", map[string]string{"sample/claim.yaml": strings.Replace(goodClaim, "owners:\n  - go.mod", "owners: []", 1)}, nil, "t/sample/claim.yaml:1:1: the claim has no owner"},
		{"no attack", map[string]string{"sample/first.js": "", "sample/claim.yaml": goodClaim[:strings.Index(goodClaim, "controls:")]}, nil, "t/sample/claim.yaml:1:1: the claim has no attack"},
		{"a draft of a claim", map[string]string{"sample/claim.yaml": goodClaim + "draft: true\n"}, nil, "t/sample/claim.yaml:14:8: the claim is a draft"},
		{"a draft of an attack", map[string]string{"sample/first.js": strings.Replace(goodAttack, "source: own", "source: own\ndraft: true", 1)}, nil, "t/sample/first.js:4:8: the attack is a draft"},
		{"a native that is not there", map[string]string{"sample/claim.yaml": goodClaim + "native: [ghost]\n"}, nil, `t/sample/claim.yaml:14:10: there is no attack in Go named "ghost"`},
		{"a native without a claim", nil, []string{"stray"}, `the attack in Go "stray" belongs to no claim`},
		{"a native in its claim", map[string]string{"sample/claim.yaml": goodClaim + "native: [ghost]\n"}, []string{"ghost"}, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m, err := LoadFS(sampleFS(tc.changes), "t")
			if err != nil {
				t.Fatal(err)
			}
			checkErrors(t, CheckModel(m, tc.native), tc.want)
		})
	}
}

func TestCheckSources(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"fits", "module x\n", ""},
		{"the text is gone", "package x\n", `t/sample/claim.yaml:9:5: control "one": the text to find occurs 0 times in go.mod, must occur once: module `},
		{"the text is there twice", "module x\nmodule y\n", "occurs 2 times"},
		{"the file is gone", "", "the owner go.mod is no file of the source"},
	}
	m, err := LoadFS(sampleFS(nil), "t")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			root := fstest.MapFS{}
			if tc.file != "" {
				root["go.mod"] = &fstest.MapFile{Data: []byte(tc.file)}
			}
			checkErrors(t, CheckSources(m, root), tc.want)
		})
	}
}

func checkErrors(t *testing.T, errs []error, want string) {
	t.Helper()
	if want == "" {
		if len(errs) > 0 {
			t.Errorf("unexpected: %v", errs)
		}
		return
	}
	for _, err := range errs {
		if strings.Contains(err.Error(), want) {
			return
		}
	}
	t.Errorf("%v does not contain %q", errs, want)
}

// Adding an attack is adding one file: nothing else has to be told of it.
func TestAddingAnAttackIsAddingOneFile(t *testing.T) {
	names := func(changes map[string]string) []string {
		m, err := LoadFS(sampleFS(changes), "t")
		if err != nil {
			t.Fatal(err)
		}
		if problems := CheckModel(m, nil); len(problems) > 0 {
			t.Fatal(problems)
		}
		return m.Claim("sample").AttackNames()
	}
	if diff := cmp.Diff([]string{"first"}, names(nil)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"first", "second", "third"}, names(map[string]string{"sample/second.js": goodAttack, "sample/third.ts": goodAttack})); diff != "" {
		t.Error(diff)
	}
}

func TestTargets(t *testing.T) {
	m, err := LoadFS(sampleFS(map[string]string{
		"sample/claim.yaml":  goodClaim + "targets: [hardened, jit]\nnative: [anywhere, {name: here, targets: [hardened]}]\n",
		"sample/compiled.js": strings.Replace(goodAttack, "source: own", "source: own\ntargets: [jit]", 1),
	}), "t")
	if err != nil {
		t.Fatal(err)
	}
	c := m.Claim("sample")
	compiled, first, anywhere, here := c.Attacks[0], c.Attacks[1], &c.Native[0], &c.Native[1]
	for _, tc := range []struct {
		target string
		want   []bool
	}{
		{"hardened", []bool{true, false, true, true, true}},
		{"jit", []bool{true, true, true, true, false}},
		{"other", []bool{false, false, true, true, false}},
	} {
		got := []bool{c.Applies(tc.target), compiled.Applies(tc.target), first.Applies(tc.target), anywhere.Applies(tc.target), here.Applies(tc.target)}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.target, diff)
		}
	}
	checkErrors(t, CheckTargets(m, []string{"hardened", "jit"}), "")
	checkErrors(t, CheckTargets(m, []string{"jit"}), `t/sample/claim.yaml:14:11: there is no target "hardened"; the targets are jit`)
	checkErrors(t, CheckTargets(m, []string{"jit"}), `t/sample/claim.yaml:15:43: there is no target "hardened"`)
	checkErrors(t, CheckTargets(m, []string{"hardened"}), `t/sample/compiled.js:4:11: there is no target "jit"`)
}

// FuzzReadClaim: whatever claim.yaml holds, reading it yields a claim or errors with
// positions, and no panic.
func FuzzReadClaim(f *testing.F) {
	f.Add([]byte(goodClaim))
	f.Add([]byte(goodClaim + "native: [{name: a, targets: [jit]}]\n"))
	f.Add([]byte("controls: [{edits: [{file: a, find: b, replace: b}]}]"))
	f.Add([]byte("id: &x [*x]"))
	f.Add([]byte("a\n---\nb\n..."))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, mistakes := readClaim("t/sample/claim.yaml", "sample", text)
		if len(mistakes) == 0 && (c.ID != "sample" || c.Title == "" || c.Statement == "" || c.Boundary == "" || c.Severity == "") {
			t.Errorf("no mistake and no claim: %+v", c)
		}
		havePositions(t, mistakes)
	})
}

// FuzzReadNonClaims: the same for non-claims.yaml.
func FuzzReadNonClaims(f *testing.F) {
	f.Add([]byte(goodNonClaims))
	f.Add([]byte("- id: a\n- [b]\n- &x {id: *x}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, mistakes := readNonClaims("t/non-claims.yaml", text)
		for _, n := range entries {
			if len(mistakes) == 0 && (n.ID == "" || n.Title == "" || n.Statement == "" || n.Mitigation == "") {
				t.Errorf("no mistake and no entry: %+v", n)
			}
		}
		havePositions(t, mistakes)
	})
}

func havePositions(t *testing.T, mistakes []error) {
	t.Helper()
	for _, mistake := range mistakes {
		if e, ok := mistake.(*Error); !ok || e.Line < 1 || e.Column < 1 || e.File == "" {
			t.Errorf("a mistake without a position: %v", mistake)
		}
	}
}

// FuzzReadAttack: whatever a file holds, reading it yields an attack or errors
// with positions, and no panic.
func FuzzReadAttack(f *testing.F) {
	f.Add([]byte(goodAttack))
	f.Add([]byte("/*---\ntitle: [\n---*/\n1"))
	f.Add([]byte("/*---\nexpect: {any: [{fault: thrown}, {value: {$: undefined}}]}\nlimits: {wallMs: 1}\n---*/\n1"))
	f.Add([]byte("/*---\na: &x [*x]\n---*/\n1"))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, mistakes := ReadAttack("t/sample/x.js", "sample", text)
		if len(mistakes) == 0 && (a.Title == "" || a.Expect == nil) {
			t.Errorf("no mistake and no attack: %+v", a)
		}
		havePositions(t, mistakes)
	})
}
