package runtime

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// This file owns the making of one script from the files.

// Source returns the runtime as one classic script, in strict mode, and the name
// to compile it under. Run in a fresh context it installs the library and leaves
// one temporary global, __isogate_boot (js/entry.js).
//
// The names of its variables are other ones and its comments gone, because every isolate
// carries them (shorten.go). The script is ASCII, so that V8 keeps it at one byte a character.
func Source() (name, source string) { return SourceWithout("") }

// SourceWithout returns the runtime without one part, to measure what that costs. The
// rest works as long as nothing asks for what is missing.
func SourceWithout(part string) (name, source string) {
	return Name, without(strings.Split(shortened(), partsWord), part)
}

var shortened = sync.OnceValue(func() string { return shorten(bundle()) })

// without joins the sections of the script but those of one part.
func without(sections []string, part string) string {
	sections = slices.Clone(sections)
	parts := Parts()
	for i, p := range parts {
		if p.Name == part {
			sections[1+2*i], sections[1+2*(len(parts)+i)] = "", ""
		}
	}
	return strings.Join(sections, "")
}

// scopeNames bounds the variables of one scope of eager files. In a scope with more than 75
// variables V8 10.9 keeps their names in a hash table, which every isolate makes anew.
const scopeNames = 70

// bundle joins the files, as they were written but for comments.
func bundle() string {
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\n\n")
	scopes := 1
	for _, group := range eager {
		var text strings.Builder
		for _, file := range group {
			text.WriteString(textOf(file) + "\n")
		}
		for _, piece := range pieces(text.String()) {
			b.WriteString("(function () {\n" + piece)
			scopes++
		}
	}
	number := 0
	for _, group := range groups() {
		fmt.Fprintf(&b, "defineParts(%d, %d, function (exports, partNumber) {\nlet partBuilder;\n", number, number+len(group))
		for _, p := range group {
			fmt.Fprintf(&b, "%sif (partNumber === %d) partBuilder = function (exports) {\n", partsMark, number)
			writePart(&b, p)
			b.WriteString("};\n" + partsMark)
			number++
		}
		b.WriteString("partBuilder(exports);\n});\n")
	}
	for _, p := range Parts() {
		b.WriteString(partsMark)
		writeLazy(&b, p)
		b.WriteString(partsMark)
	}
	for _, file := range last {
		b.WriteString(textOf(file) + "\n")
	}
	b.WriteString(strings.Repeat("})();\n", scopes))
	return numbered(b.String())
}

// partsMark stands around each of the sections that belong to one part: its files, and behind
// these of all parts what defines its lazy properties. partsWord is how esbuild writes it.
const (
	partsMark = "'isogate_parts';\n"
	partsWord = `"isogate_parts";`
)

// numbered puts numbers in the place of the names of parts.
func numbered(script string) string {
	numbers := map[string]int{}
	for i, p := range Parts() {
		numbers[p.Name] = i
	}
	const open = "('"
	var b strings.Builder
	for {
		at := strings.Index(script, open)
		if at < 0 {
			b.WriteString(script)
			return b.String()
		}
		name := script[at+len(open):]
		name = name[:wordLength(name)]
		end := at + len(open) + len(name)
		if asksForPart(script[:at]) && strings.HasPrefix(script[end:], "'") {
			number, ok := numbers[name]
			if !ok {
				panic(Name + ": there is no part " + name)
			}
			fmt.Fprintf(&b, "%s(%d", script[:at], number)
			end++ // the quote
		} else {
			b.WriteString(script[:end])
		}
		script = script[end:]
	}
}

// asksForPart reports whether a text ends with the name of a function that takes the name
// of a part. They are those of js/parts.js.
func asksForPart(text string) bool {
	for _, name := range []string{"part", "isBuilt", "defineLazily"} {
		if before, ok := strings.CutSuffix(text, name); ok && (before == "" || wordLength(before[len(before)-1:]) == 0) {
			return true
		}
	}
	return false
}

// pieces cuts the text of a group into runs of statements for scopes of their own, each in the
// one before. Only a group that has more names than a scope may have is cut, in front of
// constants: their values use what stands before them only.
func pieces(text string) []string {
	if len(declared(text)) <= scopeNames {
		return []string{text}
	}
	var out []string
	from, at := 0, 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "const ") && len(declared(text[from:at])) >= scopeNames*2/3 {
			out = append(out, text[from:at])
			from = at
		}
		at += len(line)
	}
	return append(out, text[from:])
}

