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

// Registered returns the thresholds that are built into this binary.
func Registered() (*Thresholds, error) { return ReadThresholds(registered) }

// ReadThresholds reads a thresholds file. It must describe exactly the
// benchmarks and units that exist.
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
	sum := sha256.Sum256(text)
	t.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return t, nil
}
