package suite

// This file owns counting: what of a result passed, out of how many.

// Tally counts tests, or subtests where tests have them.
type Tally struct{ Passed, Total int }

// Add adds another tally.
func (t *Tally) Add(o Tally) {
	t.Passed += o.Passed
	t.Total += o.Total
}

// Percent is the share that passed, 0 to 100; 0 of nothing.
func (t Tally) Percent() float64 {
	if t.Total == 0 {
		return 0
	}
	return 100 * float64(t.Passed) / float64(t.Total)
}

// Count counts one result. hasSubtests says that the parts count; known is the
// largest number of them that is known. Those that were not reported failed.
func Count(r Result, hasSubtests bool, known int) Tally {
	if r.LeftOut != "" {
		return Tally{}
	}
	if !hasSubtests {
		t := Tally{Total: 1}
		if r.Outcome == Pass {
			t.Passed = 1
		}
		return t
	}
	// A test of which nothing at all is known counts as one part that failed.
	t := Tally{Total: max(known, len(r.Subtests), 1)}
	for _, s := range r.Subtests {
		if s.Outcome == Pass {
			t.Passed++
		}
	}
	return t
}
