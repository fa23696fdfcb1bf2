package runtime

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of the bundle as text: that it is one script of all
// files in the fixed order, and that the files keep the rules which make the
// runtime independent of what guests patch (primordials.js).

func TestSourceIsOneStrictScript(t *testing.T) {
	name, source := Source()
	if name != "isogate:runtime" {
		t.Errorf("the bundle is called %q", name)
	}
	// ES2022 is what V8 10.9 has; newer syntax is an error or is rewritten.
	for _, text := range []string{source, bundle()} {
		result := api.Transform(text, api.TransformOptions{Target: api.ES2022, Loader: api.LoaderJS, Sourcefile: name})
		for _, message := range append(result.Errors, result.Warnings...) {
			t.Errorf("line %d: %s", message.Location.Line, message.Text)
		}
		if m := regexp.MustCompile(`(?m)^\s*(import|export)\b.*|\bimport\.meta\b`).FindString(text); m != "" {
			t.Errorf("the bundle is no classic script: %s", m)
		}
		for i, c := range text {
			if c > 0x7f {
				t.Fatalf("%q at offset %d is not ASCII", c, i)
			}
		}
	}
	if !regexp.MustCompile(`(?s)^\(function\(\)\{"use strict";.*\}\)\(\);\n$`).MatchString(source) {
		t.Error("the bundle is not one strict function")
	}
	if _, again := Source(); again != source {
		t.Error("two bundles differ")
	}
}

// V8 does not always find variables with such names after the restore, see shorten.
func TestNoVariableHasANameOfOneCharacter(t *testing.T) {
	_, source := Source()
	outer := regexp.MustCompile(`\b(?:const|let|var|function|class)[ *]+([A-Za-z_])[^\w$]`)
	if m := outer.FindStringSubmatch(source); m != nil {
		t.Errorf("%q", m[0])
	}
	if !strings.Contains(source, "__isogate_boot") || len(source) > len(bundle())*3/4 {
		t.Errorf("%d characters of %d are left", len(source), len(bundle()))
	}
}

func TestSourceWithoutAPart(t *testing.T) {
	_, whole := Source()
	lengths := 0
	for _, p := range Parts() {
		_, without := SourceWithout(p.Name)
		if len(without) >= len(whole) || strings.Contains(without, partsWord) {
			t.Errorf("without %s the script has %d characters of %d", p.Name, len(without), len(whole))
		}
		lengths += len(whole) - len(without)
	}
	if lengths >= len(whole) || lengths < len(whole)/2 {
		t.Errorf("the parts have %d characters of %d", lengths, len(whole))
	}
}

