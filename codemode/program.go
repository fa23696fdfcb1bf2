package codemode

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"

	"github.com/isogate/isogate/protocol"
)

// This file owns what of a program is sent to be executed, and the way back to the code's
// own positions.

// programFile is the name of a program in faults and stacks.
const programFile = "program"

// program is a module whose default export is the program's function.
type program struct {
	code     string
	pieces   []piece
	language protocol.Language
}

func (p program) source() string { return joined(p.pieces) }

// exported puts what makes a module of a normal form in front of it, on the same line.
func exported(pieces []piece) []piece { return append([]piece{put("export default ")}, pieces...) }

// programs returns what to try, in this order; the last is JavaScript. One that does not parse as
// TypeScript has not run and makes room for the next.
//
// Something is put around a text only where that text is known to be whole in itself:
// it parses, or its brackets match. Any other goes as it is, to be refused by the engine.
func programs(code string) []program {
	pieces, understood := normalize(code, 0)
	if understood {
		return []program{{code, exported(pieces), protocol.JavaScript}}
	}
	source, at := bare(code, 0)
	tokens, whole := tokenize(source)
	if !whole {
		return []program{{code, []piece{{source, at}}, protocol.JavaScript}}
	}
	script := program{code, exported(pieces), protocol.JavaScript}
	if statements, ok := parseStatements(joined(pieces)); ok && len(statements) == 1 {
		return []program{script} // it returns, at its top
	}
	typed := program{code, exported(typedPieces(source, at, tokens)), protocol.TypeScript}
	return []program{typed, script}
}

// typedPieces is the normal form of what may be TypeScript, as far as its tokens tell.
func typedPieces(source string, at int, tokens []token) []piece {
	if len(tokens) > 2 && tokens[0].text(source) == "export" && tokens[1].text(source) == "default" {
		from := tokens[2].start
		rest, _ := tokenize(source[from:])
		return typedPieces(source[from:], at+from, rest)
	}
	switch name, shape := shapeOf(source, tokens); shape {
	case arrowShape:
		return []piece{{source, at}}
	case functionShape:
		if name == "" {
			return []piece{put(opening + "return ("), {source, at}, put(")();" + closing)}
		}
		return []piece{put(opening), {source, at}, put("\nreturn " + name + "();" + closing)}
	}
	for i := len(tokens) - 1; i > 0; i-- {
		if !endsBefore(source, tokens, i) {
			continue
		}
		last, ok := parseStatements(source[tokens[i].start:])
		if !ok || len(last) != 1 || !isExpression(last[0]) {
			break
		}
		expression := expressionOf(tokens[i:], 0)
		from, to := expression[0].start, expression[len(expression)-1].end
		return []piece{put(opening), {source[:from], at}, put("return ("), {source[from:to], at + from}, put(")" + closing)}
	}
	return asBody(source, at)
}

// endsBefore reports whether a statement surely ends before a token: a semicolon says so, or
// the token begins a line and an expression, and the line before can end one.
func endsBefore(source string, tokens []token, i int) bool {
	t, before := tokens[i], tokens[i-1]
	if t.depth > 0 {
		return false
	}
	if before.kind == js.SemicolonToken {
		return true
	}
	ended := tokens[:i]
	if before.kind == js.NotToken {
		ended = tokens[:i-1] // TypeScript's assertion that a value is there
	}
	if !t.onNewLine || startsRegExp(ended, source) {
		return false
	}
	return js.IsIdentifier(t.kind) || t.text(source) == "await" || t.text(source) == "new"
}

type shape int

const (
	noShape shape = iota
	arrowShape
	functionShape
)

// shapeOf tells whether the tokens are one arrow function or one function declaration,
// types and all, and the declaration's name.
func shapeOf(source string, tokens []token) (name string, s shape) {
	top := tokens[:0:0]
	for _, t := range tokens {
		if t.depth == 0 {
			top = append(top, t)
		}
	}
	for len(top) > 0 && top[len(top)-1].kind == js.SemicolonToken {
		top = top[:len(top)-1]
	}
	for i, t := range top {
		// Within one function nothing of the top ends a statement.
		if t.kind == js.SemicolonToken || i > 0 && t.onNewLine && top[i-1].kind == js.CloseBraceToken {
			return "", noShape
		}
	}
	i := 0
	at := func(text string) bool { return i < len(top) && top[i].text(source) == text }
	if at("async") {
		i++
	}
	if at("function") {
		i++
		if at("*") {
			i++
		}
		if i < len(top) && js.IsIdentifier(top[i].kind) {
			name = top[i].text(source)
			i++
		}
		if (at("(") || at("<")) && top[len(top)-1].kind == js.CloseBraceToken {
			return name, functionShape
		}
		return "", noShape
	}
	if !at("(") && !at("<") {
		return "", noShape
	}
	for ; i < len(top); i++ {
		if top[i].kind == js.ArrowToken {
			return "", arrowShape
		}
		if t := top[i].text(source); t == "." || t == "=" {
			return "", noShape
		}
	}
	return "", noShape
}

// place puts a syntax error where it is in the code.
func (p program) place(f *protocol.Syntax) {
	if f.File != programFile {
		return
	}
	f.Line, f.Column = p.original(f.Line, f.Column)
	line := strings.Split(p.code, "\n")[f.Line-1]
	f.Excerpt = excerpt(strings.TrimSuffix(line, "\r"), f.Column)
}

// excerpt cuts a long line around a column.
func excerpt(line string, column int) string {
	const most = 160
	runes := []rune(line)
	if len(runes) <= most {
		return line
	}
	from := min(max(0, column-most/2), len(runes)-most)
	return string(runes[from : from+most])
}

var position = regexp.MustCompile(`\b` + programFile + `:(\d+):(\d+)`)

// stack puts the frames of a stack where they are in the code, and leaves out those of the
// guest's side.
func (p program) stack(stack string) string {
	return position.ReplaceAllStringFunc(ownFrames(stack), func(match string) string {
		m := position.FindStringSubmatch(match)
		line, err1 := strconv.Atoi(m[1])
		column, err2 := strconv.Atoi(m[2])
		if err1 != nil || err2 != nil {
			return match
		}
		line, column = p.original(line, column)
		return fmt.Sprintf("%s:%d:%d", programFile, line, column)
	})
}

// original returns where a place of what was sent is in the code. Lines and columns count
// from 1, columns are UTF-16 code units. A place in what was put in is that of the code behind
// it, or of its end.
func (p program) original(line, column int) (int, int) {
	offset := offsetOf(p.source(), line, column)
	at := len(strings.TrimRight(p.code, " \t\r\n"))
	start := 0
	for _, piece := range p.pieces {
		if end := start + len(piece.text); piece.at >= 0 && offset < end {
			at = piece.at + max(0, offset-start)
			break
		} else if start = end; piece.at >= 0 {
			at = piece.at + len(piece.text)
		}
	}
	before := p.code[:min(at, len(p.code))]
	from := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, len(utf16.Encode([]rune(before[from:]))) + 1
}

// offsetOf returns the byte that a line and a column are at.
func offsetOf(text string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	for ; column > 1 && at < len(text) && text[at] != '\n'; column-- {
		r, size := utf8.DecodeRuneInString(text[at:])
		if at += size; r > 0xffff {
			column--
		}
	}
	return at
}