// writePart adds a part: the names that it takes from the parts it needs, its files, and
// what it exports besides what its files export themselves.
func writePart(b *strings.Builder, p Part) {
	body := p.text()
	words := wordsOf(body)
	for _, need := range p.Needs {
		var names []string
		for _, name := range declared(partNamed(need).text()) {
			if words[name] {
				names = append(names, name)
			}
		}
		fmt.Fprintf(b, "const { %s } = part('%s');\n", strings.Join(names, ", "), need)
	}
	b.WriteString(p.numberedExports(body))
	wanted := wantedOf(p.Name)
	for _, name := range declared(body) {
		if wanted[name] {
			fmt.Fprintf(b, "exports.%s = %s;\n", name, name)
		}
	}
}

// writeLazy adds the definitions of the properties whose first reading builds the part.
func writeLazy(b *strings.Builder, p Part) {
	for i, m := range p.lazy() {
		if m.Of == "" {
			i = -1
		}
		fmt.Fprintf(b, "defineLazily('%s', %d, %s, [", p.Name, i, m.On)
		for _, name := range strings.Fields(m.Names) {
			if strings.HasPrefix(name, "[") {
				b.WriteString(strings.Trim(name, "[]") + ", ")
			} else {
				b.WriteString("'" + name + "', ")
			}
		}
		fmt.Fprintf(b, "], %v);\n", m.Enumerable)
	}
}

// numberedExports puts numbers in the place of the names of the exports that hold the values of
// lazy properties.
func (p Part) numberedExports(text string) string {
	for i, m := range p.lazy() {
		if m.Of != "" {
			text = strings.ReplaceAll(text, "exports."+m.Of+" = ", fmt.Sprintf("exports[%d] = ", i))
		}
	}
	return text
}

// wantedOf returns the names that other files may take from a part.
func wantedOf(name string) map[string]bool { return wantedNames()[name] }

// wantedNames holds for each part what other files may take from it. Every start of an
// executor joins the files, so each text is looked through once only.
var wantedNames = sync.OnceValue(func() map[string]map[string]bool {
	wanted := map[string]map[string]bool{}
	for _, p := range Parts() {
		wanted[p.Name] = map[string]bool{}
	}
	for _, file := range append(slices.Concat(eager...), last...) {
		takeMentioned(wanted, textOf(file))
	}
	for _, p := range Parts() {
		body := p.text()
		takeMentioned(wanted, body)
		if len(p.Needs) > 0 {
			words := wordsOf(body)
			for _, need := range p.Needs {
				maps.Copy(wanted[need], words)
			}
		}
	}
	return wanted
})

// takeMentioned adds what a text takes from parts by part('name').member, or by
// { member, … } = part('name').
func takeMentioned(wanted map[string]map[string]bool, text string) {
	const call = "part('"
	for at := 0; ; {
		next := strings.Index(text[at:], call)
		if next < 0 {
			return
		}
		before := text[:at+next]
		name, rest, _ := strings.Cut(text[at+next+len(call):], "')")
		at += next + len(call)
		names := wanted[name]
		if names == nil {
			continue
		}
		if member, ok := strings.CutPrefix(rest, "."); ok {
			names[member[:wordLength(member)]] = true
		}
		if list, ok := strings.CutSuffix(before, "} = "); ok {
			for word := range wordsOf(list[strings.LastIndex(list, "{")+1:]) {
				names[word] = true
			}
		}
	}
}

var declarationPattern = regexp.MustCompile(`^(?:(?:async )?function\*? (\w+)|class (\w+)|(?:const|let) (\w+)|(?:const|let) \{([^=]*?)\}\s*=)`)

// wordsOf returns the words of a text: what may be names in it.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for at := 0; at < len(text); {
		length := wordLength(text[at:])
		if length > 0 && !isDigit(text[at]) {
			words[text[at:at+length]] = true
		}
		at += max(length, 1)
	}
	return words
}

// wordLength returns how many bytes of letters, digits, _ and $ a text begins with.
func wordLength(text string) int {
	for i := range len(text) {
		c := text[i]
		if !isDigit(c) && c != '_' && c != '$' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return i
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// declared returns the names that a text declares outside of any function and block.
func declared(text string) []string {
	var names []string
	for at, next := 0, 0; at < len(text); at = next {
		next = len(text)
		if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
			next = at + end + 1
		}
		if !strings.Contains("acfl", text[at:at+1]) { // the first letters: most lines are passed over fast
			continue
		}
		m := declarationPattern.FindStringSubmatch(text[at:])
		if m == nil {
			continue
		}
		for _, name := range m[1:4] {
			if name != "" {
				names = append(names, name)
			}
		}
		for _, member := range strings.FieldsFunc(m[4], func(r rune) bool { return r == ',' || r == '{' || r == '}' }) {
			if at := strings.LastIndex(member, ":"); at >= 0 {
				member = member[at+1:]
			}
			if name := strings.TrimSpace(member); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// textOf returns a file without its comments.
func textOf(file string) string {
	content, err := files.ReadFile("js/" + file)
	if err != nil {
		// The files are part of the binary: a name in the lists is wrong.
		panic(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
