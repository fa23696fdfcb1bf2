package child

import "fmt"

// This file owns the order of sealing: named measures, applied one after the
// other before the first request is read. What each does is in
// sealing_linux.go; platforms without them are in sealing_other.go.

// measure is one step by which a child gives up a power.
type measure struct {
	// name is what Welcome.Sealed reports once the step is in force.
	name string
	// apply takes the step. An error ends the child: a step that this list names
	// is one that every kernel it is listed for offers.
	apply func() error
}

// seal applies the measures in order and returns the names of those in force.
func seal(measures []measure) ([]string, error) {
	reached := make([]string, 0, len(measures))
	for _, m := range measures {
		if err := m.apply(); err != nil {
			return reached, fmt.Errorf("sealing: %s: %w", m.name, err)
		}
		reached = append(reached, m.name)
	}
	return reached, nil
}

// Measures returns the names of the measures that a serving child takes on this
// platform, in the order it takes them. A supervisor that wants them all
// compares them with Welcome.Sealed.
func Measures() []string {
	var names []string
	for _, m := range startMeasures(RoleServe) {
		names = append(names, m.name)
	}
	return names
}
