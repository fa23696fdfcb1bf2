package bench

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// This file owns the registered thresholds.

//go:embed thresholds.json
var registered []byte

// Thresholds is what was registered about every benchmark before any result.
type Thresholds struct {
	Schema     int            `json:"schema"`
	Benchmarks []Registration `json:"benchmarks"`
	// Sealing is what was registered about the comparisons.
	Sealing Sealing `json:"sealing"`
	// Digest is the SHA-256 of the file, in hex with its prefix "sha256:".
	Digest string `json:"-"`
}

// Registration is what was registered about one benchmark.
type Registration struct {
	Name string `json:"name"`
	// Samples and Short are how many samples a full and a short run take.
	Samples int `json:"samples"`
	Short   int `json:"short"`
	// Iterations is how many operations make one sample.
	Iterations int `json:"iterations"`
	// Units are the figures of each sample.
	Units map[string]Threshold `json:"units"`
}

// Threshold is what was registered about one figure.
type Threshold struct {
	// Better is "lower" or "higher".
	Better string `json:"better"`
	// Tolerance is the relative change that counts as none.
	Tolerance float64 `json:"tolerance"`
}

// Sealing is what was registered about the comparisons of sealed with unsealed
// children. They share their pairs.
type Sealing struct {
	// First is how many pairs are taken, Most how many at most where they do not
	// decide every comparison.
	First       int       `json:"first"`
	Most        int       `json:"most"`
	Comparisons []Pairing `json:"comparisons"`
}

// Pairing is what was registered about one comparison.
type Pairing struct {
	Name string `json:"name"`
	// Iterations is how many operations make one sample.
	Iterations int `json:"iterations"`
	// Ratio bounds what the sealed sample may be of the unsealed one, in the median.
	Ratio Bounds `json:"ratio"`
}

// Bounds are a smallest and a largest value.
type Bounds struct {
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

// Looks returns the numbers of pairs after which the comparisons may be decided: the
// first, and then twice as many each time up to the most. Who looks more often may
// be wrong more often, so each look must be sure in proportion.
func (s Sealing) Looks() []int {
	looks := []int{s.First}
	for last := s.First; last < s.Most; {
		last = min(2*last, s.Most)
		looks = append(looks, last)
	}
	return looks
}

// Registered returns the thresholds that are built into this binary.
func Registered() (*Thresholds, error) { return ReadThresholds(registered) }

// ReadThresholds reads a thresholds file. It must describe exactly the
// benchmarks, units and comparisons that exist.
func ReadThresholds(text []byte) (*Thresholds, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	t := new(Thresholds)
	if err := decoder.Decode(t); err != nil {
		return nil, fmt.Errorf("thresholds: %w", err)
	}
	if t.Schema != 1 {
		return nil, fmt.Errorf("thresholds: the schema is %d, this build reads 1", t.Schema)
	}
	seen := map[string]bool{}
	for _, r := range t.Benchmarks {
		b := find(r.Name)
		switch {
		case b == nil:
			return nil, fmt.Errorf("thresholds: there is no benchmark %q", r.Name)
		case seen[r.Name]:
			return nil, fmt.Errorf("thresholds: %s is registered twice", r.Name)
		case r.Samples < 1 || r.Short < 1 || r.Iterations < 1:
			return nil, fmt.Errorf("thresholds: %s: samples, short and iterations must be above zero", r.Name)
		case len(r.Units) != len(b.Units):
			return nil, fmt.Errorf("thresholds: %s has the units %v, the file names %d", r.Name, b.Units, len(r.Units))
		}
		seen[r.Name] = true
		for _, unit := range b.Units {
			u, ok := r.Units[unit]
			if !ok {
				return nil, fmt.Errorf("thresholds: %s: the unit %q is missing", r.Name, unit)
			}
			if u.Better != "lower" && u.Better != "higher" {
				return nil, fmt.Errorf("thresholds: %s: %s: better is %q, must be lower or higher", r.Name, unit, u.Better)
			}
			if u.Tolerance <= 0 || u.Tolerance >= 1 {
				return nil, fmt.Errorf("thresholds: %s: %s: the tolerance %v is outside 0 to 1", r.Name, unit, u.Tolerance)
			}
		}
	}
	for _, b := range Benchmarks {
		if !seen[b.Name] {
			return nil, fmt.Errorf("thresholds: %s is not registered", b.Name)
		}
	}
	if err := t.checkComparisons(); err != nil {
		return nil, fmt.Errorf("thresholds: %w", err)
	}
	sum := sha256.Sum256(text)
	t.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return t, nil
}

// minPairs is how many pairs an interval needs that is sure enough for several looks.
const minPairs = 10

// checkComparisons returns an error unless exactly the comparisons that exist are
// registered, with figures that can be met.
func (t *Thresholds) checkComparisons() error {
	if s := t.Sealing; s.First < minPairs || s.Most < s.First {
		return fmt.Errorf("sealing: first must be at least %d, and most not below it", minPairs)
	}
	seen := map[string]bool{}
	for _, p := range t.Sealing.Comparisons {
		switch {
		case findComparison(p.Name) == nil:
			return fmt.Errorf("there is no comparison %q", p.Name)
		case seen[p.Name]:
			return fmt.Errorf("%s is registered twice", p.Name)
		case p.Iterations < 1 || p.Iterations > 1 && findComparison(p.Name).take == nil:
			return fmt.Errorf("%s: iterations must be above zero, and 1 of a start", p.Name)
		case p.Ratio.Least < 0 || p.Ratio.Least >= 1 || p.Ratio.Most <= 1:
			return fmt.Errorf("%s: the bounds of the ratio, %v and %v, must have 1 between them", p.Name, p.Ratio.Least, p.Ratio.Most)
		}
		seen[p.Name] = true
	}
	for _, c := range Comparisons {
		if !seen[c.Name] {
			return fmt.Errorf("%s is not registered", c.Name)
		}
	}
	return nil
}
