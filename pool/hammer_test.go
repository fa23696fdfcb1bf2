package pool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the test that does everything at once.

// TestHammer has many callers run a random mix of programs, while children are
// killed and callers give up. Each execution must end in what its program can
// end in, and the pool must be whole afterwards.
func TestHammer(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	const callers, each = 8, 8
	p := newPool(t, pool.Config{Size: 2, QueueLength: callers, QueueTimeout: time.Minute, MaxUses: 7, Grace: 50 * time.Millisecond})
	programs := []struct {
		source  string
		outcome protocol.Code // "" is the value 1
	}{
		{"() => 1", ""},
		{"async () => { console.log('x'); await tools.f(); return 1 }", ""},
		{"async () => { await Promise.all([tools.f(), tools.g(), tools.f()]); return 1 }", ""},
		{"() => { throw new Error('x') }", protocol.CodeThrown},
		{"() => { let let }", protocol.CodeSyntax},
		{"() => new Promise(() => {})", protocol.CodeStalled},
		{"() => { for (;;); }", protocol.CodeDeadlineExceeded},
		{"() => Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)", protocol.CodeDeadlineExceeded},
		{"() => [...'.'.repeat(5e8)]", protocol.CodeMemoryExceeded},
	}
	var running sync.WaitGroup
	for caller := range callers {
		random := rand.New(rand.NewPCG(seed, uint64(caller)))
		running.Go(func() {
			for range each {
				program := programs[random.IntN(len(programs))]
				may := map[protocol.Code]bool{program.outcome: true}
				ctx, cancel := context.WithCancel(t.Context())
				r := request(program.source)
				r.Limits.Wall = 5 * time.Second
				if program.outcome == protocol.CodeDeadlineExceeded {
					r.Limits.Wall = 50 * time.Millisecond
				}
				// Whom the kills hit is chance.
				may[protocol.CodeWorkerCrashed] = true
				switch random.IntN(8) {
				case 0:
					may[protocol.CodeCancelled] = true
					time.AfterFunc(time.Duration(random.IntN(20))*time.Millisecond, cancel)
				case 1:
					for _, c := range p.Stats().Children {
						if c.Busy && c.PID != 0 {
							syscall.Kill(c.PID, syscall.SIGKILL)
							break
						}
					}
				}
				result := p.Execute(ctx, pool.Job{Request: r, Tool: reply("1"), OnLog: func(protocol.LogEntry) {}})
				cancel()
				got := protocol.Code("")
				if result.Fault != nil {
					got = result.Fault.Code()
				}
				if !may[got] {
					t.Errorf("%s: %v", program.source, result.Fault)
				}
				if got == "" && string(result.Value) != "1" {
					t.Errorf("%s: the value %s", program.source, result.Value)
				}
			}
		})
	}
	running.Wait()
	waitReady(t, p)
	for i := range 4 {
		wantValue(t, execute(t, p, fmt.Sprint("() => ", i)), fmt.Sprint(i))
	}
}
