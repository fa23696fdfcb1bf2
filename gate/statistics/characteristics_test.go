package statistics_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/isogate/isogate/reports"
)

// This file tests how often the verdicts are right, on simulated machines. The table
// in the package's documentation is what it prints.

// figures is how many figures a simulated run compares.
const figures = 20

func TestOperatingCharacteristics(t *testing.T) {
	tests := []struct {
		name    string
		machine machine
		ratio   float64
		runs    int
		// falsely is the most verdicts that may be plainly wrong, per thousand: worse or
		// better where nothing changed, better or the same where it is worse.
		falsely int
		// found is the least that must be judged as is right, per thousand.
		found int
	}{
		{"quiet", quiet, 1, 10, 0, 990},
		{"quiet", quiet, 1.2, 10, 0, 990},
		{"usual", usual, 1, 60, 0, 700},
		{"usual", usual, 1.2, 20, 0, 950},
		{"usual", usual, 1.3, 10, 0, 970},
		{"noisy", noisy, 1, 30, 0, 0},
		{"noisy", noisy, 1.2, 10, 0, 0},
		{"noisy", noisy, 2, 10, 0, 800},
	}
	for _, tc := range tests {
		t.Run(fmt.Sprintf("%s×%v", tc.name, tc.ratio), func(t *testing.T) {
			t.Parallel()
			runs := max(1, tc.runs/shorter)
			random := rand.New(rand.NewPCG(1, uint64(1000*tc.ratio)))
			count := map[reports.Verdict]int{}
			for range runs {
				for verdict, n := range compared(tc.machine, random, figures, tc.ratio) {
					count[verdict] += n
				}
			}
			all := runs * figures
			share := func(verdicts ...reports.Verdict) int {
				n := 0
				for _, v := range verdicts {
					n += count[v]
				}
				return 1000 * n / all
			}
			t.Logf("%s×%v: worse %d, same %d, unknown %d, unfit %d, better %d of %d", tc.name, tc.ratio, count[reports.Worse], count[reports.Same], count[reports.Unknown], count[reports.Unfit], count[reports.Better], all)
			falsely, found := share(reports.Better, reports.Same), share(reports.Worse)
			if tc.ratio == 1 {
				falsely, found = share(reports.Better, reports.Worse), share(reports.Same)
			}
			if falsely > tc.falsely || found < tc.found {
				t.Errorf("of a thousand verdicts %d are wrong, at most %d may be; %d are right, at least %d must be", falsely, tc.falsely, found, tc.found)
			}
		})
	}
}
