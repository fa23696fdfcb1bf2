//go:build !linux

package child

import "errors"

// This file owns the platforms on which a child cannot seal itself, and
// therefore does not run.

var errUnsupported = errors.New("children can be sealed on Linux only")

func startSteps(string) []step { return nil }

func finalSteps(*sealing, string) []step { return nil }

func enterNamespaces(*sealing) error { return nil }

func nameProcess() {}

func mapSnapshot() ([]byte, error) { return nil, errUnsupported }
