package pool_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns what the tests share: pools whose end is checked, requests, and
// waiting for a condition.

// parentVariable makes the test binary the parent of the test about orphans.
const parentVariable = "ISOGATE_TEST_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(parentVariable) != "" {
		os.Exit(orphanParent())
	}
	goleak.VerifyTestMain(closing{m}, goleak.Cleanup(func(code int) {
		hostile.remove()
		if left := childrenOf(os.Getpid()); len(left) > 0 && code == 0 {
			fmt.Fprintf(os.Stderr, "processes are left: %v\n", left)
			code = 1
		}
		os.Exit(code)
	}))
}

// closing closes what the tests shared after they have run.
type closing struct{ m *testing.M }

func (c closing) Run() int {
	code := c.m.Run()
	if shared.pool != nil {
		shared.pool.Close()
	}
	return code
}

// patience is a grace period for pools whose children are to stop by themselves
// also on a machine with much else to do.
const patience = time.Second

// shared is a pool for tests that need nothing special of it.
var shared struct {
	once sync.Once
	pool *pool.Pool
	err  error
}

// sharedPool returns a pool of one child in working order, and fails the test
// when it is not that afterwards.
func sharedPool(t *testing.T) *pool.Pool {
	t.Helper()
	shared.once.Do(func() {
		// Its children are not to be killed.
		shared.pool, shared.err = pool.New(context.Background(), pool.Config{
			Size: 1, Grace: patience, Logger: slog.New(raceFinder{func(text string) { panic(text) }}),
		})
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	waitReady(t, shared.pool)
	t.Cleanup(func() {
		waitReady(t, shared.pool)
		// Not with the test's context, which has ended.
		wantValue(t, shared.pool.Execute(context.Background(), pool.Job{Request: request("() => 6 * 7")}), "42")
	})
	return shared.pool
}

// newPool returns a pool that the test's end closes. Then no child may be left,
// alive or as a zombie, and no descriptor more than before.
func newPool(t *testing.T, c pool.Config) *pool.Pool {
	t.Helper()
	before, processes := openFiles(t), len(childrenOf(os.Getpid()))
	if c.Grace == 0 {
		c.Grace = 100 * time.Millisecond
	}
	if c.Logger == nil {
		c.Logger = slog.New(raceFinder{func(text string) { t.Error(text) }})
	}
	p, err := pool.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if left := childrenOf(os.Getpid()); len(left) > processes {
			t.Errorf("processes are left after Close, there were %d before New: %v", processes, left)
		}
		if after := openFiles(t); after > before {
			t.Errorf("%d descriptors are open after Close, there were %d before New", after, before)
		}
	})
	return p
}

// raceFinder is a log handler that looks for the race detector's reports, which
// a child of a test binary writes to its standard error.
type raceFinder struct{ found func(text string) }

func (raceFinder) Enabled(context.Context, slog.Level) bool { return true }

func (f raceFinder) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if text := a.Value.String(); strings.Contains(text, "DATA RACE") {
			f.found(text)
		}
		return true
	})
	return nil
}

func (f raceFinder) WithAttrs([]slog.Attr) slog.Handler { return f }

func (f raceFinder) WithGroup(string) slog.Handler { return f }

