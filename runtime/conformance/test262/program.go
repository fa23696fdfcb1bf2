package test262

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the programs that a test becomes.
//
// A test is a script, run at top level. It is put behind the harness, in one
// script, and before an expression whose value is the function that tells the
// outcome: a script that throws never gets there. Tests that are modules are
// imported by such a script, under their own name, because tests import
// themselves. Where an error is expected before anything runs, the test stands
// alone.

//go:embed guest.js
var guest string

// always are the files of the harness that every test has before it.
var always = []string{"assert.js", "sta.js"}

// done are those of an asynchronous test.
const done = "doneprintHandle.js"

// finished is the value of a program whose test passed.
const finished = "finished"

// The last expressions of a script.
const (
	endOfScript = "\n;(function () { return '" + finished + "'; });\n"
	endOfAsync  = "\n;(function () { return $262.finish(); });\n"
	// The last expressions of a script that imports the test.
	endOfModule      = "\n;(async function () { await import(%s); return '" + finished + "'; });\n"
	endOfAsyncModule = "\n;(function () { return $262.finish(import(%s)); });\n"
)

// prelude returns the shim and the files of the harness that a test asks for, as
// one text. The error is that a file is missing.
func (s *Suite) prelude(m *FrontMatter) (string, error) {
	files := always
	if m.Async {
		files = append(files[:len(files):len(files)], done)
	}
	files = append(files[:len(files):len(files)], m.Includes...)
	key := strings.Join(files, "\x00")
	s.mu.Lock()
	defer s.mu.Unlock()
	if text, known := s.preludes[key]; known {
		return text, nil
	}
	var b strings.Builder
	b.WriteString(guest)
	for _, name := range files {
		content, err := s.root.ReadFile(path.Join("harness", name))
		if err != nil {
			return "", fmt.Errorf("a file of the harness: %w", err)
		}
		b.WriteString("\n;" + string(content))
	}
	b.WriteString("\n;\n")
	s.preludes[key] = b.String()
	return s.preludes[key], nil
}

// program returns the request that runs a test in one way.
func (s *Suite) program(name, text string, m *FrontMatter, how mode) (executor.Request, error) {
	request := executor.Request{
		Form: protocol.FormFunction, Grants: s.options.Grants, Limits: suite.Limits(s.options.Timeout),
		Modules: s.modules(name, text, m.Module),
	}
	early := m.Negative != nil && m.Negative.Phase != PhaseRuntime
	if early && m.Module {
		request.Form = protocol.FormModule
		request.Source = "import " + literal(specifier(name)) + ";\n"
		return request, nil
	}
	prelude := ""
	if !early && how != asIs && !m.Raw {
		var err error
		if prelude, err = s.prelude(m); err != nil {
			return request, err
		}
	}
	if how == strict {
		prelude = "\"use strict\";\n" + prelude
	}
	switch {
	case early:
		request.Source = prelude + text
	case m.Module && m.Async:
		request.Source = prelude + fmt.Sprintf(endOfAsyncModule, literal(specifier(name)))
	case m.Module:
		request.Source = prelude + fmt.Sprintf(endOfModule, literal(specifier(name)))
	case m.Async:
		request.Source = prelude + text + endOfAsync
	default:
		request.Source = prelude + text + endOfScript
	}
	return request, nil
}

// specifier is how a test's own module is imported.
func specifier(name string) string { return "./" + path.Base(name) }

// literal returns a text as a literal of JavaScript.
func literal(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text
	}
	return string(out)
}
