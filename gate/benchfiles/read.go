package benchfiles

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// This file owns reading the two files, and what is wrong with one.

// sample is the values of one unit of one benchmark in one file.
type sample struct {
	values []float64
}

// rowKey tells the rows apart, as benchstat does: by the configuration, the unit and
// the full name.
type rowKey struct{ table, name benchproc.Key }

// read is what was read of both files.
type read struct {
	rows  []rowKey // in the order of appearance
	cells map[rowKey]*[2]sample
	units benchfmt.UnitMetadataMap
	// unit and config say what a table's key stands for.
	unit   func(benchproc.Key) string
	config func(benchproc.Key) string
}

// mostErrors is how many mistakes in a file are told.
const mostErrors = 10

// readFiles reads both files. The error joins everything that is wrong with them, each
// with its file and line.
func readFiles(names [2]string) (*read, error) {
	var parser benchproc.ProjectionParser
	filter, err := benchproc.NewFilter("*")
	if err != nil {
		return nil, err
	}
	tableBy, unitField, err := parser.ParseWithUnit(".config", filter)
	if err != nil {
		return nil, err
	}
	rowBy, err := parser.Parse(".fullname", filter)
	if err != nil {
		return nil, err
	}
	r := &read{
		cells: map[rowKey]*[2]sample{},
		unit:  func(k benchproc.Key) string { return k.Get(unitField) },
		config: func(k benchproc.Key) string {
			var parts []string
			for _, field := range tableBy.FlattenedFields() {
				if value := k.Get(field); field != unitField && value != "" {
					parts = append(parts, field.Name+": "+value)
				}
			}
			return strings.Join(parts, ", ")
		},
	}
	var reader benchfmt.Reader
	var wrong []error
	for side, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		reader.Reset(bytes.NewReader(text), name)
		var results counter
		mistakes := 0
		mistake := func(line int, what string) {
			if mistakes++; mistakes <= mostErrors {
				wrong = append(wrong, fmt.Errorf("%s:%d: %s", name, line, what))
			}
		}
		for reader.Scan() {
			switch record := reader.Result().(type) {
			case *benchfmt.SyntaxError:
				mistake(record.Line, record.Msg)
			case *benchfmt.Result:
				_, line := record.Pos()
				results.add(string(record.Name), line)
				if what := noMeasurement(record.Values); what != "" {
					mistake(line, what)
					continue
				}
				for i, table := range tableBy.ProjectValues(record) {
					r.add(rowKey{table, rowBy.Project(record)}, side, record.Values[i].Value)
				}
			}
		}
		if err := reader.Err(); err != nil {
			mistake(lines(text), err.Error())
		}
		if line, what := cut(text, results); what != "" {
			mistake(line, what)
		}
		if mistakes > mostErrors {
			wrong = append(wrong, fmt.Errorf("%s: and %d more mistakes", name, mistakes-mostErrors))
		}
	}
	r.units = reader.Units()
	return r, errors.Join(wrong...)
}

// noMeasurement says which of the values is none, "" when all are: there is no order of
// those, on which everything depends here.
func noMeasurement(values []benchfmt.Value) string {
	for _, v := range values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Sprintf("%v %s is no measurement", v.Value, v.Unit)
		}
	}
	return ""
}

// add adds a value to a row.
func (r *read) add(key rowKey, side int, value float64) {
	cell := r.cells[key]
	if cell == nil {
		cell = new([2]sample)
		r.cells[key] = cell
		r.rows = append(r.rows, key)
	}
	cell[side].values = append(cell[side].values, value)
}

// counter counts the results of each benchmark in a file.
type counter struct {
	names []string // in the order of the last result of each
	times map[string]int
	last  int // the line of the last result
}

func (c *counter) add(name string, line int) {
	if c.times == nil {
		c.times = map[string]int{}
	}
	if len(c.names) == 0 || c.names[len(c.names)-1] != name {
		c.names = append(c.names, name)
	}
	c.times[name]++
	c.last = line
}

// cut says in which line, and from what, a file looks as if its end were missing; what
// is "" when it does not. The end of a line cannot be missing from what a program
// wrote whole, and neither can a few results of the last benchmark alone.
func cut(text []byte, results counter) (line int, what string) {
	if len(results.times) == 0 {
		return max(lines(text), 1), "there is no benchmark result in the file"
	}
	if text[len(text)-1] != '\n' {
		return lines(text), "the file ends within a line: its end is missing"
	}
	if bytes.HasPrefix(text, []byte(ourHead)) && !bytes.HasSuffix(text, []byte(ourEnd)) {
		return lines(text), fmt.Sprintf("the file ends without the line %q: its end is missing", strings.TrimSpace(ourEnd))
	}
	last := results.names[len(results.names)-1]
	others := 0
	for name, times := range results.times {
		if name == last {
			continue
		}
		if others != 0 && times != others {
			return 0, ""
		}
		others = times
	}
	if had := results.times[last]; had < others {
		return results.last, fmt.Sprintf("the last benchmark, %s, has %d of the %d results that every other one has: the file's end is missing", last, had, others)
	}
	return 0, ""
}

// The first words and the last line of the files that this module writes, see
// reports.BenchText.
const (
	ourHead = "# recorded "
	ourEnd  = "# end\n"
)

// lines returns how many lines a text has, counting an unfinished one.
func lines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}
