package pool

import (
	"fmt"
	"slices"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns which sealing measures children take and which child is refused
// for one that it lacks.

// SealingState is what became of one measure in a child.
type SealingState struct {
	// Measure is its name, Level what the configuration says of it.
	Measure string
	Level   child.Level
	// InForce reports that the child has taken it. Otherwise Reason says why not.
	InForce bool
	Reason  string
}

// seals are the measures of a pool's children. They do not change once the snapshot
// has been made.
type seals struct {
	levels  map[string]child.Level // of every measure
	taken   []string               // those that are tried
	refused map[string]string      // namespaces that this machine does not give, and why
}

func newSeals(levels map[string]child.Level) seals {
	s := seals{levels: map[string]child.Level{}, refused: map[string]string{}}
	for _, m := range child.Measures() {
		level, ok := levels[m.Name]
		if !ok {
			level = m.Default
		}
		s.levels[m.Name] = level
		if level != child.Off {
			s.taken = append(s.taken, m.Name)
		}
	}
	return s
}

// refuse notes that a measure cannot be had on this machine.
func (s *seals) refuse(name, reason string) {
	s.refused[name] = reason
	s.taken = slices.DeleteFunc(s.taken, func(other string) bool { return other == name })
}

// wantNamespaces reports whether children are to have a namespace.
func (s *seals) wantNamespaces() bool {
	return slices.ContainsFunc(child.Namespaces, func(name string) bool { return slices.Contains(s.taken, name) })
}

// reason returns why a measure that was not reported is not in force.
func (s *seals) reason(name string, welcome *protocol.Welcome) string {
	if s.levels[name] == child.Off {
		return "the configuration turns it off"
	}
	if reason, ok := s.refused[name]; ok {
		return reason
	}
	for _, missing := range welcome.Unsealed {
		if missing.Measure == name {
			return missing.Reason
		}
	}
	return "the child does not report it"
}

// states returns the state of every measure of the child that sent the welcome.
func (s *seals) states(welcome *protocol.Welcome) []SealingState {
	var states []SealingState
	for _, m := range child.Measures() {
		state := SealingState{Measure: m.Name, Level: s.levels[m.Name], InForce: slices.Contains(welcome.Sealed, m.Name)}
		if !state.InForce {
			state.Reason = s.reason(m.Name, welcome)
		}
		states = append(states, state)
	}
	return states
}

// check returns an error when the child lacks a required measure.
func (s *seals) check(welcome *protocol.Welcome) error {
	for _, state := range s.states(welcome) {
		//gate:protects sealing-fails-closed
		if state.Level == child.Required && !state.InForce {
			m, _ := child.FindMeasure(state.Measure)
			return fmt.Errorf("it is not sealed with %q, which the configuration requires: %s (%s)", m.Name, state.Reason, m.Remedy)
		}
	}
	return nil
}

// checkRefused returns an error when this machine does not give a required measure.
func (s *seals) checkRefused() error {
	for _, name := range child.Namespaces {
		//gate:protects sealing-fails-closed
		if reason, ok := s.refused[name]; ok && s.levels[name] == child.Required {
			m, _ := child.FindMeasure(name)
			return &protocol.Unavailable{Reason: fmt.Sprintf("children cannot be sealed with %q, which the configuration requires: %s (%s)", name, reason, m.Remedy)}
		}
	}
	return nil
}
