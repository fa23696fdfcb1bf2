package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// This file owns finding the module's source.

// Module is the path of the module that the gate judges.
const Module = "github.com/isogate/isogate"

// FindRoot returns the folder of this module's go.mod, which is the given
// folder or one above it.
func FindRoot(from string) (string, error) {
	from, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	for dir := from; ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		switch {
		case err == nil && modfile.ModulePath(text) == Module:
			return dir, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		case dir == filepath.Dir(dir):
			return "", fmt.Errorf("the source of %s is not here: no go.mod of it in %s or above; run the gate inside a checkout", Module, from)
		}
	}
}
