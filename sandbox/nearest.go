package sandbox

import (
	"strings"
	"unicode/utf8"
)

// This file owns the search for the name that somebody meant.

// nearest returns the candidate that name is most probably a misspelling of, and
// how far away it is; an empty text when none is near enough. The same name in other
// letter case, or with other underscores, is at 1 at most. Of two that are equally
// near the first in the list is returned. Names longer than maxHintName runes, or of
// one rune, are near to nothing.
func nearest(name string, candidates []string) (string, int) {
	length := utf8.RuneCountInString(name)
	if length < 2 || length > maxHintName {
		return "", 0
	}
	bound := 2
	if length < 3 {
		bound = 0
	} else if length < 6 {
		bound = 1
	}
	found, best := "", bound+2
	plain := plainName(name)
	for _, candidate := range candidates {
		if candidate == name || len(candidate) > 4*maxHintName {
			continue
		}
		d := distance(name, candidate, bound)
		same := plain != "" && plainName(candidate) == plain
		if same {
			d = min(d, 1)
		}
		if d < best && (same || d <= bound) {
			found, best = candidate, d
		}
	}
	if found == "" {
		return "", 0
	}
	return found, best
}

// plainName is a name without letter case and underscores.
func plainName(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// distance returns how many insertions, deletions, substitutions and exchanges of
// neighbours turn a into b, no rune being edited twice (the Damerau-Levenshtein
// distance in its restricted form), or bound+1 when it is more than bound.
func distance(a, b string, bound int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > bound || len(y)-len(x) > bound {
		return bound + 1
	}
	// Rows of the table, for the runes before, at and behind the last two of x.
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		from, to := max(1, i-bound), min(len(y), i+bound)
		// What is outside the band around the diagonal is more than bound.
		for j := range row {
			row[j] = bound + 1
		}
		if i <= bound {
			row[0] = i
		}
		for j := from; j <= to; j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = min(d, bound+1)
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
