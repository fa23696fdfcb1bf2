package threats

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/isogate/isogate/protocol"
)

// This file owns expectations: reading them, and comparing them with a result.

// expectation reads an expectation.
func (r *reader) expectation(n *yaml.Node) *Expectation {
	e := new(Expectation)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "must be a mapping with value, fault or any, is %s", kindOf(n))
		return e
	}
	kinds := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		kinds[n.Content[i].Value] = n.Content[i+1]
	}
	switch {
	case kinds["fault"] != nil:
		e.Fault = choice(r, kinds["fault"], protocol.Codes()...)
		e.Fields = map[string]*Matcher{}
		r.entries(n, func(key, value *yaml.Node) {
			switch {
			case key.Value == "fault":
			case e.Fault != "" && !hasField(e.Fault, key.Value):
				// A test that the field is absent would hold for ever.
				r.fail(key, "the fault %s has no field %q", e.Fault, key.Value)
			default:
				e.Fields[key.Value] = r.matcher(value)
			}
		})
	case kinds["any"] != nil:
		r.mapping(n, map[string]func(*yaml.Node){"any": func(n *yaml.Node) {
			for _, item := range r.list(n) {
				e.Any = append(e.Any, r.expectation(item))
			}
			if len(e.Any) < 2 {
				r.fail(n, "must list at least two outcomes")
			}
		}})
	default:
		r.mapping(n, map[string]func(*yaml.Node){"value": func(n *yaml.Node) { e.Value = r.json(n) }}, "value")
	}
	return e
}

// hasField reports whether the wire form of a fault may have the field. Package
// protocol reads faults strictly, and is asked.
func hasField(code protocol.Code, name string) bool {
	text, err := json.Marshal(map[string]any{"code": code, name: code})
	if err != nil {
		return false
	}
	_, err = protocol.DecodeFault(text)
	return err == nil || !strings.Contains(err.Error(), "the unknown member")
}

// Match returns what is wrong with the result; nothing is wrong when it is empty.
func (e *Expectation) Match(result *protocol.Result) []string {
	switch {
	case e.Any != nil:
		var reasons []string
		for _, one := range e.Any {
			wrong := one.Match(result)
			if len(wrong) == 0 {
				return nil
			}
			reasons = append(reasons, strings.Join(wrong, ", "))
		}
		return []string{"none of the safe outcomes: " + strings.Join(reasons, "; or ")}
	case e.Fault != "":
		return e.matchFault(result)
	}
	return e.matchValue(result)
}

func (e *Expectation) matchFault(result *protocol.Result) []string {
	if result.Fault == nil {
		return []string{fmt.Sprintf("the outcome is the value %s, must be the fault %s", cut(valueText(result)), e.Fault)}
	}
	if got := result.Fault.Code(); got != e.Fault {
		return []string{fmt.Sprintf("the outcome is the fault %s (%s), must be the fault %s", got, cut(result.Fault.Error()), e.Fault)}
	}
	text, err := protocol.EncodeFault(result.Fault)
	if err != nil {
		return []string{"the fault cannot be encoded: " + err.Error()}
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return []string{"the fault's wire form is no object: " + err.Error()}
	}
	var wrong []string
	for _, name := range sortedKeys(e.Fields) {
		v, found := fields[name]
		if what := e.Fields[name].Match(v, found); what != "" {
			wrong = append(wrong, "the fault's "+name+" "+what)
		}
	}
	return wrong
}

func (e *Expectation) matchValue(result *protocol.Result) []string {
	if result.Fault != nil {
		return []string{fmt.Sprintf("the outcome is the fault %s (%s), must be the value %s",
			result.Fault.Code(), cut(result.Fault.Error()), cut(string(e.Value)))}
	}
	var want, got any
	if err := json.Unmarshal(e.Value, &want); err != nil {
		return []string{"the expected value is not JSON: " + err.Error()}
	}
	if err := json.Unmarshal([]byte(valueText(result)), &got); err != nil {
		return []string{"the value is not JSON: " + err.Error()}
	}
	if !reflect.DeepEqual(want, got) {
		return []string{fmt.Sprintf("the value is %s, must be %s", cut(valueText(result)), cut(string(e.Value)))}
	}
	return nil
}

// Match returns what is wrong with the logs.
func (l *LogExpectation) Match(result *protocol.Result) []string {
	var wrong []string
	if l.Count != nil {
		if what := l.Count.Match(float64(len(result.Logs)), true); what != "" {
			wrong = append(wrong, "the number of log entries "+what)
		}
	}
	if l.Dropped != nil {
		if what := l.Dropped.Match(float64(result.Usage.DroppedLogs), true); what != "" {
			wrong = append(wrong, "the number of dropped log entries "+what)
		}
	}
	lines := make([]string, len(result.Logs))
	for i, entry := range result.Logs {
		lines[i] = string(entry.Level) + ": " + entry.Text
	}
	all := strings.Join(lines, "\n")
	for _, text := range l.Contains {
		if !strings.Contains(all, text) {
			wrong = append(wrong, fmt.Sprintf("no log entry contains %q; the logs are %s", text, cut(all)))
		}
	}
	if l.Exact != nil && !reflect.DeepEqual(l.Exact, lines) {
		wrong = append(wrong, fmt.Sprintf("the logs are %s, must be %s", brief(lines), brief(l.Exact)))
	}
	return wrong
}

// MatchUsage returns what is wrong with the result's usage.
func MatchUsage(want map[string]*Matcher, result *protocol.Result) []string {
	text, err := json.Marshal(result.Usage)
	if err != nil {
		return []string{"the usage cannot be encoded: " + err.Error()}
	}
	fields := map[string]any{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return []string{"the usage is no object: " + err.Error()}
	}
	var wrong []string
	for _, name := range sortedKeys(want) {
		v, found := fields[name]
		if what := want[name].Match(v, found); what != "" {
			wrong = append(wrong, "usage."+name+" "+what)
		}
	}
	return wrong
}

// valueText returns the codec text of a result's value; an empty value is undefined.
func valueText(result *protocol.Result) string {
	if len(result.Value) == 0 {
		return `{"$":"undefined"}`
	}
	return string(result.Value)
}

func cut(text string) string {
	const most = 300
	if len(text) > most {
		return fmt.Sprintf("%s… (%d bytes)", text[:most], len(text))
	}
	return text
}
