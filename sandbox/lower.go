package sandbox

import (
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns what becomes of texts that V8 refuses: syntax that is younger than
// the engine is lowered, by esbuild (using, decorators, accessors, import attributes)
// or here (regular expressions, modifiers.go). A text that V8 takes is never touched.
// When the lowered text is refused too, the error is that of the text as it was sent.

// lowering is what was tried with one text.
type lowering struct {
	text        string // as V8 is to try it next
	steps       int    // how many of the text's steps are not of the lowering
	transformed bool   // by esbuild
	rewritten   int    // regular expressions
}

// maxRewritten bounds the regular expressions that are rewritten in one text: V8
// parses the text again after each.
const maxRewritten = 200

// mayBeYounger reports whether a text may have syntax in it that esbuild can lower.
// It keeps the translator away from most texts that are merely wrong.
func mayBeYounger(text string) bool {
	for _, word := range []string{"using", "@", "accessor", "with"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// lower answers V8's refusal of a text: with another that may mean the same, or with
// false when there is none. Then the text is again what it was at the first refusal.
func (p *program) lower(o v8.Outcome) (string, bool) {
	file := o.Resource
	l := p.lowering[file]
	if l == nil {
		text, steps := p.modules[file], 0
		if file == programName {
			text = p.source
		}
		if t := p.translated[file]; t != nil {
			steps = len(t.steps)
		}
		l = &lowering{text: text, steps: steps}
		p.lowering[file] = l
	}
	next, way, ok := l.next(file, o)
	if !ok {
		p.undo(file, l)
		return "", false
	}
	t := p.translated[file]
	if t == nil {
		t = &translated{sent: l.text}
		p.translated[file] = t
	}
	t.steps = append(t.steps, way)
	l.text = next
	return next, true
}

// undo forgets what was tried with a text.
func (p *program) undo(file string, l *lowering) {
	delete(p.lowering, file)
	t := p.translated[file]
	switch {
	case t == nil:
	case l.steps == 0:
		delete(p.translated, file)
	default:
		t.steps = t.steps[:l.steps]
	}
}

// next makes one change.
func (l *lowering) next(file string, o v8.Outcome) (string, step, bool) {
	if !strings.HasPrefix(o.Message, "Uncaught SyntaxError: ") {
		return "", nil, false
	}
	if strings.HasPrefix(syntaxMessage(o), "Invalid regular expression") {
		if l.rewritten == maxRewritten {
			return "", nil, false
		}
		l.rewritten++
		return rewriteLiteral(l.text, o.Line, o.Column)
	}
	// TypeScript was transformed from the start.
	if l.transformed || l.steps > 0 || !mayBeYounger(l.text) {
		return "", nil, false
	}
	code, way, failure := transform(file, l.text, api.LoaderJS)
	if failure != nil {
		return "", nil, false
	}
	l.transformed = true
	return code, way, true
}

// lowered tries to lower the program, which V8 refused with o, as a script or as a
// module. It reports whether V8 takes it now.
func (e *execution) lowered(o v8.Outcome, module bool) bool {
	for o.Status == v8.Syntax && o.Resource == programName && !e.hasEnded() {
		text, ok := e.program.lower(o)
		if !ok {
			return false
		}
		o = e.isolate.Check(text, programName, module)
		if o.Status == v8.OK {
			e.program.source = text
			return true
		}
	}
	return false
}

// rewriteLiteral rewrites the regular expression literal at a position of a text.
func rewriteLiteral(text string, line, column int) (string, step, bool) {
	at := offsetOf(text, line, column)
	if at < 0 {
		return "", nil, false
	}
	pattern, flags, ok := literalAt(text[at:])
	if !ok {
		return "", nil, false
	}
	was := "/" + pattern + "/" + flags
	is, ok := lowerRegExp(pattern, flags)
	if !ok || is == was {
		return "", nil, false
	}
	way := replacement{line: line, column: column, was: columnOf(was) - 1, is: columnOf(is) - 1}
	return text[:at] + is + text[at+len(was):], way, true
}

// literalAt reads the regular expression literal that a text begins with
// (ECMA-262, 12.9.5).
func literalAt(text string) (pattern, flags string, ok bool) {
	if len(text) < 2 || text[0] != '/' {
		return "", "", false
	}
	inClass := false
	end := 1
scan:
	for ; end < len(text); end++ {
		switch text[end] {
		case '\n', '\r':
			return "", "", false
		case '\\':
			end++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '/':
			if !inClass {
				break scan
			}
		}
	}
	if end >= len(text) {
		return "", "", false
	}
	last := end + 1
	for last < len(text) && (text[last] >= 'a' && text[last] <= 'z' || text[last] >= 'A' && text[last] <= 'Z') {
		last++
	}
	pattern, flags = text[1:end], text[end+1:last]
	return pattern, flags, pattern != "" && pattern[0] != '*' && !strings.ContainsAny(pattern, "\n\r\u2028\u2029")
}

// offsetOf returns the offset in bytes of a position, counted as V8 counts, or -1.
func offsetOf(text string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		end := strings.IndexAny(text[at:], "\n\r\u2028\u2029")
		if end < 0 {
			return -1
		}
		at += end
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		if r == '\r' && strings.HasPrefix(text[at:], "\n") {
			at++
		}
	}
	for units := column - 1; units > 0; units-- {
		r, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 {
			return -1
		}
		if r > 0xffff {
			units--
		}
		at += size
	}
	return at
}

const (
	fewModifiers  = "Of the modifiers of regular expressions, such as (?i:…), those around backreferences or classes of Unicode properties are not known here."
	noModifiers   = "Modifiers, such as (?i:…), are known in the literals of regular expressions only."
	differentName = "Give the groups different names: this engine does not know the same name in two alternatives."
	knownFlags    = "This engine knows the flags d, g, i, m, s, u and y, and v in literals without strings and complements."
)

// syntaxHint says what is known of an error of a text that stands for syntax which is
// too young.
func syntaxHint(message string) string {
	switch {
	case strings.HasSuffix(message, ": Invalid group"):
		return fewModifiers
	case strings.HasSuffix(message, ": Duplicate capture group name"):
		return differentName
	case message == "Invalid regular expression flags":
		return knownFlags
	}
	return ""
}

// patternHint says the same of an error of RegExp, whose patterns are not lowered: they
// are the program's data.
func patternHint(message string) string {
	if strings.HasPrefix(message, "Invalid flags supplied to RegExp constructor") {
		return knownFlags
	}
	if hint := syntaxHint(message); hint != fewModifiers {
		return hint
	}
	return noModifiers
}
