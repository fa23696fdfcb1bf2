package runtime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of the renaming of the bundle's variables.

func TestRename(t *testing.T) {
	first, second := engineNames[0], engineNames[1]
	for _, c := range []struct{ what, script, taken, want string }{
		{"the most frequent one gets the first name", "let xa=1,xb=2;xb+xa+xb", "let", "let " + second + "=1," + first + "=2;" + first + "+" + second + "+" + first},
		{"properties", "let xa={xc:1};xa.xc", "let xc", "let " + first + "={xc:1};" + first + ".xc"},
		{"a property of the same name", "let xa=1;xc." + first, "let xc " + first, "let " + first + "=1;xc." + first},
		{"a global of that name", "let xa=1;" + first + "()", "let " + first, "let " + second + "=1;" + first + "()"},
		{"strings", `let xa="xa\"xa";'xa'`, "let", "let " + first + `="xa\"xa";'xa'`},
		{"templates", "let xa=`xa${xa+`${xa}xa`}xa\\`${{a:xa}}`", "let a",
			"let " + first + "=`xa${" + first + "+`${" + first + "}xa`}xa\\`${{a:" + first + "}}`"},
		{"words that the script did not have before", "let xa=void 0;for(let xb of xa);", "", "let " + first + "=void 0;for(let " + second + " of " + first + ");"},
		{"numbers", "let xa=1e3+0xa", "let", "let " + first + "=1e3+0xa"},
		{"private names", "xa.#xb", "xb", first + ".#xb"},
		{"parts", "let xa=1;" + partsWord + "let xb=xa;" + partsWord + "xa", "let", "let " + first + "=1;" + partsWord + "let xb=" + first + ";" + partsWord + first},
	} {
		if diff := cmp.Diff(c.want, rename(c.script, wordsOf(c.taken))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.what, diff)
		}
	}
}

// Whatever is left out, the names of the variables differ from those in the files and nothing else
// does: each use means the same declaration, what means a global still does, and no name
// is declared twice.
func TestShortenedScriptsHaveTheSameVariables(t *testing.T) {
	files := strings.Split(bundle(), partsMark)
	parts := Parts()
	if len(files) != 4*len(parts)+1 {
		t.Fatalf("%d sections for %d parts", len(files), len(parts))
	}
	for _, p := range append(parts, Part{}) {
		script := transformed(t, without(files, p.Name), false)
		taken := wordsOf(script)
		for _, word := range engineNames {
			taken[word] = true
		}
		_, source := SourceWithout(p.Name)
		if difference := differenceOfNames(renamed(t, script, taken), renamed(t, source, taken), taken); difference != "" {
			t.Errorf("without %q: %s", p.Name, difference)
		}
	}
}

// The comparison finds what it is for.
func TestDifferenceOfNames(t *testing.T) {
	const files = "(function(){const first=1;(function(second){return first+second+other})(2)})();"
	taken := wordsOf(files)
	for _, c := range []struct {
		what, script string
		same         bool
	}{
		{"the same", files, true},
		{"other names", "(function(){const xa=1;(function(xb){return xa+xb+other})(2)})();", true},
		{"a name taken twice", "(function(){const xa=1;(function(xa){return xa+xa+other})(2)})();", false},
		{"a name left behind", "(function(){const xa=1;(function(xb){return first+xb+other})(2)})();", false},
		{"a global taken", "(function(){const other=1;(function(xb){return other+xb+other})(2)})();", false},
		{"a property renamed", "(function(){const xa=1;(function(xb){return xa+xb+another})(2)})();", false},
	} {
		got := differenceOfNames(renamed(t, files, taken), renamed(t, c.script, taken), taken)
		if (got == "") != c.same {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}

// renamed returns a script with names that depend on nothing but how its variables are used, and
// without what separates words. esbuild knows scopes: it fails when a variable is declared twice.
func renamed(t *testing.T, script string, taken map[string]bool) string {
	t.Helper()
	const end = `"isogate_end"`
	var b strings.Builder
	b.WriteString(script + "\n" + end + ";\n")
	for _, word := range slices.Sorted(maps.Keys(taken)) {
		if !keywords[word] {
			b.WriteString("typeof " + word + ";\n")
		}
	}
	text, _, _ := strings.Cut(transformed(t, b.String(), true), end)
	return text
}

// transformed returns a script as esbuild writes it without spaces, with other names or the same.
func transformed(t *testing.T, script string, names bool) string {
	t.Helper()
	out := api.Transform(script, api.TransformOptions{Loader: api.LoaderJS, Target: api.ES2022, MinifyIdentifiers: names, MinifyWhitespace: true})
	for _, problem := range append(out.Errors, out.Warnings...) {
		t.Fatalf("%s: %v", problem.Text, problem.Location)
	}
	return string(out.Code)
}

// differenceOfNames says where two scripts differ in more than the names of variables, or
// in these without one to one correspondence; it is empty when they do not.
func differenceOfNames(want, got string, taken map[string]bool) string {
	a, b := tokensOf(want), tokensOf(got)
	if len(a) != len(b) {
		return fmt.Sprintf("%d words instead of %d", len(b), len(a))
	}
	there, back := map[string]string{}, map[string]string{}
	for i := range a {
		x, y := a[i], b[i]
		if i > 0 && strings.HasSuffix(a[i-1], "#") {
			x, y = "#"+x, "#"+y // private names are apart from variables
		}
		isVariable := (isName(x) || x[0] == '#') && !taken[x] && !taken[y]
		if !isVariable && x == y {
			continue
		}
		if there[x] == "" && back[y] == "" {
			there[x], back[y] = y, x
		}
		if !isVariable || there[x] != y || back[y] != x {
			from, to := max(0, i-10), min(len(a), i+10)
			return fmt.Sprintf("word %d is %s instead of %s: %s; %s", i, y, x, strings.Join(b[from:to], ""), strings.Join(a[from:to], ""))
		}
	}
	return ""
}

// Names are drawn once each, and no reserved word is among them.
func TestEngineNames(t *testing.T) {
	seen := map[string]bool{}
	for i, name := range engineNames {
		if seen[name] || reserved[name] || !isName(name) || len(wordsOf(name)) != 1 {
			t.Errorf("%q", name)
		}
		if i > 0 && len(name) < len(engineNames[i-1]) {
			t.Errorf("%q is shorter than %q", name, engineNames[i-1])
		}
		seen[name] = true
	}
	if len(seen) < 500 {
		t.Errorf("only %d names", len(seen))
	}
}

// A scope of too many names would have a hash table of them, see scopeNames.
func TestScopesAreSmall(t *testing.T) {
	for _, group := range eager {
		var text strings.Builder
		for _, name := range group {
			text.WriteString(withoutComments(read(t, name)))
		}
		for _, piece := range pieces(text.String()) {
			if count := len(declared(piece)); count == 0 || count > scopeNames {
				t.Errorf("a scope of %v has %d names", group, count)
			}
		}
	}
}
