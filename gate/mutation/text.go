package mutation

import "bytes"

// This file owns writing a text and knowing which of its lines are whose.

// writer builds a text.
type writer struct {
	text    bytes.Buffer
	line    int // the current one, from 1
	regions []region
}

func newWriter() *writer { return &writer{line: 1} }

func (w *writer) write(text string) {
	for i := range len(text) {
		if text[i] == '\n' {
			w.line++
		}
	}
	w.text.WriteString(text)
}

// writeFor writes what is there because of some mutations. The text should begin on
// a line of its own.
func (w *writer) writeFor(numbers []int, text string) {
	first := w.line
	w.write(text)
	w.regions = append(w.regions, region{first, w.line, numbers})
}

// into puts the text into the overlay.
func (w *writer) into(c *Combined, file string) {
	c.files[file] = bytes.Clone(w.text.Bytes())
	c.regions[file] = w.regions
}
