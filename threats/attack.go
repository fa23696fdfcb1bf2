package threats

import (
	"bytes"
	"encoding/json"
	"path"
	"reflect"
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
	r := &reader{file: file, offset: 1}
	fail := func(at Position, what string) { r.errs = append(r.errs, &Error{at, what}) }
	if err := CheckName(name); err != nil {
		fail(a.At, "the file's name: "+err.Error())
	}
	if at := invalidUTF8(text); at >= 0 {
		fail(positionOf(file, text, at), "not UTF-8; programs of other bytes are attacks written in Go")
	}
	rest, ok := bytes.CutPrefix(text, []byte(headerOpen))
	if !ok {
		fail(a.At, "an attack opens with a comment: /*--- alone on the first line, YAML, ---*/")
		return a, r.errs
	}
	header, program, ok := bytes.Cut(rest, []byte(headerClose))
	if !ok {
		fail(a.At, "the opening comment is not closed by a line ---*/")
		return a, r.errs
	}
	if len(bytes.TrimSpace(program)) == 0 {
		fail(positionOf(file, text, len(text)-len(program)), "there is no program below the opening comment")
	}
	if root := r.parse(header); root != nil {
		r.attack(root, a)
	}
	return a, r.errs
}

// invalidUTF8 returns where the first byte that is no UTF-8 stands, or -1.
func invalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// positionOf returns the position of a byte of the text.
func positionOf(file string, text []byte, at int) Position {
	before := text[:at]
	return Position{file, 1 + bytes.Count(before, []byte("\n")), at - bytes.LastIndexByte(before, '\n')}
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
		"limits":    func(n *yaml.Node) { a.Limits = r.limits(n) },
		"wallClock": func(n *yaml.Node) { a.WallClock = choice(r, n, protocol.WallClockProgram) },
		"expect":    func(n *yaml.Node) { a.Expect = r.expectation(n) },
		"within":    func(n *yaml.Node) { a.Within = r.duration(n) },
		"calls":     func(n *yaml.Node) { a.Calls = r.matcher(n) },
		"invoked":   func(n *yaml.Node) { a.Invoked = r.matchers(n) },
		"usage":     func(n *yaml.Node) { a.Usage = r.usage(n) },
		"logs":      func(n *yaml.Node) { a.Logs = r.logs(n) },
		"resident":  func(n *yaml.Node) { a.Resident = r.bytes(n) },
		"forbid":    func(n *yaml.Node) { a.Forbid = r.texts(n) },
		"targets":   func(n *yaml.Node) { a.Targets = r.targets(n) },
		"draft":     func(n *yaml.Node) { a.Draft = r.draft(n) },
	}, "title", "source", "expect")
	for _, name := range sortedKeys(a.Invoked) {
		if !a.hasTool(name) {
			r.fail(root, "invoked names %q, which is not among the tools", name)
		}
	}
}

// limits reads limits, each by itself, so that a mistake has its own position.
func (r *reader) limits(n *yaml.Node) protocol.Limits {
	var all protocol.Limits
	merged := map[string]json.RawMessage{}
	r.entries(n, func(key, value *yaml.Node) {
		text := r.json(value)
		one, err := json.Marshal(map[string]json.RawMessage{key.Value: text})
		if err == nil {
			err = new(protocol.Limits).UnmarshalJSON(one)
		}
		if err != nil {
			r.fail(value, "%v", err)
			return
		}
		merged[key.Value] = text
	})
	text, err := json.Marshal(merged)
	if err == nil {
		err = all.UnmarshalJSON(text)
	}
	if err != nil {
		r.fail(n, "%v", err)
	}
	return all
}

// usage reads tests of fields of a result's usage.
func (r *reader) usage(n *yaml.Node) map[string]*Matcher {
	r.entries(n, func(key, _ *yaml.Node) {
		if !usageFields[key.Value] {
			r.fail(key, "a usage has no field %q; the fields are %s", key.Value, strings.Join(sortedKeys(usageFields), ", "))
		}
	})
	before := len(r.errs)
	out := r.matchers(n)
	if n.Kind != yaml.MappingNode {
		r.errs = r.errs[:before] // that it is no mapping is said already
	}
	return out
}

// usageFields are the names of a usage's fields on the wire.
var usageFields = func() map[string]bool {
	names := map[string]bool{}
	for field := range reflect.TypeFor[protocol.Usage]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names[name] = true
	}
	return names
}()

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
		m.Source = r.text(n)
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
				l.Exact = append(l.Exact, r.text(item))
			}
		},
	})
	return l
}
