package codemode_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/codemode"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
)

// This file holds what the package's tests share: one native executor with real children,
// and a few functions for programs to call.

var native *executor.IsolateExecutor

type running struct{ m *testing.M }

func (r running) Run() int {
	var err error
	if native, err = executor.New(context.Background(), executor.Config{Pool: pool.Config{Size: 2}}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer native.Close()
	return r.m.Run()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(running{m}) }

type (
	functions = map[string]codemode.Function
	object    = map[string]any
)

func echo(_ context.Context, args []any) (any, error) {
	if len(args) == 0 {
		return "nothing", nil
	}
	return args[0], nil
}

func returns(value any, err error) codemode.Function {
	return func(context.Context, []any) (any, error) { return value, err }
}

// tools is a provider named codemode.
func tools(f functions) []codemode.Provider {
	return []codemode.Provider{{Name: "codemode", Functions: f}}
}

// run executes code with the functions that echo and fail.
func run(t testing.TB, code string, providers ...codemode.Provider) *codemode.Result {
	t.Helper()
	if providers == nil {
		providers = tools(functions{"echo": echo, "fail": returns(nil, fmt.Errorf("the tool failed"))})
	}
	return codemode.New(native, codemode.Config{}).Execute(t.Context(), codemode.Request{Code: code, Providers: providers})
}

// wantValue fails the test unless the result is this value.
func wantValue(t testing.TB, r *codemode.Result, want any) {
	t.Helper()
	if r.Error != "" {
		t.Fatalf("the error is %q", r.Error)
	}
	if diff := cmp.Diff(want, r.Value); diff != "" {
		t.Errorf("the value (-want +got):\n%s", diff)
	}
}

// wantError fails the test unless the result is this error.
func wantError(t testing.TB, r *codemode.Result, want string) {
	t.Helper()
	if r.Error != want || r.Value != nil {
		t.Errorf("the error is %q, the value %v; want the error %q", r.Error, r.Value, want)
	}
}
