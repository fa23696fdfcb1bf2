// Package soak runs thousands of mixed executions on a small pool (good
// programs, every attack of the threat model, cancellations, failing tools, and
// children killed at random) and shows that every one of them is accounted for,
// that no good program gets a wrong answer, and that the host grows by nothing.
package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/isogate/isogate/bench/procfs"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
	"github.com/isogate/isogate/threats"
)

// Options say how long and how a soak runs.
type Options struct {
	// Count is how many executions there are, in rounds of Round.
	Count int
	// Seed decides the mix and its order.
	Seed uint64
	// Children is the size of the pool; 0 means 2.
	Children int
	// Done, if set, is told after each round.
	Done func(done, of int)
}

const (
	// round is how many executions run between two looks at the host.
	round = 100
	// callers is how many executions are asked for at a time, for each child.
	callers = 3
	// killEvery is how many executions there are to one killed child.
	killEvery = 60
	// mostWrong bounds what is remembered of what went wrong.
	mostWrong = 50
)

// Count is how the executions of one kind ended.
type Count struct {
	Kind                                            string
	Executions, Values, Program, Limit, Host, Crash int
	Wrong                                           int
}

// Summary is what a soak has seen.
type Summary struct {
	Seed     uint64
	Counts   []Count // by kind, sorted
	Killed   int     // children that the soak killed
	Wrong    []string
	Zombies  int
	Lost     int // executions without an ending
	Memory   Trend
	Routines Trend
	Files    Trend
	Took     time.Duration
}

// Failures returns what is wrong with what was seen; nothing is when it is empty.
func (s *Summary) Failures() []string {
	out := slices.Clone(s.Wrong)
	if s.Lost > 0 {
		out = append(out, fmt.Sprintf("%d executions have no ending", s.Lost))
	}
	if s.Zombies > 0 {
		out = append(out, fmt.Sprintf("%d zombies", s.Zombies))
	}
	for _, t := range []Trend{s.Memory, s.Routines, s.Files} {
		if what := t.Growing(); what != "" {
			out = append(out, what)
		}
	}
	return out
}

// Run soaks. The error says that it could not be done, or that ctx ended it.
func Run(ctx context.Context, o Options) (*Summary, error) {
	if o.Children == 0 {
		o.Children = 2
	}
	model, err := threats.Load()
	if err != nil {
		return nil, err
	}
	var attacks []*threats.Attack
	for _, c := range model.Claims {
		for _, a := range c.Attacks {
			if c.Applies(sandbox.ProfileHardened) && a.Applies(sandbox.ProfileHardened) {
				attacks = append(attacks, a)
			}
		}
	}
	e, err := executor.New(ctx, executor.Config{Pool: pool.Config{
		Size: o.Children, MaxUses: 50, QueueTimeout: 2 * time.Minute, QueueLength: callers * o.Children,
	}})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	s := &soaker{executor: e, mix: kinds(attacks), counts: map[string]*Count{}, killed: map[int]bool{}, shot: map[int]bool{}}
	start := time.Now()
	random := rand.New(rand.NewPCG(o.Seed, 1))
	var samples []sample
	for done := 0; done < o.Count; {
		n := min(round, o.Count-done)
		s.round(ctx, random, n, callers*o.Children)
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		done += n
		samples = append(samples, takeSample(done))
		if o.Done != nil {
			o.Done(done, o.Count)
		}
	}
	summary := s.summary(o.Count)
	summary.Seed, summary.Took = o.Seed, time.Since(start)
	summary.Memory, summary.Routines, summary.Files = trends(samples)
	summary.Zombies = remainingZombies()
	return summary, nil
}

// soaker is a soak under way.
type soaker struct {
	executor *executor.IsolateExecutor
	mix      []kind

	mu     sync.Mutex
	counts map[string]*Count // guarded by mu
	wrong  []string          // guarded by mu
	killed map[int]bool      // guarded by mu; ids of children that the soak killed
	shot   map[int]bool      // guarded by mu; and their pids
}

// round runs n executions and returns when all have ended.
func (s *soaker) round(ctx context.Context, random *rand.Rand, n, workers int) {
	jobs := make(chan job)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for j := range jobs {
				s.run(ctx, j)
			}
		})
	}
	for range n {
		if random.IntN(killEvery) == 0 {
			s.killOne(random)
		}
		jobs <- pick(s.mix, random)
	}
	close(jobs)
	running.Wait()
}

// killOne kills a child, idle or at work, as the kernel might when memory is short.
func (s *soaker) killOne(random *rand.Rand) {
	children := s.executor.Stats().Children
	if len(children) == 0 {
		return
	}
	victim := children[random.IntN(len(children))]
	if victim.PID == 0 || !(victim.Busy || victim.Ready) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.shot[victim.PID] && syscall.Kill(victim.PID, syscall.SIGKILL) == nil {
		s.killed[victim.ID], s.shot[victim.PID] = true, true
	}
}

// run runs one execution and files its ending.
func (s *soaker) run(ctx context.Context, j job) {
	if j.cancelAfter > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, j.cancelAfter, &protocol.Cancelled{Reason: "the soak gave up"})
		defer cancel()
	}
	result, err := s.executor.Execute(ctx, j.request)
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.counts[j.kind]
	if c == nil {
		c = &Count{Kind: j.kind}
		s.counts[j.kind] = c
	}
	c.Executions++
	var crashed *protocol.WorkerCrashed
	ours := errors.As(err, &crashed) && crashed.Signal == "SIGKILL" && s.killed[result.Usage.Child]
	switch {
	case err == nil:
		c.Values++
	case errors.As(err, &crashed):
		c.Crash++
	case result.Fault.Class() == protocol.ClassProgram:
		c.Program++
	case result.Fault.Class() == protocol.ClassLimit:
		c.Limit++
	default:
		c.Host++
	}
	if ours {
		return
	}
	if what := j.judge(result, err); what != "" {
		c.Wrong++
		if len(s.wrong) < mostWrong {
			s.wrong = append(s.wrong, j.kind+": "+what)
		}
	}
}

func (s *soaker) summary(count int) *Summary {
	out := &Summary{Wrong: s.wrong, Killed: len(s.killed)}
	ended := 0
	for _, c := range s.counts {
		out.Counts = append(out.Counts, *c)
		ended += c.Executions
	}
	slices.SortFunc(out.Counts, func(a, b Count) int { return strings.Compare(a.Kind, b.Kind) })
	out.Lost = count - ended
	return out
}

// reapTime is how long a child that has just ended may take to be waited for: the
// last of a soak may end while it is looked at.
const reapTime = 5 * time.Second

// remainingZombies returns how many zombies are left when there was time to wait
// for them.
func remainingZombies() int {
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if n := zombies(); n == 0 || time.Since(begun) > reapTime {
			return n
		}
	}
}

// zombies counts the processes below this one that have ended and were not
// waited for.
func zombies() int {
	descendants, err := procfs.Descendants(os.Getpid())
	if err != nil {
		return 0
	}
	n := 0
	for _, p := range descendants {
		if p.Zombie() {
			n++
		}
	}
	return n
}
