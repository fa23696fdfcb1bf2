package expectations

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns writing an expectations file.

// heading stands above what is written.
const heading = `# What is known to fail, and why. docs/conformance.md explains the form. With --update
# this file is rewritten from a run: groups and their reasons stay, comments do not.

`

// Bytes returns the text of the file, which [Read] reads.
func (f *File) Bytes() ([]byte, error) {
	root := &yaml.Node{Kind: yaml.MappingNode}
	put(root, "suite", scalar(f.Suite))
	if len(f.Subtests) > 0 {
		counts := &yaml.Node{Kind: yaml.MappingNode}
		for _, name := range slices.Sorted(maps.Keys(f.Subtests)) {
			put(counts, name, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(f.Subtests[name])})
		}
		put(root, "subtests", counts)
	}
	groups := &yaml.Node{Kind: yaml.SequenceNode}
	for _, g := range f.Groups {
		groups.Content = append(groups.Content, g.node())
	}
	put(root, "groups", groups)
	var out bytes.Buffer
	out.WriteString(heading)
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

func (g *Group) node() *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	put(n, "reason", scalar(g.Reason))
	if g.Outcome != suite.Fail {
		put(n, "outcome", scalar(string(g.Outcome)))
	}
	if g.When != nil {
		put(n, "when", g.When.node())
	}
	tests := &yaml.Node{Kind: yaml.SequenceNode}
	for _, e := range g.Entries {
		tests.Content = append(tests.Content, scalar(e.Pattern.Text))
	}
	put(n, "tests", tests)
	return n
}

func (w *When) node() *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	if len(w.Features) > 0 {
		features := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for _, name := range w.Features {
			features.Content = append(features.Content, scalar(name))
		}
		put(n, "features", features)
	}
	if len(w.Paths) > 0 {
		paths := &yaml.Node{Kind: yaml.SequenceNode}
		for _, p := range w.Paths {
			paths.Content = append(paths.Content, scalar(p.Text))
		}
		put(n, "paths", paths)
	}
	if w.Message != nil {
		put(n, "message", scalar(w.Message.String()))
	}
	return n
}

// scalar returns a text; the encoder quotes it where it has to.
func scalar(text string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(text)
	if n.Style == yaml.LiteralStyle {
		n.Style = yaml.DoubleQuotedStyle // one line for one entry
	}
	return n
}

func put(n *yaml.Node, key string, value *yaml.Node) {
	n.Content = append(n.Content, scalar(key), value)
}
