package threats

import "go.yaml.in/yaml/v3"

// This file owns what is not claimed: its type, and reading non-claims.yaml.

// NonClaim is something that somebody might expect and that is not claimed.
type NonClaim struct {
	ID, Title, Statement string
	// Mitigation is what an operator can do about it.
	Mitigation string
	At         Position
}

// readNonClaims reads non-claims.yaml, a list.
func readNonClaims(file string, text []byte) ([]*NonClaim, []error) {
	r := &reader{file: file}
	root := r.parse(text)
	if root == nil {
		return nil, r.errs
	}
	var out []*NonClaim
	seen := map[string]bool{}
	for _, item := range r.list(root) {
		n := &NonClaim{At: r.at(item)}
		r.mapping(item, map[string]func(*yaml.Node){
			"id": func(id *yaml.Node) {
				if n.ID = r.name(id); n.ID != "" && seen[n.ID] {
					r.fail(id, "a second entry with the id %q", n.ID)
				}
				seen[n.ID] = true
			},
			"title":      func(t *yaml.Node) { n.Title = r.text(t) },
			"statement":  func(t *yaml.Node) { n.Statement = r.text(t) },
			"mitigation": func(t *yaml.Node) { n.Mitigation = r.text(t) },
		}, "id", "title", "statement", "mitigation")
		out = append(out, n)
	}
	return out, r.errs
}
