package expectations

import "github.com/isogate/isogate/runtime/conformance/suite"

// This file owns items: what expectations are about, one by one.

// Item is a test as a whole, or one of its subtests.
type Item struct {
	Test      string
	Subtest   string
	IsSubtest bool
	Outcome   suite.Outcome
	Message   string
	Features  []string
	// Missing is how many subtests were not reported; of a test as a whole only.
	Missing int
}

// Name is the item's name for people.
func (i *Item) Name() string {
	if i.IsSubtest {
		return i.Test + separator + i.Subtest
	}
	return i.Test
}

// failed reports whether it did not pass.
func (i *Item) failed() bool { return i.Outcome != suite.Pass }

// Items returns the items of a result. known is the largest number of subtests
// that is known of the test. That fewer were reported is a failure of the test
// as a whole.
func Items(r suite.Result, hasSubtests bool, known int) []Item {
	if r.LeftOut != "" {
		return nil
	}
	whole := Item{Test: r.Name, Outcome: r.Outcome, Message: r.Message, Features: r.Features}
	if !hasSubtests {
		return []Item{whole}
	}
	whole.Missing = max(known-len(r.Subtests), 0)
	if whole.Missing > 0 && whole.Outcome == suite.Pass {
		whole.Outcome, whole.Message = suite.Fail, "subtests that are known were not reported"
	}
	if len(r.Subtests) == 0 && whole.Outcome == suite.Pass {
		whole.Outcome, whole.Message = suite.Fail, "it has no subtest"
	}
	items := []Item{whole}
	for _, s := range r.Subtests {
		items = append(items, Item{Test: r.Name, Subtest: s.Name, IsSubtest: true, Outcome: asExpected(s.Outcome), Message: s.Message})
	}
	return items
}

// asExpected returns the outcome that expectations state of a subtest: that it
// did not end in time is a way to fail.
func asExpected(o suite.Outcome) suite.Outcome {
	if o == suite.Pass {
		return o
	}
	return suite.Fail
}
