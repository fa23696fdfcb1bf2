package mutation

import (
	"go/parser"
	"go/token"
	"testing"
)

// This file tests with any texts that what is combined can be read.

func combined(f sourceFile, parts []part) (string, error) {
	m := &module{path: "example.com/m"}
	c := &Combined{files: map[string][]byte{}, links: map[string]string{}, regions: map[string][]region{}}
	err := f.combine(m, c, "x", parts)
	return string(c.files["x"]), err
}

// Whatever two Go files are, if one is a mutation of the other, then both together
// are a Go file.
func FuzzGo(f *testing.F) {
	f.Add("package p\n\nimport \"os\"\n\nvar v = 1\n\nfunc f() int { return 1 }\n", "package p\n\nimport \"io\"\n\nvar v = 2\n\nfunc f() int { return 2 }\n")
	f.Add("package p\nfunc (r *t[T]) f(_ int, a ...T) {\nl:\n\tfor { continue l }\n}\n", "package p\nfunc (r *t[T]) f(_ int, a ...T) {\nl:\n\tfor { break l }\n}\n")
	f.Add("package p // c\nvar (\n\ta, b = 1, 2\n\tc int = 3\n)\nfunc f() // no body\n", "package p // c\nvar (\n\ta, b = 1, 2\n\tc int = 4\n)\nfunc f() // no body\n")
	f.Fuzz(func(t *testing.T, original, mutated string) {
		file, err := readGo("x.go", []byte(original))
		if err != nil {
			return
		}
		parts, err := file.compare(nil, "x.go", []byte(mutated), 7)
		if err != nil || len(parts) == 0 {
			return
		}
		text, err := combined(file, parts)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	})
}

// Whatever a C++ file is, its bodies lie one behind the other, from brace to brace,
// and a mutation of one becomes a branch.
func FuzzCPP(f *testing.F) {
	f.Add("namespace a {\nint f(int n) { return n > 1 ? '{' : \"}\"[0]; }\n}\n")
	f.Add("#define A { \\\n{\nR\"x({)x\" struct S { S() : a(1) { f(); } };\n// {\n/* { */ int t[] = {1'000};")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := readCPP([]byte(text))
		if err != nil {
			return
		}
		at := 0
		for i, body := range file.bodies {
			if body[0] < at || body[1] <= body[0]+1 || body[1] > len(text) || text[body[0]] != '{' || text[body[1]-1] != '}' {
				t.Fatalf("body %d of %q: %v", i, text, body)
			}
			at = body[1]
		}
		if len(file.bodies) > 0 {
			out, err := combined(file, []part{cppPart{by: 7, body: 0, text: "{}"}})
			if err != nil || len(out) <= len(text) {
				t.Errorf("%v: %q", err, out)
			}
		}
	})
}
