package sandbox

import "github.com/isogate/isogate/sandbox/v8"

// This file owns the scripts that run before the program, in its realm.

// runScripts runs them in their order. It reports whether any of them may have run,
// and whether the execution goes on.
func (e *execution) runScripts() (ran, ok bool) {
	for i, s := range e.req.Scripts {
		o := e.isolate.RunBefore(s.Source, s.Name)
		if !e.entered(o) {
			return i > 0 || o.Status != v8.Syntax, false
		}
	}
	return false, true
}
