package pool_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the tests against children that break the rules: see
// internal/hostile for what they do.

// TestHostileMessages has children send what no child may send. Each ends with
// a protocol violation that says what, and costs the pool one child.
func TestHostileMessages(t *testing.T) {
	p := newHostilePool(t, "obeys", pool.Config{Size: 1})
	result := func(members string) string {
		return `text {"type":"result","execution":"ID","result":{` + members + `}}`
	}
	for _, test := range []struct{ name, act, want string }{
		{"a length beyond the bound", "raw ff ff ff ff", "a frame of 4294967295 bytes"},
		{"a length just beyond the bound", "raw 02 00 00 01", "a frame of 33554433 bytes, the limit is 33554432"},
		{"the length zero", "raw 00 00 00 00", "a frame of length 0"},
		{"no JSON", "text hello", "message"},
		{"invalid UTF-8", "raw 00 00 00 04 22 ff fe 22", "message"},
		{"a repeated member", `text {"type":"result","type":"log"}`, "type"},
		{"an unknown member", `text {"type":"pong","nonce":1,"extra":2}`, "extra"},
		{"bytes behind the message", `text {"type":"pong","nonce":1} 1`, "pong"},
		{"an unknown type", `text {"type":"rpc"}`, "rpc"},
		{"a type for the other direction", `text {"type":"ping","nonce":1}`, "a child may not send ping messages"},
		{"a second welcome", `text {"type":"welcome","version":1,"maxFrame":1}`, "a child may not send welcome messages"},
		{"a missing member", `text {"type":"tool_call","execution":"ID","call":1,"namespace":"tools","args":"[]"}`, "tool"},
		{"a wrong type of a member", `text {"type":"log","execution":"ID","entry":7}`, "entry"},
		{"an unknown level", `text {"type":"log","execution":"ID","entry":{"level":"fatal","text":"","ms":0}}`, "level"},
		{"the result of another execution", `text {"type":"result","execution":"7777777","result":{"value":1}}`, `for execution "7777777"`},
		{"a log of another execution", `text {"type":"log","execution":"7777777","entry":{"level":"log","text":"","ms":0}}`, `for execution "7777777"`},
		{"a call of another execution", `text {"type":"tool_call","execution":"7777777","call":1,"namespace":"tools","tool":"f","args":"[]"}`, `for execution "7777777"`},
		{"a value and a fault", result(`"value":1,"fault":{"code":"stalled","class":"program","retryable":false,"message":"","started":true}`), "result"},
		{"a fault of no code", result(`"fault":{"code":"nonsense"}`), "nonsense"},
		{"a value that is no codec text", result(`"value":{"$":"nonsense"}`), "not codec text"},
		{"a call of a tool that is not offered", "calls 1 0 secret 0", `"tools.secret", which the request does not offer`},
		{"a call id twice", "calls 2 0 f 1", "a tool call with the id 1, which is not new"},
		{"a channel closed by a living process", "hang-up", "it closed its channel"},
		{"a fault without end", "long-fault", "a fault of"},
	} {
		t.Run(test.name, func(t *testing.T) {
			waitReady(t, p)
			before := p.Stats()
			fault := wantFault[*protocol.ProtocolViolation](t, execute(t, p, test.act))
			if !strings.Contains(fault.What, test.want) {
				t.Errorf("the violation is %q, want it to say %q", fault.What, test.want)
			}
			if len(fault.What) > 400 {
				t.Errorf("the violation's text has %d bytes", len(fault.What))
			}
			if after := p.Stats(); after.Kills != before.Kills+1 {
				t.Errorf("%d children were killed, want 1", after.Kills-before.Kills)
			}
			wantValue(t, execute(t, p, "value 1"), "1")
		})
	}
}

