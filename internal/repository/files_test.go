package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// This file owns what every file has to keep.

func TestGoFilesSayWhatTheyOwn(t *testing.T) {
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(root(t), name), nil, parser.ParseComments)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !saysWhatItOwns(file) {
			t.Errorf("%s opens neither with a package comment nor with a comment \"This file owns …\"", name)
		}
	}
}

// saysWhatItOwns reports whether a file has a package comment, or a section of
// one, or a comment that says what it owns before its first declaration.
func saysWhatItOwns(file *ast.File) bool {
	if file.Doc != nil {
		for _, opening := range []string{"Package " + file.Name.Name, "Command ", "# "} {
			if strings.HasPrefix(file.Doc.Text(), opening) {
				return true
			}
		}
	}
	first := file.FileEnd
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			first = d.Pos()
			break
		}
	}
	for _, c := range file.Comments {
		if c.Pos() < first && strings.HasPrefix(c.Text(), "This file owns ") {
			return true
		}
	}
	return false
}

func TestOtherSourcesOpenWithAComment(t *testing.T) {
	for _, name := range files(t) {
		if strings.Contains(name, "/testdata/") || strings.HasPrefix(name, "examples/") {
			continue
		}
		want := ""
		switch path.Ext(name) {
		case ".cc", ".h", ".js", ".ts":
			want = "//"
		case ".sh":
			want = "#"
		}
		text := strings.TrimLeft(read(t, name), " \n")
		if want != "" && !strings.HasPrefix(text, want) && !strings.HasPrefix(text, "/*") {
			t.Errorf("%s does not open with a comment that says what it owns", name)
		}
	}
}

// unwanted are marks of unfinished work and of how the work was done. They are
// written in two halves, so that this file does not hold them.
var unwanted = regexp.MustCompile(`\b(` + strings.Join([]string{
	"TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK",
	"the le" + "ad", "hel" + "per session", "issues " + "show", "issue #?" + "[0-9]+", "st" + "age [A-Z]",
}, "|") + `)\b|/wo` + `rk/|/tmp/pl` + `an`)

func TestNoFileHoldsUnfinishedWork(t *testing.T) {
	for _, name := range files(t) {
		// A picture holds any letters by chance.
		if name == "LICENSE" || name == "go.sum" || path.Ext(name) == ".png" {
			continue
		}
		for i, line := range strings.Split(read(t, name), "\n") {
			if found := unwanted.FindString(line); found != "" {
				t.Errorf("%s:%d: %q", name, i+1, found)
			}
		}
	}
}

// looseEnd is a file that a working folder gathers and a repository does not want.
var looseEnd = regexp.MustCompile(`(^|/)(\.DS_Store|.*\.(orig|rej|swp|test|prof|exe|o|a|so))$`)

func TestNoLooseEnds(t *testing.T) {
	for _, name := range files(t) {
		if looseEnd.MatchString(name) {
			t.Errorf("%s does not belong into the repository", name)
		}
	}
}
