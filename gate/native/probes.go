package native

import (
	"context"

	"github.com/isogate/isogate/gate/probe"
	"github.com/isogate/isogate/pool/child"
)

// This file owns the attacks of native code on what surrounds it: one for each
// probe.

// probeAttacks returns one attack for each probe.
func probeAttacks() []Attack {
	var out []Attack
	for _, p := range probe.All() {
		out = append(out, Attack{
			Name: "probe-" + p.Name, Source: p.Source,
			Title: "native code in a sealed child cannot " + p.Title + "; without sealing it can",
			Run:   func(ctx context.Context, h *Host) error { return runProbe(ctx, h, p) },
		})
	}
	return out
}

// runProbe tries a probe first in a victim without any sealing, then in one that is
// sealed as children are by default. Both are started at once.
func runProbe(ctx context.Context, h *Host, p probe.Probe) error {
	open, sealed, err := h.startVictims(ctx,
		victimSpec{what: "not sealed", levels: child.Levels(child.Off)},
		victimSpec{what: "sealed"})
	if err != nil {
		return err
	}
	if err := open.mustSucceed(ctx, p); err != nil {
		return err
	}
	return sealed.mustBeRefused(ctx, p)
}
