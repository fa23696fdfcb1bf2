package threats

import (
	"go.yaml.in/yaml/v3"
)

// This file owns reading claim.yaml.

// readClaim reads one claim.yaml whose folder is named id.
func readClaim(file, id string, text []byte) (*Claim, []error) {
	r := &reader{file: file}
	c := &Claim{Status: StatusClaimed, At: Position{file, 1, 1}}
	root := r.parse(text)
	if root == nil {
		return c, r.errs
	}
	r.mapping(root, map[string]func(*yaml.Node){
		"id": func(n *yaml.Node) {
			if c.ID = r.text(n); c.ID != id {
				r.fail(n, "the id is %q, the folder is %q", c.ID, id)
			}
		},
		"title":     func(n *yaml.Node) { c.Title = r.text(n) },
		"statement": func(n *yaml.Node) { c.Statement = r.text(n) },
		"boundary":  func(n *yaml.Node) { c.Boundary = choice(r, n, Boundaries...) },
		"severity": func(n *yaml.Node) {
			c.Severity = choice(r, n, SeverityCritical, SeverityHigh, SeverityMedium, SeverityLow)
		},
		"status": func(n *yaml.Node) { c.Status = choice(r, n, StatusClaimed, StatusOpen) },
		"reason": func(n *yaml.Node) { c.Reason = r.text(n) },
		"owners": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				c.Owners = append(c.Owners, Owner{r.text(item), r.at(item)})
			}
		},
		"native": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				c.Native = append(c.Native, NativeName{r.text(item), r.at(item)})
			}
		},
		"controls": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				c.Controls = append(c.Controls, r.control(item))
			}
		},
	}, "id", "title", "statement", "boundary", "severity", "owners")
	if c.ID == "" {
		c.ID = id
	}
	if c.Status == StatusOpen && c.Reason == "" {
		r.fail(root, "an open claim needs a reason")
	}
	if c.Status != StatusOpen && c.Reason != "" {
		r.fail(root, "a reason is for open claims only")
	}
	names := map[string]bool{}
	for _, control := range c.Controls {
		if names[control.Name] {
			r.errs = append(r.errs, &Error{control.At, "a second control named " + control.Name})
		}
		names[control.Name] = true
	}
	return c, r.errs
}

// control reads one control: either file, find and replace at its top, or a
// list of such under edits.
func (r *reader) control(n *yaml.Node) *Control {
	c := &Control{At: r.at(n)}
	top := &Edit{At: c.At}
	single := 0
	fields := r.editFields(top)
	for name, read := range fields {
		fields[name] = func(n *yaml.Node) { single++; read(n) }
	}
	fields["name"] = func(n *yaml.Node) { c.Name = r.text(n) }
	fields["trips"] = func(n *yaml.Node) {
		if c.Trips = r.texts(n); len(c.Trips) == 0 {
			r.fail(n, "must name at least one attack")
		}
	}
	fields["edits"] = func(n *yaml.Node) {
		for _, item := range r.list(n) {
			e := Edit{At: r.at(item)}
			r.mapping(item, r.editFields(&e), "file", "find", "replace")
			r.checkEdit(item, &e)
			c.Edits = append(c.Edits, e)
		}
	}
	r.mapping(n, fields, "name", "trips")
	switch {
	case single > 0 && c.Edits != nil:
		r.fail(n, "give either file, find and replace, or edits")
	case single == 3:
		r.checkEdit(n, top)
		c.Edits = []Edit{*top}
	case c.Edits == nil:
		r.fail(n, "a control needs file, find and replace, or edits")
	}
	return c
}

func (r *reader) editFields(e *Edit) map[string]func(*yaml.Node) {
	return map[string]func(*yaml.Node){
		"file": func(n *yaml.Node) { e.File = r.text(n) },
		"find": func(n *yaml.Node) { e.Find = r.text(n) },
		// The replacement may be empty: that removes the text.
		"replace": func(n *yaml.Node) {
			if n.Kind != yaml.ScalarNode {
				r.fail(n, "must be a text, is %s", kindOf(n))
			}
			e.Replace = n.Value
		},
	}
}

func (r *reader) checkEdit(n *yaml.Node, e *Edit) {
	if e.Find != "" && e.Find == e.Replace {
		r.fail(n, "the edit replaces the text by itself")
	}
}