// TestHostileFaults has children state faults that are not theirs to state.
func TestHostileFaults(t *testing.T) {
	p := newHostilePool(t, "obeys", pool.Config{Size: 1})
	state := func(t *testing.T, fault protocol.Fault) *protocol.Result {
		text, err := protocol.EncodeFault(fault)
		if err != nil {
			t.Fatal(err)
		}
		return execute(t, p, `text {"type":"result","execution":"ID","result":{"fault":`+string(text)+`}}`)
	}
	allowed := []protocol.Fault{
		&protocol.Syntax{}, &protocol.Thrown{}, &protocol.Stalled{}, &protocol.Unserializable{}, &protocol.ModuleNotFound{},
		&protocol.StackExceeded{}, &protocol.ResultTooLarge{}, &protocol.ArgumentsTooLarge{}, &protocol.SourceTooLarge{},
		&protocol.ReplyTooLarge{}, &protocol.ToolCallsExceeded{}, &protocol.ConcurrentCallsExceeded{},
		&protocol.MemoryExceeded{Kind: protocol.MemoryHeap},
	}
	refused := []protocol.Fault{
		&protocol.InvalidRequest{}, &protocol.UnsupportedVersion{}, &protocol.Overloaded{}, &protocol.QueueDeadline{},
		&protocol.WorkerCrashed{}, &protocol.ProtocolViolation{What: "of its own invention"}, &protocol.Cancelled{}, &protocol.Disconnected{},
		&protocol.Draining{}, &protocol.Unavailable{}, &protocol.Unauthorized{}, &protocol.QuotaExceeded{},
		// It may be stated, but not long before the time is up.
		&protocol.DeadlineExceeded{Kind: protocol.ClockWall, How: protocol.HowKilled},
	}
	if got, want := len(allowed)+len(refused), len(protocol.Codes()); got != want {
		t.Fatalf("the test knows %d kinds of faults, there are %d", got, want)
	}
	for _, stated := range allowed {
		if got := state(t, stated).Fault; got == nil || got.Code() != stated.Code() {
			t.Errorf("%s, which a child may state, became %v", stated.Code(), got)
		}
	}
	refused = append(refused,
		&protocol.DeadlineExceeded{Kind: protocol.ClockCPU}, &protocol.DeadlineExceeded{Kind: "deadline_exceeded of the moon"},
		&protocol.MemoryExceeded{Kind: protocol.MemoryProcess})
	for _, stated := range refused {
		fault := wantFault[*protocol.ProtocolViolation](t, state(t, stated))
		if !strings.Contains(fault.What, string(stated.Code())) {
			t.Errorf("%s: the violation is %q", stated.Code(), fault.What)
		}
	}
	waitReady(t, p)
	if f := wantFault[*protocol.MemoryExceeded](t, state(t, &protocol.MemoryExceeded{Kind: protocol.MemoryHeap, Limit: 1})); f.Limit != protocol.DefaultLimits.Heap {
		t.Errorf("the limit of %d, which the child made up, was believed", f.Limit)
	}
	lie := &protocol.Stalled{}
	lie.Delivered = []string{"tools.f"}
	if f := wantFault[*protocol.Stalled](t, state(t, lie)); len(f.Delivered) > 0 {
		t.Errorf("delivered calls that never were: %v", f.Delivered)
	}
}

// TestHostileDeaths checks what is made of a child's exit status and signal.
func TestHostileDeaths(t *testing.T) {
	p := newHostilePool(t, "obeys", pool.Config{Size: 1})
	seconds := fmt.Sprintf("3600.%d", os.Getpid()) // tells this test's process from any other
	crash := func(status int, signal string) protocol.Fault {
		return &protocol.WorkerCrashed{Status: status, Signal: signal, Phase: protocol.PhaseRunning}
	}
	for _, test := range []struct {
		act  string
		want protocol.Fault
	}{
		{"exit 0", crash(0, "")},
		{"exit 3", crash(3, "")},
		{"exit 2", crash(2, "")},
		{"cut 4", crash(4, "")},
		{fmt.Sprint("exit ", sandbox.ExitFatal), crash(sandbox.ExitFatal, "")},
		{fmt.Sprint("exit ", sandbox.ExitHeap), &protocol.MemoryExceeded{Kind: protocol.MemoryHeap, Limit: protocol.DefaultLimits.Heap}},
		{"signal 9", crash(-1, "SIGKILL")},
		{"signal 15", crash(-1, "SIGTERM")},
		{"fork " + seconds, crash(5, "")},
	} {
		t.Run(test.act, func(t *testing.T) {
			got := execute(t, p, test.act).Fault
			test.want.Reached().Started = true
			if got == nil || got.Error() != test.want.Error() || got.Code() != test.want.Code() || !got.Reached().Started {
				t.Fatalf("the fault is %v, want %v", got, test.want)
			}
			if crash, ok := got.(*protocol.WorkerCrashed); ok && !crash.Retryable() {
				t.Error("it is not retryable, although no tool call was delivered")
			}
			waitReady(t, p)
			wantValue(t, execute(t, p, "value 1"), "1")
		})
	}
	for _, act := range []string{fmt.Sprint("exit ", sandbox.ExitProcess), "out-of-memory"} {
		if f := wantFault[*protocol.MemoryExceeded](t, execute(t, p, act)); f.Kind != protocol.MemoryProcess || f.Limit < 64<<20 {
			t.Errorf("%s: the fault is %v, want the bound of the process", act, f)
		}
	}
	waitFor(t, "the process that a child left behind to be killed", func() bool { return !commandRuns("sleep", seconds) })
}

