package native

import (
	"slices"
	"strings"
	"testing"

	"github.com/isogate/isogate/gate/probe"
	"github.com/isogate/isogate/pool/child"
)

// This file owns the tests of the lists of probes, layers and attacks.

func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range Names() {
		if seen[name] {
			t.Errorf("two attacks have the name %q", name)
		}
		seen[name] = true
	}
}

func TestEveryProbeIsAnAttack(t *testing.T) {
	attacks := 0
	for _, a := range All() {
		if name, ok := strings.CutPrefix(a.Name, "probe-"); ok {
			attacks++
			if _, ok := probe.Find(name); !ok {
				t.Errorf("%q tries no probe", a.Name)
			}
		}
	}
	if all := len(probe.All()); attacks != all || attacks < 40 {
		t.Errorf("%d of %d probes are attacks, must be all, and 40 at least", attacks, all)
	}
}

// TestLayers checks that the layers name probes and measures that exist, and that
// every probe is refused by one measure alone that is no namespace.
func TestLayers(t *testing.T) {
	alone := map[string][]string{}
	for _, l := range allLayers() {
		for _, m := range append(slices.Clone(l.with), l.measure) {
			if _, ok := child.FindMeasure(m); !ok {
				t.Errorf("there is no measure %q", m)
			}
		}
		for _, name := range slices.Concat(l.probes, l.except) {
			if _, ok := probe.Find(name); !ok {
				t.Errorf("%s: there is no probe %q", l.measure, name)
			}
		}
		if len(l.tried()) == 0 {
			t.Errorf("%s %s tries nothing", l.measure, l.group)
		}
		for _, p := range l.tried() {
			alone[p.Name] = append(alone[p.Name], l.measure)
		}
	}
	for _, p := range probe.All() {
		if len(alone[p.Name]) == 0 {
			t.Errorf("no measure stops %q by itself", p.Name)
		}
	}
}
