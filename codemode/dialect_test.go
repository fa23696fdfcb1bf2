package codemode_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file owns the test of the dialect's table, testdata/dialect.json: programs, and what each
// comes to. The npm client is held to the same table.

// dialectRow is a program and what it comes to; what is absent is not compared, but that there
// is an error or not. The program has codemode.echo and codemode.fail.
type dialectRow struct {
	Code  string          `json:"code"`
	Value json.RawMessage `json:"value"` // codec text
	Error string          `json:"error"`
	Stack string          `json:"stack"` // of the fault
	Logs  []string        `json:"logs"`
}

func TestDialect(t *testing.T) {
	for _, row := range vectors[dialectRow](t, "dialect.json") {
		t.Run(row.Code, func(t *testing.T) {
			r := run(t, row.Code)
			switch {
			case row.Value != nil:
				if r.Error != "" {
					t.Fatalf("the error is %q", r.Error)
				}
				got, err := protocol.Encode(r.Value, protocol.Bounds{})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(canonical(t, row.Value), canonical(t, got)); diff != "" {
					t.Errorf("the value (-want +got):\n%s", diff)
				}
			case row.Error != "":
				wantError(t, r, row.Error)
				if len(r.Logs) != 0 {
					t.Errorf("the logs are %q", r.Logs)
				}
			case row.Stack != "":
				thrown, is := r.Fault.(*protocol.Thrown)
				if !is || strings.TrimSpace(thrown.Stack) != row.Stack {
					t.Errorf("the fault is %v, want the stack %q", r.Fault, row.Stack)
				}
			case row.Logs == nil:
				t.Fatal("the row says nothing")
			}
			if r.Logs == nil || (r.Error == "") != (r.Fault == nil) {
				t.Errorf("the logs are %v, the error %q, the fault %v", r.Logs, r.Error, r.Fault)
			}
			if row.Logs != nil {
				if diff := cmp.Diff(row.Logs, r.Logs); diff != "" {
					t.Errorf("the logs (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// canonical is a JSON text with its members in order.
func canonical(t *testing.T, text []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
