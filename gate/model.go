package gate

import (
	"errors"
	"os"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/threats"
)

// This file owns the model that the gate works with: the data of package
// threats together with the attacks in Go.

// LoadModel reads the embedded threat model and checks that it is complete.
// root is the module's root; when it is not empty, owners and controls are
// checked against the source there. The error joins every problem.
func LoadModel(root string) (*threats.Model, error) {
	m, err := threats.Load()
	if err != nil {
		return nil, err
	}
	problems := threats.CheckModel(m, native.Names())
	if root != "" {
		problems = append(problems, threats.CheckSources(m, os.DirFS(root))...)
	}
	return m, errors.Join(problems...)
}
