package sandbox

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// This file owns the way back from positions in what V8 compiles to positions in
// the text as it was sent. Lines and columns count from 1, columns in UTF-16 code units.

// step leads from a text to the one that it was made of.
type step interface {
	// before returns where a position was. ok is false for what was added.
	before(line, column int) (beforeLine, beforeColumn int, ok bool)
}

// translated is what is remembered of a text that is not compiled as it was sent.
type translated struct {
	sent  string
	steps []step // in the order in which they were taken
}

// original returns where a position of the compiled text is in the sent one.
func (t *translated) original(line, column int) (int, int, bool) {
	for i := len(t.steps) - 1; i >= 0; i-- {
		var ok bool
		if line, column, ok = t.steps[i].before(line, column); !ok {
			return 0, 0, false
		}
	}
	return line, column, true
}

// line returns a line of the sent text, empty when there is none.
func (t *translated) line(number int) string {
	rest := t.sent
	for range number - 1 {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return ""
		}
		rest = after
	}
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// replacement is the step of a stretch of one line being replaced.
type replacement struct {
	line, column int // where it begins
	was, is      int // its lengths
}

func (r replacement) before(line, column int) (int, int, bool) {
	switch {
	case line != r.line || column < r.column:
		return line, column, true
	case column < r.column+r.is:
		return line, r.column, true
	}
	return line, column - r.is + r.was, true
}

// sourceMap is the step of a translation, read from a source map (ECMA-426): for
// each line of the translated text its segments by column.
type sourceMap [][]segment

// segment says where what begins at a column comes from. Columns and lines count from 0.
type segment struct {
	column               int
	fromLine, fromColumn int // fromLine is -1: from nowhere
}

func (m sourceMap) before(line, column int) (int, int, bool) {
	if line < 1 || line > len(m) {
		return 0, 0, false
	}
	segments := m[line-1]
	after := sort.Search(len(segments), func(i int) bool { return segments[i].column > column-1 })
	if after == 0 || segments[after-1].fromLine < 0 {
		return 0, 0, false
	}
	found := segments[after-1]
	return found.fromLine + 1, found.fromColumn + 1, true
}

// base64Digits are the digits of the mappings, and their values.
var base64Digits = func() (values [256]int8) {
	for i := range values {
		values[i] = -1
	}
	for i, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		values[c] = int8(i)
	}
	return values
}()

var errMappings = errors.New("mappings that are not Base64 VLQ")

// parseMappings reads the member "mappings" of a source map with one source.
func parseMappings(text string) (sourceMap, error) {
	var fromLine, fromColumn int
	out := make(sourceMap, 0, strings.Count(text, ";")+1)
	for number, line := range strings.Split(text, ";") {
		var segments []segment
		column := 0
		for _, part := range strings.Split(line, ",") {
			if part == "" {
				continue
			}
			fields, err := decodeVLQ(part)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", number+1, err)
			}
			column += fields[0]
			s := segment{column: column, fromLine: -1}
			if len(fields) >= 4 {
				fromLine += fields[2]
				fromColumn += fields[3]
				s.fromLine, s.fromColumn = fromLine, fromColumn
			}
			if column < 0 || fromLine < 0 || fromColumn < 0 || len(segments) > 0 && segments[len(segments)-1].column > column {
				return nil, fmt.Errorf("line %d: a position before the one before it, or before the text", number+1)
			}
			segments = append(segments, s)
		}
		out = append(out, segments)
	}
	return out, nil
}

// decodeVLQ reads the numbers of one segment: 1, 4 or 5.
func decodeVLQ(text string) ([]int, error) {
	var numbers []int
	value, shift := 0, 0
	for i := range len(text) {
		digit := int(base64Digits[text[i]])
		if digit < 0 || shift > 30 {
			return nil, errMappings
		}
		value |= (digit & 31) << shift
		shift += 5
		if digit&32 != 0 {
			continue
		}
		number := value >> 1
		if value&1 != 0 {
			number = -number
		}
		numbers = append(numbers, number)
		value, shift = 0, 0
	}
	if shift != 0 || len(numbers) != 1 && len(numbers) != 4 && len(numbers) != 5 {
		return nil, errMappings
	}
	return numbers, nil
}
