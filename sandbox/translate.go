package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/go-sourcemap/sourcemap"

	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns the way from the request's texts to what V8 compiles, and the
// way back from V8's positions to the texts as they were sent. JavaScript is
// compiled as it is. TypeScript loses its types, by esbuild, and syntax that
// the engine lacks is lowered.

// programName is the name of the entry in stacks and faults.
const programName = "program"

// program is what is compiled: JavaScript, and the maps back.
type program struct {
	source  string
	modules map[string]string
	maps    map[string]*sourcemap.Consumer // by file; only for what was translated
	texts   map[string]string              // of the files in maps, as they were sent
}

// translatorStack bounds the stack of the translator, in bytes. Its parser recurses
// as deeply as a text is nested; beyond the bound Go ends the process, which the
// supervisor tells from other ends. V8's parser has a fraction of that.
const translatorStack = 64 << 20

// translate prepares a request's texts. The fault is a Syntax fault.
func translate(req *protocol.Request) (*program, protocol.Fault) {
	p := &program{modules: map[string]string{}, maps: map[string]*sourcemap.Consumer{}, texts: map[string]string{}}
	var fault protocol.Fault
	bound := int(req.Limits.ErrorText)
	if p.source, fault = p.translateFile(programName, req.Source, req.Language, bound); fault != nil {
		return nil, fault
	}
	for specifier, module := range req.Modules {
		text, fault := p.translateFile(specifier, module.Source, module.Language, bound)
		if fault != nil {
			return nil, fault
		}
		p.modules[specifier] = text
	}
	return p, nil
}

// translateFile prepares one text. A message about it is cut to bound bytes.
func (p *program) translateFile(name, text string, language protocol.Language, bound int) (string, protocol.Fault) {
	if language != protocol.TypeScript {
		return text, nil
	}
	//gate:protects stack-overflow-contained
	defer debug.SetMaxStack(debug.SetMaxStack(translatorStack))
	out := api.Transform(text, api.TransformOptions{
		Loader:     api.LoaderTS,
		Engines:    []api.Engine{{Name: api.EngineChrome, Version: "109"}},
		Sourcemap:  api.SourceMapExternal,
		Sourcefile: name,
		LogLevel:   api.LogLevelSilent,
	})
	if len(out.Errors) > 0 {
		f := syntaxFromMessage(name, out.Errors[0])
		f.Message = cut(f.Message, bound)
		return "", f
	}
	if nothingMapped(out.Map) {
		return string(out.Code), nil
	}
	consumer, err := sourcemap.Parse("", out.Map)
	if err != nil {
		panic(fmt.Sprintf("sandbox: esbuild's source map does not parse: %v", err))
	}
	p.maps[name], p.texts[name] = consumer, text
	return string(out.Code), nil
}

// nothingMapped reports whether a source map is empty, as that of a text is of which
// nothing but directives is left, or nothing at all. The reader of maps refuses it.
func nothingMapped(text []byte) bool {
	var m struct {
		Mappings *string `json:"mappings"`
	}
	return json.Unmarshal(text, &m) == nil && m.Mappings != nil && *m.Mappings == ""
}

// syntaxFromMessage converts esbuild's positions, bytes from 0, to ours.
func syntaxFromMessage(name string, m api.Message) *protocol.Syntax {
	f := &protocol.Syntax{Message: m.Text, File: name, Line: 1, Column: 1}
	if at := m.Location; at != nil {
		before := at.LineText[:min(at.Column, len(at.LineText))]
		f.Line, f.Column = at.Line, len(utf16.Encode([]rune(before)))+1
		f.Excerpt = excerpt(at.LineText, f.Column)
	}
	return f
}

// syntaxFault converts V8's report of a text that does not parse.
func (p *program) syntaxFault(o v8.Outcome) *protocol.Syntax {
	f := &protocol.Syntax{
		Message: strings.TrimPrefix(strings.TrimPrefix(o.Message, "Uncaught "), "SyntaxError: "),
		File:    o.Resource, Line: o.Line, Column: o.Column, Excerpt: excerpt(o.SourceLine, o.Column),
	}
	if line, column, ok := p.original(o.Resource, o.Line, o.Column); ok {
		f.Line, f.Column = line, column
		if lines := strings.Split(p.texts[o.Resource], "\n"); line >= 1 && line <= len(lines) {
			f.Excerpt = excerpt(lines[line-1], column)
		}
	}
	return f
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

// original maps a position in compiled text back, both counted from 1.
func (p *program) original(file string, line, column int) (int, int, bool) {
	consumer := p.maps[file]
	if consumer == nil {
		return 0, 0, false
	}
	_, _, originalLine, originalColumn, ok := consumer.Source(line, column-1)
	return originalLine, originalColumn + 1, ok
}

// framePosition matches the end of a stack frame: a file name, a line, a column.
var framePosition = regexp.MustCompile(`([^\s()]+):(\d+):(\d+)`)

// remap puts the positions of a stack into the coordinates of the texts as
// they were sent.
func (p *program) remap(stack string) string {
	if len(p.maps) == 0 || stack == "" {
		return stack
	}
	return framePosition.ReplaceAllStringFunc(stack, func(match string) string {
		parts := framePosition.FindStringSubmatch(match)
		line, _ := strconv.Atoi(parts[2])
		column, _ := strconv.Atoi(parts[3])
		originalLine, originalColumn, ok := p.original(parts[1], line, column)
		if !ok {
			return match
		}
		return fmt.Sprintf("%s:%d:%d", parts[1], originalLine, originalColumn)
	})
}
