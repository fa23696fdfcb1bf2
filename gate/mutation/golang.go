package mutation

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// This file owns Go files: where they can be changed, what a changed text changes,
// and writing all changes into one text.

// goFile is a Go file as a skeleton with holes. Two texts whose skeletons are equal
// differ in their holes and imports only.
type goFile struct {
	text       []byte
	packageEnd int // behind the package's name
	skeleton   string
	holes      []goHole
	imports    []string // as written, without import "C"
}

// goHole is the body of a function with its braces, or the initialiser of a
// package variable.
type goHole struct {
	start, end int
	body       bool
	results    bool   // the function returns something
	varType    string // the variable's type, when it is written down
	calls      bool   // the initialiser calls something
	labels     []int  // where labels stand, each the end of its name
}

// goPart is the other text of a hole.
type goPart struct {
	by      int
	hole    int
	text    string
	imports []string // those that the file as it is lacks
}

func (p goPart) number() int { return p.by }

// readGo finds the holes of a Go file.
func readGo(name string, text []byte) (*goFile, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%w: it does not parse: %v", ErrApart, err)
	}
	f := &goFile{text: text, packageEnd: offset(set, parsed.Name.End())}
	var skipped [][2]int // import declarations
	preamble := 0        // comments before it are C
	for _, declaration := range parsed.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				f.holes = append(f.holes, goHole{
					start: offset(set, d.Body.Lbrace), end: offset(set, d.Body.Rbrace) + 1, body: true,
					results: d.Type.Results.NumFields() > 0, labels: labels(set, d.Body),
				})
			}
		case *ast.GenDecl:
			switch {
			case d.Tok == token.IMPORT && isC(d):
				preamble = offset(set, d.Pos())
			case d.Tok == token.IMPORT:
				skipped = append(skipped, [2]int{offset(set, d.Pos()), offset(set, d.End())})
				for _, spec := range d.Specs {
					f.imports = append(f.imports, string(text[offset(set, spec.Pos()):offset(set, spec.End())]))
				}
			case d.Tok == token.VAR:
				for _, spec := range d.Specs {
					if hole, ok := variableHole(set, text, spec.(*ast.ValueSpec)); ok {
						f.holes = append(f.holes, hole)
					}
				}
			}
		}
	}
	f.skeleton = skeleton(text, f.holes, skipped, preamble)
	return f, nil
}

func isC(d *ast.GenDecl) bool {
	return len(d.Specs) == 1 && d.Specs[0].(*ast.ImportSpec).Path.Value == `"C"`
}

// variableHole returns the initialiser of a package variable.
func variableHole(set *token.FileSet, text []byte, spec *ast.ValueSpec) (goHole, bool) {
	if len(spec.Names) != 1 || len(spec.Values) != 1 {
		return goHole{}, false
	}
	value := spec.Values[0]
	hole := goHole{start: offset(set, value.Pos()), end: offset(set, value.End())}
	if spec.Type != nil {
		hole.varType = string(text[offset(set, spec.Type.Pos()):offset(set, spec.Type.End())])
	}
	ast.Inspect(value, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false // it is not run here
		case *ast.CallExpr:
			hole.calls = true
		}
		return true
	})
	return hole, true
}

// labels returns where the names of labels end in a body, in order.
func labels(set *token.FileSet, body *ast.BlockStmt) []int {
	var ends []int
	ast.Inspect(body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.LabeledStmt:
			ends = append(ends, offset(set, s.Label.End()))
		case *ast.BranchStmt:
			if s.Label != nil {
				ends = append(ends, offset(set, s.Label.End()))
			}
		}
		return true
	})
	sort.Ints(ends)
	return ends
}

// skeleton returns a file's tokens outside holes and imports, with those comments
// that mean something to the compiler.
func skeleton(text []byte, holes []goHole, skipped [][2]int, preamble int) string {
	type gap struct {
		start, end int
		mark       string
	}
	var gaps []gap
	for _, h := range holes {
		mark := "{}"
		if !h.body {
			mark = "=?"
		}
		gaps = append(gaps, gap{h.start, h.end, mark})
	}
	for _, s := range skipped {
		gaps = append(gaps, gap{s[0], s[1], ""})
	}
	sort.Slice(gaps, func(i, j int) bool { return gaps[i].start < gaps[j].start })
	var tokens scanner.Scanner
	set := token.NewFileSet()
	tokens.Init(set.AddFile("", -1, len(text)), text, nil, scanner.ScanComments)
	var out []string
	add := func(word string) {
		if word != "" && (word != ";" || len(out) > 0 && out[len(out)-1] != ";") {
			out = append(out, word)
		}
	}
	for {
		at, kind, literal := tokens.Scan()
		if kind == token.EOF {
			return strings.Join(out, "\x00")
		}
		place := offset(set, at)
		for len(gaps) > 0 && place >= gaps[0].end {
			gaps = gaps[1:]
		}
		switch inside := len(gaps) > 0 && place >= gaps[0].start; {
		case inside:
			if place == gaps[0].start {
				add(gaps[0].mark)
			}
		case kind == token.COMMENT:
			if place < preamble || directive(literal) {
				add(literal)
			}
		case kind == token.SEMICOLON:
			add(";")
		case literal != "":
			add(literal)
		default:
			add(kind.String())
		}
	}
}

