package codemode

import (
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// This file owns the tokens of a program: where they are and how deep in brackets. They can be
// told also of a text that does not parse.

// token is one token that is neither white space nor a comment.
type token struct {
	kind       js.TokenType
	start, end int // bytes
	// depth is the number of brackets around it; an opening and its closing bracket have the same.
	depth int
	// onNewLine says that a line ends between it and the token before.
	onNewLine bool
}

func (t token) text(source string) string { return source[t.start:t.end] }

// tokenize returns the tokens of a source. It reports false when the brackets do not match
// or something is no token.
func tokenize(source string) ([]token, bool) {
	at := 0
	if strings.HasPrefix(source, "#!") {
		at = strings.IndexByte(source+"\n", '\n')
	}
	// The sign of a decorator is no token of the lexer's.
	lexer := js.NewLexer(parse.NewInputString(strings.ReplaceAll(source[at:], "@", "_")))
	var tokens []token
	var open []js.TokenType // the closing brackets that are due
	onNewLine := false
	for {
		kind, data := lexer.Next()
		if (kind == js.DivToken || kind == js.DivEqToken) && startsRegExp(tokens, source) {
			kind, data = lexer.RegExp()
		}
		if kind == js.ErrorToken {
			return tokens, at == len(source) && len(open) == 0
		}
		t := token{kind: kind, start: at, end: at + len(data), depth: len(open), onNewLine: onNewLine}
		at = t.end
		switch kind {
		case js.WhitespaceToken, js.CommentToken:
			continue
		case js.LineTerminatorToken, js.CommentLineTerminatorToken:
			onNewLine = true
			continue
		case js.OpenBraceToken:
			open = append(open, js.CloseBraceToken)
		case js.OpenBracketToken:
			open = append(open, js.CloseBracketToken)
		case js.OpenParenToken:
			open = append(open, js.CloseParenToken)
		case js.TemplateStartToken:
			open = append(open, js.TemplateEndToken)
		case js.TemplateMiddleToken:
			if len(open) == 0 || open[len(open)-1] != js.TemplateEndToken {
				return tokens, false
			}
		case js.CloseBraceToken, js.CloseBracketToken, js.CloseParenToken, js.TemplateEndToken:
			if len(open) == 0 || open[len(open)-1] != kind {
				return tokens, false
			}
			open = open[:len(open)-1]
			t.depth = len(open)
		}
		tokens = append(tokens, t)
		onNewLine = false
	}
}

// startsRegExp reports whether a slash behind these tokens begins a regular expression
// and divides nothing.
func startsRegExp(tokens []token, source string) bool {
	if len(tokens) == 0 {
		return true
	}
	last := tokens[len(tokens)-1]
	switch last.kind {
	case js.CloseParenToken, js.CloseBracketToken, js.CloseBraceToken, js.TemplateToken, js.TemplateEndToken,
		js.StringToken, js.RegExpToken, js.IncrToken, js.DecrToken, js.PrivateIdentifierToken:
		return false
	}
	switch last.text(source) {
	case "this", "super", "null", "true", "false":
		return false
	}
	if js.IsNumeric(last.kind) || js.IsIdentifier(last.kind) {
		return false
	}
	return true
}
