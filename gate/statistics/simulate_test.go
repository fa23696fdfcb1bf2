package statistics_test

import (
	"math"
	"math/rand/v2"

	"github.com/isogate/isogate/gate/statistics"
	"github.com/isogate/isogate/reports"
)

// This file owns the simulated machine that the verdicts are tried on.

// machine makes samples as a shared machine does.
type machine struct {
	// noise is the standard deviation of the logarithm of a sample.
	noise float64
	// spikes is the share of samples that take up to three times as long.
	spikes float64
	// drift is the change of the machine's speed over thirty rounds, as a share.
	drift float64
	// process is the standard deviation of the logarithm of a new process's speed.
	process float64
}

// The machines. A median absolute deviation of 12 % is that of a short process on a
// busy machine with two processors.
var (
	quiet = machine{noise: 0.02, spikes: 0.02, drift: 0.05, process: 0.01}
	usual = machine{noise: 0.06, spikes: 0.05, drift: 0.10, process: 0.02}
	noisy = machine{noise: 0.12 / 0.6745, spikes: 0.05, drift: 0.20, process: 0.03}
)

// sample takes a sample of one side in a round, as a new process.
func (m machine) sample(r *rand.Rand, round int) float64 {
	v := 1000 * math.Exp(r.NormFloat64()*m.noise+r.NormFloat64()*m.process) * (1 + m.drift*float64(round)/30)
	if r.Float64() < m.spikes {
		v *= 1 + 2*r.Float64()
	}
	return v
}

// looks are the numbers of pairs after which figures are judged.
var looks = []int{10, 20, 30}

// compared compares so many figures whose true ratio is given, as a whole run does:
// each round has a new process of the old side and two of the new one, and pairs are
// added to the figures that are not decided. It counts the verdicts.
func compared(m machine, r *rand.Rand, figures int, ratio float64) map[reports.Verdict]int {
	sampled := make([]statistics.Figure, figures)
	for i := range sampled {
		sampled[i].Tolerance, sampled[i].Better = 0.10, "lower"
	}
	found := make([]statistics.Finding, figures)
	for look, pairs := range looks {
		for i := range sampled {
			f := &sampled[i]
			for round := len(f.Old); (look == 0 || found[i].Open()) && round < pairs; round++ {
				f.Old = append(f.Old, m.sample(r, round))
				f.New = append(f.New, ratio*m.sample(r, round))
				f.Again = append(f.Again, ratio*m.sample(r, round))
			}
		}
		found = statistics.Judge(sampled, len(looks), r.Uint64())
	}
	count := map[reports.Verdict]int{}
	for _, f := range found {
		count[f.Verdict]++
	}
	return count
}