// directive reports whether a comment means something to the compiler.
func directive(comment string) bool {
	for _, prefix := range []string{"//go:", "//line ", "/*line ", "//export ", "// +build", "//extern "} {
		if strings.HasPrefix(comment, prefix) {
			return true
		}
	}
	return false
}

func (f *goFile) compare(_ *module, file string, text []byte, number int) ([]part, error) {
	changed, err := readGo(file, text)
	if err != nil {
		return nil, err
	}
	if changed.skeleton != f.skeleton || len(changed.holes) != len(f.holes) {
		return nil, fmt.Errorf("%w: it changes a declaration", ErrApart)
	}
	var imports []string
	for _, spec := range changed.imports {
		if !slices.Contains(f.imports, spec) {
			imports = append(imports, spec)
		}
	}
	var parts []part
	for i, hole := range f.holes {
		other := changed.holes[i]
		if bytes.Equal(f.text[hole.start:hole.end], text[other.start:other.end]) {
			continue
		}
		if !hole.body && other.calls {
			// It would be run in every process, whichever mutation that is.
			return nil, fmt.Errorf("%w: it calls something to initialise a variable", ErrApart)
		}
		parts = append(parts, goPart{by: number, hole: i, text: relabelled(text, other, number), imports: imports})
	}
	return parts, nil
}

// relabelled returns the text of a hole with labels that no other form of the same
// function has.
func relabelled(text []byte, hole goHole, number int) string {
	var b strings.Builder
	at := hole.start
	for _, end := range hole.labels {
		b.Write(text[at:end])
		fmt.Fprintf(&b, "_mutation%d", number)
		at = end
	}
	b.Write(text[at:hole.end])
	return b.String()
}

func (f *goFile) combine(m *module, c *Combined, file string, parts []part) error {
	if len(parts) == 0 {
		return nil
	}
	byHole := map[int][]goPart{}
	wanted := map[string][]int{}
	for _, p := range parts {
		p := p.(goPart)
		byHole[p.hole] = append(byHole[p.hole], p)
		for _, spec := range p.imports {
			if !slices.Contains(wanted[spec], p.by) {
				wanted[spec] = append(wanted[spec], p.by)
			}
		}
	}
	w := newWriter()
	w.write(string(f.text[:f.packageEnd]))
	w.write("; " + m.chosenImport() + "\n")
	for _, spec := range sortedKeys(wanted) {
		w.writeFor(wanted[spec], "import "+spec)
		w.write("\n")
	}
	at := f.packageEnd
	for i, hole := range f.holes {
		if len(byHole[i]) == 0 {
			continue
		}
		if hole.body {
			w.write(string(f.text[at : hole.start+1]))
			for _, p := range byHole[i] {
				w.write("\n")
				w.writeFor([]int{p.by}, branch(p, hole.results))
				w.write("\n")
			}
			at = hole.start + 1
			continue
		}
		w.write(string(f.text[at:hole.start]))
		typed := ""
		if hole.varType != "" {
			typed = "[" + hole.varType + "]"
		}
		for _, p := range byHole[i] {
			w.write(chosenName + ".Choose" + typed + "(\n")
			w.writeFor([]int{p.by}, fmt.Sprintf("%d, %s,", p.by, p.text))
			w.write("\n")
		}
		w.write(string(f.text[hole.start:hole.end]))
		w.write(strings.Repeat(")", len(byHole[i])))
		at = hole.end
	}
	w.write(string(f.text[at:]))
	w.into(c, file)
	return nil
}

// branch returns one form of a body as a branch that returns.
func branch(p goPart, results bool) string {
	text := fmt.Sprintf("if %s.Number == %d %s", chosenName, p.by, p.text)
	if results {
		return text // a body that returns something ends in returning
	}
	return strings.TrimSuffix(text, "}") + "\nreturn\n}"
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
