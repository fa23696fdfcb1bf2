package threats

import (
	"slices"

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
			if c.ID = r.name(n); c.ID != id {
				r.fail(n, "the id is %q, the folder is %q", c.ID, id)
			}
		},
		"title":     func(n *yaml.Node) { c.Title = r.text(n) },
		"statement": func(n *yaml.Node) { c.Statement = r.text(n) },
		"boundary":  func(n *yaml.Node) { c.Boundary = choice(r, n, Boundaries...) },
		"severity":  func(n *yaml.Node) { c.Severity = choice(r, n, Severities...) },
		"status":    func(n *yaml.Node) { c.Status = choice(r, n, StatusClaimed, StatusOpen) },
		"reason":    func(n *yaml.Node) { c.Reason = r.text(n) },
		"owners": func(n *yaml.Node) {
			seen := map[string]bool{}
			for _, item := range r.list(n) {
				owner := Owner{r.text(item), r.at(item)}
				if owner.File != "" && seen[owner.File] {
					r.fail(item, "the owner %s is repeated", owner.File)
				}
				seen[owner.File] = true
				c.Owners = append(c.Owners, owner)
			}
		},
		"native": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				c.Native = append(c.Native, r.native(item))
			}
		},
		"targets": func(n *yaml.Node) { c.Targets = r.targets(n) },
		"draft":   func(n *yaml.Node) { c.Draft = r.draft(n) },
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

// native reads an attack in Go: its name, or a mapping with its name and targets.
func (r *reader) native(n *yaml.Node) NativeName {
	out := NativeName{At: r.at(n)}
	if n.Kind != yaml.MappingNode {
		out.Name = r.text(n)
		return out
	}
	r.mapping(n, map[string]func(*yaml.Node){
		"name":    func(n *yaml.Node) { out.Name = r.text(n) },
		"targets": func(n *yaml.Node) { out.Targets = r.targets(n) },
	}, "name", "targets")
	return out
}

// targets reads the names of executors. Whether they exist is checked with the model.
func (r *reader) targets(n *yaml.Node) []TargetName {
	var out []TargetName
	for _, item := range r.list(n) {
		t := TargetName{r.name(item), r.at(item)}
		if t.Name != "" && slices.ContainsFunc(out, func(o TargetName) bool { return o.Name == t.Name }) {
			r.fail(item, "the target %s is repeated", t.Name)
		}
		out = append(out, t)
	}
	if n.Kind == yaml.SequenceNode && len(out) == 0 {
		r.fail(n, "must name at least one target, or be left out for all")
	}
	return out
}

// draft reads the mark of what is not finished, and returns where it stands.
func (r *reader) draft(n *yaml.Node) Position {
	if !r.flag(n) {
		r.fail(n, "draft can only be true; remove the line when it is finished")
	}
	return r.at(n)
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
	fields["name"] = func(n *yaml.Node) { c.Name = r.name(n) }
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
