package gate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/reports"
)

// This file owns the order of things: which mutants are known, combined, built alone
// and replayed.

// mutantRun runs a set of mutants.
type mutantRun struct {
	w        *workshop
	seed     uint64
	parallel int
	// fresh ignores what is known of earlier runs.
	fresh bool
	// until, when not zero, is when nothing is begun any more.
	until    time.Time
	progress Progress
	// done is told of each mutant, from several goroutines; a build with nothing chosen
	// is no mutant and is shown by the run itself.
	done func(m *mutant, took time.Duration)
}

// run finds how each mutant comes out. The error says that something could not be
// done at all, or that the context ended.
//
// Replays take turns, because attacks measure time; builds go on meanwhile, and so do
// replays of attacks in Go, see line.
func (r *mutantRun) run(ctx context.Context, mutants []*mutant) error {
	var wanted []*mutant
	for _, m := range mutants {
		switch {
		case m.outcome != "":
			r.done(m, 0) // it is known not to apply
		case !r.fresh && r.w.recall(m):
			r.done(m, 0)
		default:
			wanted = append(wanted, m)
		}
	}
	if err := r.assignBuilds(ctx, wanted); err != nil {
		return err
	}
	l := &line{
		run: r, toBuild: make(chan *mutant, len(wanted)),
		toReplay: make(chan *mutant, 2*len(wanted)), toReplayBeside: make(chan *mutant, 2*len(wanted)),
	}
	l.start(ctx)
	defer l.stop()
	// A mutant belongs to the workers once it is sent, so all are looked at before.
	var alone, together []*mutant
	for _, m := range wanted {
		if m.binary == "" {
			alone = append(alone, m)
		} else {
			together = append(together, m)
		}
	}
	// Those that are built alone come first, so that they are built while others are replayed.
	for _, m := range alone {
		l.send(l.toBuild, m)
	}
	for _, m := range together {
		l.send(l.replays(m), m)
	}
	l.pending.Wait()
	for _, m := range r.unproven(ctx, wanted) {
		l.send(l.toBuild, m)
	}
	l.pending.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	var errs []error
	for _, m := range wanted {
		if m.outcome == reports.Tripped && !m.late {
			errs = append(errs, r.w.keep(m))
		}
	}
	return errors.Join(errs...)
}

// assignBuilds gives each mutant the build that it is in, where there is one: its own
// or a shared one from the cache, or one that is built now.
func (r *mutantRun) assignBuilds(ctx context.Context, mutants []*mutant) error {
	have, err := r.w.combinedBuilds()
	if err != nil {
		return err
	}
	var rest []*mutant
	for _, m := range mutants {
		if binary, ok := r.w.built(m.mutation); ok {
			m.binary, m.alone = binary, "it was built alone before"
			continue
		}
		for _, folder := range sortedNames(have) {
			if err := r.w.assign(m, folder, have[folder]); err != nil {
				return err
			}
			if m.binary != "" {
				break
			}
		}
		if m.binary == "" && m.alone == "" {
			rest = append(rest, m)
		}
	}
	return r.w.combine(ctx, rest, r.progress.Note)
}

// line is where mutants are built alone and replayed.
//
// Attacks that are programs have bounds on their time. Those in Go wait for what must
// happen, several seconds where a protection is missing, and their bounds are that wide.
// So mutants that are given only such attacks are replayed beside the rest, a few at a
// time. That a busy machine makes one of these attacks notice what is not there would
// show in the build with no mutation chosen, which tries them side by side too.
type line struct {
	run                               *mutantRun
	toBuild, toReplay, toReplayBeside chan *mutant // never full
	pending, workers                  sync.WaitGroup
}

// besides is how many mutants are replayed at a time beside the rest.
const besides = 2

// replays returns where a mutant is to be replayed.
func (l *line) replays(m *mutant) chan<- *mutant {
	for _, id := range m.attacks {
		if a, ok := inGo(id); !ok || a.Alone {
			return l.toReplay
		}
	}
	return l.toReplayBeside
}

// inGo returns the attack of that name, as "claim/attack", if it is in Go.
func inGo(id string) (native.Attack, bool) {
	_, name, _ := strings.Cut(id, "/")
	return native.Find(name)
}

func (l *line) send(to chan<- *mutant, m *mutant) {
	l.pending.Add(1)
	to <- m
}

// start starts the workers. One core is left to replays, if there are several.
func (l *line) start(ctx context.Context) {
	for range max(l.run.parallel-1, 1) {
		l.workers.Go(func() {
			for m := range l.toBuild {
				l.build(ctx, m)
			}
		})
	}
	replay := func(from <-chan *mutant) {
		for m := range from {
			l.replay(ctx, m)
		}
	}
	l.workers.Go(func() { replay(l.toReplay) })
	for range besides {
		l.workers.Go(func() { replay(l.toReplayBeside) })
	}
}

