package reports

import (
	"fmt"
	"io"
	"strings"
)

// This file owns the annotations that GitHub Actions shows beside the source
// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).

// shownErrors is how many errors of a step GitHub shows.
const shownErrors = 10

// Annotations writes one workflow command for each thing that fails the gate, at most
// ten; a last line counts the others. A record that passes gives none, but a notice of
// what is known to be open.
func Annotations(r *Record, w io.Writer) error {
	var b strings.Builder
	shown, hidden := 0, 0
	var told []string
	for _, f := range r.findings() {
		if !f.fails {
			if f.kind == aboutClaim {
				told = append(told, f.rule)
			}
			continue
		}
		if shown == shownErrors {
			hidden++
			continue
		}
		shown++
		at := f.place
		if shownBy := f.violated(); len(shownBy) > 0 {
			at = shownBy[0] // says more than the first owner
		}
		text := f.reason
		if text == "" {
			text = f.title
		}
		annotate(&b, "error", at, f.title, text)
	}
	if hidden > 0 {
		annotate(&b, "notice", Place{}, "Not all is shown", fmt.Sprintf("and %s more; the report has all", plural(hidden, "failure")))
	}
	if len(told) > 0 {
		annotate(&b, "notice", Place{}, "Known gaps", fmt.Sprintf("open or not supported here, and not counted as held: %s", strings.Join(told, ", ")))
	}
	if len(r.LeftOut) > 0 {
		annotate(&b, "warning", Place{}, "Left out of this run", strings.Join(r.LeftOut, "; "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// violated returns where the attacks are written that show the finding.
func (f *finding) violated() []Place {
	if f.claim == nil || f.kind != aboutClaim {
		return nil
	}
	var out []Place
	for i := range f.claim.Attacks {
		if a := &f.claim.Attacks[i]; a.Outcome == AttackViolated || a.Outcome == AttackFailed {
			out = append(out, a.place(f.claim.ID))
		}
	}
	return out
}

// annotate writes one workflow command.
func annotate(b *strings.Builder, level string, at Place, title, text string) {
	b.WriteString("::" + level + " ")
	if file := oneLine(at.File, 300); file != "" {
		fmt.Fprintf(b, "file=%s,line=%d,", commandProperty.Replace(file), max(at.Line, 1))
	}
	fmt.Fprintf(b, "title=%s::%s\n", commandProperty.Replace(oneLine(title, 200)), commandData.Replace(shorten(visible(text), 2000)))
}

// What stands for the characters that have a meaning in a workflow command.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
