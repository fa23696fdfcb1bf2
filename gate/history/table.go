package history

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/perf/benchunit"
)

// This file owns the table for a terminal.

// sparkWidth is how many runs a line of blocks shows at most; more are put together.
const sparkWidth = 24

// blocks are the heights, from the lowest.
var blocks = []rune("▁▂▃▄▅▆▇█")

// WriteTable writes a row for each series: the medians as a line of blocks, the first
// and the last run, what changed between them, and the least, the median and the most
// of all runs.
func WriteTable(w io.Writer, all []*Series) error {
	rows := [][]string{{"metric", "runs", "from first to last", "first", "last", "change", "min", "median", "max"}}
	for _, s := range all {
		medians := s.Medians()
		sorted := slices.Clone(medians)
		slices.Sort(sorted)
		first, last := medians[0], medians[len(medians)-1]
		rows = append(rows, []string{
			s.Metric(), fmt.Sprint(len(medians)), Sparkline(medians), s.Show(first), s.Show(last), change(first, last, s.Better),
			s.Show(sorted[0]), s.Show(middle(sorted)), s.Show(sorted[len(sorted)-1]),
		})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 || i == 2 {
				line.WriteString(cell + padding + "  ")
			} else {
				line.WriteString(padding + cell + "  ")
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// Show returns a value of the series in a readable unit, such as "4.100ms".
func (s *Series) Show(v float64) string {
	tidy, unit := benchunit.Tidy(v, s.Unit)
	text := benchunit.Scale(tidy, benchunit.ClassOf(unit))
	switch base, _, _ := strings.Cut(unit, "/"); {
	case strings.Contains(unit, "sec/op"):
		return text + "s"
	case base == "B":
		return text + "B"
	}
	return text
}

// change returns by how much the last differs from the first, and which way that is.
func change(first, last float64, better string) string {
	if first == last {
		return "0.0 %"
	}
	if first == 0 {
		return "from 0"
	}
	text := fmt.Sprintf("%+.1f %%", 100*(last/first-1))
	switch {
	case better != "lower" && better != "higher":
		return text
	case (last > first) == (better == "higher"):
		return text + " better"
	}
	return text + " worse"
}

// Sparkline draws values as blocks, at most 24 of them: the lowest value is the lowest
// block, the highest the highest. Of more values neighbours are put together, as their
// mean.
func Sparkline(values []float64) string {
	if len(values) > sparkWidth {
		merged := make([]float64, sparkWidth)
		for i := range merged {
			from, to := i*len(values)/sparkWidth, (i+1)*len(values)/sparkWidth
			for _, v := range values[from:to] {
				merged[i] += v / float64(to-from)
			}
		}
		values = merged
	}
	if len(values) == 0 {
		return ""
	}
	low, high := slices.Min(values), slices.Max(values)
	line := make([]rune, len(values))
	for i, v := range values {
		line[i] = blocks[len(blocks)/2]
		if high > low {
			line[i] = blocks[min(len(blocks)-1, int((v-low)/(high-low)*float64(len(blocks))))]
		}
	}
	return string(line)
}
