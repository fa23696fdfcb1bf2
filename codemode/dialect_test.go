package codemode_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file owns the test of the dialect's table, testdata/dialect.json: programs, and what each
// comes to. The npm client is held to the same table.

// dialectRow is a program and what it comes to; what is absent is not compared, but that there
// is an error or not. The program has codemode.echo, codemode.fail and codemode.take.
type dialectRow struct {
	Row   string          `json:"row"` // what of the dialect it shows
	Code  string          `json:"code"`
	Given json.RawMessage `json:"given"` // codec text of what take was given
	Value json.RawMessage `json:"value"` // codec text
	Error string          `json:"error"`
	Stack string          `json:"stack"` // of the fault
	Logs  []string        `json:"logs"`
}

func TestDialect(t *testing.T) {
	for _, row := range vectors[dialectRow](t, "dialect.json") {
		t.Run(row.Row+": "+row.Code, func(t *testing.T) {
			var given []any
			f := functions{"echo": echo, "fail": returns(nil, errors.New("the tool failed")), "take": func(_ context.Context, args []any) (any, error) {
				given = args
				return nil, nil
			}}
			r := run(t, row.Code, tools(f)...)
			switch {
			case row.Given != nil:
				wantValue(t, r, nil)
				compareText(t, "what the function was given", row.Given, given)
			case row.Value != nil:
				if r.Error != "" {
					t.Fatalf("the error is %q", r.Error)
				}
				compareText(t, "the value", row.Value, r.Value)
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

// compareText compares a value with codec text.
func compareText(t *testing.T, what string, want json.RawMessage, value any) {
	t.Helper()
	got, err := protocol.Encode(value, protocol.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(canonical(t, want), canonical(t, got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
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
