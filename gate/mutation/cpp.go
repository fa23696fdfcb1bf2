package mutation

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// This file owns C++ files: the same as for Go, by their braces. The texts outside
// the bodies of functions must be equal, comments and all.

// cppFile is a C++ file with the bodies of its functions, braces included.
type cppFile struct {
	text   []byte
	bodies [][2]int
}

// cppPart is another body of a function.
type cppPart struct {
	by, body int
	text     string
}

func (p cppPart) number() int { return p.by }

// transparent matches what opens a block that functions are defined in.
var transparent = regexp.MustCompile(`^(?:inline\s+)?(?:namespace\b|extern\s*"C"|(?:class|struct|union)\b)[^()=]*$`)

// readCPP finds the bodies of the functions of a file. A body is the outermost block
// whose opening has a parameter list, in namespaces and classes.
func readCPP(text []byte) (*cppFile, error) {
	f := &cppFile{text: text}
	var open []bool // of each open block: is it transparent
	opaque := 0     // how many of them are not
	body := -1      // where the outermost block began, when it is a function's
	var header strings.Builder
	for i := 0; i < len(text); {
		if n := cppSkip(text, i); n > 0 {
			if text[i] == '"' || text[i] == '\'' {
				header.Write(text[i : i+n])
			} else {
				header.WriteByte(' ')
			}
			i += n
			continue
		}
		switch text[i] {
		case '{':
			opening := strings.TrimSpace(header.String())
			clear := opaque == 0 && transparent.MatchString(opening)
			if opaque == 0 && !clear && definesFunction(opening) {
				body = i
			}
			if !clear {
				opaque++
			}
			open = append(open, clear)
			header.Reset()
		case '}':
			if len(open) == 0 {
				return nil, fmt.Errorf("%w: its braces do not match", ErrApart)
			}
			if !open[len(open)-1] {
				opaque--
			}
			open = open[:len(open)-1]
			if opaque == 0 && body >= 0 {
				f.bodies = append(f.bodies, [2]int{body, i + 1})
				body = -1
			}
			header.Reset()
		case ';':
			header.Reset()
		default:
			header.WriteByte(text[i])
		}
		i++
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("%w: its braces do not match", ErrApart)
	}
	return f, nil
}

// definesFunction reports whether a block that is opened so is a function's body: it
// has parameters, and nothing is assigned outside them.
func definesFunction(opening string) bool {
	depth, parameters := 0, false
	for _, c := range opening {
		switch c {
		case '(':
			depth++
			parameters = true
		case ')':
			depth--
		case '=':
			if depth == 0 {
				return false
			}
		}
	}
	return parameters
}

// cppSkip returns the length of the comment, literal or preprocessor line that
// begins at i, or 0.
func cppSkip(text []byte, i int) int {
	rest := text[i:]
	until := func(mark string) int {
		if n := bytes.Index(rest, []byte(mark)); n >= 0 {
			return n + len(mark)
		}
		return len(rest)
	}
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		return until("\n")
	case bytes.HasPrefix(rest, []byte("/*")):
		return until("*/")
	case rest[0] == '#':
		n := 0
		for {
			end := bytes.IndexByte(rest[n:], '\n')
			if end < 0 {
				return len(rest)
			}
			n += end + 1
			if n < 2 || rest[n-2] != '\\' {
				return n
			}
		}
	case bytes.HasPrefix(rest, []byte(`R"`)):
		delimiter, _, ok := bytes.Cut(rest[2:], []byte("("))
		if !ok {
			return 0
		}
		return until(")" + string(delimiter) + `"`)
	case rest[0] == '"' || rest[0] == '\'' && (i == 0 || !digit(text[i-1])):
		for n := 1; n < len(rest); n++ {
			switch rest[n] {
			case '\\':
				n++
			case rest[0]:
				return n + 1
			}
		}
		return len(rest)
	}
	return 0
}

// digit reports whether a quote after this byte separates digits.
func digit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// outside returns the text without the bodies.
func (f *cppFile) outside() string {
	var b strings.Builder
	at := 0
	for _, body := range f.bodies {
		b.Write(f.text[at:body[0]])
		b.WriteByte(0)
		at = body[1]
	}
	b.Write(f.text[at:])
	return b.String()
}

func (f *cppFile) compare(_ *module, _ string, text []byte, number int) ([]part, error) {
	changed, err := readCPP(text)
	if err != nil {
		return nil, err
	}
	if len(changed.bodies) != len(f.bodies) || changed.outside() != f.outside() {
		return nil, fmt.Errorf("%w: it changes a declaration", ErrApart)
	}
	var parts []part
	for i, body := range f.bodies {
		other := changed.bodies[i]
		if mutated := text[other[0]:other[1]]; !bytes.Equal(f.text[body[0]:body[1]], mutated) {
			parts = append(parts, cppPart{by: number, body: i, text: string(mutated)})
		}
	}
	return parts, nil
}

func (f *cppFile) combine(m *module, c *Combined, file string, parts []part) error {
	if len(parts) == 0 {
		return nil
	}
	m.addChosenCPP(c, path.Dir(file))
	byBody := map[int][]cppPart{}
	for _, p := range parts {
		p := p.(cppPart)
		byBody[p.body] = append(byBody[p.body], p)
	}
	w := newWriter()
	w.write("int " + chosenCPP + "();\n")
	at := 0
	for i, body := range f.bodies {
		if len(byBody[i]) == 0 {
			continue
		}
		w.write(string(f.text[at:body[0]]) + "{")
		for _, p := range byBody[i] {
			w.write("\n")
			w.writeFor([]int{p.by}, fmt.Sprintf("if (%s() == %d) %s", chosenCPP, p.by, p.text))
			w.write(" else ")
		}
		w.write(string(f.text[body[0]:body[1]]) + "\n}")
		at = body[1]
	}
	w.write(string(f.text[at:]))
	w.into(c, file)
	return nil
}