// TestHostileBounds has children pass the bounds that the sandbox would hold.
func TestHostileBounds(t *testing.T) {
	p := newHostilePool(t, "obeys", pool.Config{Size: 1})
	run := func(t *testing.T, act string, l protocol.Limits, tool pool.ToolHandler) *protocol.Result {
		r := request(act)
		l.Wall, l.CPU = r.Limits.Wall, r.Limits.CPU
		r.Limits = l
		return p.Execute(t.Context(), pool.Job{Request: r, Tool: tool})
	}
	hold := func(ctx context.Context, _, _, _ string) string {
		<-ctx.Done()
		return `{"ok":1}`
	}
	t.Run("result", func(t *testing.T) {
		f := wantFault[*protocol.ResultTooLarge](t, run(t, `value "0123456789"`, protocol.Limits{Result: 11}, nil))
		if f.Limit != 11 || f.Actual != 12 {
			t.Errorf("the fault is %v", f)
		}
	})
	t.Run("tool calls", func(t *testing.T) {
		r := run(t, "calls 20 0 f 0", protocol.Limits{ToolCalls: 5}, hold)
		f := wantFault[*protocol.ToolCallsExceeded](t, r)
		if f.Limit != 5 || len(f.Delivered) != 5 || len(r.Calls) != 5 {
			t.Errorf("the fault is %v with %d calls", f, len(r.Calls))
		}
	})
	t.Run("calls in flight", func(t *testing.T) {
		r := run(t, "calls 20 0 f 0", protocol.Limits{CallsInFlight: 3}, hold)
		f := wantFault[*protocol.ConcurrentCallsExceeded](t, r)
		if f.Limit != 3 || len(r.Calls) != 3 || r.Calls[0].Outcome != protocol.OutcomeAbandoned {
			t.Errorf("the fault is %v with %v", f, r.Calls)
		}
	})
	t.Run("one argument", func(t *testing.T) {
		f := wantFault[*protocol.ArgumentsTooLarge](t, run(t, "calls 1 100 f 0", protocol.Limits{Argument: 50}, hold))
		if f.Limit != 50 || f.Of != "tools.f" || len(f.Delivered) != 0 {
			t.Errorf("the fault is %v", f)
		}
	})
	t.Run("all arguments", func(t *testing.T) {
		f := wantFault[*protocol.ArgumentsTooLarge](t, run(t, "calls 9 96 f 0", protocol.Limits{ToolBytes: 500}, hold))
		if f.Limit != 500 || f.Of != "all tool calls" || len(f.Delivered) != 5 {
			t.Errorf("the fault is %v after %v", f, f.Delivered)
		}
	})
	t.Run("one reply", func(t *testing.T) {
		f := wantFault[*protocol.ReplyTooLarge](t, run(t, "calls 1 0 f 0", protocol.Limits{Reply: 50}, reply(`"`+strings.Repeat("x", 100)+`"`)))
		if f.Limit != 50 || f.Actual != 109 || f.Of != "tools.f" {
			t.Errorf("the fault is %v", f)
		}
	})
	t.Run("log entries", func(t *testing.T) {
		r := run(t, "log-flood", protocol.Limits{LogEntries: 120}, nil)
		if wantValue(t, r, "1"); len(r.Logs) != 120 || r.Usage.DroppedLogs != 80 {
			t.Errorf("%d entries were kept and %d dropped", len(r.Logs), r.Usage.DroppedLogs)
		}
	})
	t.Run("log entries, far too many", func(t *testing.T) {
		r := run(t, "log-flood", protocol.Limits{LogEntries: 50}, nil)
		if f := wantFault[*protocol.ProtocolViolation](t, r); len(r.Logs) != 50 || !strings.Contains(f.What, "51 log entries beyond") {
			t.Errorf("the fault is %v with %d entries", f, len(r.Logs))
		}
		waitReady(t, p)
	})
	t.Run("log bytes", func(t *testing.T) {
		r := run(t, "log-flood", protocol.Limits{LogBytes: 20}, nil)
		if wantValue(t, r, "1"); len(r.Logs) != 15 || r.Usage.DroppedLogs != 185 {
			t.Errorf("%d entries were kept and %d dropped", len(r.Logs), r.Usage.DroppedLogs)
		}
	})
}

