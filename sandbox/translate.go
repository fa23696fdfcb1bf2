package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"unicode/utf16"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns the way from the request's texts to what V8 compiles. JavaScript is
// compiled as it is, unless V8 refuses it (lower.go). TypeScript loses its types, by
// esbuild, and syntax that the engine lacks is lowered. JSON becomes a module.

// programName is the name of the entry in stacks and faults.
const programName = "program"

// program is what is compiled: JavaScript, and the ways back.
type program struct {
	source     string
	modules    map[string]string
	translated map[string]*translated // by file; only what is not compiled as it was sent
	lowering   map[string]*lowering   // by file; what was tried since V8 refused it
}

// translatorStack bounds the stack of the translator, in bytes. Its parser recurses
// as deeply as a text is nested; beyond the bound Go ends the process, which the
// supervisor tells from other ends. V8's parser has a fraction of that.
const translatorStack = 64 << 20

// translate prepares a request's texts. The fault is a Syntax fault.
func translate(req *protocol.Request) (*program, protocol.Fault) {
	p := &program{
		source:  req.Source,
		modules: map[string]string{}, translated: map[string]*translated{}, lowering: map[string]*lowering{},
	}
	bound := int(req.Limits.ErrorText)
	if req.Language == protocol.TypeScript {
		var fault protocol.Fault
		if p.source, fault = p.strip(programName, req.Source, bound); fault != nil {
			return nil, fault
		}
	}
	for specifier, module := range req.Modules {
		text := module.Source
		var fault protocol.Fault
		switch module.Language {
		case protocol.TypeScript:
			text, fault = p.strip(specifier, text, bound)
		case protocol.JSON:
			text, fault = jsonModule(specifier, text)
		}
		if fault != nil {
			return nil, fault
		}
		p.modules[specifier] = text
	}
	return p, nil
}

// strip takes the types away from a text. A message about it is cut to bound bytes.
func (p *program) strip(name, text string, bound int) (string, protocol.Fault) {
	code, way, failure := transform(name, text, api.LoaderTS)
	if failure != nil {
		f := syntaxFromMessage(name, *failure)
		f.Message = cut(f.Message, bound)
		return "", f
	}
	p.translated[name] = &translated{sent: text, steps: []step{way}}
	return code, nil
}

// transform gives a text to the translator and returns JavaScript that the engine
// knows, and the way back. What is left of regular expressions is as it was.
func transform(name, text string, loader api.Loader) (string, sourceMap, *api.Message) {
	//gate:protects stack-overflow-contained
	defer debug.SetMaxStack(debug.SetMaxStack(translatorStack))
	out := api.Transform(text, api.TransformOptions{
		Loader:     loader,
		Engines:    []api.Engine{{Name: api.EngineChrome, Version: "109"}},
		Supported:  asTheyAre,
		Sourcemap:  api.SourceMapExternal,
		Sourcefile: name,
		LogLevel:   api.LogLevelSilent,
	})
	if len(out.Errors) > 0 {
		return "", nil, &out.Errors[0]
	}
	var m struct {
		Mappings string `json:"mappings"`
	}
	err := json.Unmarshal(out.Map, &m)
	var way sourceMap
	if err == nil {
		way, err = parseMappings(m.Mappings)
	}
	if err != nil {
		panic(fmt.Sprintf("sandbox: esbuild's source map does not parse: %v", err))
	}
	return string(out.Code), way, nil
}

// asTheyAre keeps regular expressions literals: esbuild would make calls of RegExp
// from those that it takes the engine not to know, and the error a late one.
var asTheyAre = map[string]bool{"regexp-set-notation": true}

// jsonModule returns the module whose default export is what a JSON text says. The
// text is checked first and becomes one string literal.
func jsonModule(name, text string) (string, protocol.Fault) {
	var value json.RawMessage
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		at := len(text)
		var wrong *json.SyntaxError
		if errors.As(err, &wrong) {
			at = min(at, max(0, int(wrong.Offset)-1))
		}
		f := &protocol.Syntax{Message: "not JSON: " + err.Error(), File: name, Line: 1 + strings.Count(text[:at], "\n")}
		from := strings.LastIndexByte(text[:at], '\n') + 1
		line, _, _ := strings.Cut(text[from:], "\n")
		f.Column = columnOf(text[from:at])
		f.Excerpt = excerpt(line, f.Column)
		return "", f
	}
	literal, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always encodes
	}
	return "export default JSON.parse(" + string(literal) + ");", nil
}

// columnOf returns the column behind the start of a line, counted from 1.
func columnOf(before string) int { return len(utf16.Encode([]rune(before))) + 1 }

// syntaxFromMessage converts esbuild's positions, bytes from 0, to ours.
func syntaxFromMessage(name string, m api.Message) *protocol.Syntax {
	f := &protocol.Syntax{Message: m.Text, File: name, Line: 1, Column: 1}
	if at := m.Location; at != nil {
		f.Line, f.Column = at.Line, columnOf(at.LineText[:min(at.Column, len(at.LineText))])
		f.Excerpt = excerpt(at.LineText, f.Column)
	}
	return f
}

// syntaxFault converts V8's report of a text that does not parse.
func (p *program) syntaxFault(o v8.Outcome) *protocol.Syntax {
	f := &protocol.Syntax{
		Message: syntaxMessage(o),
		File:    o.Resource, Line: o.Line, Column: o.Column, Excerpt: excerpt(o.SourceLine, o.Column),
	}
	if t := p.translated[o.Resource]; t != nil {
		if line, column, ok := t.original(o.Line, o.Column); ok {
			f.Line, f.Column, f.Excerpt = line, column, excerpt(t.line(line), column)
		}
	}
	f.Hint = syntaxHint(f.Message)
	return f
}

// syntaxMessage is what V8 says of a text that does not parse, without the kind of error.
func syntaxMessage(o v8.Outcome) string {
	return strings.TrimPrefix(strings.TrimPrefix(o.Message, "Uncaught "), "SyntaxError: ")
}

// excerpt returns the line, cut around the column when it is long.
func excerpt(line string, column int) string {
	const most = 160
	runes := []rune(strings.TrimRight(line, "\r"))
	if len(runes) <= most {
		return string(runes)
	}
	from := min(max(0, column-most/2), len(runes)-most)
	out := string(runes[from : from+most])
	if from > 0 {
		out = "…" + out
	}
	if from+most < len(runes) {
		out += "…"
	}
	return out
}

// packedPosition answers the guest library's question for a position, see
// runtime/js/host.js.
func (p *program) packedPosition(file string, line, column int) int64 {
	t := p.translated[file]
	if t == nil {
		return 0
	}
	if line == 0 {
		return 1
	}
	originalLine, originalColumn, ok := t.original(line, column)
	if !ok {
		return -1
	}
	return int64(originalLine)<<26 | int64(originalColumn)
}
