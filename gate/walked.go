package gate

import (
	"context"

	"github.com/isogate/isogate/gate/walk"
	"github.com/isogate/isogate/reports"
)

// This file owns the walk as a phase of a run.

// Walk walks over the built-ins and returns its record. What is wrong is in the
// record; the error says that the walk could not be done.
func Walk(ctx context.Context, o walk.Options, p Progress) (*reports.Walk, error) {
	counted, end := Counted(p, "walk")
	defer end()
	o.Done = counted
	return walk.Run(ctx, o)
}
