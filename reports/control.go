package reports

import "time"

// This file owns what a reader is told about how a control was run.

// How says how it is known what a control came to: from an earlier run, from a build
// that holds several mutations, or from one of its own, and why.
func (c *Control) How() string {
	switch {
	case !c.Cached.IsZero():
		return "not run again: it is known since " + c.Cached.UTC().Format(time.RFC3339) + " for the same source, kernel and Go"
	case c.Combined:
		return "in a build with others"
	case c.Alone != "":
		return "in a build of its own: " + c.Alone
	}
	return ""
}
