//go:build !linux

package probe

import "errors"

// This file owns the platforms on which there is nothing to probe.

func perform(string, *Target) Answer {
	return Answer{Call: "every call", Errno: "ENOSYS"}
}

// Scene is what probes work on, see the Linux version.
type Scene struct{ Target Target }

// NewScene fails: there is nothing to probe.
func NewScene(directory, binary string) (*Scene, error) { return nil, errors.ErrUnsupported }

// Prepare does nothing.
func (s *Scene) Prepare() error { return nil }

// Close does nothing.
func (s *Scene) Close() error { return nil }

// Capable reports false: there are no capabilities.
func Capable(int) bool { return false }
