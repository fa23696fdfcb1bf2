package sandbox

import (
	"strings"
	"testing"
)

// This file holds the fuzz test of the lowering of imports in a phase.

func FuzzLowerPhase(f *testing.F) {
	for _, text := range []string{
		"import defer * as ns from 'a' with { type: 'json' };", "x = import.defer(`${(a, /[)]/)}` /* ) */, );", "import . source (\n')' // )\n)",
		"import.defer(", "import.defer()", "import.defer(...a)", "import defer*as\u2028ns from \"b\"", "\r\nimport.defer({}[a] / 2)", "import.defer(`${`${", "import.defer('\\",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range []struct{ message, word string }{
			{unexpectedStar, "*"}, {unexpectedPhase + "defer'", "defer"}, {unexpectedPhase + "source'", "source"},
		} {
			at := strings.Index(text, c.word)
			if at < 0 {
				continue
			}
			line, column := positionOf(text, at)
			lowered, way, ok := lowerPhase(text, c.message, line, column)
			if !ok {
				continue
			}
			if lowered == text || !strings.Contains(lowered, "phase: ") {
				t.Fatalf("%q became %q", text, lowered)
			}
			if l, k, known := way.before(1, 1); !known || l != 1 || k != 1 {
				t.Fatalf("%q: the first position was %d:%d", text, l, k)
			}
		}
	})
}
