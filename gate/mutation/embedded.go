package mutation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// This file owns embedded files: each mutation has a copy of all that a variable
// holds, in a package of its own that exists in the overlay only.

// embeddedFile is a file that a variable of type embed.FS holds.
type embeddedFile struct{ holder embedding }

// embedding is a variable of type embed.FS.
type embedding struct {
	folder   string // of its package, in the module
	pkg      string // the package's name
	variable string
	patterns []string // each without "all:" and quotes, for files
}

// embeddedPart is the other text of an embedded file.
type embeddedPart struct {
	by   int
	text []byte
}

func (p embeddedPart) number() int { return p.by }

// readEmbedded finds the variable that holds a file.
func (m *module) readEmbedded(file string) (*embeddedFile, error) {
	for folder := path.Dir(file); ; folder = path.Dir(folder) {
		sources, err := filepath.Glob(filepath.Join(m.root, filepath.FromSlash(folder), "*.go"))
		if err != nil {
			return nil, err
		}
		for _, source := range sources {
			if strings.HasSuffix(source, "_test.go") {
				continue
			}
			held, err := embeddings(source, folder)
			if err != nil {
				return nil, err
			}
			for _, e := range held {
				if e.holds(strings.TrimPrefix(file, folder+"/")) {
					return &embeddedFile{e}, nil
				}
			}
		}
		if folder == "." || folder == "/" {
			return nil, fmt.Errorf("%w: no variable of type embed.FS holds it by a pattern for files", ErrApart)
		}
	}
}

// embeddings returns the variables of type embed.FS of a Go file.
func embeddings(source, folder string) ([]embedding, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrApart, err)
	}
	var out []embedding
	for _, declaration := range parsed.Decls {
		d, ok := declaration.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR || d.Doc == nil || len(d.Specs) != 1 {
			continue
		}
		spec := d.Specs[0].(*ast.ValueSpec)
		kind, ok := spec.Type.(*ast.SelectorExpr)
		if !ok || kind.Sel.Name != "FS" || len(spec.Names) != 1 {
			continue
		}
		e := embedding{folder: folder, pkg: parsed.Name.Name, variable: spec.Names[0].Name}
		for _, comment := range d.Doc.List {
			if patterns, ok := strings.CutPrefix(comment.Text, "//go:embed "); ok {
				e.patterns = append(e.patterns, strings.Fields(patterns)...)
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// holds reports whether a pattern matches a path in the package's folder.
func (e embedding) holds(name string) bool {
	for _, pattern := range e.patterns {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}

// contents returns all that the variable holds, as paths in the package's folder.
func (e embedding) contents(root string) ([]string, error) {
	var names []string
	for _, pattern := range e.patterns {
		matches, err := fs.Glob(os.DirFS(filepath.Join(root, filepath.FromSlash(e.folder))), pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, matches...)
	}
	return names, nil
}

func (f *embeddedFile) compare(_ *module, _ string, text []byte, number int) ([]part, error) {
	return []part{embeddedPart{number, text}}, nil
}

func (f *embeddedFile) combine(m *module, c *Combined, file string, parts []part) error {
	e := f.holder
	for _, p := range parts {
		p := p.(embeddedPart)
		name := fmt.Sprintf("%s_%d", e.variable, p.by)
		folder := path.Join(chosenFolder, strings.ReplaceAll(e.folder, "/", "_"), name)
		if _, made := c.files[path.Join(folder, "files.go")]; !made {
			contents, err := e.contents(m.root)
			if err != nil {
				return err
			}
			for _, content := range contents {
				c.links[path.Join(folder, content)] = path.Join(e.folder, content)
			}
			c.files[path.Join(folder, "files.go")] = fmt.Appendf(nil,
				"// Package %s holds the files of one mutation.\npackage %[1]s\n\nimport \"embed\"\n\n//go:embed %[2]s\nvar Files embed.FS\n", name, strings.Join(e.patterns, " "))
			// One file for each, because a variable is set in one place then.
			c.files[path.Join(e.folder, fmt.Sprintf("aaa_chosen_%s.go", name))] = fmt.Appendf(nil,
				"package %s\n\n%s\n\nimport %s %q\n\nfunc init() {\n\tif %s.Number == %d {\n\t\t%s = %s.Files\n\t}\n}\n",
				e.pkg, m.chosenImport(), name, path.Join(m.path, folder), chosenName, p.by, e.variable, name)
		}
		inside := path.Join(folder, strings.TrimPrefix(file, e.folder+"/"))
		delete(c.links, inside)
		c.files[inside] = p.text
	}
	return nil
}
