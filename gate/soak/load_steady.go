package soak

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/server/client"
)

// This file owns a well-behaved client: one execution at a time, and a pause before
// the next.

type steady struct {
	load   *load
	tenant string
	book   *book
	client *client.Client
	mix    []kind
	random *rand.Rand
	pause  time.Duration // on average
}

func (l *load) newSteady(ctx context.Context, tenant string, pause time.Duration, random *rand.Rand) (*steady, error) {
	c, err := l.dial(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return &steady{load: l, tenant: tenant, book: l.books[tenant], client: c, mix: loadKinds(), random: random, pause: pause}, nil
}

func (l *load) dial(ctx context.Context, tenant string) (*client.Client, error) {
	return client.Dial(ctx, "ws://"+l.daemon.address, client.Config{Token: l.daemon.tokens[tenant], Agent: "gate soak"})
}

// run asks until asking is done. What was asked for then is waited for as long as
// waiting is not done.
func (s *steady) run(asking, waiting context.Context) {
	defer s.client.Close()
	// So that not all begin at once.
	if !sleep(asking, time.Duration(s.random.Float64()*float64(s.pause))) {
		return
	}
	for {
		j := pick(s.mix, s.random)
		switch j.kind {
		case "closes":
			s.leave(waiting, j, s.closing)
		case "vanishes":
			s.leave(waiting, j, s.vanishing)
		default:
			s.execute(waiting, j)
		}
		if !sleep(asking, time.Duration(s.random.ExpFloat64()*float64(s.pause))) {
			return
		}
	}
}

// sleep returns false when ctx was done first.
func sleep(ctx context.Context, how time.Duration) bool {
	timer := time.NewTimer(how)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// execute runs one job and files its ending.
func (s *steady) execute(waiting context.Context, j job) {
	calm, begun := s.load.isCalm(), time.Now()
	s.book.send()
	result, err := s.client.Execute(waiting, j.request)
	took := time.Since(begun)
	if waiting.Err() != nil {
		return // it is counted as lost already
	}
	outcome := outcomeOf(err)
	s.book.ended(outcome)
	if refusal(outcome) {
		return
	}
	s.book.took(calm, took)
	if what := j.judge(result, err); what != "" {
		s.book.judge(j.kind + ": " + what)
	}
}

// leave runs a job whose client is gone before it ends. run returns whether it was,
// or the ending.
func (s *steady) leave(waiting context.Context, j job, run func(context.Context, job) (gone bool, result *protocol.Result, err error)) {
	s.book.send()
	gone, result, err := run(waiting, j)
	switch {
	case waiting.Err() != nil: // it is counted as lost already
	case gone:
		// The server cannot have answered, and accounts for it so.
		s.book.ended(string(protocol.CodeDisconnected))
	default:
		outcome := outcomeOf(err)
		s.book.ended(outcome)
		if !refusal(outcome) {
			s.book.judge(j.kind + ": " + j.judge(result, err))
		}
	}
}

// closing leaves as a program does that has been told to end: it closes its client.
func (s *steady) closing(waiting context.Context, j job) (bool, *protocol.Result, error) {
	c, err := s.load.dial(waiting, s.tenant)
	if err != nil {
		return false, nil, err
	}
	defer c.Close()
	var gone atomic.Bool
	j.request.Tools = executor.Tools{"tools": {"hold": func(ctx context.Context, _ []any) (any, error) {
		gone.Store(true)
		go c.Close()
		<-ctx.Done()
		return nil, ctx.Err()
	}}}
	result, err := c.Execute(waiting, j.request)
	return gone.Load(), result, err
}

// vanishing leaves as a machine does that is switched off.
func (s *steady) vanishing(waiting context.Context, j job) (bool, *protocol.Result, error) {
	w, err := s.load.daemon.dialWire(waiting, s.tenant)
	if err != nil {
		return false, nil, err
	}
	defer w.vanish()
	request, fault := j.request.Prepare(w.welcome.Defaults, w.welcome.Max)
	if fault != nil {
		return false, nil, fault
	}
	if err := w.send(waiting, &protocol.Execute{Execution: "1", Request: *request}); err != nil {
		return false, nil, err
	}
	for {
		m, err := w.receive(waiting)
		if err != nil {
			return false, nil, err
		}
		switch m := m.(type) {
		case *protocol.ToolCall:
			return true, nil, nil
		case *protocol.ResultMessage:
			if m.Result.Fault != nil {
				return false, &m.Result, m.Result.Fault
			}
			return false, &m.Result, nil
		}
	}
}
