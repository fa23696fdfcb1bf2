package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
)

// This file owns how long an execution and a tool call take.

var (
	coldStart = &Benchmark{Name: "ColdStart", Units: []string{"ns/op"}, open: pooled(func() pool.Config {
		return pool.Config{Size: 1, MaxUses: 1}
	}, (*workload).cold)}
	warmRun  = &Benchmark{Name: "WarmRun", Units: []string{"ns/op", "p95-ns/op", "p99-ns/op"}, least: 100, open: pooled(oneChild, (*workload).warm)}
	toolCall = &Benchmark{Name: "ToolCall", Units: []string{"ns/op", "p95-ns/op"}, open: pooled(oneChild, (*workload).toolCallTimes)}
	payload  = &Benchmark{Name: "Payload1MiB", Units: []string{"ns/op", "MB/s"}, open: pooled(oneChild, (*workload).payload)}
)

// cold times executions each of which needs a new process.
func (w *workload) cold(ctx context.Context, n int) ([]float64, error) {
	start := time.Now()
	for range n {
		if err := w.run(ctx); err != nil {
			return nil, err
		}
	}
	return []float64{float64(time.Since(start).Nanoseconds()) / float64(n)}, nil
}

// warm times executions on a ready child, one by one.
func (w *workload) warm(ctx context.Context, n int) ([]float64, error) {
	took := make([]time.Duration, n)
	for i := range took {
		start := time.Now()
		if err := w.run(ctx); err != nil {
			return nil, err
		}
		took[i] = time.Since(start)
	}
	return []float64{float64(percentile(took, 50)), float64(percentile(took, 95)), float64(percentile(took, 99))}, nil
}

// toolCalls times one program that makes n tool calls one after another, and
// returns the time for each.
func (w *workload) toolCalls(ctx context.Context, n int) ([]float64, error) {
	start := time.Now()
	if err := w.callTools(ctx, n, func() {}); err != nil {
		return nil, err
	}
	return []float64{float64(time.Since(start).Nanoseconds()) / float64(n)}, nil
}

// toolCallTimes times n tool calls one by one: from the moment that the tool is
// called to the moment that it is called again.
func (w *workload) toolCallTimes(ctx context.Context, n int) ([]float64, error) {
	called := make([]time.Time, 0, n+1)
	if err := w.callTools(ctx, n+1, func() { called = append(called, time.Now()) }); err != nil {
		return nil, err
	}
	took := make([]time.Duration, n)
	for i := range took {
		took[i] = called[i+1].Sub(called[i])
	}
	return []float64{float64(percentile(took, 50)), float64(percentile(took, 95))}, nil
}

// callTools executes one program that makes n tool calls one after another, and
// calls called in each of them.
func (w *workload) callTools(ctx context.Context, n int, called func()) error {
	r := executor.Request{
		Source: callsProgram,
		Input:  map[string]any{"n": n},
		Tools: executor.Tools{"tools": {"next": func(_ context.Context, args []any) (any, error) {
			called()
			return args[0].(float64) + 1, nil
		}}},
	}
	v, err := w.execute(ctx, r)
	if err != nil {
		return err
	}
	if v != float64(n) {
		return fmt.Errorf("the value is %v, must be %d", v, n)
	}
	return nil
}

// mebibyte is 1 MiB of ASCII, with characters that JSON escapes.
var mebibyte = strings.Repeat("All work and no play makes\t\"Jack\" a dull boy. 0123456789.....\n", 1<<14)

// payload times executions that are given 1 MiB and return it.
func (w *workload) payload(ctx context.Context, n int) ([]float64, error) {
	input, err := json.Marshal(mebibyte)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	for range n {
		v, err := w.execute(ctx, executor.Request{Source: "(text) => text", Input: json.RawMessage(input)})
		if err != nil {
			return nil, err
		}
		if v != mebibyte {
			return nil, errors.New("the text came back changed")
		}
	}
	perOp := time.Since(start) / time.Duration(n)
	return []float64{float64(perOp.Nanoseconds()), float64(len(mebibyte)) / 1e6 / perOp.Seconds()}, nil
}
