package main

import (
	"fmt"
	"strings"

	"github.com/isogate/isogate/pool/child"
)

// This file owns the flag --sealing: levels of sealing measures.

const sealingUsage = "how much a sealing measure matters, `MEASURE=LEVEL`: required, wanted or off; may be repeated (doctor lists the measures)"

// sealingLevels reads the values of the flag.
func sealingLevels(values []string) (map[string]child.Level, error) {
	levels := map[string]child.Level{}
	for _, value := range values {
		name, level, ok := strings.Cut(value, "=")
		if !ok {
			return nil, fmt.Errorf("--sealing %s: it must be MEASURE=LEVEL", value)
		}
		if err := child.CheckLevels(map[string]child.Level{name: child.Level(level)}); err != nil {
			return nil, fmt.Errorf("--sealing %s: %w", value, err)
		}
		levels[name] = child.Level(level)
	}
	return levels, nil
}
