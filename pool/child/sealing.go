package child

import "github.com/isogate/isogate/protocol"

// This file owns the order of sealing and its report. There are two groups of
// steps: those at the very start, before the process has done anything, and those
// when the engine is up, after which it opens no file, starts no process and
// calls nothing that the filter does not know.

// step takes one measure.
type step struct {
	measure string
	take    func() error
}

// sealing is what a child has reached of the measures it was told to take.
type sealing struct {
	wanted  map[string]bool
	reached []string
	missing []protocol.Unsealed
}

// newSealing starts the report with what the parent did when it started the
// child: the namespaces that it names exist, or the child would not.
func newSealing(argument string) *sealing {
	s := &sealing{wanted: splitMeasures(argument)}
	for _, name := range Namespaces {
		if s.wanted[name] {
			s.reached = append(s.reached, name)
		}
	}
	return s
}

// take takes those of the steps that were asked for, in order. One that fails is
// reported with its reason; whether the child is used without it is the parent's
// decision, and no reason to leave out those that follow.
func (s *sealing) take(steps []step) {
	for _, step := range steps {
		if !s.wanted[step.measure] {
			continue
		}
		if err := step.take(); err != nil {
			s.missing = append(s.missing, protocol.Unsealed{Measure: step.measure, Reason: err.Error()})
			continue
		}
		s.reached = append(s.reached, step.measure)
	}
}
