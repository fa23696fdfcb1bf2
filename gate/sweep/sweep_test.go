package sweep_test

import (
	"errors"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/gate/sweep"
)

// This file tests marks and the mutations that are made of them.

func known(claim string) bool { return claim == "claim" || claim == "other" }

// find returns the mutants in one file, as "name: what" and the lines that differ.
func find(t *testing.T, file, text string) ([]string, []error) {
	t.Helper()
	_, mutants, errs := sweep.Find(fstest.MapFS{file: {Data: []byte(text)}}, known)
	var out []string
	for _, m := range mutants {
		if strings.HasSuffix(file, ".go") {
			if _, err := parser.ParseFile(token.NewFileSet(), file, m.Text, 0); err != nil {
				t.Errorf("%s does not parse: %v\n%s", m.What, err, m.Text)
			}
		}
		before, after := strings.Split(text, "\n"), strings.Split(string(m.Text), "\n")
		first := 0
		for first < min(len(before), len(after)) && before[first] == after[first] {
			first++
		}
		last := 0
		for last < min(len(before), len(after))-first && before[len(before)-1-last] == after[len(after)-1-last] {
			last++
		}
		changed := strings.Join(strings.Fields(strings.Join(after[first:len(after)-last], " ")), " ")
		out = append(out, m.Name+": "+changed)
	}
	return out, errs
}

