package soak_test

import (
	"strings"
	"testing"

	"github.com/isogate/isogate/gate/soak"
)

// A short soak; "gate soak" runs a long one.
func TestSoak(t *testing.T) {
	const count = 300
	summary, err := soak.Run(t.Context(), soak.Options{Seed: 3, Count: count})
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range summary.Failures() {
		t.Error(what)
	}
	var table strings.Builder
	if err := summary.Print(&table); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
	total, kinds := 0, 0
	for _, c := range summary.Counts {
		total += c.Executions
		kinds++
	}
	if total != count || kinds < 8 || summary.Killed == 0 {
		t.Errorf("%d executions of %d kinds, %d children killed: the mix is not what it says", total, kinds, summary.Killed)
	}
}

func TestTrend(t *testing.T) {
	growing := soak.Trend{What: "goroutines", Unit: "goroutines", Growth: 2, Allowed: 1}
	if what := growing.Growing(); !strings.Contains(what, "goroutines grow by 2.00") {
		t.Errorf("growth is reported as %q", what)
	}
	flat := soak.Trend{Growth: -0.5, Allowed: 1}
	if what := flat.Growing(); what != "" {
		t.Errorf("a flat line is reported as %q", what)
	}
}
