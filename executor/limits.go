package executor

import (
	"fmt"

	"github.com/isogate/isogate/protocol"
)

// This file owns the executor's own limits.

// resolveLimits returns the defaults and the maxima in force.
func resolveLimits(c Config) (defaults, max protocol.Limits, err error) {
	max, err = c.Max.Resolve(protocol.MaxLimits, protocol.MaxLimits)
	if err != nil {
		return defaults, max, fmt.Errorf("executor: Config.Max: %w", err)
	}
	defaults, err = c.Defaults.Resolve(protocol.DefaultLimits.Lower(max), max)
	if err != nil {
		return defaults, max, fmt.Errorf("executor: Config.Defaults: %w", err)
	}
	return defaults, max, nil
}
