package reports

import (
	"io"
	"sort"
)

// This file owns the list of forms that a record is written in.

// Format writes a record in one form.
type Format func(*Record, io.Writer) error

// Formats holds every form by its name on the command line.
var Formats = map[string]Format{
	"annotations": Annotations,
	"bench":       BenchText,
	"bench-new":   BenchTextNew,
	"bench-old":   BenchTextOld,
	"html":        HTML,
	"json":        (*Record).Write,
	"junit":       JUnit,
	"markdown":    Markdown,
	"sarif":       SARIF,
}

// About says in a line what each form is for.
var About = map[string]string{
	"annotations": "workflow commands that GitHub Actions shows beside the source",
	"bench":       "the measurements as Go benchmark text, for benchstat",
	"bench-new":   "the new side of a comparison as Go benchmark text",
	"bench-old":   "the reference's side of a comparison as Go benchmark text",
	"html":        "one self-contained page with evidence and plots",
	"json":        "the record itself",
	"junit":       "JUnit XML, for what shows tests",
	"markdown":    "a comment for a pull request, at most 65,000 characters",
	"sarif":       "SARIF 2.1.0, for code scanning",
}

// FormatNames returns the names of all forms, sorted.
func FormatNames() []string {
	names := make([]string, 0, len(Formats))
	for name := range Formats {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
