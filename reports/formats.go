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
	"json":     (*Record).Write,
	"markdown": Markdown,
	"bench":    BenchText,
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
