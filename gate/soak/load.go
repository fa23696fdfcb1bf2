package soak

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// This file owns a load: hundreds of clients of one daemon, one tenant of which
// asks for far more than the daemon can do.

// LoadOptions say how long and how a load runs.
type LoadOptions struct {
	// Binary is the path of the command isogate, whose daemon is loaded.
	Binary string
	// Time is how long one tenant floods. Before that all behave well for a tenth of it.
	Time time.Duration
	// Connections are shared out evenly among Tenants, one of which floods.
	Connections, Tenants int
	// Rate is how many executions the well-behaved tenants ask for in a second, all
	// together; Flood is how many the other one does.
	Rate, Flood float64
	// Children is the size of the daemon's pool.
	Children int
	// Answers is how long answers may take that are due when the flood is over.
	Answers time.Duration
	// Seed decides the mix and its pauses.
	Seed uint64
	// Done, if set, is told how many of how many seconds have passed.
	Done func(done, of int) `json:"-"`
}

// DefaultLoad is the load of the command gate soak with the daemon as its target.
var DefaultLoad = LoadOptions{Time: 10 * time.Minute, Connections: 200, Tenants: 4, Rate: 6, Flood: 400, Children: 4, Answers: 90 * time.Second}

// check returns what cannot be.
func (o *LoadOptions) check() error {
	switch {
	case o.Tenants < 2:
		return fmt.Errorf("%d tenants, must be at least 2: one that floods and one that does not", o.Tenants)
	case o.Connections < o.Tenants:
		return fmt.Errorf("%d connections for %d tenants, each must have one", o.Connections, o.Tenants)
	case o.Time <= 0 || o.Answers <= 0 || o.Rate <= 0 || o.Flood <= 0 || o.Children < 1:
		return errors.New("the times, both rates and the number of children must be positive")
	}
	return nil
}

// flooding is the name of the tenant that floods.
const flooding = "flooding"

// Load loads a daemon. The error says that it could not be done, or that ctx ended
// it; what is wrong with the daemon is in the summary.
func Load(ctx context.Context, o LoadOptions) (*LoadSummary, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	names := []string{flooding}
	for i := 1; i < o.Tenants; i++ {
		names = append(names, fmt.Sprintf("steady-%d", i))
	}
	d, err := startDaemon(ctx, o.Binary, o.Children, names)
	if err != nil {
		return nil, err
	}
	defer d.kill()
	s := &LoadSummary{Options: o, Begun: time.Now()}
	l := &load{options: o, daemon: d, books: map[string]*book{}}
	if _, err := l.awaitRest(ctx, math.MaxInt); err != nil {
		return nil, err
	}
	if s.FilesBefore, err = d.files(); err != nil {
		return nil, err
	}
	for _, name := range names {
		l.books[name] = newBook()
	}
	if err := l.run(ctx, names); err != nil {
		l.clients.Wait()
		return nil, err
	}
	s.Lost = l.awaitAnswers(ctx)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if err := s.close(ctx, l, names); err != nil {
		return nil, err
	}
	s.Took = time.Since(s.Begun)
	return s, nil
}

// load is a load under way.
type load struct {
	options LoadOptions
	daemon  *daemon
	books   map[string]*book // by tenant
	samples []memorySample

	clients  sync.WaitGroup // loops of clients; they end when they are told to
	abandon  context.CancelFunc
	mu       sync.Mutex
	problems []error // guarded by mu; of clients that could not do their part
	calm     bool    // guarded by mu; nobody floods yet
}

// run has all clients ask until the time is over. What they asked for last may not
// have ended when it returns.
func (l *load) run(ctx context.Context, names []string) error {
	asking, stop := context.WithCancel(ctx)
	defer stop()
	waiting, abandon := context.WithCancel(context.WithoutCancel(ctx))
	l.abandon = abandon
	share, steady := l.options.Connections/len(names), len(names)-1
	pause := time.Duration(float64(share*steady) / l.options.Rate * float64(time.Second))
	l.calm = true
	stream := uint64(0)
	random := func() *rand.Rand {
		stream++
		return rand.New(rand.NewPCG(l.options.Seed, stream))
	}
	for _, name := range names[1:] {
		for range share {
			c, err := l.newSteady(ctx, name, pause, random())
			if err != nil {
				abandon()
				return fmt.Errorf("a client of %s: %w", name, err)
			}
			l.clients.Go(func() { c.run(asking, waiting) })
		}
	}
	calm := l.options.Time / 10
	l.pass(ctx, calm, false)
	l.mu.Lock()
	l.calm = false
	l.mu.Unlock()
	every := time.Duration(float64(share) / l.options.Flood * float64(time.Second))
	for range l.options.Connections - share*steady {
		f, err := l.newFlooder(ctx, every, random())
		if err != nil {
			abandon()
			return fmt.Errorf("a client that floods: %w", err)
		}
		l.clients.Go(func() { f.run(asking, waiting) })
	}
	l.pass(ctx, l.options.Time, true)
	stop()
	return nil
}

// pass lets time pass, and looks at the daemon's memory when sampled says so.
func (l *load) pass(ctx context.Context, how time.Duration, sampled bool) {
	begun := time.Now()
	end := time.NewTimer(how)
	defer end.Stop()
	look := time.NewTicker(max(how/600, 20*time.Millisecond))
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-end.C:
			return
		case <-look.C:
			if sampled {
				l.sample(time.Since(begun))
				if l.options.Done != nil {
					l.options.Done(int(time.Since(begun).Seconds()), int(how.Seconds()))
				}
			}
		}
	}
}

// awaitAnswers returns when everything that was asked for has ended, or how many
// executions have not when there was time enough.
func (l *load) awaitAnswers(ctx context.Context) int {
	ended := make(chan struct{})
	go func() {
		l.clients.Wait()
		close(ended)
	}()
	patience := time.NewTimer(l.options.Answers)
	defer patience.Stop()
	select {
	case <-ended:
	case <-patience.C:
	case <-ctx.Done():
	}
	lost := 0
	for _, b := range l.books {
		lost += b.open()
	}
	l.abandon()
	<-ended
	return lost
}

// problem files that a client could not do its part.
func (l *load) problem(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.problems) < mostWrong {
		l.problems = append(l.problems, err)
	}
}

func (l *load) isCalm() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calm
}
