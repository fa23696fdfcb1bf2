package wpt

import (
	_ "embed"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// This file owns the areas that tests are counted under, and what the large
// runtimes reach in each.

//go:embed peers.yaml
var peersText []byte

// Peers is what other runtimes reach, area by area.
type Peers struct {
	// Source says where the figures are from.
	Source string `yaml:"source"`
	Areas  []Area `yaml:"areas"`
}

// Area is a part of the checkout that is counted on its own.
type Area struct {
	Name string `yaml:"name"`
	// Path is the folder; the area with the longest path that leads to a test has it.
	Path string `yaml:"path"`
	// Default says that the area is run when nothing else is asked for.
	Default bool `yaml:"default"`
	// Best is how many subtests the best of the peers passes, of Total.
	Best  int `yaml:"best"`
	Total int `yaml:"total"`
}

// ReadPeers returns the figures that are part of this package.
func ReadPeers() (*Peers, error) {
	p := new(Peers)
	decoder := yaml.NewDecoder(strings.NewReader(string(peersText)))
	decoder.KnownFields(true)
	if err := decoder.Decode(p); err != nil {
		return nil, fmt.Errorf("peers.yaml: %w", err)
	}
	for _, a := range p.Areas {
		if a.Name == "" || a.Path == "" || a.Best < 0 || a.Best > a.Total {
			return nil, fmt.Errorf("peers.yaml: the area %q is not complete or passes more than there is", a.Name)
		}
	}
	return p, nil
}

// area returns the area of a test's path: the known one with the longest path,
// or the test's folder.
func (p *Peers) area(name string) (Area, bool) {
	var best Area
	for _, a := range p.Areas {
		if strings.HasPrefix(name, a.Path+"/") && len(a.Path) > len(best.Path) {
			best = a
		}
	}
	return best, best.Path != ""
}

// Area returns the area of that name.
func (p *Peers) Area(name string) (Area, bool) {
	for _, a := range p.Areas {
		if a.Name == name {
			return a, true
		}
	}
	return Area{}, false
}
