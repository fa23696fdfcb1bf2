package threats

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/isogate/isogate/protocol"
)

// This file owns reading attack files: the comment that opens them and what it
// may say.

const (
	headerOpen  = "/*---\n"
	headerClose = "\n---*/"
)

// ReadAttack reads one attack file of the given claim. The file's name decides
// its language. It returns every mistake it found, each an [Error].
func ReadAttack(file, claim string, text []byte) (*Attack, []error) {
	name := path.Base(file)
	ext := path.Ext(name)
	name = strings.TrimSuffix(name, ext)
	a := &Attack{ID: claim + "/" + name, Name: name, Program: string(text), At: Position{file, 1, 1}}
	if ext == ".ts" {
		a.Language = protocol.TypeScript
	}
	fail := func(what string) (*Attack, []error) { return a, []error{&Error{a.At, what}} }
	if !utf8.Valid(text) {
		return fail("not UTF-8; programs of other bytes are attacks written in Go")
	}
	rest, ok := bytes.CutPrefix(text, []byte(headerOpen))
	if !ok {
		return fail("an attack opens with a comment: /*--- on the first line, YAML, ---*/")
	}
	header, program, ok := bytes.Cut(rest, []byte(headerClose))
	if !ok {
		return fail("the opening comment is not closed by a line ---*/")
	}
	if len(bytes.TrimSpace(program)) == 0 {
		return fail("there is no program below the opening comment")
	}
	r := &reader{file: file, offset: 1}
	if root := r.parse(header); root != nil {
		r.attack(root, a)
	}
	return a, r.errs
}

func (r *reader) attack(root *yaml.Node, a *Attack) {
	r.mapping(root, map[string]func(*yaml.Node){
		"title":  func(n *yaml.Node) { a.Title = r.text(n) },
		"source": func(n *yaml.Node) { a.Source = r.text(n) },
		"canary": func(n *yaml.Node) { a.Canary = r.flag(n) },
		"form":   func(n *yaml.Node) { a.Form = choice(r, n, protocol.FormFunction, protocol.FormModule) },
		"input":  func(n *yaml.Node) { a.Input = protocol.Value(r.json(n)) },
		"tools":  func(n *yaml.Node) { a.Tools = r.tools(n) },
		"modules": func(n *yaml.Node) {
			a.Modules = map[string]protocol.Module{}
			r.entries(n, func(key, value *yaml.Node) { a.Modules[key.Value] = r.module(value) })
		},
		"grants": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				a.Grants = append(a.Grants, choice(r, item, protocol.Grants...))
			}
		},
		"limits": func(n *yaml.Node) {
			if err := json.Unmarshal(r.json(n), &a.Limits); err != nil {
				r.fail(n, "%v", err)
			}
		},
		"wallClock": func(n *yaml.Node) { a.WallClock = choice(r, n, protocol.WallClockProgram) },
		"expect":    func(n *yaml.Node) { a.Expect = r.expectation(n) },
		"within":    func(n *yaml.Node) { a.Within = r.duration(n) },
		"calls":     func(n *yaml.Node) { a.Calls = r.matcher(n) },
		"invoked":   func(n *yaml.Node) { a.Invoked = r.matchers(n) },
		"usage":     func(n *yaml.Node) { a.Usage = r.matchers(n) },
		"logs":      func(n *yaml.Node) { a.Logs = r.logs(n) },
		"resident":  func(n *yaml.Node) { a.Resident = r.bytes(n) },
		"forbid":    func(n *yaml.Node) { a.Forbid = r.texts(n) },
	}, "title", "source", "expect")
	for name := range a.Invoked {
		if !a.hasTool(name) {
			r.fail(root, "invoked names %q, which is not among the tools", name)
		}
	}
}

func (a *Attack) hasTool(name string) bool {
	for _, t := range a.Tools {
		if t.String() == name {
			return true
		}
	}
	return false
}

func (r *reader) tools(n *yaml.Node) []ToolName {
	var out []ToolName
	for _, item := range r.list(n) {
		namespace, name, ok := strings.Cut(r.text(item), ".")
		if !ok {
			r.fail(item, "must be namespace.tool, is %s", kindOf(item))
			continue
		}
		if _, known := library[name]; !known {
			r.fail(item, "there is no tool %q; the tools are %s", name, strings.Join(sortedKeys(library), ", "))
			continue
		}
		out = append(out, ToolName{namespace, name})
	}
	return out
}

func (r *reader) module(n *yaml.Node) protocol.Module {
	var m protocol.Module
	if n.Kind == yaml.ScalarNode {
		m.Source = n.Value
		return m
	}
	r.mapping(n, map[string]func(*yaml.Node){
		"source":   func(n *yaml.Node) { m.Source = r.text(n) },
		"language": func(n *yaml.Node) { m.Language = choice(r, n, protocol.JavaScript, protocol.TypeScript) },
	}, "source")
	return m
}

func (r *reader) matchers(n *yaml.Node) map[string]*Matcher {
	out := map[string]*Matcher{}
	r.entries(n, func(key, value *yaml.Node) { out[key.Value] = r.matcher(value) })
	return out
}

func (r *reader) logs(n *yaml.Node) *LogExpectation {
	l := new(LogExpectation)
	r.mapping(n, map[string]func(*yaml.Node){
		"count":    func(n *yaml.Node) { l.Count = r.matcher(n) },
		"dropped":  func(n *yaml.Node) { l.Dropped = r.matcher(n) },
		"contains": func(n *yaml.Node) { l.Contains = r.texts(n) },
		"exact": func(n *yaml.Node) {
			l.Exact = []string{}
			for _, item := range r.list(n) {
				l.Exact = append(l.Exact, item.Value)
			}
		},
	})
	return l
}
