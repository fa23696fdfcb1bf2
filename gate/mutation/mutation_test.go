package mutation_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/gate/mutation"
)

// This file tests combined builds with a small module: each mutation, chosen in the
// combined build, must do what it does when it is built alone.

// program is the module. It prints what it does, and what a process that it starts
// by /proc/self/exe with an empty environment does.
var program = map[string]string{
	"go.mod": "module example.com/small\n\ngo 1.26\n",
	"main.go": `package main

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
)

//go:embed data/*.txt
var data embed.FS

var limit = 10
var names = []string{"a", "b"}
var described, other = "two", "values"

type counter[T any] struct{ items []T }

func (*counter[T]) blank(_ int, rest ...T) (n int) {
	defer func() {
		if recover() != nil {
			n = -1
		}
	}()
	n = len(rest)
	return
}

func (c *counter[T]) add(item T) { c.items = append(c.items, item) }

func fall(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + fall(n-1)
}

func search() (found int) {
outer:
	for i := range 4 {
		for j := range 4 {
			if i*j == 6 {
				found = 10*i + j
				break outer
			}
		}
	}
	return
}

func main() {
	fmt.Println(limit, names, described, other)
	c := &counter[string]{}
	c.add("x")
	fmt.Println(len(c.items), c.blank(1, "y", "z"), fall(3), search())
	text, err := data.ReadFile("data/one.txt")
	fmt.Printf("%s %v\n", text, err)
	if len(os.Args) == 1 {
		child := exec.Command("/proc/self/exe", "child")
		child.Env = []string{"EMPTY="}
		out, err := child.CombinedOutput()
		fmt.Printf("child: %s %v\n", out, err)
	}
}
`,
	"data/one.txt": "one",
	"data/two.txt": "two",
}

// edit is one mutation of the program.
type edit struct {
	name, file, find, replace string
	apart                     string // why it is kept apart, when it is
}

var edits = []edit{
	{"a method without a name for its receiver", "main.go", "n = len(rest)", "n = len(rest) + 100", ""},
	{"a panic in it", "main.go", "\tn = len(rest)\n", "\tpanic(1)\n", ""},
	{"a function on one line", "main.go", "c.items = append(c.items, item)", "", ""},
	{"a recursive function", "main.go", "return 1 + fall", "return 2 + fall", ""},
	{"labels", "main.go", "i*j == 6", "i*j == 4", ""},
	{"labels twice", "main.go", "i*j == 6", "i*j == 9", ""},
	{"an initialiser", "main.go", "limit = 10", "limit = 11", ""},
	{"an initialiser twice", "main.go", "limit = 10", "limit = 12", ""},
	{"a composite initialiser", "main.go", `{"a", "b"}`, `{"c"}`, ""},
	{"main", "main.go", "len(os.Args) == 1", "len(os.Args) == 9", ""},
	{"an embedded file", "data/one.txt", "one", "changed", ""},
	{"an import that only it uses", "main.go", "\t\"embed\"\n\x00\"%s %v\\n\", text, err)", "\t\"embed\"\n\tupper \"strings\"\n\x00\"%s %v\\n\", upper.ToUpper(string(text)), err)", ""},
	{"an import that it does not use", "main.go", "\t\"os/exec\"\n\x00exec.Command(\"/proc/self/exe\", \"child\")\x00child.Env = []string{\"EMPTY=\"}\x00out, err := child.CombinedOutput()",
		"\x00\"no child\"\x00\x00out := child", ""},
	{"a signature", "main.go", "func fall(n int) int", "func fall(n int) (m int)", "changes a declaration"},
	{"a new function", "main.go", "func search()", "func more() {}\n\nfunc search()", "changes a declaration"},
	{"a directive", "main.go", "func fall", "//go:noinline\nfunc fall", "changes a declaration"},
	{"a comment", "main.go", "func fall", "// Fall falls.\nfunc fall", "changes no function"},
	{"two variables at once", "main.go", `"two", "values"`, `"two", "others"`, "changes a declaration"},
	{"an initialiser that calls", "main.go", "limit = 10", "limit = len(names)", "calls something"},
	{"no Go", "main.go", "func fall(", "func (", "does not parse"},
}

