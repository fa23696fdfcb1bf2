package executor

import (
	"fmt"
	"reflect"

	"github.com/isogate/isogate/protocol"
)

// This file owns the executor's own limits.

// resolveLimits returns the defaults and the maxima in force.
func resolveLimits(c Config) (defaults, max protocol.Limits, err error) {
	max, err = c.Max.Resolve(protocol.MaxLimits, protocol.MaxLimits)
	if err != nil {
		return defaults, max, fmt.Errorf("executor: Config.Max: %w", err)
	}
	defaults, err = c.Defaults.Resolve(lower(protocol.DefaultLimits, max), max)
	if err != nil {
		return defaults, max, fmt.Errorf("executor: Config.Defaults: %w", err)
	}
	return defaults, max, nil
}

// lower returns l with every limit lowered to that of max. All limits are
// integers of 64 bits, durations included.
func lower(l, max protocol.Limits) protocol.Limits {
	have, most := reflect.ValueOf(&l).Elem(), reflect.ValueOf(max)
	for i := range have.NumField() {
		if bound := most.Field(i).Int(); have.Field(i).Int() > bound {
			have.Field(i).SetInt(bound)
		}
	}
	return l
}
