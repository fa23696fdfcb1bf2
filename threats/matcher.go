package threats

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// This file owns matchers: how one observed field is compared with the data.

// Matcher compares one field. In the data it is a plain value, which the field
// must equal, or a mapping of tests which must all hold:
//
//	contains: text     the field's text contains it
//	lacks: text        the field is there and its text does not contain it
//	matches: regexp    the field's text matches it
//	min: n, max: n     the field is a number within the bounds
//	longest: n         the field's text has at most n bytes
//	oneOf: [a, b]      the field equals one of them
//	absent: true       there is no such field
type Matcher struct {
	equal    *any
	contains *string
	lacks    *string
	matches  *regexp.Regexp
	min, max *float64
	longest  *float64
	oneOf    []any
	absent   bool
}

// Match returns what is wrong with the field, or "". found says whether the
// field is there; v is its value as encoding/json decodes it.
func (m *Matcher) Match(v any, found bool) string {
	if m.absent {
		if found {
			return fmt.Sprintf("is %s, must be absent", brief(v))
		}
		return ""
	}
	if !found {
		return "is absent"
	}
	if m.equal != nil && !reflect.DeepEqual(*m.equal, v) {
		return fmt.Sprintf("is %s, must be %s", brief(v), brief(*m.equal))
	}
	text, isText := v.(string)
	if !isText {
		encoded, _ := json.Marshal(v)
		text = string(encoded)
	}
	if m.contains != nil && !strings.Contains(text, *m.contains) {
		return fmt.Sprintf("is %s, must contain %q", brief(v), *m.contains)
	}
	if m.lacks != nil && strings.Contains(text, *m.lacks) {
		return fmt.Sprintf("is %s, must not contain %q", brief(v), *m.lacks)
	}
	if m.matches != nil && !m.matches.MatchString(text) {
		return fmt.Sprintf("is %s, must match %s", brief(v), m.matches)
	}
	if m.min != nil || m.max != nil {
		n, ok := v.(float64)
		switch {
		case !ok:
			return fmt.Sprintf("is %s, must be a number", brief(v))
		case m.min != nil && n < *m.min:
			return fmt.Sprintf("is %v, must be at least %v", n, *m.min)
		case m.max != nil && n > *m.max:
			return fmt.Sprintf("is %v, must be at most %v", n, *m.max)
		}
	}
	if m.longest != nil && float64(len(text)) > *m.longest {
		return fmt.Sprintf("is %s, must have at most %v bytes", brief(v), *m.longest)
	}
	if m.oneOf != nil {
		for _, want := range m.oneOf {
			if reflect.DeepEqual(want, v) {
				return ""
			}
		}
		return fmt.Sprintf("is %s, must be one of %s", brief(v), brief(m.oneOf))
	}
	return ""
}

// brief writes a value for a message, cut when long.
func brief(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	const most = 200
	if len(text) > most {
		return fmt.Sprintf("%s… (%d bytes)", text[:most], len(text))
	}
	return string(text)
}

// matcher reads a matcher.
func (r *reader) matcher(n *yaml.Node) *Matcher {
	m := new(Matcher)
	if n.Kind != yaml.MappingNode {
		v := r.value(n)
		m.equal = &v
		return m
	}
	if len(n.Content) == 0 {
		r.fail(n, "a matcher without a test matches everything")
	}
	text := func(to **string) func(*yaml.Node) {
		return func(n *yaml.Node) { s := r.text(n); *to = &s }
	}
	number := func(to **float64) func(*yaml.Node) {
		return func(n *yaml.Node) {
			var f float64
			if err := n.Decode(&f); err != nil || n.Kind != yaml.ScalarNode {
				r.fail(n, "must be a number, is %s", kindOf(n))
			}
			*to = &f
		}
	}
	r.mapping(n, map[string]func(*yaml.Node){
		"contains": text(&m.contains),
		"lacks":    text(&m.lacks),
		"matches": func(n *yaml.Node) {
			re, err := regexp.Compile(r.text(n))
			if err != nil {
				r.fail(n, "not a regular expression: %v", err)
			}
			m.matches = re
		},
		"min":     number(&m.min),
		"max":     number(&m.max),
		"longest": number(&m.longest),
		"oneOf": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				m.oneOf = append(m.oneOf, r.value(item))
			}
			if len(m.oneOf) == 0 {
				r.fail(n, "must not be empty")
			}
		},
		"absent": func(n *yaml.Node) {
			if m.absent = r.flag(n); !m.absent {
				r.fail(n, "absent can only be true")
			}
		},
	})
	return m
}

// value reads a YAML value as encoding/json would decode it.
func (r *reader) value(n *yaml.Node) any {
	text := r.json(n)
	if text == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		r.fail(n, "cannot be read as JSON: %v", err)
	}
	return v
}
