package bench

import (
	goparser "go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// This file owns the rule that lets this package measure older builds: it is laid
// over their source, so it uses of this module only what executes programs, and of
// others nothing.

func TestImports(t *testing.T) {
	const module = "github.com/isogate/isogate/"
	allowed := []string{"bench", "executor", "pool", "protocol", "sandbox"}
	files := 0
	for _, pattern := range []string{"*.go", "*/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			files++
			file, err := goparser.ParseFile(token.NewFileSet(), name, nil, goparser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				path, _ := strconv.Unquote(spec.Path.Value) // it was parsed
				folder, ours := strings.CutPrefix(path, module)
				top, _, _ := strings.Cut(folder, "/")
				if ours && !strings.Contains(" "+strings.Join(allowed, " ")+" ", " "+top+" ") || !ours && strings.Contains(path, ".") {
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
	if files < 10 {
		t.Errorf("only %d files were looked at", files)
	}
}
