package sandbox

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns what becomes of texts that V8 refuses: syntax that is younger than
// the engine is lowered, by esbuild (using, decorators, accessors, import attributes)
// or here (regular expressions, regexp_modifiers.go; imports in a phase,
// lower_phases.go). A text that V8 takes is never
// touched. When the translated text is refused too, the error is that of the text as
// it was before.

// lowering is what was tried with one text.
type lowering struct {
	text      string // as V8 is to try it next
	given     int    // how many of the text's steps are not of the lowering
	rewritten int    // regular expressions, and imports in a phase
	// Once esbuild was asked: the refusal that led to it, and the steps until then.
	refusal *v8.Outcome
	steps   int
}

// maxRewritten bounds the regular expressions and imports that are rewritten in one
// text: V8 parses the text again after each.
const maxRewritten = 1000

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

// lower answers V8's refusal of a text with another text that may mean the same. When
// there is none it returns false and the refusal that is to be reported.
func (p *program) lower(o v8.Outcome) (string, *v8.Outcome) {
	file := o.Resource
	l := p.lowering[file]
	if l == nil {
		l = &lowering{text: p.modules[file]}
		if file == programName {
			l.text = p.source
		}
		if t := p.translated[file]; t != nil {
			l.given = len(t.steps)
		}
		p.lowering[file] = l
	}
	t := p.translated[file]
	if t == nil {
		t = &translated{sent: l.text}
	}
	next, way, ok := l.next(file, o, len(t.steps))
	if !ok {
		if refusal := p.undo(file); refusal != nil {
			return "", refusal
		}
		return "", &o
	}
	p.translated[file] = t
	t.steps = append(t.steps, way)
	l.text = next
	return next, nil
}

// undo forgets the steps since esbuild was asked and returns the refusal that had led
// to it, nil when it was not asked. The way back is then that of the text before.
func (p *program) undo(file string) *v8.Outcome {
	l := p.lowering[file]
	if l == nil || l.refusal == nil {
		return nil
	}
	if t := p.translated[file]; t != nil {
		if t.steps = t.steps[:l.steps]; l.steps == 0 {
			delete(p.translated, file)
		}
	}
	return l.refusal
}

// next makes one change.
func (l *lowering) next(file string, o v8.Outcome, steps int) (string, step, bool) {
	if isOfRegExp(o) {
		if l.rewritten == maxRewritten {
			return "", nil, false
		}
		l.rewritten++
		return rewriteLiteral(l.text, o.Line, o.Column)
	}
	if l.rewritten < maxRewritten {
		if code, way, ok := lowerPhase(l.text, o.Message, o.Line, o.Column); ok {
			l.rewritten++
			return code, way, true
		}
	}
	// TypeScript was transformed from the start.
	if !strings.HasPrefix(o.Message, "Uncaught SyntaxError: ") || l.refusal != nil || l.given > 0 || !mayBeYounger(l.text) {
		return "", nil, false
	}
	l.refusal, l.steps = &o, steps
	code, way, failure := transform(file, l.text, api.LoaderJS)
	return code, way, failure == nil
}

// isOfRegExp reports whether V8 refuses a regular expression.
func isOfRegExp(o v8.Outcome) bool {
	return o.Status == v8.Syntax && strings.HasPrefix(o.Message, "Uncaught SyntaxError: Invalid regular expression")
}

// The answers to the shim when V8 refuses a module, see sandbox/v8/module.cc.
const (
	lowerReport       = 0  // nothing was changed: report this refusal
	lowerRetry        = 1  // there is another text
	lowerTranslated   = 2  // the same, and should it be refused, then
	lowerReportBefore = -1 // this is to be reported
)

// lowerModule answers V8's refusal of a virtual module.
func (e *execution) lowerModule(o v8.Outcome) int64 {
	text, refusal := e.program.lower(o)
	l := e.program.lowering[o.Resource]
	switch {
	case refusal == nil:
		e.isolate.AddModule(o.Resource, text)
		if l.refusal != nil && *l.refusal == o {
			return lowerTranslated
		}
		return lowerRetry
	case l.refusal != nil && *l.refusal != o:
		return lowerReportBefore
	}
	return lowerReport
}

// checked compiles the program as a script or as a module, and once more for each
// regular expression that V8 refuses and that can be rewritten.
func (e *execution) checked(module bool) v8.Outcome {
	for {
		o := e.isolate.Check(e.program.source, programName, module)
		if !isOfRegExp(o) || e.hasEnded() {
			return o
		}
		text, refusal := e.program.lower(o)
		if refusal != nil {
			return *refusal
		}
		e.program.source = text
	}
}

// compiled decides whether the program is run as a module, of the ways that are
// allowed; it lowers it if it must. A script is preferred. When the program parses in
// no way, the outcome is the refusal of the attempt that got further.
func (e *execution) compiled(script, module bool) (isModule bool, o v8.Outcome) {
	sent := e.program.source
	for {
		if script && e.program.disposesAtTop() {
			if module {
				script = false
			} else if refusal := e.program.undo(programName); refusal != nil {
				e.program.source = sent
				return false, *refusal
			}
		}
		var further *v8.Outcome
		for _, way := range []struct{ allowed, module bool }{{script, false}, {module, true}} {
			if !way.allowed {
				continue
			}
			if o = e.checked(way.module); o.Status != v8.Syntax {
				return way.module, o
			}
			if further == nil || o.Line > further.Line || o.Line == further.Line && o.Column > further.Column {
				refused := o
				further = &refused
			}
		}
		text, refusal := e.program.lower(*further)
		if refusal != nil || e.hasEnded() {
			e.program.source = sent
			return false, *refusal
		}
		e.program.source = text
	}
}

// disposalAtTop is how esbuild writes using at the top of a text.
var disposalAtTop = regexp.MustCompile(`(?m)^var _stack\d* = \[\];\ntry \{$`)

// disposesAtTop reports whether the program was translated and says using at its top.
// That is no script (ECMA-262, 16.1.1): what it holds would be disposed of before the
// function is called that the script evaluates to.
func (p *program) disposesAtTop() bool {
	return p.translated[programName] != nil && disposalAtTop.MatchString(p.source)
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
	knownFlags    = "This engine knows the flags d, g, i, m, s, u and y, and v in literals without complements and most properties of strings."
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
