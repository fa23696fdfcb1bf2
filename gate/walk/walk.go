// Package walk calls every function that a program can reach with hostile
// receivers and arguments, each call in an execution of its own with a short
// deadline, and shows that every one ends on time in a value, a guest error or
// one typed fault.
//
// It exists because V8's built-ins honour interruption and memory limits each in
// its own way, and nobody has a list: the walk makes it.
package walk

import (
	"context"
	_ "embed" // for the guest's side
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/reports"
)

//go:embed guest.js
var guest string

// Options say how a walk is done.
type Options struct {
	// Seed decides the order, and with Sample the choice.
	Seed uint64
	// Sample is how many cases are tried; 0 means all.
	Sample int
	// Deadline is the wall clock of each execution; 0 means 300 ms.
	Deadline time.Duration
	// Children is how many run at a time; 0 means 2.
	Children int
	// Done, if set, is told of every case that has ended, one at a time.
	Done func(done, of int)
}

// lateness is how much longer than deadline and grace an answer may take: the
// machine may be busy.
const lateness = 2 * time.Second

// Run walks. The error says that the walk could not be done, or that ctx ended it;
// what the walk found is in its record.
func Run(ctx context.Context, o Options) (*reports.Walk, error) {
	if o.Deadline == 0 {
		o.Deadline = 300 * time.Millisecond
	}
	if o.Children == 0 {
		o.Children = 2
	}
	const grace = 250 * time.Millisecond
	e, err := executor.New(ctx, executor.Config{Pool: pool.Config{Size: o.Children, Grace: grace, QueueTimeout: time.Minute}})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	w := &walker{executor: e, options: o, allowed: o.Deadline + grace + lateness, killed: map[string]bool{}}
	paths, err := w.list(ctx)
	if err != nil {
		return nil, err
	}
	todo := cases(paths, o.Seed, o.Sample)
	w.seen = reports.Walk{Seed: o.Seed, Functions: len(paths), Cases: len(todo), Possible: len(paths) * len(combinations)}
	feed := make(chan Case)
	var workers sync.WaitGroup
	for range o.Children {
		workers.Go(func() {
			for c := range feed {
				w.try(ctx, c)
			}
		})
	}
	for _, c := range todo {
		if ctx.Err() != nil {
			break
		}
		feed <- c
	}
	close(feed)
	workers.Wait()
	for name := range w.killed {
		w.seen.Uninterruptible = append(w.seen.Uninterruptible, name)
	}
	slices.Sort(w.seen.Uninterruptible)
	return &w.seen, context.Cause(ctx)
}

// walker is a walk under way.
type walker struct {
	executor *executor.IsolateExecutor
	options  Options
	allowed  time.Duration

	mu     sync.Mutex
	done   int             // guarded by mu, as all below
	seen   reports.Walk    //
	killed map[string]bool // functions
}

// list asks a program for the paths of all functions.
func (w *walker) list(ctx context.Context) ([][]string, error) {
	result, err := w.executor.Execute(ctx, w.request(nil, 20*time.Second))
	if err != nil {
		return nil, fmt.Errorf("listing the functions: %w", err)
	}
	var paths [][]string
	if err := json.Unmarshal(result.Value, &paths); err != nil {
		return nil, fmt.Errorf("listing the functions: %w", err)
	}
	// Fewer than the language alone has: the list is wrong, and the walk with it.
	if len(paths) < 500 {
		return nil, fmt.Errorf("listing the functions: only %d were found", len(paths))
	}
	return paths, nil
}

func (w *walker) request(input any, wall time.Duration) executor.Request {
	return executor.Request{
		Source: guest, Input: input, Limits: protocol.Limits{Wall: wall},
		Tools: executor.Tools{"tools": {"echo": func(_ context.Context, args []any) (any, error) { return len(args), nil }}},
	}
}

// try makes one call and files how it ended.
func (w *walker) try(ctx context.Context, c Case) {
	input, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings always encode
	}
	began := time.Now()
	result, err := w.executor.Execute(ctx, w.request(protocol.Value(input), w.options.Deadline))
	// Waiting for a child to be replaced is the last case's cost, not this one's.
	took := time.Since(began) - time.Duration(result.Usage.QueueMS*float64(time.Millisecond))
	if ctx.Err() != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.file(c, result, err, took)
	w.seen.LongestMS = max(w.seen.LongestMS, float64(took)/float64(time.Millisecond))
	if took > w.allowed {
		w.seen.Wrong = append(w.seen.Wrong, ending(c, fmt.Errorf("late: %w", err), took))
	}
	w.done++
	if w.options.Done != nil {
		w.options.Done(w.done, w.seen.Cases)
	}
}

// file counts one ending. The walker is locked.
func (w *walker) file(c Case, result *protocol.Result, err error, took time.Duration) {
	s := &w.seen
	var (
		deadline *protocol.DeadlineExceeded
		memory   *protocol.MemoryExceeded
		crashed  *protocol.WorkerCrashed
	)
	switch {
	case err == nil:
		s.Values++
	case errors.As(err, &deadline) && deadline.How == protocol.HowKilled:
		s.Killed++
		w.killed[c.Function()] = true
	case errors.As(err, &deadline):
		s.Interrupted++
	case errors.As(err, &memory):
		s.Memory++
	case errors.As(err, &crashed):
		s.Crashes = append(s.Crashes, ending(c, err, took))
	case result.Fault.Class() == protocol.ClassProgram:
		s.GuestErrors++
	case result.Fault.Class() == protocol.ClassLimit:
		s.OtherLimits++
	default:
		s.Wrong = append(s.Wrong, ending(c, err, took))
	}
}

// ending describes a case that did not simply end in a value or a guest error.
func ending(c Case, err error, took time.Duration) string {
	return fmt.Sprintf("%s after %v: %v", c, took.Round(time.Millisecond), err)
}
