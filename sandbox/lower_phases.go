package sandbox

import (
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// This file owns the lowering of imports in a phase (import defer * as n, import.defer(),
// import.source()), which the engine does not know. They become imports with an assertion
// that the shim knows, see sandbox/v8/deferred.cc. What V8 refuses says where one is.

// several is the step of some steps, in the order in which they were taken.
type several []step

func (s several) before(line, column int) (int, int, bool) {
	return (&translated{steps: s}).original(line, column)
}

const (
	unexpectedPhase = "Uncaught SyntaxError: Unexpected identifier '"
	unexpectedStar  = "Uncaught SyntaxError: Unexpected token '*'"
)

// lowerPhase rewrites the import in a phase at which V8 refused a text.
func lowerPhase(text, message string, line, column int) (string, step, bool) {
	at := offsetOf(text, line, column)
	if at < 0 {
		return "", nil, false
	}
	if message == unexpectedStar {
		return lowerDeferred(text, at)
	}
	phase, found := strings.CutPrefix(message, unexpectedPhase)
	phase = strings.TrimSuffix(phase, "'")
	if !found || phase != "defer" && phase != "source" || !strings.HasPrefix(text[at:], phase) {
		return "", nil, false
	}
	return lowerPhaseCall(text, at, phase)
}

var (
	beforeStar = regexp.MustCompile(`\bimport[ \t]+(defer[ \t]*)$`)
	afterStar  = regexp.MustCompile(`^\*[ \t]*as[ \t]+([\pL\pN_$]+)[ \t]+from[ \t]*("[^"\n]*"|'[^'\n]*')`)
	// Attributes that say nothing, or what the sandbox knows of the module anyway.
	attributes = regexp.MustCompile(`^[ \t]*\bwith[ \t]*\{[ \t]*(?:(?:type|'type'|"type")[ \t]*:[ \t]*['"]json['"][ \t]*,?[ \t]*)?\}`)
)

// lowerDeferred rewrites the declaration import defer * as n, whose star is at an offset.
func lowerDeferred(text string, star int) (string, step, bool) {
	front := beforeStar.FindStringSubmatchIndex(text[:star])
	back := afterStar.FindStringSubmatch(text[star:])
	if front == nil || back == nil {
		return "", nil, false
	}
	from, to := front[2], star+len(back[0])
	to += len(attributes.FindString(text[to:]))
	was, is := text[from:to], "{default as "+back[1]+"} from "+back[2]+` assert {phase: "defer"}`
	line, column := positionOf(text, from)
	way := replacement{line: line, column: column, was: columnOf(was) - 1, is: columnOf(is) - 1}
	return text[:from] + is + text[to:], way, true
}

// lowerPhaseCall rewrites import.defer(x) or import.source(x), whose phase is at an offset.
func lowerPhaseCall(text string, at int, phase string) (string, step, bool) {
	front := strings.TrimRight(text[:at], " \t")
	dot := len(front) - 1
	if dot < 0 || front[dot] != '.' || !strings.HasSuffix(strings.TrimRight(front[:dot], " \t\r\n"), "import") {
		return "", nil, false
	}
	end := at + len(phase)
	open := end + len(text[end:]) - len(strings.TrimLeft(text[end:], " \t\r\n"))
	if open >= len(text) || text[open] != '(' {
		return "", nil, false
	}
	closing := closingOf(text, open)
	if closing < 0 {
		return "", nil, false
	}
	argument := strings.TrimSpace(text[open+1 : closing])
	if argument == "" || strings.HasPrefix(argument, "...") {
		return "", nil, false
	}
	assertion := `{assert: {phase: "` + phase + `"}}`
	if !strings.HasSuffix(argument, ",") {
		assertion = ", " + assertion
	}
	line, column := positionOf(text, closing)
	added := replacement{line: line, column: column, is: len(assertion)}
	line, column = positionOf(text, dot)
	gone := replacement{line: line, column: column, was: end - dot}
	return text[:dot] + text[end:closing] + assertion + text[closing:], several{added, gone}, true
}

// positionOf returns the position of an offset in bytes, counted as V8 counts.
func positionOf(text string, offset int) (line, column int) {
	line = 1
	start := 0
	for i, c := range text[:offset] {
		switch {
		case c == '\r' && strings.HasPrefix(text[i+1:], "\n"):
			continue
		case c == '\n' || c == '\r':
			start = i + 1
		case c == '\u2028' || c == '\u2029':
			start = i + 3
		default:
			continue
		}
		line++
	}
	return line, columnOf(text[start:offset])
}

// beforeExpression finds what a regular expression can stand behind, and a division not.
var beforeExpression = regexp.MustCompile(`(?:^|[(,=:\[!&|?{};+\-*%~^<>]|\b(?:return|typeof|void|in|of|new|delete|await|yield))\s*$`)

// closingOf returns the offset of the parenthesis that closes the one at an offset, or
// -1. V8 decides about what comes of a mistake.
func closingOf(text string, open int) int {
	depth := 0
	templates := []int{} // the depths at which a ${ of a template stands
	for at := open; at < len(text); at++ {
		switch c := text[at]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if n := len(templates); c == '}' && n > 0 && templates[n-1] == depth {
				templates = templates[:n-1]
				at = templateEnd(text, at+1, &templates, depth-1)
			}
			if depth--; depth == 0 {
				return at
			}
		case '\'', '"':
			for at++; at < len(text) && text[at] != c; at++ {
				if text[at] == '\\' {
					at++
				}
			}
		case '`':
			if at = templateEnd(text, at+1, &templates, depth); at < len(text) && text[at] == '{' {
				depth++
			}
		case '/':
			switch rest := text[at:]; {
			case strings.HasPrefix(rest, "//"):
				for at+1 < len(text) && text[at+1] != '\n' && text[at+1] != '\r' {
					at++
				}
			case strings.HasPrefix(rest, "/*"):
				end := strings.Index(rest[2:], "*/")
				if end < 0 {
					return -1
				}
				at += end + 3
			case beforeExpression.MatchString(text[max(open, at-16):at]):
				if pattern, flags, ok := literalAt(rest); ok {
					at += len(pattern) + len(flags) + 1
				}
			}
		}
	}
	return -1
}

// templateEnd returns the offset of what ends the characters of a template from an
// offset on: its grave accent, or the brace of a substitution, whose depth is noted.
func templateEnd(text string, at int, templates *[]int, depth int) int {
	for ; at < len(text); at++ {
		switch {
		case text[at] == '\\':
			at++
		case text[at] == '`':
			return at
		case strings.HasPrefix(text[at:], "${"):
			*templates = append(*templates, depth+1)
			return at + 1
		}
	}
	return at
}

// awaitsAtTop reports whether a module has an await outside of functions.
func awaitsAtTop(text string) bool {
	if !strings.Contains(text, "await") {
		return false
	}
	//gate:protects stack-overflow-contained
	defer debug.SetMaxStack(debug.SetMaxStack(translatorStack))
	out := api.Transform(text, api.TransformOptions{
		Loader: api.LoaderJS, Format: api.FormatESModule, LogLevel: api.LogLevelSilent,
		Supported: map[string]bool{"top-level-await": false},
	})
	for _, e := range out.Errors {
		if strings.HasPrefix(e.Text, "Top-level await is not available") {
			return true
		}
	}
	return false
}