func TestMutations(t *testing.T) {
	function := func(body string) string {
		return "package p\n\nfunc f(n int, list []int, ok bool) (int, error) {\n" + body + "\n}\n"
	}
	tests := []struct {
		name, file, text string
		want             []string
	}{
		{"a condition", "a/x.go", function("//gate:protects claim\nif n > 3 {\nreturn 1, nil\n}\nreturn 0, nil"),
			[]string{"removed: if false && (n > 3) {", "flipped: if n <= 3 {"}},
		{"operators", "x.go", function("//gate:protects claim other\nif n == 1 && len(list) < 2 {\nreturn 1, nil\n}\nreturn 0, nil"),
			[]string{"removed: if false && (n == 1 && len(list) < 2) {", "flipped-1: if n == 1 || len(list) < 2 {", "flipped-2: if n != 1 && len(list) < 2 {", "flipped-3: if n == 1 && len(list) >= 2 {"}},
		{"no operator, and a call first", "x.go", function("//gate:protects claim\nif v, ok := g(); !ok {\nreturn v, nil\n}\nreturn 0, nil"),
			[]string{"removed: if v, ok := g(); false && (!ok) {", "dropped:", "flipped: if v, ok := g(); !(!ok) {"}},
		{"a case", "x.go", function("switch {\n//gate:protects claim\ncase n >= 1:\nreturn 1, nil\n}\nreturn 0, nil"),
			[]string{"removed: case false && (n >= 1):", "flipped: case n < 1:"}},
		{"a case of a value", "x.go", function("switch n {\n//gate:protects claim\ncase 1:\nreturn 1, nil\ncase 2:\n}\nreturn 0, nil"), []string{"removed:"}},
		{"a call", "x.go", function("//gate:protects claim\ng(n)\nreturn 0, nil"), []string{"dropped:"}},
		{"a deferred call", "x.go", function("//gate:protects claim\ndefer func() {\ng(n)\n}()\nreturn 0, nil"), []string{"dropped:"}},
		{"an assignment", "x.go", function("//gate:protects claim\nn = n + 1\nreturn 0, nil"), []string{"dropped:"}},
		{"an assignment of a comparison", "x.go", function("//gate:protects claim\nbad := n > 1\nreturn g(bad)"), []string{"flipped: bad := n <= 1"}},
		{"a loop", "x.go", function("//gate:protects claim\nfor _, v := range list {\ng(v)\n}\nreturn 0, nil"), []string{"removed: break"}},
		{"an error that is returned", "x.go", function("//gate:protects claim\nreturn 1, g(n)"), []string{"dropped: return 1, nil"}},
		{"a comparison that is returned", "x.go", "package p\n\nfunc f(n int) bool {\n//gate:protects claim\nreturn n > 1\n}\n", []string{"flipped: return n <= 1"}},
		{"a function", "x.go", "package p\n\n// F is a function.\n//\n//gate:protects claim\nfunc f(n int) (a, b string, err error) { return g(n) }\n",
			[]string{"removed: func f(n int) (a, b string, err error) { var zero0 string var zero1 string var zero2 error return zero0, zero1, zero2 }"}},
		{"an element", "x.go", "package p\n\nvar list = []step{\n\t{one, first},\n\t//gate:protects claim\n\t{two, second},\n\t{three, third},\n}\n", []string{"removed:"}},
		{"the field of an element", "x.go", "package p\n\nvar set = map[string]int{\n\t//gate:protects claim\n\t\"a\": 1, \"b\": 2,\n}\n", []string{`removed: "b": 2,`}},
		{"C++", "x.cc", "void f(int n) {\n  //gate:protects claim\n  if (n > (3) && g(\")\")) {\n    h();\n  }\n}\n", []string{`removed: if (false && (n > (3) && g(")"))) {`}},
		{"JavaScript", "js/x.js", "function f(n) {\n  //gate:protects claim\n  if (n === ')' /* ) */) return;\n}\n", []string{"removed: if (false && (n === ')' /* ) */)) return;"}},
		{"else if", "x.js", "if (a) {\n  //gate:protects claim\n} else if (b) {\n}\n", []string{"removed: } else if (false && (b)) {"}},
		{"equivalent", "x.go", function("//gate:protects claim\n//gate:equivalent flipped because\n// A comment.\nif n > 3 {\nreturn 1, nil\n}\nreturn 0, nil"),
			[]string{"removed: if false && (n > 3) {", "flipped: if n <= 3 {"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, errs := find(t, tc.file, tc.text)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if diff := cmp.Diff(tc.want, trimmed(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func trimmed(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

func TestMistakes(t *testing.T) {
	function := func(body string) string { return "package p\n\nfunc f() {\n" + body + "\n}\n" }
	tests := []struct{ name, file, text, want string }{
		{"an unknown claim", "a/x.go", function("//gate:protects clam\nif a {\n}"), `a/x.go:4: there is no claim "clam"`},
		{"no claim", "x.go", function("//gate:protects\nif a {\n}"), "x.go:4: the mark names no claim"},
		{"another directive", "x.go", function("//gate:protect claim\nif a {\n}"), "x.go:4: there is no directive //gate:protect"},
		{"above nothing", "x.go", "package p\n//gate:protects claim", "x.go:2: the mark stands above nothing"},
		{"above an empty line", "x.go", function("//gate:protects claim\n\nif a {\n}"), "x.go:4: the mark stands above no statement"},
		{"above a declaration", "x.go", "package p\n\n//gate:protects claim\ntype t int\n", "x.go:3: the mark stands above no statement"},
		{"above what has no mutation", "x.go", function("//gate:protects claim\nvar a int"), "x.go:4: there is no mutation"},
		{"above another mark", "x.go", function("//gate:protects claim\n//gate:protects other\nif a {\n}"), "x.go:5: a mark stands below another one"},
		{"equivalent without a mark", "x.go", function("//gate:equivalent removed why\nif a {\n}"), "x.go:4: //gate:equivalent stands below no //gate:protects"},
		{"equivalent without a reason", "x.go", function("//gate:protects claim\n//gate:equivalent removed\nif a {\n}"), "x.go:5: //gate:equivalent needs the name of a mutation and a reason"},
		{"equivalent to what there is not", "x.go", function("//gate:protects claim\n//gate:equivalent flipped-2 why\nif a {\n}"), `x.go:4: there is no mutation "flipped-2" here; there are flipped, removed`},
		{"Go that does not parse", "x.go", "package p\n//gate:protects claim\nfunc {", "x.go:2: x.go:3:6"},
		{"C++ without if", "x.cc", "//gate:protects claim\nwhile (a) {}\n", `x.cc:1: the mark stands above no statement that opens with "if ("`},
		{"JavaScript that does not close", "x.js", "//gate:protects claim\nif (a\n", "x.js:1: the condition of the statement is not closed"},
		{"C++ that declares", "x.cc", "//gate:protects claim\nif (int a = 1; a) {}\n", "x.cc:1: the condition declares something"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, errs := find(t, tc.file, tc.text)
			if len(errs) == 0 || !strings.HasPrefix(errs[0].Error(), tc.want) {
				t.Fatalf("%v, must be %q", errs, tc.want)
			}
			var position *sweep.Error
			if !errors.As(errs[0], &position) {
				t.Errorf("%T has no position", errs[0])
			}
		})
	}
	// Where marks are no marks: tests, other folders, other files, texts.
	marks, _, errs := sweep.Find(fstest.MapFS{
		"x_test.go": {Data: []byte("//gate:protects nothing\n")}, "testdata/x.go": {Data: []byte("//gate:protects nothing\n")},
		".git/x.go": {Data: []byte("//gate:protects nothing\n")}, "x.md": {Data: []byte("//gate:protects nothing\n")},
		"x.go": {Data: []byte("package p\n\nvar text = \"//gate:protects nothing\"\n")},
	}, known)
	if len(marks) > 0 || len(errs) > 0 {
		t.Errorf("%v %v", marks, errs)
	}
}

// Whatever the source is, finding ends, and every mutant differs from it.
func FuzzFind(f *testing.F) {
	f.Add("x.go", "package p\n\nfunc f(n int) {\n//gate:protects claim\nif n > 1 {\n}\n}\n")
	f.Add("x.cc", "//gate:protects claim\nif (a && (b || '\\'')) {}\n")
	f.Add("x.js", "//gate:protects claim\n//gate:equivalent removed why\nif (`${a}` /* ) */) {}\n")
	f.Fuzz(func(t *testing.T, file, text string) {
		if file != "x.go" && file != "x.cc" {
			file = "x.js"
		}
		_, mutants, _ := sweep.Find(fstest.MapFS{file: {Data: []byte(text)}}, known)
		for _, m := range mutants {
			if string(m.Text) == text {
				t.Errorf("%s at %s:%d changes nothing", m.Name, m.Mark.File, m.Mark.Target)
			}
		}
	})
}
