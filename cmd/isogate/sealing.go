package main

import (
	"fmt"
	"slices"
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
		if _, known := child.FindMeasure(name); !known {
			var names []string
			for _, m := range child.Measures() {
				names = append(names, m.Name)
			}
			return nil, fmt.Errorf("--sealing %s: there is no such measure; there are %s", value, strings.Join(names, ", "))
		}
		if !slices.Contains([]child.Level{child.Required, child.Wanted, child.Off}, child.Level(level)) {
			return nil, fmt.Errorf("--sealing %s: the level must be %s, %s or %s", value, child.Required, child.Wanted, child.Off)
		}
		levels[name] = child.Level(level)
	}
	return levels, nil
}
