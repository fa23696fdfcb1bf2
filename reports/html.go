package reports

import "io"

// This file owns the page.

// HTML writes one page.
func HTML(r *Record, w io.Writer) error { return nil }
