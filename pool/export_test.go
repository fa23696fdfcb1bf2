package pool

import (
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns what the tests see of the judgement on sealing.

// Seals are the measures of a pool's children.
type Seals struct{ seals }

// NewSeals returns those that a configuration asks for.
func NewSeals(levels map[string]child.Level) *Seals { return &Seals{newSeals(levels)} }

// Taken returns the measures that are tried.
func (s *Seals) Taken() []string { return s.taken }

// Refuse notes that a measure cannot be had on this machine.
func (s *Seals) Refuse(name, reason string) { s.refuse(name, reason) }

// States returns the state of every measure.
func (s *Seals) States(welcome *protocol.Welcome) []SealingState { return s.states(welcome) }

// Check judges a child.
func (s *Seals) Check(welcome *protocol.Welcome) error { return s.check(welcome) }

// CheckRefused judges a machine.
func (s *Seals) CheckRefused() error { return s.checkRefused() }
