package runtime_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file holds what the tests with the real engine share: one sandbox for the
// process, and a host whose tools are Go functions.

var engine *sandbox.Sandbox

func TestMain(m *testing.M) {
	snapshot, err := sandbox.BuildSnapshot("")
	if err == nil {
		engine, err = sandbox.New(sandbox.Config{Snapshot: snapshot})
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	code := m.Run()
	engine.Close()
	os.Exit(code)
}

// host answers the tools "tools.echo", whose reply is its first argument,
// "tools.args", whose reply is the text of its arguments, "tools.note", which is
// the same and whose texts are kept, "tools.fail", whose reply is the error that
// its first argument describes, and "tools.never", which is never answered.
type host struct {
	mu    sync.Mutex
	notes []string // guarded by mu
}

var toolNames = []string{"echo", "args", "note", "fail", "never"}

func (h *host) Log(protocol.LogEntry) {}

func (h *host) CallTool(call *protocol.ToolCall) {
	var args []json.RawMessage
	if err := json.Unmarshal([]byte(call.Args), &args); err != nil {
		args = []json.RawMessage{[]byte(`"the arguments are one container that is referred to"`)}
	}
	var envelope string
	switch call.Tool {
	case "echo":
		envelope = `{"ok":` + string(args[0]) + `}`
	case "note":
		h.mu.Lock()
		h.notes = append(h.notes, call.Args)
		h.mu.Unlock()
		fallthrough
	case "args":
		text, _ := json.Marshal(call.Args)
		envelope = `{"ok":` + string(text) + `}`
	case "fail":
		envelope = `{"error":` + string(args[0]) + `}`
	default:
		return
	}
	go engine.Reply(call.Call, envelope)
}

// change changes a request before it runs.
type change func(*protocol.Request)

func withInput(text string) change {
	return func(r *protocol.Request) { r.Input = protocol.Value(text) }
}

func withLimits(l protocol.Limits) change { return func(r *protocol.Request) { r.Limits = l } }

func withGrant(g protocol.Grant) change {
	return func(r *protocol.Request) { r.Grants = append(r.Grants, g) }
}

func asModule(r *protocol.Request) { r.Form = protocol.FormModule }

func withModule(specifier, source string) change {
	return func(r *protocol.Request) {
		r.Modules = map[string]protocol.Module{specifier: {Source: source}}
	}
}

// run executes a program that has the host's tools. Its request is not validated,
// so that texts reach the guest which a host would refuse.
func run(t testing.TB, source string, changes ...change) (*protocol.Result, *host) {
	t.Helper()
	r := &protocol.Request{Source: source, Tools: []protocol.Namespace{{Name: "tools", Tools: toolNames}}}
	for _, c := range changes {
		c(r)
	}
	var err error
	if r.Limits, err = r.Limits.Resolve(protocol.DefaultLimits, protocol.MaxLimits); err != nil {
		t.Fatal(err)
	}
	h := new(host)
	return engine.Execute(context.Background(), r, h), h
}

// value runs a program and returns its value's text, or its fault's code and text.
func value(t testing.TB, source string, changes ...change) string {
	t.Helper()
	result, _ := run(t, source, changes...)
	switch {
	case result.Fault != nil:
		return string(result.Fault.Code()) + ": " + result.Fault.Error()
	case len(result.Value) == 0:
		return "undefined"
	}
	return string(result.Value)
}

// logged runs the body of an async function and returns the log entries, one a
// line, each with its level in front when that is not "log", and a fault as a
// last line.
func logged(t testing.TB, body string, changes ...change) string {
	t.Helper()
	result, _ := run(t, "async () => {\n"+body+"\n}", changes...)
	var lines []string
	for _, entry := range result.Logs {
		text := entry.Text
		if entry.Level != protocol.LevelLog {
			text = string(entry.Level) + ": " + text
		}
		lines = append(lines, text)
	}
	if result.Fault != nil {
		lines = append(lines, "fault "+string(result.Fault.Code())+": "+result.Fault.Error())
	}
	return strings.Join(lines, "\n")
}

func repeat(text string, n int) string { return strings.Repeat(text, n) }

var position = regexp.MustCompile(`program:\d+:\d+`)

func withoutPositions(text string) string { return position.ReplaceAllString(text, "program") }