func (l *line) stop() {
	close(l.toBuild)
	close(l.toReplay)
	close(l.toReplayBeside)
	l.workers.Wait()
}

// over reports whether the time is used up; then the mutant is left out.
func (l *line) over(m *mutant) bool {
	if l.run.until.IsZero() || time.Now().Before(l.run.until) {
		return false
	}
	m.late = true
	l.pending.Done()
	return true
}

func (l *line) build(ctx context.Context, m *mutant) {
	if l.over(m) {
		return
	}
	start := time.Now()
	m.combined = ""
	_, known := l.run.w.built(m.mutation)
	binary, err := l.run.w.build(ctx, m.mutation)
	if !known {
		m.buildMS += time.Since(start).Milliseconds()
	}
	if err != nil {
		m.end(reports.ControlFailed, err.Error())
		l.finish(m)
		return
	}
	m.binary = binary
	l.replays(m) <- m
}

func (l *line) replay(ctx context.Context, m *mutant) {
	if l.over(m) {
		return
	}
	m.replay(ctx, l.run.w.root, l.run.seed)
	if m.combined != "" && m.outcome != reports.Tripped && ctx.Err() == nil {
		m.alone = "no attack noticed it in the combined build"
		l.run.progress.Note("%s is built alone: %s", m.name, m.alone)
		l.toBuild <- m
		return
	}
	l.finish(m)
}

func (l *line) finish(m *mutant) {
	if m.shown {
		l.run.progress.Note("%s, built alone: %s %s", m.name, m.outcome, m.reason)
	} else {
		m.shown = true
		l.run.done(m, time.Duration(m.buildMS+m.runMS)*time.Millisecond)
	}
	l.pending.Done()
}

// unproven has each combined build try, with no mutation chosen, the attacks that
// noticed its mutations, and returns the mutants whose attacks it does not pass even
// so: they are to be built alone.
func (r *mutantRun) unproven(ctx context.Context, mutants []*mutant) []*mutant {
	attacks := map[string][]string{}
	for _, m := range mutants {
		if m.combined != "" && m.outcome == reports.Tripped {
			attacks[m.combined] = append(attacks[m.combined], m.tripped...)
		}
	}
	bad := map[string]map[string]bool{}
	for _, folder := range sortedNames(attacks) {
		sort.Strings(attacks[folder])
		attacks[folder] = slices.Compact(attacks[folder])
		start := time.Now()
		bad[folder] = r.notPassed(ctx, folder, attacks[folder])
		r.progress.Note("with no mutation chosen, the combined build %s passes %d of the %d attacks that noticed one (%v)",
			filepath.Base(folder), len(attacks[folder])-len(bad[folder]), len(attacks[folder]), time.Since(start).Round(100*time.Millisecond))
	}
	var out []*mutant
	for _, m := range mutants {
		if m.combined == "" || m.outcome != reports.Tripped {
			continue
		}
		all := strings.Join(m.tripped, ", ")
		m.tripped = slices.DeleteFunc(m.tripped, func(id string) bool { return bad[m.combined][id] })
		if len(m.tripped) == 0 {
			m.alone = fmt.Sprintf("the combined build does not pass %s even with no mutation chosen", all)
			r.progress.Note("%s is built alone: %s", m.name, m.alone)
			out = append(out, m)
		}
	}
	return out
}

// notPassed returns which of the attacks a combined build does not pass with no mutation
// chosen. They run side by side: programs, attacks in Go, and of these those over the
// network, in a process each. Those that it does not pass so are tried once more one after
// the other, because a busy machine delays some.
func (r *mutantRun) notPassed(ctx context.Context, folder string, attacks []string) map[string]bool {
	var programs, network, others []string
	for _, id := range attacks {
		switch a, ok := inGo(id); {
		case !ok:
			programs = append(programs, id)
		case a.Network:
			network = append(network, id)
		default:
			others = append(others, id)
		}
	}
	bad := map[string]bool{}
	var mu sync.Mutex // of bad
	var all sync.WaitGroup
	for _, group := range [][]string{programs, network, others} {
		all.Go(func() {
			found := r.notPassedAt(ctx, folder, group, 2)
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(bad, found)
		})
	}
	all.Wait()
	if len(bad) == 0 || ctx.Err() != nil {
		return bad
	}
	return r.notPassedAt(ctx, folder, sortedNames(bad), 1)
}

// notPassedAt is notPassed with so many attacks at a time.
func (r *mutantRun) notPassedAt(ctx context.Context, folder string, attacks []string, parallel int) map[string]bool {
	if len(attacks) == 0 {
		return map[string]bool{}
	}
	record, err := replay(ctx, r.w.root, unchosen(folder), attacks, baselineTimeout,
		"--seed", fmt.Sprint(r.seed), "--parallel", fmt.Sprint(parallel))
	if err != nil {
		r.progress.Note("the combined build with no mutation chosen: %v", err)
		record = new(reports.Record) // it passes nothing
	}
	return notHeld(record, attacks)
}
