package wpt

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the program that a test becomes: one script of the harness, the
// scripts that the test names, and the test, whose value is a function.

//go:embed guest.js
var guest string

// aliases are the paths that the project's server knows for other files.
var aliases = map[string]string{"resources/WebIDLParser.js": "resources/webidl2/lib/webidl2.js"}

// configuration is what the guest's shim is told of a test (guest.js).
type configuration struct {
	Path      string `json:"path"`
	Query     string `json:"query"`
	Hash      string `json:"hash"`
	Title     string `json:"title,omitempty"`
	TimeoutMS int64  `json:"timeoutMs"`
	// AsWindow: the scripts decide by the name Window which interfaces have to exist.
	AsWindow bool `json:"asWindow"`
}

// longFactor is how much longer a test may take that says it is long.
const longFactor = 6

// program returns the request that runs a test.
func (s *Suite) program(name, variant, text string, meta *Meta) (executor.Request, error) {
	timeout := s.options.Timeout
	if meta.Long {
		timeout *= longFactor
	}
	c := configuration{Path: "/" + name, Title: meta.Title, TimeoutMS: timeout.Milliseconds()}
	c.Query, c.Hash = splitHash(variant)
	var scripts []string
	for _, script := range meta.Scripts {
		at := resolve(name, script)
		c.AsWindow = c.AsWindow || path.Base(at) == "idlharness.js"
		content, err := s.script(at)
		if err != nil {
			return executor.Request{}, fmt.Errorf("META script=%s: %w", script, err)
		}
		scripts = append(scripts, content)
	}
	limits := suite.Limits(timeout + timeout/2)
	// The harness ends by itself when the time is up, with what there is by then.
	limits.Wall = min(2*timeout+time.Second, protocol.MaxLimits.Wall)
	return executor.Request{
		Source: assemble(c, s.harness, scripts, text),
		Form:   protocol.FormFunction,
		Grants: s.options.Grants,
		Limits: limits,
		Tools:  executor.Tools{namespace: s.tools(name)},
	}, nil
}

// assemble puts a program together. The test itself is evaluated as a text of its
// own, so that what it throws is caught and its directives are directives.
func assemble(c configuration, harness string, scripts []string, test string) string {
	var b strings.Builder
	b.WriteString(strings.Replace(guest, "(CONFIGURATION)", "("+literal(c)+")", 1))
	for _, script := range append([]string{harness, "__conformance.observe();"}, scripts...) {
		b.WriteString("\n;\n" + script)
	}
	b.WriteString("\n;\n__conformance.evaluate(" + literal(test) + ");\n__conformance.outcome;\n")
	return b.String()
}

// literal returns a value as an expression of JavaScript.
func literal(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts and numbers
	}
	return string(text)
}

// script returns the text of a file of the checkout, from memory when it was
// asked for before.
func (s *Suite) script(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text, known := s.scripts[name]; known {
		return text, nil
	}
	text, err := s.root.ReadFile(name)
	if err != nil {
		return "", err
	}
	s.scripts[name] = strings.ToValidUTF8(string(text), "\ufffd")
	return s.scripts[name], nil
}

// resolve returns the file that a reference in a test means, as a path in the
// checkout.
func resolve(test, reference string) string {
	reference, _ = splitVariant(reference)
	if !strings.HasPrefix(reference, "/") {
		reference = path.Join("/", path.Dir(test), reference)
	}
	name := strings.TrimPrefix(path.Clean(reference), "/")
	if alias, known := aliases[name]; known {
		return alias
	}
	return name
}

// splitHash splits a variant into query and fragment.
func splitHash(variant string) (query, hash string) {
	if at := strings.IndexByte(variant, '#'); at >= 0 {
		return variant[:at], variant[at:]
	}
	return variant, ""
}
