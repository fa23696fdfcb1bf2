package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the rules that keep the documents true to the code.

// documents returns the Markdown files that describe the code.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range files(t) {
		if path.Ext(name) == ".md" && (strings.HasPrefix(name, "docs/") || name == "README.md") {
			out = append(out, name)
		}
	}
	if len(out) < 2 {
		t.Fatalf("the documents are %v", out)
	}
	return out
}

// The forms of what documents name in backticks.
var (
	quoted     = regexp.MustCompile("`([^`\n]+)`")
	fence      = regexp.MustCompile("(?ms)^```.*?^```$")
	fileForm   = regexp.MustCompile(`^\.?[A-Za-z0-9_./*-]+\.(go|js|ts|cc|h|md|sh|json|yaml|yml|mod|txt)$`)
	folderForm = regexp.MustCompile(`^[a-z][a-z0-9_./-]*/$`)
	goForm     = regexp.MustCompile(`^([a-z0-9]+)\.([A-Z]\w*)(?:\.([A-Z]\w*))?(?:\(\))?$`)
	makeForm   = regexp.MustCompile(`^make ([a-z-]+)$`)
	flagForm   = regexp.MustCompile(`^--([a-z][a-z-]*)`)
	link       = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)
)

// names calls visit with what a document names in backticks outside of fenced
// blocks, and where.
func names(t *testing.T, visit func(document, name string)) {
	t.Helper()
	for _, document := range documents(t) {
		prose := fence.ReplaceAllString(read(t, document), "")
		for _, match := range quoted.FindAllStringSubmatch(prose, -1) {
			visit(document, match[1])
		}
	}
}

func TestDocumentsNameExistingFiles(t *testing.T) {
	made := strings.Fields(read(t, ".gitignore")) // by the build; need not be there
	found := 0
	names(t, func(document, name string) {
		if !fileForm.MatchString(name) && !folderForm.MatchString(name) {
			return
		}
		// Only what has a folder is a claim about this repository; a bare name,
		// as program.js, may be the reader's own.
		if !strings.Contains(name, "/") && !slices.Contains(files(t), name) {
			return
		}
		found++
		if slices.ContainsFunc(made, func(ignored string) bool { return strings.HasPrefix("/"+name, ignored) }) {
			return
		}
		hits, err := filepath.Glob(filepath.Join(root(t), name))
		if err != nil || len(hits) == 0 {
			t.Errorf("%s names %s, which does not exist", document, name)
		}
	})
	if found == 0 {
		t.Error("no document names a file: the rule checks nothing")
	}
}

func TestDocumentsNameExistingIdentifiers(t *testing.T) {
	folders := map[string]string{}
	for _, p := range packages(t) {
		if folder, ours := relative(p.ImportPath); ours && !strings.HasPrefix(folder, "cmd/") {
			folders[path.Base(folder)] = folder
		}
	}
	declared := map[string]map[string]bool{}
	found := 0
	names(t, func(document, name string) {
		match := goForm.FindStringSubmatch(name)
		if match == nil || folders[match[1]] == "" {
			return
		}
		found++
		folder := folders[match[1]]
		if declared[folder] == nil {
			declared[folder] = declarations(t, folder)
		}
		identifier := match[2]
		if match[3] != "" {
			identifier += "." + match[3]
		}
		if !declared[folder][identifier] {
			t.Errorf("%s names %s, which %s does not declare", document, name, folder)
		}
	})
	if found == 0 {
		t.Error("no document names an identifier: the rule checks nothing")
	}
}

// declarations returns what a package declares: "Name", and "Type.Member" for
// methods, fields and the methods of interfaces.
func declarations(t *testing.T, folder string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	matches, err := filepath.Glob(filepath.Join(root(t), folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range matches {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				out[receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					declare(out, spec)
				}
			}
		}
	}
	return out
}

// receiver returns "Type." for a method, nothing for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	e := f.Recv.List[0].Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}

// declare adds the names of one specification in a declaration.
func declare(out map[string]bool, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			out[n.Name] = true
		}
	case *ast.TypeSpec:
		out[s.Name.Name] = true
		var members *ast.FieldList
		switch body := s.Type.(type) {
		case *ast.StructType:
			members = body.Fields
		case *ast.InterfaceType:
			members = body.Methods
		default:
			return
		}
		for _, f := range members.List {
			for _, n := range f.Names {
				out[s.Name.Name+"."+n.Name] = true
			}
		}
	}
}

func TestDocumentsNameExistingTargetsAndFlags(t *testing.T) {
	makefile := read(t, "Makefile")
	var commands strings.Builder
	for _, name := range files(t) {
		isCommand := strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "runtime/conformance/")
		if isCommand && path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			commands.WriteString(read(t, name))
		}
	}
	names(t, func(document, name string) {
		if match := makeForm.FindStringSubmatch(name); match != nil && !regexp.MustCompile(`(?m)^`+match[1]+`:`).MatchString(makefile) {
			t.Errorf("%s names %s, which the Makefile does not have", document, name)
		}
		if match := flagForm.FindStringSubmatch(name); match != nil && !strings.Contains(commands.String(), `"`+match[1]+`"`) {
			t.Errorf("%s names the flag --%s, which no command defines", document, match[1])
		}
	})
}

func TestLinksLeadSomewhere(t *testing.T) {
	for _, document := range documents(t) {
		for _, match := range link.FindAllStringSubmatch(read(t, document), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			target := path.Join(path.Dir(document), match[1])
			if _, err := os.Stat(filepath.Join(root(t), target)); err != nil {
				t.Errorf("%s links to %s, which does not exist", document, match[1])
			}
		}
	}
}

func TestIndexLinksEveryChapter(t *testing.T) {
	index := read(t, "docs/README.md")
	for _, document := range documents(t) {
		if name, inside := strings.CutPrefix(document, "docs/"); inside && name != "README.md" && !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

func TestTheContractNamesEveryFaultLimitAndMessage(t *testing.T) {
	chapter := read(t, "docs/contract.md")
	need := func(kind, name string) {
		if !strings.Contains(chapter, "`"+name+"`") {
			t.Errorf("docs/contract.md does not name the %s `%s`", kind, name)
		}
	}
	for _, code := range protocol.Codes() {
		need("fault", string(code))
	}
	limits, err := protocol.MaxLimits.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(string(limits), -1) {
		need("limit", match[1])
	}
	for _, grant := range protocol.Grants {
		need("grant", string(grant))
	}
	for _, match := range regexp.MustCompile(`Type\s*=\s*"(\w+)"`).FindAllStringSubmatch(read(t, "protocol/message.go"), -1) {
		need("message", match[1])
	}
}

func TestTheChapterNamesEverySealingMeasure(t *testing.T) {
	chapter := read(t, "docs/sealing.md")
	for _, m := range child.Measures() {
		if !strings.Contains(chapter, "| `"+m.Name+"` |") {
			t.Errorf("docs/sealing.md does not explain the measure %s", m.Name)
		}
	}
}
