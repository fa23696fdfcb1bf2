package main

import (
	"fmt"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/runtime/conformance/suite"
	"github.com/isogate/isogate/runtime/conformance/test262"
	"github.com/isogate/isogate/runtime/conformance/wpt"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the choice of the suite, and of its tests.

// checkout is a suite that was opened.
type checkout struct {
	suite.Suite
	// isDefault reports whether a test is run when nothing else is asked for.
	isDefault func(suite.Test) bool
	// counts reports whether a test is part of the last line of the table.
	counts func(suite.Test) bool
	// peers is nil where there is nothing to compare with.
	peers *wpt.Peers
	close func() error
}

// open opens the checkout that the options name.
func open(o *options) (*checkout, error) {
	grants := []protocol.Grant{protocol.GrantEval}
	if o.profile == sandbox.ProfileJIT {
		grants = append(grants, protocol.GrantWasm)
	}
	if o.wpt != "" {
		s, err := wpt.Open(o.wpt, wpt.Options{Timeout: o.timeout, Grants: grants})
		if err != nil {
			return nil, err
		}
		return &checkout{s, s.IsDefault, func(suite.Test) bool { return true }, s.Peers(), s.Close}, nil
	}
	s, err := test262.Open(o.test262, test262.Options{Timeout: o.timeout, Temporal: o.temporal, Grants: grants})
	if err != nil {
		return nil, err
	}
	isDefault := func(t suite.Test) bool { return o.staging || test262.IsDefault(t) }
	return &checkout{s, isDefault, test262.Counts, nil, s.Close}, nil
}

// selection returns all tests of the checkout, and those that are to run.
func (c *checkout) selection(o *options) (all, selected []suite.Test, err error) {
	if all, err = c.Tests(); err != nil {
		return nil, nil, err
	}
	for _, t := range all {
		if o.selected == nil && c.isDefault(t) || o.selected != nil && o.selected.MatchString(t.Name) {
			selected = append(selected, t)
		}
	}
	if len(selected) == 0 {
		if o.selected != nil {
			return nil, nil, fmt.Errorf("--run: none of the %d tests of the checkout has a name that matches %q", len(all), o.run)
		}
		return nil, nil, fmt.Errorf("the checkout has no test that is run by default; it has %d others", len(all))
	}
	return all, selected, nil
}