// openFiles returns the number of descriptors of this process. The first call
// also makes Go's runtime open those that it keeps.
func openFiles(t *testing.T) int {
	t.Helper()
	warm.Do(func() {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.SetReadDeadline(time.Now())
		r.Close()
		w.Close()
	})
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

var warm sync.Once

// childrenOf returns the processes whose parent is pid, zombies too, as "pid (name) state".
func childrenOf(pid int) []string {
	var found []string
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		end := strings.LastIndexByte(string(text), ')')
		fields := strings.Fields(string(text[end+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			found = append(found, string(text[:end+1])+" "+fields[0])
		}
	}
	return found
}

// userTime returns the processor time that a process has spent in user mode, in
// steps of 10 ms.
func userTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	ticks, err := strconv.Atoi(fields[11])
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// commandRuns reports whether a process with this command line exists.
func commandRuns(words ...string) bool {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		text, _ := os.ReadFile(path)
		if strings.HasSuffix(strings.TrimSuffix(string(text), "\x00"), strings.Join(words, "\x00")) {
			return true
		}
	}
	return false
}

// waitFor polls until the condition holds.
func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for: %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// waitReady waits until the pool has its size again.
func waitReady(t *testing.T, p *pool.Pool) {
	t.Helper()
	waitFor(t, "the pool to have its size", func() bool {
		s := p.Stats()
		return s.Ready == s.Size && len(s.Children) == s.Size
	})
}

// request returns a request with short limits and the tools tools.f and tools.g.
func request(source string) *protocol.Request {
	return &protocol.Request{
		Source: source,
		Tools:  []protocol.Namespace{{Name: "tools", Tools: []string{"f", "g"}}},
		Limits: protocol.Limits{Wall: 10 * time.Second, CPU: 10 * time.Second},
	}
}

// execute runs a program without tools.
func execute(t *testing.T, p *pool.Pool, source string) *protocol.Result {
	t.Helper()
	return p.Execute(t.Context(), pool.Job{Request: request(source)})
}

// wantValue fails unless the result is the value with this codec text.
func wantValue(t *testing.T, r *protocol.Result, want string) {
	t.Helper()
	if r.Fault != nil {
		t.Fatalf("the fault %s: %v; want the value %s", r.Fault.Code(), r.Fault, want)
	}
	if string(r.Value) != want {
		t.Fatalf("the value is %s, want %s", r.Value, want)
	}
}

// wantFault returns the result's fault as F and fails when it is no F.
func wantFault[F protocol.Fault](t *testing.T, r *protocol.Result) F {
	t.Helper()
	var want F
	if r.Fault == nil {
		t.Fatalf("the value %s, want a fault of type %T", r.Value, want)
	}
	if !errors.As(error(r.Fault), &want) {
		t.Fatalf("the fault %s: %v; want one of type %T", r.Fault.Code(), r.Fault, want)
	}
	return want
}

// reply returns a handler that answers every call with the envelope of a value.
func reply(value string) pool.ToolHandler {
	return func(context.Context, string, string, string) string { return `{"ok":` + value + `}` }
}

// hostileBinary builds internal/hostile once and gives it other names.
type hostileBinary struct {
	once      sync.Once
	directory string
	err       error
}

var hostile hostileBinary

// path returns the path of the hostile child under a name, see its source.
func (h *hostileBinary) path(t *testing.T, name string) string {
	t.Helper()
	h.once.Do(func() {
		if h.directory, h.err = os.MkdirTemp("", "isogate-hostile-"); h.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", filepath.Join(h.directory, "built"), "./internal/hostile")
		if out, err := build.CombinedOutput(); err != nil {
			h.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if h.err != nil {
		t.Fatal(h.err)
	}
	path := filepath.Join(h.directory, name)
	if err := os.Link(filepath.Join(h.directory, "built"), path); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	return path
}

func (h *hostileBinary) remove() {
	if h.directory != "" {
		os.RemoveAll(h.directory)
	}
}

// newHostilePool returns a pool of hostile children.
func newHostilePool(t *testing.T, name string, c pool.Config) *pool.Pool {
	t.Helper()
	c.ChildPath = hostile.path(t, name)
	c.Sealing = child.Levels(child.Off)
	return newPool(t, c)
}

// orphanParent starts a pool, occupies one of its children with an endless
// program, prints the numbers of all, and waits to be killed.
func orphanParent() int {
	p, err := pool.New(context.Background(), pool.Config{Size: 2})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go p.Execute(context.Background(), pool.Job{Request: request("() => { for (;;); }")})
	for p.Stats().Busy == 0 {
		time.Sleep(time.Millisecond)
	}
	for _, c := range p.Stats().Children {
		fmt.Println(c.PID)
	}
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadByte()
	return 0
}
