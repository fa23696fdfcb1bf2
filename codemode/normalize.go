package codemode

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// This file owns the normal form of a program: whatever a language model wrote
// becomes one arrow function without parameters.

// NormalizeCode returns the source of a function that does what the code does: an arrow function
// is left as it is, a default export and a function declaration are called, the
// value of a last expression is returned, and everything else becomes the body of an async
// arrow function. A fence of Markdown around the code is dropped.
//
// It only reads the code. A text that does not parse becomes a body too.
func NormalizeCode(code string) string {
	pieces, _ := normalize(code, 0)
	return joined(pieces)
}

// piece is a part of a normal form: text of the code, or put in around it.
type piece struct {
	text string
	at   int // where it is in the code, in bytes; -1 for what was put in
}

func put(text string) piece { return piece{text, -1} }

func joined(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// fence is one Markdown fence around a whole text.
var fence = regexp.MustCompile("(?s)^```(?:js|javascript|typescript|ts|tsx|jsx)?\\s*\\n(.*?)```\\s*$")

const (
	opening = "async () => {\n"
	closing = "\n}"
)

// bare returns the code without the white space and the fence around it, and where that begins.
func bare(code string, at int) (string, int) {
	code, at = trim(code, at)
	if m := fence.FindStringSubmatchIndex(code); m != nil {
		return trim(code[m[2]:m[3]], at+m[2])
	}
	return code, at
}

// trim is String.prototype.trim.
func trim(code string, at int) (string, int) {
	isSpace := func(r rune) bool { return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r) }
	left := strings.TrimLeftFunc(code, isSpace)
	return strings.TrimRightFunc(left, isSpace), at + len(code) - len(left)
}

// normalize returns the normal form of code, which stands at a place of the whole. It
// reports whether the code was understood.
func normalize(code string, at int) (pieces []piece, understood bool) {
	source, at := bare(code, at)
	if source == "" {
		return []piece{put("async () => {}")}, true
	}
	statements, ok := parseStatements(source)
	if !ok {
		return asBody(source, at), false
	}
	if len(statements) == 1 {
		switch s := statements[0].(type) {
		case *js.ExprStmt:
			if inner, _ := ungroup(s.Value); isArrow(inner) {
				return []piece{{source, at}}, true
			}
		case *js.ExportStmt:
			if s.Default {
				return ofDefault(source, at, s)
			}
		case *js.FuncDecl:
			return []piece{put(opening), {source, at}, put("\nreturn " + string(s.Name.Data) + "();" + closing)}, true
		}
	}
	if len(statements) > 0 && isExpression(statements[len(statements)-1]) {
		if pieces, ok := returning(source, at, statements); ok {
			return pieces, true
		}
	}
	return asBody(source, at), true
}

func asBody(source string, at int) []piece {
	return []piece{put(opening), {source, at}, put(closing)}
}

// ofDefault is the normal form of a default export alone.
func ofDefault(source string, at int, s *js.ExportStmt) ([]piece, bool) {
	tokens, ok := tokenize(source)
	if !ok || len(tokens) < 3 {
		return asBody(source, at), true
	}
	tokens = tokens[2:] // export default
	function, isFunction := s.Decl.(*js.FuncDecl)
	class, isClass := s.Decl.(*js.ClassDecl)
	if !isFunction && !isClass {
		_, depth := ungroup(s.Decl)
		tokens = expressionOf(tokens, depth)
	} else if tokens[len(tokens)-1].kind == js.SemicolonToken {
		return asBody(source, at), true // an empty statement behind the declaration
	}
	from, to := tokens[0].start, tokens[len(tokens)-1].end
	inner := piece{source[from:to], at + from}
	switch {
	case isFunction && function.Name == nil:
		return []piece{put(opening + "return ("), inner, put(")();" + closing)}, true
	case isClass && class.Name == nil:
		return []piece{put(opening + "return ("), inner, put(");" + closing)}, true
	}
	return normalize(inner.text, inner.at)
}

// expressionOf returns the tokens of an expression without the semicolon behind it and without
// the parentheses around it, of which there are depth.
func expressionOf(tokens []token, depth int) []token {
	for len(tokens) > 1 && tokens[len(tokens)-1].kind == js.SemicolonToken {
		tokens = tokens[:len(tokens)-1]
	}
	for ; depth > 0 && len(tokens) > 2; depth-- {
		tokens = tokens[1 : len(tokens)-1]
	}
	return tokens
}

// parsedMost bounds the bytes that are parsed to find where the last statement of a program begins, in
// multiples of the program.
const parsedMost = 64

// returning is the normal form of statements of which the last is an expression. It
// reports false when its beginning is not found.
func returning(source string, at int, statements []js.IStmt) ([]piece, bool) {
	tokens, ok := tokenize(source)
	if !ok {
		return nil, false
	}
	left := parsedMost * len(source)
	for i := len(tokens) - 1; i >= 0 && left > 0; i-- {
		if !mayBegin(tokens, i) {
			continue
		}
		start := tokens[i].start
		left -= len(source) - start
		last, ok := parseStatements(source[start:])
		if !ok || len(last) != 1 || !isExpression(last[0]) {
			continue
		}
		left -= start
		if before, ok := parseStatements(source[:start]); !ok || len(before) != len(statements)-1 {
			continue
		}
		depth := 0
		if e, is := last[0].(*js.ExprStmt); is {
			_, depth = ungroup(e.Value)
		}
		expression := expressionOf(tokens[i:], depth)
		from, to := expression[0].start, expression[len(expression)-1].end
		return []piece{
			put(opening), {source[:start], at}, put("return ("), {source[from:to], at + from}, put(")" + closing),
		}, true
	}
	return nil, false
}

// mayBegin reports whether a statement of the top can begin with a token.
func mayBegin(tokens []token, i int) bool {
	if i == 0 {
		return true
	}
	if tokens[i].depth > 0 {
		return false
	}
	before := tokens[i-1].kind
	return tokens[i].onNewLine || before == js.SemicolonToken || before == js.CloseBraceToken
}

func isExpression(s js.IStmt) bool {
	switch s := s.(type) {
	case *js.ExprStmt:
		// The parser takes some names that a module may not use.
		name, is := s.Value.(*js.Var)
		return !is || !reservedWords[string(name.Name())]
	case *js.DirectivePrologueStmt:
		return true
	}
	return false
}

func isArrow(e js.IExpr) bool {
	_, is := e.(*js.ArrowFunc)
	return is
}

// ungroup takes the parentheses off an expression and counts them.
func ungroup(e js.IExpr) (js.IExpr, int) {
	depth := 0
	for {
		group, is := e.(*js.GroupExpr)
		if !is {
			return e, depth
		}
		e, depth = group.X, depth+1
	}
}

// parseStatements parses a text as a module. The parser bounds how deep it goes.
func parseStatements(source string) ([]js.IStmt, bool) {
	ast, err := js.Parse(parse.NewInputString(source), js.Options{})
	if err != nil {
		return nil, false
	}
	statements := ast.List[:0:0]
	for _, s := range ast.List {
		if _, is := s.(*js.Comment); !is {
			statements = append(statements, s)
		}
	}
	return statements, true
}