func TestCombine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a process reads its choice from /proc/self/exe, which " + runtime.GOOS + " does not have")
	}
	files := map[string]string{}
	for name, text := range program {
		files[name] = text
	}
	root := write(t, files)
	mutations := mutationsOf(t, files)
	c, err := mutation.Combine(root, mutations, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range edits {
		why := c.Apart[i]
		if (why == nil) != (e.apart == "") || why != nil && !strings.Contains(why.Error(), e.apart) {
			t.Errorf("%s is kept apart because of %v, must be %q", e.name, why, e.apart)
		}
		if why != nil && !errors.Is(why, mutation.ErrApart) {
			t.Errorf("%s: %v is no ErrApart", e.name, why)
		}
	}
	folder := t.TempDir()
	overlay, err := c.WriteOverlay(folder)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "program")
	if out, err := build(root, overlay, binary); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	unchanged := filepath.Join(t.TempDir(), "program")
	if out, err := build(root, "", unchanged); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(output(t, unchanged), output(t, binary)); diff != "" {
		t.Errorf("with no mutation chosen (-unchanged +combined):\n%s", diff)
	}
	for i, e := range edits {
		if c.Apart[i] != nil {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			chosen := filepath.Join(folder, mutation.BinaryName(mutation.Number(i)))
			if err := os.Link(binary, chosen); err != nil {
				t.Fatal(err)
			}
			alone := buildAlone(t, root, mutations[i])
			want := output(t, alone)
			if diff := cmp.Diff(want, output(t, chosen)); diff != "" {
				t.Errorf("(-alone +combined)\n%s", diff)
			}
			if want == output(t, unchanged) {
				t.Error("the mutation changes nothing, so this shows nothing")
			}
		})
	}
	for name, text := range files {
		if now, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(now) != text {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
}

// mutationsOf applies the edits. Texts at several places are separated by \x00.
func mutationsOf(t *testing.T, files map[string]string) []mutation.Mutation {
	t.Helper()
	var out []mutation.Mutation
	for _, e := range edits {
		changed := files[e.file]
		replacements := strings.Split(e.replace, "\x00")
		for i, find := range strings.Split(e.find, "\x00") {
			if !strings.Contains(changed, find) {
				t.Fatalf("%s: there is no %q", e.name, find)
			}
			changed = strings.Replace(changed, find, replacements[i], 1)
		}
		out = append(out, mutation.Mutation{Name: e.name, Files: map[string][]byte{e.file: []byte(changed)}})
	}
	return out
}

// A mutation that does not compile is named by the compiler's words, with those that
// compile left alone.
func TestCulprits(t *testing.T) {
	root := write(t, program)
	text := program["main.go"]
	changed := func(name, find, replace string) mutation.Mutation {
		return mutation.Mutation{Name: name, Files: map[string][]byte{"main.go": []byte(strings.Replace(text, find, replace, 1))}}
	}
	mutations := []mutation.Mutation{
		changed("right", "return 1 + fall", "return 2 + fall"),
		changed("wrong", "return 1 + fall", "return undefined + fall"),
		changed("unused", "found = 10*i + j", "unused := 1"),
		changed("wrong initialiser", "limit = 10", `limit = "x"`),
		changed("also right", "limit = 10", "limit = 11"),
	}
	c, err := mutation.Combine(root, mutations, nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	overlay, err := c.WriteOverlay(folder)
	if err != nil {
		t.Fatal(err)
	}
	out, err := build(root, overlay, filepath.Join(folder, "program"))
	if err == nil {
		t.Fatal("it builds")
	}
	if diff := cmp.Diff([]int{1, 2, 3}, c.Culprits(out)); diff != "" {
		t.Errorf("%s\n%s", diff, out)
	}
	rest, err := mutation.Combine(root, mutations, map[int]bool{1: true, 2: true, 3: true})
	if err != nil {
		t.Fatal(err)
	}
	if overlay, err = rest.WriteOverlay(folder); err != nil {
		t.Fatal(err)
	}
	if out, err := build(root, overlay, filepath.Join(folder, "program")); err != nil {
		t.Errorf("without them: %v\n%s", err, out)
	}
	if got := c.Culprits("somewhere/else.go:3:1: wrong\nmain.go:1:1: wrong"); len(got) != 0 {
		t.Errorf("lines of no mutation are blamed on %v", got)
	}
}

// C++ in a package with cgo.
func TestCombineCPP(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a process reads its choice from /proc/self/exe, which " + runtime.GOOS + " does not have")
	}
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("g++ is missing, which builds the C++ of this test")
	}
	const source = `#include <string.h>
#define TWICE(x) ({ \
  (x) * 2; })
namespace { // {
enum Kind { kOne, kTwo };
static const int table[] = {1, 2, static_cast<int>(sizeof(int))};
struct Point {
  int x;
  explicit Point(int value) : x(value) {}
  int Twice() const { return TWICE(x); }
};
static const char* text = R"x({ " }x" })x";
int Count(char c) {
  switch (c) {
    case '{': return 1'000;
    case '"': return 2;
  }
  return table[1];
}
}  // namespace
extern "C" {
int compute(int n) {
  static int calls = 0;
  calls++;
  if (n > 3) { return Point(n).Twice() + calls; }
  return Count('{') + static_cast<int>(strlen(text));
}
void store(int* to) { *to = 7; }
}
`
	files := map[string]string{
		"go.mod":     "module example.com/small\n\ngo 1.26\n",
		"c/shim.h":   "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint compute(int n);\nvoid store(int* to);\n#ifdef __cplusplus\n}\n#endif\n",
		"c/shim.cc":  "#include \"shim.h\"\n" + source,
		"c/shim.go":  "package c\n\n// #cgo CXXFLAGS: -std=c++17\n// #include \"shim.h\"\nimport \"C\"\n\nfunc Both() (int, int, int) {\n\tvar to C.int\n\tC.store(&to)\n\treturn int(C.compute(1)), int(C.compute(9)), int(to)\n}\n",
		"main.go":    "package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/small/c\"\n)\n\nfunc main() { fmt.Println(c.Both()) }\n",
		"c/other.go": "package c\n\nvar Other = 1\n",
	}
	root := write(t, files)
	var mutations []mutation.Mutation
	for _, e := range []struct{ find, replace string }{
		{"n > 3", "n > 30"}, {"return 1'000", "return 5"}, {"*to = 7;", ""}, {"return TWICE(x);", "return x;"}, {"table[1]", "table[2]"},
		{"{1, 2, ", "{1, 3, "}, {"void store", "void more() {}\nvoid store"},
	} {
		text := strings.Replace(files["c/shim.cc"], e.find, e.replace, 1)
		mutations = append(mutations, mutation.Mutation{Name: e.find, Files: map[string][]byte{"c/shim.cc": []byte(text)}})
	}
	goEdit := strings.Replace(files["c/shim.go"], "int(to)", "-int(to)", 1)
	mutations = append(mutations, mutation.Mutation{Name: "Go with cgo", Files: map[string][]byte{"c/shim.go": []byte(goEdit)}})
	c, err := mutation.Combine(root, mutations, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Apart) != 2 || !errors.Is(c.Apart[5], mutation.ErrApart) || !errors.Is(c.Apart[6], mutation.ErrApart) {
		t.Fatalf("kept apart: %v", c.Apart)
	}
	folder := t.TempDir()
	overlay, err := c.WriteOverlay(folder)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "program")
	if out, err := build(root, overlay, binary); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := []string{output(t, binary)}
	for i := range mutations {
		if c.Apart[i] == nil {
			chosen := filepath.Join(folder, mutation.BinaryName(mutation.Number(i)))
			if err := os.Link(binary, chosen); err != nil {
				t.Fatal(err)
			}
			got = append(got, output(t, chosen))
		}
	}
	want := []string{"1009 20 7\n", "1009 1009 7\n", "14 20 7\n", "1009 20 0\n", "1009 11 7\n", "1009 20 7\n", "1009 20 -7\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func build(root, overlay, binary string) (string, error) {
	out, err := exec.Command("go", "build", "-C", root, "-overlay", overlay, "-o", binary, ".").CombinedOutput()
	return string(out), err
}

func buildAlone(t *testing.T, root string, one mutation.Mutation) string {
	t.Helper()
	folder := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range one.Files {
		changed := filepath.Join(folder, fmt.Sprint(len(overlay.Replace))+filepath.Ext(file))
		if err := os.WriteFile(changed, text, 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, file)] = changed
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "program")
	if out, err := build(root, name, binary); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

func output(t *testing.T, binary string) string {
	t.Helper()
	out, err := exec.Command(binary).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}
