//go:build !linux

package kernel

import "runtime"

// This file owns the answer on systems that isogate cannot seal children on.

func features() []Feature {
	out := make([]Feature, len(purposes))
	for i, p := range purposes {
		out[i] = Feature{Name: p.name, Purpose: p.purpose, Detail: runtime.GOOS + " has no such thing: it is a feature of Linux"}
	}
	return out
}
