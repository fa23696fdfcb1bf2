package gate

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/isogate/isogate/reports"
)

// This file owns where attacks are tried: one target, and around it what all targets
// of a run share.

// scene is what all stages of one run share.
type scene struct {
	surroundings *surroundings
	binary       string

	// changing is held for writing while a target starts or closes, whose processes
	// belong to nobody then, and for reading while processes are looked at.
	changing sync.RWMutex

	mu     sync.Mutex
	stages map[*stage]bool // guarded by mu; those that are open
}

// newScene prepares this process. The canary must be in its environment before any
// target is started.
func newScene() (*scene, error) {
	s := &scene{stages: map[*stage]bool{}}
	var err error
	if s.binary, err = os.Executable(); err != nil {
		return nil, err
	}
	if err := adoptOrphans(); err != nil {
		return nil, err
	}
	s.surroundings, err = newSurroundings()
	return s, err
}

// open starts a target of its own.
func (s *scene) open(ctx context.Context, kind TargetKind, repeat int, alone bool) (*stage, error) {
	st := &stage{scene: s, kind: kind, repeat: repeat, alone: alone}
	return st, st.start(ctx)
}

// pids returns the processes of all targets that are open.
func (s *scene) pids() map[int]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[int]bool{}
	for st := range s.stages {
		for pid := range st.subject.pids() {
			all[pid] = true
		}
	}
	return all
}

// stage is a target on which one attack after the other is tried.
type stage struct {
	*scene
	kind   TargetKind
	repeat int
	// alone says that nothing else runs in this process.
	alone   bool
	subject *subject // replaced by start, under scene.mu
	// world is what a program sees of its world on a target that was attacked by
	// nobody yet, see probe; "" when it could not be asked.
	world string
	// rest is what this process had when nothing ran.
	rest rest
}

// start starts the stage's target and looks at it before anybody attacks it.
func (s *stage) start(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	s.world = ""
	// One that does not work even now is found by the postcondition of its attacks.
	s.world = s.see(ctx)
	s.rest = restNow()
	return nil
}

// enter starts the target and makes it known to the scene.
func (s *stage) enter(ctx context.Context) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	subject, err := newSubject(ctx, s.kind)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subject = subject
	s.stages[s] = true
	return nil
}

// leave closes the target, which the scene knows no more.
func (s *stage) leave() error {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.mu.Lock()
	delete(s.stages, s)
	s.mu.Unlock()
	return s.subject.close()
}

// strays returns what is wrong with the processes below this one.
func (s *scene) strays() []string {
	s.changing.RLock()
	defer s.changing.RUnlock()
	return strays(s.pids)
}

// close gives the target up. The error says that it did not close, or what it left.
func (s *stage) close() error {
	err := s.leave()
	if left := s.strays(); len(left) > 0 {
		err = errors.Join(err, errors.New(strings.Join(left, "; ")))
	}
	return err
}

// renew replaces a target that does not answer any more.
func (s *stage) renew(ctx context.Context) error {
	_ = s.close() // that it does not answer was found already
	return s.start(ctx)
}

// try tries one attack as often as it is to be repeated.
func (s *stage) try(ctx context.Context, t trial) (reports.Attack, error) {
	if why := t.unsuited(s.kind, s.subject.target); why != "" {
		out := t.describe()
		out.Outcome, out.Wrong = reports.AttackUnsupported, []string{why}
		return out, nil
	}
	if t.guest != nil {
		return s.tryGuest(ctx, t.guest)
	}
	return s.tryNative(ctx, t.native)
}
