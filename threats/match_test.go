package threats

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/isogate/isogate/protocol"
)

// This file tests matchers and expectations against results.

func TestMatcher(t *testing.T) {
	tests := []struct {
		data  string
		value any
		found bool
		want  string // part of what is wrong; "" for a match
	}{
		{"wall", "wall", true, ""},
		{"wall", "cpu", true, `is "cpu", must be "wall"`},
		{"300", float64(300), true, ""},
		{"300", "300", true, "must be 300"},
		{"true", true, true, ""},
		{"[a, b]", []any{"a", "b"}, true, ""},
		{"[a, b]", []any{"b", "a"}, true, "must be"},
		{"wall", nil, false, "is absent"},
		{"{contains: ell}", "hello", true, ""},
		{"{contains: ell}", "halo", true, `must contain "ell"`},
		{"{contains: '\"a\":1'}", map[string]any{"a": 1.0}, true, ""},
		{"{lacks: ell}", "halo", true, ""},
		{"{lacks: ell}", "hello", true, `must not contain "ell"`},
		{"{lacks: ell}", nil, false, "is absent"},
		{"{matches: '^h.l+o$'}", "hello", true, ""},
		{"{matches: '^h.l+o$'}", "hi", true, "must match"},
		{"{min: 2, max: 4}", 3.0, true, ""},
		{"{min: 2}", 1.0, true, "must be at least 2"},
		{"{max: 2}", 3.0, true, "must be at most 2"},
		{"{min: 2}", "3", true, "must be a number"},
		{"{oneOf: [a, 1]}", 1.0, true, ""},
		{"{oneOf: [a, 1]}", "b", true, "must be one of"},
		{"{longest: 3}", "abc", true, ""},
		{"{longest: 3}", "abcd", true, "at most 3 bytes"},
		{"{absent: true}", nil, false, ""},
		{"{absent: true}", "x", true, "must be absent"},
		{"{contains: a, lacks: b}", "ab", true, `must not contain "b"`},
	}
	for _, tc := range tests {
		t.Run(tc.data, func(t *testing.T) {
			m := readMatcher(t, tc.data)
			got := m.Match(tc.value, tc.found)
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("Match(%v, %v) is %q, must contain %q", tc.value, tc.found, got, tc.want)
			}
		})
	}
}

func readMatcher(t *testing.T, data string) *Matcher {
	t.Helper()
	r := &reader{file: "x"}
	m := r.matcher(parseYAML(t, data))
	if len(r.errs) > 0 {
		t.Fatal(r.errs)
	}
	return m
}

