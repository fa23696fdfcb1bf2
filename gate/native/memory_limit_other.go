//go:build !linux

package native

import "fmt"

// This file owns the systems on which another process's limits cannot be set.

func exhaustData(int) error { return fmt.Errorf("%w: prlimit(2)", ErrUnsupported) }
