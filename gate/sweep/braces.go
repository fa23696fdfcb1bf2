package sweep

import (
	"errors"
	"strings"
)

// This file owns the mutation of C++ and JavaScript: an if that is never taken.

// mutateBraces makes the mutant of a mark in C++ or JavaScript.
func mutateBraces(m *Mark, text []byte) ([]*Mutant, error) {
	start := 0
	for range m.Target - 1 {
		start += strings.IndexByte(string(text[start:]), '\n') + 1
	}
	line, _, _ := strings.Cut(string(text[start:]), "\n")
	const opening = "if ("
	at := strings.Index(line, opening)
	if at < 0 || strings.Trim(line[:at], " \t}") != "" && strings.TrimSpace(strings.Trim(line[:at], " \t}")) != "else" {
		return nil, errors.New("the mark stands above no statement that opens with \"if (\"")
	}
	from := start + at + len(opening)
	to := closing(text, from)
	if to < 0 {
		return nil, errors.New("the condition of the statement is not closed")
	}
	condition := string(text[from:to])
	if strings.Contains(condition, ";") {
		return nil, errors.New("the condition declares something: there is no mutation of that")
	}
	return []*Mutant{{Mark: m, Name: "removed", What: "the condition is never true", Text: replaced(text, from, to, "false && ("+condition+")")}}, nil
}

// closing returns where the parenthesis closes that was opened before from, or -1.
// Strings, characters and comments are passed over.
func closing(text []byte, from int) int {
	depth := 1
	for i := from; i < len(text); i++ {
		switch c := text[i]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			if i+1 < len(text) && text[i+1] == '/' {
				for i < len(text) && text[i] != '\n' {
					i++
				}
			} else if i+1 < len(text) && text[i+1] == '*' {
				end := strings.Index(string(text[i+2:]), "*/")
				if end < 0 {
					return -1
				}
				i += 2 + end + 1
			}
		}
	}
	return -1
}
