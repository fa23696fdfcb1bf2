package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns a client that floods: it asks at its pace, whether it is answered
// or not, and asks again at once for what is refused.

// window bounds what one client that floods leaves unanswered.
const window = 32

type flooder struct {
	load   *load
	book   *book
	wire   *wire
	mix    []kind
	random *rand.Rand
	every  time.Duration

	mu      sync.Mutex
	last    int64              // guarded by mu; id of an execution
	pending map[string]*asked  // guarded by mu
	calls   sync.WaitGroup     // tools that run
	idle    context.CancelFunc // called when nothing is pending, once nothing more is asked for
	closing bool               // guarded by mu; nothing more is asked for
}

// asked is an execution that has not been answered.
type asked struct {
	job     job
	begun   time.Time
	tools   pool.ToolHandler
	context context.Context
	end     context.CancelCauseFunc
}

func (l *load) newFlooder(ctx context.Context, every time.Duration, random *rand.Rand) (*flooder, error) {
	w, err := l.daemon.dialWire(ctx, flooding)
	if err != nil {
		return nil, err
	}
	mix := []kind{
		{"trivial", 40, trivial}, {"tools", 20, callTools}, {"processor", 20, busy},
		{"memory", 2, hungry}, {"payload", 10, payload}, {"failing tool", 5, failingTool}, {"throws", 3, throws},
	}
	return &flooder{load: l, book: l.books[flooding], wire: w, mix: mix, random: random, every: every, pending: map[string]*asked{}}, nil
}

// run floods until asking is done. What was asked for then is waited for as long as
// waiting is not done.
func (f *flooder) run(asking, waiting context.Context) {
	defer f.wire.vanish()
	waiting, f.idle = context.WithCancel(waiting)
	defer f.idle()
	var reading sync.WaitGroup
	reading.Go(func() {
		if err := f.read(waiting); waiting.Err() == nil {
			f.load.problem(fmt.Errorf("a connection of the tenant %s: %w", flooding, err))
			f.idle()
		}
	})
	sleep(asking, time.Duration(f.random.Float64()*float64(f.every)))
	next := time.NewTicker(f.every)
	defer next.Stop()
	for running := true; running; {
		select {
		case <-next.C:
			if err := f.ask(waiting); err != nil && waiting.Err() == nil {
				f.load.problem(fmt.Errorf("asking for the tenant %s: %w", flooding, err))
				running = false
			}
		case <-asking.Done():
			running = false
		case <-waiting.Done():
			running = false
		}
	}
	f.mu.Lock()
	f.closing = true
	if len(f.pending) == 0 {
		f.idle()
	}
	f.mu.Unlock()
	reading.Wait()
	f.calls.Wait()
}

// ask sends one execution, unless too many are unanswered.
func (f *flooder) ask(waiting context.Context) error {
	j := pick(f.mix, f.random)
	request, fault := j.request.Prepare(f.wire.welcome.Defaults, f.wire.welcome.Max)
	if fault != nil {
		return fault
	}
	f.mu.Lock()
	if len(f.pending) >= window {
		f.mu.Unlock()
		return nil
	}
	f.last++
	id := strconv.FormatInt(f.last, 10)
	a := &asked{job: j, begun: time.Now()}
	a.context, a.end = context.WithCancelCause(waiting)
	a.tools = j.request.Tools.Handler(request.Limits, a.end)
	f.pending[id] = a
	f.book.send()
	f.mu.Unlock()
	return f.wire.send(waiting, &protocol.Execute{Execution: id, Request: *request})
}

// read takes what the server sends, and returns why there is no more.
func (f *flooder) read(waiting context.Context) error {
	for {
		m, err := f.wire.receive(waiting)
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case *protocol.ToolCall:
			f.mu.Lock()
			a := f.pending[m.Execution]
			f.mu.Unlock()
			if a == nil {
				return fmt.Errorf("a call of the execution %s, which has ended", m.Execution)
			}
			f.calls.Go(func() {
				reply := a.tools(a.context, m.Namespace, m.Tool, m.Args)
				// It fails when the connection has ended, which its reader notices.
				_ = f.wire.send(waiting, &protocol.ToolReply{Execution: m.Execution, Call: m.Call, Envelope: reply})
			})
		case *protocol.ResultMessage:
			f.take(m)
		}
	}
}

// take files an answer.
func (f *flooder) take(m *protocol.ResultMessage) {
	f.mu.Lock()
	a := f.pending[m.Execution]
	delete(f.pending, m.Execution)
	if f.closing && len(f.pending) == 0 {
		defer f.idle()
	}
	f.mu.Unlock()
	if a == nil {
		f.book.again()
		return
	}
	a.end(nil)
	var err error
	if m.Result.Fault != nil {
		err = m.Result.Fault
	}
	outcome := outcomeOf(err)
	f.book.ended(outcome)
	if refusal(outcome) {
		return
	}
	f.book.took(false, time.Since(a.begun))
	if what := a.job.judge(&m.Result, err); what != "" {
		f.book.judge(a.job.kind + ": " + what)
	}
}
