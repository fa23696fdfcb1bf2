package threats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// This file owns reading YAML with positions: every mistake becomes an Error
// that names file, line and column, and reading goes on to find the next.

// Error is one mistake in the threat model's data.
type Error struct {
	Position
	What string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.What)
}

// reader reads the YAML of one file and collects its mistakes.
type reader struct {
	file string
	// offset is the number of lines above the YAML in the file.
	offset int
	errs   []error
}

func (r *reader) at(n *yaml.Node) Position {
	return Position{File: r.file, Line: n.Line + r.offset, Column: n.Column}
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	r.errs = append(r.errs, &Error{r.at(n), fmt.Sprintf(format, args...)})
}

var yamlLine = regexp.MustCompile(`(?s)^yaml: line (\d+): (.*)$`)

// parse returns the root node of a text that is one YAML document, or nil after
// recording the mistake. Of a text that is not YAML the parser tells the line only.
func (r *reader) parse(text []byte) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		r.notYAML(err)
		return nil
	}
	if len(document.Content) == 0 {
		r.errs = append(r.errs, &Error{Position{r.file, 1 + r.offset, 1}, "empty, must be YAML"})
		return nil
	}
	// What stands behind a second line --- would be passed over.
	switch err := decoder.Decode(&second); {
	case err == nil:
		r.fail(&second, "a second YAML document; there must be one")
	case !errors.Is(err, io.EOF):
		r.notYAML(err)
	}
	return document.Content[0]
}

// notYAML records what the parser says.
func (r *reader) notYAML(err error) {
	at := Position{File: r.file, Line: 1 + r.offset, Column: 1}
	what := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		at.Line, what = max(line, 1)+r.offset, m[2]
	}
	r.errs = append(r.errs, &Error{at, "not YAML: " + what})
}

// mapping hands each value of the mapping n to the reader of its key. Keys that
// are unknown or repeated, and required ones that are missing, are mistakes.
func (r *reader) mapping(n *yaml.Node, fields map[string]func(*yaml.Node), required ...string) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "must be a mapping, is %s", kindOf(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		read, known := fields[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			r.fail(key, "a field's name must be a text, is %s; the fields are %s", kindOf(key), strings.Join(sortedKeys(fields), ", "))
		case !known:
			r.fail(key, "there is no field %q; the fields are %s", key.Value, strings.Join(sortedKeys(fields), ", "))
		case seen[key.Value]:
			r.fail(key, "the field %q is repeated", key.Value)
		default:
			read(value)
		}
		seen[key.Value] = true
	}
	for _, name := range required {
		if !seen[name] {
			r.fail(n, "the field %q is missing", name)
		}
	}
}

// entries calls read for every key and value of a mapping with free keys.
func (r *reader) entries(n *yaml.Node, read func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "must be a mapping, is %s", kindOf(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch key := n.Content[i]; {
		case key.Kind != yaml.ScalarNode || key.Value == "":
			r.fail(key, "a key must be a text, is %s", kindOf(key))
		case seen[key.Value]:
			r.fail(key, "the key %q is repeated", key.Value)
		default:
			seen[key.Value] = true
			read(key, n.Content[i+1])
		}
	}
}

func (r *reader) list(n *yaml.Node) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "must be a list, is %s", kindOf(n))
		return nil
	}
	return n.Content
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || strings.TrimSpace(n.Value) == "" {
		r.fail(n, "must be a text, is %s", kindOf(n))
		return ""
	}
	return n.Value
}

func (r *reader) texts(n *yaml.Node) []string {
	var out []string
	for _, item := range r.list(n) {
		out = append(out, r.text(item))
	}
	return out
}

func (r *reader) flag(n *yaml.Node) bool {
	if n.Tag != "!!bool" {
		r.fail(n, "must be true or false, is %s", kindOf(n))
		return false
	}
	// YAML has more than one spelling of each.
	v, err := strconv.ParseBool(n.Value)
	if err != nil {
		r.fail(n, "must be true or false, is %s", kindOf(n))
	}
	return v
}

// name reads a name of the model: it is part of file names and of regular
// expressions on command lines, so it holds small letters, digits and hyphens only.
func (r *reader) name(n *yaml.Node) string {
	text := r.text(n)
	if err := CheckName(text); text != "" && err != nil {
		r.fail(n, "%v", err)
	}
	return text
}

// nameForm is what ids and names in the model look like.
var nameForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// maxName is how long an id or a name may be, in bytes.
const maxName = 80

// CheckName returns an error that says what an id of a claim or the name of an
// attack or control must look like, unless the text does.
func CheckName(text string) error {
	if len(text) > maxName || !nameForm.MatchString(text) {
		return fmt.Errorf("%q is no name: it must be small letters, digits and single hyphens between them, at most %d, such as wall-deadline", text, maxName)
	}
	return nil
}

// bytes reads a size, with an optional unit KiB, MiB or GiB.
func (r *reader) bytes(n *yaml.Node) int64 {
	text, unit := strings.TrimSpace(n.Value), int64(1)
	for suffix, size := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if rest, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = strings.TrimSpace(rest), size
		}
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if n.Kind != yaml.ScalarNode || err != nil || v <= 0 || v > 1<<40/unit {
		r.fail(n, "must be a size such as 65536 or 300 MiB, is %s", kindOf(n))
		return 0
	}
	return v * unit
}

func (r *reader) duration(n *yaml.Node) time.Duration {
	d, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d <= 0 {
		r.fail(n, "must be a duration above zero such as 300ms, is %s", kindOf(n))
		return 0
	}
	return d
}

// json converts a YAML value to JSON text.
func (r *reader) json(n *yaml.Node) json.RawMessage {
	var v any
	if err := n.Decode(&v); err != nil {
		r.fail(n, "not a value: %v", err)
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		r.fail(n, "cannot be written as JSON: %v", err)
		return nil
	}
	return text
}

// choice reads a text that is one of the allowed ones.
func choice[T ~string](r *reader, n *yaml.Node, allowed ...T) T {
	names := make([]string, len(allowed))
	for i, a := range allowed {
		if n.Kind == yaml.ScalarNode && n.Value == string(a) {
			return a
		}
		names[i] = string(a)
	}
	r.fail(n, "must be one of %s, is %s", strings.Join(names, ", "), kindOf(n))
	return ""
}

// kindOf describes a node for a message.
func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	if n.Tag == "!!null" || n.Value == "" {
		return "empty"
	}
	return strconv.Quote(n.Value)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