// TestHostileStops has children that do not stop when they must.
func TestHostileStops(t *testing.T) {
	p := newHostilePool(t, "obeys", pool.Config{Size: 1})
	const limit = 100 * time.Millisecond
	run := func(t *testing.T, act string, l protocol.Limits, tool pool.ToolHandler) (*protocol.DeadlineExceeded, time.Duration) {
		r := request(act)
		r.Limits = l
		begun := time.Now()
		f := wantFault[*protocol.DeadlineExceeded](t, p.Execute(t.Context(), pool.Job{Request: r, Tool: tool}))
		if f.How != protocol.HowKilled || f.LimitMS != limit.Milliseconds() {
			t.Errorf("the fault is %v", f)
		}
		return f, time.Since(begun)
	}
	t.Run("wall", func(t *testing.T) {
		f, took := run(t, "ignore", protocol.Limits{Wall: limit}, nil)
		if f.Kind != protocol.ClockWall || took > limit+time.Second {
			t.Errorf("the fault is %v after %v", f, took)
		}
	})
	t.Run("CPU", func(t *testing.T) {
		f, took := run(t, "burn", protocol.Limits{Wall: 20 * time.Second, CPU: limit}, nil)
		if f.Kind != protocol.ClockCPU || took > 5*time.Second {
			t.Errorf("the fault is %v after %v", f, took)
		}
	})
	t.Run("replies that nobody reads", func(t *testing.T) {
		// Far more than a socket holds: writing them must not hold up the watchdog.
		run(t, "deaf", protocol.Limits{Wall: limit, Reply: 8 << 20}, reply(`"`+strings.Repeat("x", 4<<20)+`"`))
	})
	t.Run("cancelled", func(t *testing.T) {
		waitReady(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		kills := p.Stats().Kills
		wantFault[*protocol.Cancelled](t, p.Execute(ctx, pool.Job{
			Request: request("ignore"), OnLog: func(protocol.LogEntry) { cancel() },
		}))
		if p.Stats().Kills != kills+1 {
			t.Error("the child that took no notice of the cancellation was not killed")
		}
	})
	waitReady(t, p)
	wantValue(t, execute(t, p, "value 1"), "1")
}

// TestHostileSecondResult checks that the first result stands, and that the
// child is replaced.
func TestHostileSecondResult(t *testing.T) {
	p := newHostilePool(t, "obeys", pool.Config{Size: 1})
	wantValue(t, execute(t, p, "twice"), `"first"`)
	waitFor(t, "the child to be killed", func() bool { return p.Stats().Kills == 1 })
	waitReady(t, p)
	wantValue(t, execute(t, p, "value 1"), "1")
}

// TestHostileStderr checks that what a child writes to its standard error is
// bounded, logged at level debug, and never part of a result.
func TestHostileStderr(t *testing.T) {
	var log lockedBuffer
	p := newHostilePool(t, "obeys", pool.Config{
		Size: 1, StderrLimit: 1000,
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	fault := wantFault[*protocol.WorkerCrashed](t, execute(t, p, "stderr-flood"))
	if fault.Status != 9 || strings.Contains(fault.Error(), "secret") {
		t.Errorf("the fault is %v", fault)
	}
	waitFor(t, "the log", func() bool { return strings.Contains(log.String(), "secret") })
	if n := strings.Count(log.String(), "secret"); n > 1000/len("secret ") {
		t.Errorf("the log has the word %d times", n)
	}
}

// TestHostileStart checks that New refuses children that do not start as they
// should, says why, and leaves nothing.
func TestHostileStart(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"exits", "exit status 3"},
		{"silent", "not ready after 1s"},
		{"skewed", fmt.Sprintf("the peer speaks protocol version %d, this side speaks %d", protocol.Version+1, protocol.Version)},
		{"rude", "its first message was pong, not welcome"},
		{"unsealed", `it is not sealed with "core_size"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, processes := openFiles(t), len(childrenOf(os.Getpid()))
			c := pool.Config{Size: 2, ChildPath: hostile.path(t, test.name), Sealing: child.Levels(child.Off)}
			switch test.name {
			case "silent":
				c.StartTimeout = time.Second
			case "unsealed":
				c.Sealing[child.CoreSize] = child.Required
			}
			p, err := pool.New(t.Context(), c)
			if err == nil {
				p.Close()
				t.Fatal("it was accepted")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %q, want it to say %q", err, test.want)
			}
			if after := openFiles(t); after != before {
				t.Errorf("%d descriptors are open, there were %d", after, before)
			}
			if left := childrenOf(os.Getpid()); len(left) > processes {
				t.Errorf("processes are left, there were %d: %v", processes, left)
			}
		})
	}
}

// TestHostileIdle checks that children which die or speak while idle are
// replaced ever more slowly, and that callers are told.
func TestHostileIdle(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"babbles", "it sent a pong message while idle"},
		{"dies", "exit status 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newHostilePool(t, test.name, pool.Config{Size: 1})
			var fault protocol.Fault
			waitFor(t, "the pool to be unavailable", func() bool {
				fault = execute(t, p, "value 1").Fault
				return fault != nil && fault.Code() == protocol.CodeUnavailable
			})
			unavailable := fault.(*protocol.Unavailable)
			if !strings.Contains(unavailable.Reason, test.want) || unavailable.RetryAfterMS < 1 || !unavailable.Retryable() {
				t.Errorf("the fault is %v, retry after %d ms", unavailable, unavailable.RetryAfterMS)
			}
			if n := p.Stats().Children; len(n) > 3 {
				t.Errorf("%d children at once in a pool of 1", len(n))
			}
		})
	}
}

// lockedBuffer is a buffer that several goroutines may use.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
