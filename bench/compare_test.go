package bench

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// This file tests the comparisons: how many pairs are taken, and that the two
// sides are what they are said to be.

func TestLooks(t *testing.T) {
	tests := []struct {
		first, most int
		want        []int
	}{
		{10, 10, []int{10}},
		{10, 15, []int{10, 15}},
		{24, 96, []int{24, 48, 96}},
		{24, 100, []int{24, 48, 96, 100}},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, Sealing{First: tc.first, Most: tc.most}.Looks()); diff != "" {
			t.Errorf("first %d, most %d: %s", tc.first, tc.most, diff)
		}
	}
}

func TestRatios(t *testing.T) {
	p := &Paired{Sealed: []float64{3, 1}, Unsealed: []float64{2, 4}}
	if diff := cmp.Diff([]float64{1.5, 0.25}, p.Ratios()); diff != "" {
		t.Error(diff)
	}
}

// few returns the registered thresholds with so few pairs and operations that they
// decide nothing, and take no time.
func few(t *testing.T, first, most int) *Thresholds {
	t.Helper()
	thresholds, err := Registered()
	if err != nil {
		t.Fatal(err)
	}
	thresholds.Sealing.First, thresholds.Sealing.Most = first, most
	for i := range thresholds.Sealing.Comparisons {
		thresholds.Sealing.Comparisons[i].Iterations = 2
	}
	return thresholds
}

// Every comparison is made, on sealed and on unsealed children, and stops at the
// first look that decides.
func TestCompareAll(t *testing.T) {
	defer goleak.VerifyNone(t)
	var steps []string
	c, err := Compare(t.Context(), few(t, 1, 8), CompareOptions{
		Decided:  func(c *Compared) bool { return len(c.Pairs[0].Sealed) == 2 },
		Progress: func(pair, of int) { steps = append(steps, fmt.Sprintf("%d of %d", pair, of)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 of 1", "2 of 2"}, steps); diff != "" {
		t.Errorf("pairs taken: %s", diff)
	}
	if len(c.Pairs) != len(Comparisons) {
		t.Fatalf("%d comparisons were made of %d", len(c.Pairs), len(Comparisons))
	}
	if c.InForce < c.Measures/2 || c.InForce > c.Measures {
		t.Errorf("%d of %d measures are in force", c.InForce, c.Measures)
	}
	for _, p := range c.Pairs {
		for _, samples := range [][]float64{p.Sealed, p.Unsealed} {
			if len(samples) != 2 || samples[0] <= 0 || samples[0] == samples[1] {
				t.Errorf("%s: samples %v", p.Name, samples)
			}
		}
	}
}

// Undecided comparisons take as many pairs as were registered and no more.
func TestComparisonsEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	asked := 0
	c, err := Compare(t.Context(), few(t, 1, 3), CompareOptions{
		Only:    func(name string) bool { return name == "SealedToolCall" },
		Decided: func(*Compared) bool { asked++; return false },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Pairs) != 1 || len(c.Pairs[0].Sealed) != 3 || asked != 3 {
		t.Errorf("%d comparisons, asked %d times", len(c.Pairs), asked)
	}
}

func TestNoComparisonIsSelected(t *testing.T) {
	c, err := Compare(t.Context(), few(t, 1, 1), CompareOptions{Only: func(string) bool { return false }})
	if c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
}
