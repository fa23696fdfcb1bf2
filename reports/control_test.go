package reports_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/isogate/isogate/reports"
)

// This file tests that a reader is told how the outcome of a control is known.

func TestHowAControlIsKnown(t *testing.T) {
	when := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	tests := []struct {
		name    string
		control reports.Control
		want    string
	}{
		{"cached", reports.Control{Name: "c", Cached: when, Combined: true}, "not run again: it is known since 2026-03-04T05:06:07Z for the same source, kernel and Go"},
		{"combined", reports.Control{Name: "c", Combined: true}, "in a build with others"},
		{"alone", reports.Control{Name: "c", Alone: "it changes a declaration"}, "in a build of its own: it changes a declaration"},
		{"not built", reports.Control{Name: "c"}, ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.control.How(); got != tc.want {
				t.Errorf("%q, must be %q", got, tc.want)
			}
			record := &reports.Record{Schema: reports.Schema, Claims: []reports.Claim{{ID: "claim", Boundary: "isolate", Controls: []reports.Control{tc.control}}}}
			var b bytes.Buffer
			if err := reports.Markdown(record, &b); err != nil {
				t.Fatal(err)
			}
			if tc.want != "" && !strings.Contains(b.String(), "("+tc.want+")") {
				t.Errorf("the report does not say so:\n%s", b.String())
			}
		})
	}
}
