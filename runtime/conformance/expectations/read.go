package expectations

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns reading an expectations file, strictly, with positions.

// Error is a mistake in an expectations file.
type Error struct {
	File string
	// Line and Column count from 1; Column is 0 where it is not known.
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	at := e.File + ":" + strconv.Itoa(e.Line)
	if e.Column > 0 {
		at += ":" + strconv.Itoa(e.Column)
	}
	return at + ": " + e.Message
}

// Read reads an expectations file; name is for positions. The error joins every
// mistake, each an [Error].
func Read(name string, text []byte) (*File, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, syntaxError(name, err)
	}
	r := &reader{file: name}
	f := &File{Name: name, Subtests: map[string]int{}}
	if len(document.Content) == 0 {
		return nil, &Error{name, 1, 1, "the file is empty; it states at least the suite"}
	}
	root := document.Content[0]
	r.mapping(root, []string{"suite"}, map[string]func(*yaml.Node){
		"suite":    func(n *yaml.Node) { f.Suite = r.text(n) },
		"subtests": func(n *yaml.Node) { r.counts(n, f.Subtests) },
		"groups": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				f.Groups = append(f.Groups, r.group(item))
			}
		},
	})
	r.repeats(f.Groups)
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	f.index = newIndex(f.Groups)
	return f, nil
}

// yamlLine matches how package yaml says where a text is no YAML. For some errors
// it names the line before.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func syntaxError(name string, err error) error {
	e := &Error{File: name, Line: 1, Message: "no YAML: " + yamlLine.ReplaceAllString(err.Error(), "")}
	if match := yamlLine.FindStringSubmatch(err.Error()); match != nil && match[1] != "" {
		e.Line, _ = strconv.Atoi(match[1])
	}
	return e
}

// reader gathers the mistakes of one file.
type reader struct {
	file string
	errs []error
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	r.errs = append(r.errs, &Error{r.file, n.Line, n.Column, fmt.Sprintf(format, args...)})
}

// mapping calls the function of each key. A key that is unknown, there twice, or
// missing though needed is a mistake.
func (r *reader) mapping(n *yaml.Node, needed []string, keys map[string]func(*yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "a mapping belongs here")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		read := keys[key.Value]
		switch {
		case read == nil:
			known := make([]string, 0, len(keys))
			for name := range keys {
				known = append(known, name)
			}
			slices.Sort(known)
			r.fail(key, "there is no %.60q here, only %s", key.Value, strings.Join(known, ", "))
		case seen[key.Value]:
			r.fail(key, "%q is there twice", key.Value)
		default:
			seen[key.Value] = true
			read(n.Content[i+1])
		}
	}
	for _, name := range needed {
		if !seen[name] {
			r.fail(n, "%q is missing", name)
		}
	}
}

func (r *reader) list(n *yaml.Node) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "a list belongs here")
		return nil
	}
	return n.Content
}

// text returns a text that is not empty.
func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || strings.TrimSpace(n.Value) == "" {
		r.fail(n, "a text belongs here")
		return ""
	}
	return n.Value
}

func (r *reader) counts(n *yaml.Node, into map[string]int) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "a mapping from tests to numbers belongs here")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		count, err := strconv.Atoi(value.Value)
		_, twice := into[key.Value]
		switch {
		case value.Kind != yaml.ScalarNode || err != nil || count < 1:
			r.fail(value, "the number of subtests of %.100q is no positive integer", key.Value)
		case twice:
			r.fail(key, "%.100q is there twice", key.Value)
		default:
			into[key.Value] = count
		}
	}
}

func (r *reader) group(n *yaml.Node) *Group {
	g := &Group{Outcome: suite.Fail}
	r.mapping(n, []string{"reason", "tests"}, map[string]func(*yaml.Node){
		"reason": func(n *yaml.Node) { g.Reason = r.text(n) },
		"outcome": func(n *yaml.Node) {
			g.Outcome = suite.Outcome(n.Value)
			if !slices.Contains(suite.Outcomes, g.Outcome) {
				r.fail(n, "there is no outcome %.60q, only %q", n.Value, suite.Outcomes)
			}
		},
		"when": func(n *yaml.Node) { g.When = r.when(n) },
		"tests": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				if p, ok := r.pattern(item); ok {
					g.Entries = append(g.Entries, &Entry{Pattern: p, Group: g, Line: item.Line, Column: item.Column})
				}
			}
		},
	})
	return g
}

func (r *reader) when(n *yaml.Node) *When {
	w := new(When)
	r.mapping(n, nil, map[string]func(*yaml.Node){
		"features": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				w.Features = append(w.Features, r.text(item))
			}
		},
		"paths": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				if p, ok := r.pattern(item); ok {
					w.Paths = append(w.Paths, p)
				}
			}
		},
		"message": func(n *yaml.Node) {
			var err error
			if w.Message, err = regexp.Compile(r.text(n)); err != nil {
				r.fail(n, "%v", err)
			}
		},
	})
	if n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		r.fail(n, "it selects everything: state features, paths or message")
	}
	return w
}

func (r *reader) pattern(n *yaml.Node) (Pattern, bool) {
	text := r.text(n)
	if text == "" {
		return Pattern{}, false
	}
	p, err := ParsePattern(text)
	if err != nil {
		r.fail(n, "%v", err)
		return Pattern{}, false
	}
	return p, true
}

// repeats finds groups and entries that are there twice.
func (r *reader) repeats(groups []*Group) {
	type key struct {
		reason  string
		outcome suite.Outcome
	}
	reasons, entries := map[key]bool{}, map[string]*Entry{}
	for _, g := range groups {
		k := key{g.Reason, g.Outcome}
		if reasons[k] && g.Reason != "" {
			r.errs = append(r.errs, &Error{r.file, g.line(), 0, fmt.Sprintf("two groups have the reason %.100q and the outcome %s", g.Reason, g.Outcome)})
		}
		reasons[k] = true
		for _, e := range g.Entries {
			if first := entries[e.Pattern.Text]; first != nil {
				r.errs = append(r.errs, &Error{r.file, e.Line, e.Column, fmt.Sprintf("%.200q is there twice, first in line %d", e.Pattern.Text, first.Line)})
				continue
			}
			entries[e.Pattern.Text] = e
		}
	}
}

// line is that of the group's first entry, 1 without any.
func (g *Group) line() int {
	if len(g.Entries) == 0 {
		return 1
	}
	return g.Entries[0].Line
}