func parseYAML(t *testing.T, data string) *yaml.Node {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(data), &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

func TestExpectation(t *testing.T) {
	value := func(text string) *protocol.Result { return &protocol.Result{Value: protocol.Value(text)} }
	deadline := &protocol.Result{Fault: &protocol.DeadlineExceeded{Kind: "wall", LimitMS: 300, How: "killed"}}
	tests := []struct {
		name, data string
		result     *protocol.Result
		want       string
	}{
		{"value", "{value: {a: [1, x]}}", value(`{"a":[1,"x"]}`), ""},
		{"order of keys does not matter", "{value: {a: 1, b: 2}}", value(`{"b":2,"a":1}`), ""},
		{"another value", "{value: {a: 1}}", value(`{"a":2}`), `the value is {"a":2}, must be {"a":1}`},
		{"an extra key", "{value: {a: 1}}", value(`{"a":1,"b":1}`), "must be"},
		{"undefined", "{value: {$: undefined}}", &protocol.Result{}, ""},
		{"undefined is not null", "{value: null}", &protocol.Result{}, `the value is {"$":"undefined"}`},
		{"a fault where a value must be", "{value: 1}", deadline, "the outcome is the fault deadline_exceeded"},
		{"fault", "{fault: deadline_exceeded}", deadline, ""},
		{"fault with fields", "{fault: deadline_exceeded, kind: wall, limitMs: 300, how: killed, class: limit, retryable: false}", deadline, ""},
		{"another field", "{fault: deadline_exceeded, how: interrupted}", deadline, `the fault's how is "killed", must be "interrupted"`},
		{"a field that is not there", "{fault: deadline_exceeded, delivered: [a]}", deadline, "the fault's delivered is absent"},
		{"another fault", "{fault: stalled}", deadline, "must be the fault stalled"},
		{"a value where a fault must be", "{fault: stalled}", value("1"), "the outcome is the value 1, must be the fault stalled"},
		{"its text", "{fault: deadline_exceeded, message: {contains: 300ms}}", deadline, ""},
		{"either", "{any: [{value: 1}, {fault: deadline_exceeded, kind: wall}]}", deadline, ""},
		{"neither", "{any: [{value: 1}, {fault: stalled}]}", deadline, "none of the safe outcomes"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			r := &reader{file: "x"}
			e := r.expectation(parseYAML(t, tc.data))
			if len(r.errs) > 0 {
				t.Fatal(r.errs)
			}
			got := strings.Join(e.Match(tc.result), "; ")
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("the answer is %q, must contain %q", got, tc.want)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	base := goodAttack
	result := &protocol.Result{
		Value: protocol.Value("1"), Logs: []protocol.LogEntry{{Level: "log", Text: "hello"}, {Level: "warn", Text: "you"}},
		Calls: []protocol.Call{{Name: "tools.add"}}, Usage: protocol.Usage{PeakHeap: 100, DroppedLogs: 2},
	}
	tests := []struct{ name, header, want string }{
		{"all right", "calls: 1\nlogs: {count: 2, dropped: 2, contains: [ell], exact: ['log: hello', 'warn: you']}\nusage: {peakHeap: {max: 100}}", ""},
		{"calls", "calls: 2", "the number of calls in the result is 1, must be 2"},
		{"log count", "logs: {count: {max: 1}}", "the number of log entries is 2, must be at most 1"},
		{"dropped", "logs: {dropped: 0}", "the number of dropped log entries is 2, must be 0"},
		{"log text", "logs: {contains: [bye]}", `no log entry contains "bye"`},
		{"exact logs", "logs: {exact: ['log: hello']}", "the logs are"},
		{"usage", "usage: {peakHeap: {max: 99}}", "usage.peakHeap is 100, must be at most 99"},
		{"a usage that is not there", "usage: {child: 1}", "usage.child is absent"},
		{"invoked", "tools: [tools.add]\ninvoked: {tools.add: 1}", "the number of times that tools.add ran is 0, must be 1"},
		{"resident", "resident: 1 MiB", "peak resident memory is 2097152 bytes"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			a, mistakes := ReadAttack("t/sample/x.js", "sample", []byte(strings.Replace(base, "source: own", "source: own\n"+tc.header, 1)))
			if len(mistakes) > 0 {
				t.Fatal(mistakes)
			}
			got := strings.Join(a.Judge(Observation{Result: result, Toolbox: new(Toolbox), Resident: 2 << 20}), "; ")
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("the answer is %q, must contain %q", got, tc.want)
			}
		})
	}
}

func TestToolboxCounts(t *testing.T) {
	b := new(Toolbox)
	tools := b.Offer(ToolName{"tools", "add"}, ToolName{"other", "add"})
	for range 2 {
		if v, err := tools["tools"]["add"](t.Context(), []any{map[string]any{"a": 1.0, "b": 2.0}}); err != nil || v != 3.0 {
			t.Fatalf("add returned %v, %v", v, err)
		}
	}
	if _, err := tools["other"]["add"](t.Context(), nil); err == nil {
		t.Error("add without arguments did not fail")
	}
	if b.Invoked("tools.add") != 2 || b.Invoked("other.add") != 1 || b.Invoked("tools.echo") != 0 {
		t.Errorf("counted %v", b.count)
	}
	if b.Total() != 3 || strings.Count(b.Received(), "a\n") != 2 {
		t.Errorf("%d calls, given %q", b.Total(), b.Received())
	}
}

// What tools are given is kept as deep as it is, within bounds.
func TestToolboxKeepsWhatItWasGiven(t *testing.T) {
	deep := any("at the bottom")
	for range 50_000 {
		deep = map[string]any{"": deep}
	}
	tests := []struct {
		name string
		args []any
		want string
	}{
		{"a text", []any{"hello"}, "hello\n"},
		{"a text that is deep", []any{deep}, "at the bottom\n"},
		{"keys and bytes", []any{map[string]any{"key": []any{[]byte("bytes"), 1.5, nil}}}, "bytes\n"},
		{"the start of a long text", []any{strings.Repeat("x", 1<<20)}, strings.Repeat("x", receivedCall)},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			b := new(Toolbox)
			if _, err := b.Offer(ToolName{"tools", "args"})["tools"]["args"](t.Context(), tc.args); err != nil {
				t.Fatal(err)
			}
			if got := b.Received(); !strings.Contains(got, tc.want) || len(got) > 2*receivedCall {
				t.Errorf("kept %d bytes: %.100q", len(got), got)
			}
		})
	}
	b := new(Toolbox)
	cycle := map[string]any{}
	cycle["itself"] = cycle
	b.took("tools.args", []any{cycle})
	if b.Total() != 1 || len(b.Received()) > 2*receivedCall {
		t.Errorf("a cycle: %d calls, %d bytes", b.Total(), len(b.Received()))
	}
}
