package bench

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
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
	// Samples and Short are how many samples a full and a short run take of each of
	// the two sides that they compare.
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
	// Tolerance is the relative change that counts as none, above 0 and at most 10.
	Tolerance float64 `json:"tolerance"`
	// Exact says that the figure is counted: equal work gives equal samples, apart
	// from the tolerance.
	Exact bool `json:"exact,omitempty"`
	// Ceiling is the value that the median must not be worse than on any machine, 0
	// for none. It is loose, and finds what is broken altogether.
	Ceiling float64 `json:"ceiling,omitempty"`
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

// schema is the version of the thresholds' form.
const schema = 2

// The bounds of what may be registered.
const (
	// maxSamples bounds how often anything is measured.
	maxSamples = 1000
	// minPairs is how many pairs an interval needs that is sure enough for several looks.
	minPairs = 10
	// unbounded is above every figure.
	unbounded = math.MaxFloat64
)

// ReadThresholds reads a thresholds file. It must describe exactly the
// benchmarks, units and comparisons that exist. An error says at which line and
// column of the text.
func ReadThresholds(text []byte) (*Thresholds, error) {
	t := new(Thresholds)
	root, err := parse(text)
	if err == nil {
		err = t.read(root)
	}
	var m *mistake
	if errors.As(err, &m) {
		line, column := position(text, m.offset)
		return nil, fmt.Errorf("thresholds: %d:%d: %s", line, column, m.what)
	}
	if err != nil {
		return nil, fmt.Errorf("thresholds: %w", err)
	}
	sum := sha256.Sum256(text)
	t.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return t, nil
}

func (t *Thresholds) read(root node) error {
	// What another schema has in it, this build cannot know.
	for _, m := range root.members {
		if m.name == "schema" && m.value.scalar != json.Number(strconv.Itoa(schema)) {
			return wrong(m.value.offset, "the schema is %v, this build reads %d", m.value.scalar, schema)
		}
	}
	return root.read("the file", fields{
		"schema": integer(&t.Schema, schema, schema),
		"benchmarks": func(n node) error {
			if err := n.each("benchmarks", t.readBenchmark); err != nil {
				return err
			}
			for _, b := range Benchmarks {
				if !slices.ContainsFunc(t.Benchmarks, func(r Registration) bool { return r.Name == b.Name }) {
					return wrong(n.offset, "%s is not registered", b.Name)
				}
			}
			return nil
		},
		"sealing": t.Sealing.read,
	})
}

func (t *Thresholds) readBenchmark(n node) error {
	r := Registration{Units: map[string]Threshold{}}
	var units node
	err := n.read("a benchmark", fields{
		"name":       text(&r.Name),
		"samples":    integer(&r.Samples, 1, maxSamples),
		"short":      integer(&r.Short, 1, maxSamples),
		"iterations": integer(&r.Iterations, 1, maxIterations),
		"units":      func(n node) error { units = n; return nil },
	})
	if err != nil {
		return err
	}
	b := find(r.Name)
	switch {
	case b == nil:
		return wrong(n.offset, "there is no benchmark %.100q", r.Name)
	case slices.ContainsFunc(t.Benchmarks, func(other Registration) bool { return other.Name == r.Name }):
		return wrong(n.offset, "%s is registered twice", r.Name)
	case r.Iterations < b.least:
		return wrong(n.offset, "%s: iterations is %d, must be at least %d", r.Name, r.Iterations, b.least)
	}
	readers := fields{}
	for _, unit := range b.Units {
		readers[unit] = func(n node) error {
			u, err := readThreshold(n, r.Name+" "+unit)
			r.Units[unit] = u
			return err
		}
	}
	if err := units.read("units of "+r.Name, readers); err != nil {
		return err
	}
	t.Benchmarks = append(t.Benchmarks, r)
	return nil
}

func readThreshold(n node, what string) (Threshold, error) {
	var u Threshold
	return u, n.read(what, fields{
		"better": func(n node) error {
			if err := text(&u.Better)(n); err != nil {
				return err
			}
			if u.Better != "lower" && u.Better != "higher" {
				return wrong(n.offset, "better is %.100q, must be lower or higher", u.Better)
			}
			return nil
		},
		"tolerance": func(n node) error {
			if err := number(&u.Tolerance, 0, 10)(n); err != nil {
				return err
			}
			if u.Tolerance == 0 {
				return wrong(n.offset, "the tolerance must be above 0")
			}
			return nil
		},
		"exact?":   flag(&u.Exact),
		"ceiling?": number(&u.Ceiling, math.SmallestNonzeroFloat64, unbounded),
	})
}

func (s *Sealing) read(n node) error {
	err := n.read("sealing", fields{
		"first": integer(&s.First, minPairs, maxSamples),
		"most":  integer(&s.Most, minPairs, maxSamples),
		"comparisons": func(n node) error {
			if err := n.each("comparisons", s.readComparison); err != nil {
				return err
			}
			for _, c := range Comparisons {
				if !slices.ContainsFunc(s.Comparisons, func(p Pairing) bool { return p.Name == c.Name }) {
					return wrong(n.offset, "%s is not registered", c.Name)
				}
			}
			return nil
		},
	})
	if err == nil && s.Most < s.First {
		return wrong(n.offset, "most is %d, must not be below first, which is %d", s.Most, s.First)
	}
	return err
}

func (s *Sealing) readComparison(n node) error {
	var p Pairing
	err := n.read("a comparison", fields{
		"name":       text(&p.Name),
		"iterations": integer(&p.Iterations, 1, maxIterations),
		"ratio": func(n node) error {
			// The ratio that is no difference must lie between the bounds.
			return n.read("ratio", fields{"least": number(&p.Ratio.Least, 0, 1), "most": number(&p.Ratio.Most, 1, unbounded)})
		},
	})
	if err != nil {
		return err
	}
	switch c := findComparison(p.Name); {
	case c == nil:
		return wrong(n.offset, "there is no comparison %.100q", p.Name)
	case slices.ContainsFunc(s.Comparisons, func(other Pairing) bool { return other.Name == p.Name }):
		return wrong(n.offset, "%s is registered twice", p.Name)
	case p.Iterations > 1 && c.take == nil:
		return wrong(n.offset, "%s: iterations must be 1 of a start", p.Name)
	}
	s.Comparisons = append(s.Comparisons, p)
	return nil
}