func TestSourceHasEveryFileOnceInOrder(t *testing.T) {
	listed := map[string]int{}
	for _, name := range inOrder() {
		listed[name]++
	}
	have := map[string]int{}
	err := fs.WalkDir(files, "js", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			have[strings.TrimPrefix(path, "js/")] = 1
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(have, listed); diff != "" {
		t.Errorf("-files +order:\n%s", diff)
	}
	source := bundle()
	at := 0
	partOf := map[string]Part{}
	for _, p := range Parts() {
		for _, name := range p.Files {
			partOf[name] = p
		}
	}
	for _, name := range inOrder() {
		text := numbered(partOf[name].numberedExports(withoutComments(read(t, name))))
		for _, piece := range pieces(text) {
			next := strings.Index(source[at:], piece)
			if next < 0 {
				t.Fatalf("%s is not in the bundle behind the file before it", name)
			}
			at += next + len(piece)
		}
	}
}

// freeNames returns the words among names that a text uses without declaring them. esbuild
// knows scopes: it replaces the free ones.
func freeNames(t *testing.T, text string, names []string) map[string]bool {
	t.Helper()
	define := map[string]string{}
	for _, name := range names {
		define[name] = "isogate_free_" + name
	}
	out := api.Transform(text, api.TransformOptions{Loader: api.LoaderJS, Target: api.ES2022, Define: define})
	if len(out.Errors) > 0 {
		t.Fatalf("%v", out.Errors)
	}
	free := map[string]bool{}
	for _, m := range regexp.MustCompile(`isogate_free_(\w+)`).FindAllStringSubmatch(string(out.Code), -1) {
		free[m[1]] = true
	}
	return free
}

// A name that a file uses is of its own group, of an eager one (of one before it, when it is
// eager itself), or of a part that its part needs.
func TestFilesUseNamesThatTheySee(t *testing.T) {
	var all []string
	for _, name := range inOrder() {
		all = append(all, declared(withoutComments(read(t, name)))...)
	}
	seen := map[string]bool{}
	see := func(text string) {
		for _, name := range declared(text) {
			seen[name] = true
		}
	}
	for _, group := range eager {
		var text strings.Builder
		for _, name := range group {
			text.WriteString(withoutComments(read(t, name)))
		}
		see(text.String())
		for used := range freeNames(t, text.String(), all) {
			if !seen[used] {
				t.Errorf("%v use %s, which no eager file before them declares", group, used)
			}
		}
	}
	for _, group := range eager[1:] {
		count := 0
		for _, name := range group {
			count += len(declared(read(t, name)))
		}
		if group[0] == eager[len(eager)-1][0] {
			for _, name := range last {
				count += len(declared(read(t, name)))
			}
		}
		if count > scopeNames {
			t.Errorf("%v declare %d names", group, count)
		}
	}
	for _, p := range Parts() {
		free := freeNames(t, p.text(), all)
		for _, need := range p.Needs {
			used := false
			for _, name := range declared(partNamed(need).text()) {
				used = used || free[name]
				delete(free, name)
			}
			if !used && p.Name != "interfaces" && need != "brands" && need != "interfaces" {
				t.Errorf("part %s needs nothing of %s", p.Name, need)
			}
		}
		for used := range free {
			if !seen[used] {
				t.Errorf("part %s uses %s, which no eager file and no part that it needs declares", p.Name, used)
			}
		}
	}
	for _, name := range last {
		see(withoutComments(read(t, name)))
	}
	for _, name := range last {
		for used := range freeNames(t, withoutComments(read(t, name)), all) {
			if !seen[used] {
				t.Errorf("%s uses %s, which no eager file declares", name, used)
			}
		}
	}
}

// A part that needs itself, through others, could never be built.
func TestPartsNeedOneAnotherInOneDirection(t *testing.T) {
	var visit func(name string, above []string)
	visit = func(name string, above []string) {
		if slices.Contains(above, name) {
			t.Fatalf("%s needs itself: %v", name, above)
		}
		for _, need := range partNamed(name).Needs {
			visit(need, append(slices.Clone(above), name))
		}
	}
	for _, p := range Parts() {
		visit(p.Name, nil)
	}
}

func TestEveryFileSaysWhatItIs(t *testing.T) {
	for _, name := range inOrder() {
		if text := read(t, name); !strings.HasPrefix(text, "// ") || strings.Count(text, "\n") > 400 {
			t.Errorf("%s does not open with a comment, or is too long", name)
		}
	}
}

// The only methods that are called as such: those of the runtime's own maps and
// of V8's CallSites, which guests cannot patch, and functions in records of the
// runtime's own.
var methods = map[string]bool{
	"get": true, "set": true, "has": true, "delete": true, "clear": true,
	"getFileName": true, "getScriptNameOrSourceURL": true, "getLineNumber": true, "getColumnNumber": true, "isEval": true, "toString": true,
	"resolve": true, "reject": true, "log": true, "setTimeout": true, "clearTimeout": true,
}

func TestRuntimeDependsOnNothingPatchable(t *testing.T) {
	rules := []struct {
		what    string
		pattern *regexp.Regexp
	}{
		{"iterates with for…of", regexp.MustCompile(`\bfor\s*(await\s*)?\([^;]*\sof\s`)},
		{"asks Symbol.hasInstance", regexp.MustCompile(`\binstanceof\b`)},
		{"destructures an array", regexp.MustCompile(`\b(const|let|var)\s*\[`)},
		{"reads a built-in when it runs", regexp.MustCompile(
			"(?:^|[^`'.\\w])(AggregateError|Array|ArrayBuffer|BigInt|Boolean|DataView|Date|Error|Function|Intl|JSON|Map|Math|Number|Object|Promise|Proxy|Reflect|RegExp|Set|String|Symbol|WeakMap|globalThis)\\.")},
	}
	ofPart := regexp.MustCompile(`part\('\w+'\)\.(\w+)`)
	call := regexp.MustCompile(`\.([A-Za-z]+)\(`)
	spread := regexp.MustCompile(`[(\[,{]\s*\.\.\.[A-Za-z_]`)
	parameters := regexp.MustCompile(`\)\s*(\{|=>.*)$`)
	for _, name := range inOrder() {
		if name == "primordials.js" {
			continue
		}
		for i, line := range strings.Split(withoutComments(read(t, name)), "\n") {
			complain := func(what string) { t.Errorf("%s:%d %s: %s", name, i+1, what, strings.TrimSpace(line)) }
			for _, rule := range rules {
				if rule.pattern.MatchString(line) {
					complain(rule.what)
				}
			}
			// The exports of a part are a record of the runtime's own.
			line := ofPart.ReplaceAllString(line, "$1")
			for _, m := range call.FindAllStringSubmatch(line, -1) {
				if !methods[m[1]] {
					complain("calls the method " + m[1])
				}
			}
			if spread.MatchString(line) && !parameters.MatchString(line) {
				complain("spreads")
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := files.ReadFile("js/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func withoutComments(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			lines[i] = "\n"
		}
	}
	return strings.Join(lines, "")
}
