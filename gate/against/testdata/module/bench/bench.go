// Package bench measures the product of a test's comparison.
package bench

import (
	_ "embed"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"sort"

	"github.com/isogate/isogate/product"
)

//go:embed thresholds.json
var registered []byte

// Benchmark is a registered benchmark.
type Benchmark struct {
	Name  string `json:"name"`
	Units map[string]struct {
		Exact bool `json:"exact"`
	} `json:"units"`
}

// All returns the benchmarks.
func All() ([]Benchmark, error) {
	var file struct {
		Benchmarks []Benchmark `json:"benchmarks"`
	}
	return file.Benchmarks, json.Unmarshal(registered, &file)
}

// Sorted returns the units in order.
func (b *Benchmark) Sorted() []string {
	var units []string
	for unit := range b.Units {
		units = append(units, unit)
	}
	sort.Strings(units)
	return units
}

// Sample returns a value for each unit, those of time with some noise.
func (b *Benchmark) Sample() ([]float64, error) {
	if b.Name == product.Broken {
		return nil, errors.New("the product is broken")
	}
	if b.Name == product.Seldom {
		// Whoever makes the file is the first.
		if f, err := os.OpenFile(os.Args[0]+".failed", os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			return nil, errors.Join(errors.New("the product was broken once"), f.Close())
		}
	}
	var values []float64
	for _, unit := range b.Sorted() {
		value := 1000 * product.Time * (1 + 0.01*(rand.Float64()-0.5))
		if unit == "MB/s" {
			value = 1e6 / value
		}
		if b.Units[unit].Exact {
			value = 100 * product.Count
		}
		values = append(values, value)
	}
	return values, nil
}
