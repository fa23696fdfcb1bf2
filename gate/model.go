package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/threats"
)

// This file owns the model that the gate works with: the data of package
// threats together with the attacks in Go.

// LoadModel reads the embedded threat model and checks that it is complete.
// root is the module's root; when it is not empty, owners and controls are
// checked against the source there, that the model there is the embedded one, and the
// marks of protections there. The error joins every problem. The model is nil when it
// cannot be read at all.
func LoadModel(root string) (*threats.Model, error) {
	m, err := threats.Load()
	if err != nil {
		return nil, err
	}
	problems := CheckModel(m, native.Names())
	if root != "" {
		source := os.DirFS(root)
		problems = append(problems, threats.CheckSources(m, source)...)
		folder, err := fs.Sub(source, "threats")
		if err != nil {
			return nil, err
		}
		problems = append(problems, threats.CheckBuilt(folder)...)
		// A mark of a claim that was renamed would be swept for nothing.
		if _, _, err := FindMarks(m, root); err != nil {
			problems = append(problems, err)
		}
	}
	return m, errors.Join(problems...)
}

// LoadModelFrom reads another threat model, from a folder whose folders are claims, and
// checks it as [LoadModel] does. It need not name all attacks in Go: those that it does
// not name it does not try.
func LoadModelFrom(folder, root string) (*threats.Model, error) {
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return nil, fmt.Errorf("threat model: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("threat model: %s is no folder", folder)
	}
	m, err := threats.LoadFS(os.DirFS(folder), filepath.ToSlash(folder))
	if err != nil {
		return nil, err
	}
	problems := CheckModel(m, slices.DeleteFunc(native.Names(), func(name string) bool {
		return !slices.ContainsFunc(m.Claims, func(c *threats.Claim) bool {
			return slices.ContainsFunc(c.Native, func(n threats.NativeName) bool { return n.Name == name })
		})
	}))
	if root != "" {
		problems = append(problems, threats.CheckSources(m, os.DirFS(root))...)
	}
	return m, errors.Join(problems...)
}

// CheckModel finds what is missing from a model, apart from its source: see
// [threats.CheckModel] and [threats.CheckTargets]. natives are the names of the attacks
// in Go that there are.
func CheckModel(m *threats.Model, natives []string) []error {
	return append(threats.CheckModel(m, natives), threats.CheckTargets(m, TargetNames())...)
}
