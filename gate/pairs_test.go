package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/bench"
)

// This file tests in which order samples are taken, and what becomes of a series
// when one fails.

// tape is a sampler that notes what it is asked for. Real ones are tested in package
// bench and, from the command line on, in cmd/gate.
type tape struct {
	side   string
	notes  *[]string
	fails  map[string]error
	closed *int
}

func (s *tape) Take(_ context.Context, name string, iterations int) ([]float64, error) {
	*s.notes = append(*s.notes, s.side+name)
	if err := s.fails[name]; err != nil {
		return nil, err
	}
	return []float64{float64(iterations)}, nil
}

func (s *tape) Close() error {
	*s.closed++
	return nil
}

// tapes returns what starts tapes named a, b, c and so on.
func tapes(notes *[]string, closed *int, fails map[string]error) func() (taker, error) {
	n := 0
	return func() (taker, error) {
		n++
		return &tape{side: string(rune('a'+n-1)) + ":", notes: notes, closed: closed, fails: fails}, nil
	}
}

// newTestSeries is a series of one figure.
func newTestSeries(name string, pairs int) *series {
	return &series{registered: bench.Registration{Name: name, Iterations: 7}, units: []string{"ns/op"}, pairs: pairs}
}

func TestPairsAlternate(t *testing.T) {
	var notes []string
	closed := 0
	many, few := newTestSeries("Many", 4), newTestSeries("Few", 1)
	if err := takeTurns(t.Context(), turns([]*series{many, few}), tapes(&notes, &closed, nil), NoProgress()); err != nil {
		t.Fatal(err)
	}
	want := []string{"a:Many", "b:Many", "b:Many", "a:Many", "a:Many", "b:Many", "b:Many", "a:Many", "a:Few", "b:Few"}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Error(diff)
	}
	for side := range 2 {
		if diff := cmp.Diff([]float64{7, 7, 7, 7}, many.figure(side, 0)); diff != "" || len(few.samples[side]) != 1 {
			t.Errorf("side %d: %s, %d of the few", side, diff, len(few.samples[side]))
		}
	}
	if closed != 2 {
		t.Errorf("%d samplers were closed", closed)
	}
}

// Every pair of every series is taken once, in order, the few spread over the many.
func TestTurns(t *testing.T) {
	for few := 1; few <= 9; few++ {
		a, b := newTestSeries("A", 9), newTestSeries("B", few)
		next := map[*series]int{}
		for _, turn := range turns([]*series{a, b}) {
			if turn.pair != next[turn.series] {
				t.Fatalf("%d of 9: pair %d of %s comes after %d", few, turn.pair, turn.registered.Name, next[turn.series]-1)
			}
			next[turn.series]++
			if ahead := next[b]*9 - next[a]*few; ahead > 9 {
				t.Errorf("%d of 9: %d pairs of B when there are %d of A", few, next[b], next[a])
			}
		}
		if next[a] != 9 || next[b] != few {
			t.Errorf("%d of 9: %v", few, next)
		}
	}
	if len(turns(nil)) != 0 {
		t.Error("there are turns of nothing")
	}
}

// A sampler that fails is replaced; the benchmark that failed is missing, and the
// others are complete.
func TestSeriesThatFails(t *testing.T) {
	broken := errors.New("the sampler died")
	var notes []string
	closed := 0
	good, bad := newTestSeries("Good", 2), newTestSeries("Bad", 2)
	err := takeTurns(t.Context(), turns([]*series{bad, good}), tapes(&notes, &closed, map[string]error{"Bad": broken}), NoProgress())
	if err != nil {
		t.Fatal(err)
	}
	if !errors.Is(bad.failure, broken) || good.failure != nil || len(good.samples[0]) != 2 || len(good.samples[1]) != 2 {
		t.Errorf("%v, %v, %v", bad.failure, good.failure, good.samples)
	}
	if diff := cmp.Diff([]string{"a:Bad", "b:Good", "c:Good", "b:Good", "c:Good"}, notes); diff != "" {
		t.Error(diff)
	}
	if closed != 3 {
		t.Errorf("%d samplers were closed, must be 3", closed)
	}
}

// What the machine cannot count is asked for once, and is no failure.
func TestSeriesThatIsUnsupported(t *testing.T) {
	var notes []string
	closed := 0
	s := newTestSeries("Frames", 3)
	lacks := &bench.Unsupported{Reason: "there is no strace"}
	err := takeTurns(t.Context(), turns([]*series{s}), tapes(&notes, &closed, map[string]error{"Frames": fmt.Errorf("Frames: %w", lacks)}), NoProgress())
	if err != nil || s.failure != nil || s.unsupported != lacks || len(notes) != 1 || closed != 2 {
		t.Errorf("%v, %v, %v, asked %v, closed %d", err, s.failure, s.unsupported, notes, closed)
	}
}

func TestSamplersThatDoNotStart(t *testing.T) {
	s := newTestSeries("WarmRun", 3)
	start := func() (taker, error) { return nil, errors.New("no such file") }
	err := takeTurns(t.Context(), turns([]*series{s}), start, NoProgress())
	if err == nil || !strings.Contains(err.Error(), "starting a sampler: no such file") || s.failure == nil {
		t.Errorf("%v, %v", err, s.failure)
	}
}

func TestMeasuringIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var notes []string
	closed := 0
	s := newTestSeries("WarmRun", 3)
	if err := takeTurns(ctx, turns([]*series{s}), tapes(&notes, &closed, nil), NoProgress()); err != nil || !errors.Is(s.failure, context.Canceled) || len(notes) > 0 {
		t.Errorf("%v, %v, %v", err, s.failure, notes)
	}
}

// A sampler that gives another number of figures than the benchmark has is no
// sampler of this build.
func TestSamplerOfAnotherBuild(t *testing.T) {
	var notes []string
	closed := 0
	s := newTestSeries("WarmRun", 1)
	s.units = []string{"ns/op", "p95-ns/op"}
	if err := takeTurns(t.Context(), turns([]*series{s}), tapes(&notes, &closed, nil), NoProgress()); err != nil {
		t.Fatal(err)
	}
	if s.failure == nil || s.failure.Error() != "the sampler gave 1 figures, must be 2" {
		t.Errorf("%v", s.failure)
	}
}

// meeting is a sampler that gives no figure until another is asked for one as well.
type meeting struct{ arrive, leave chan struct{} }

func (m meeting) Take(ctx context.Context, _ string, _ int) ([]float64, error) {
	select {
	case m.arrive <- struct{}{}:
	case <-m.leave:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return []float64{2}, nil
}

func (meeting) Close() error { return nil }

// Both samplers count at once: neither of these can be done before the other begins.
func TestCountsAreTakenAtOnce(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	meet := make(chan struct{})
	s := newTestSeries("Frames", 2)
	s.registered.Units = map[string]bench.Threshold{"frames/call": {Exact: true}}
	if err := takeTurns(ctx, turns([]*series{s}), func() (taker, error) { return meeting{meet, meet}, nil }, NoProgress()); err != nil || s.failure != nil {
		t.Fatalf("%v, %v", err, s.failure)
	}
	if len(s.samples[0]) != 2 || len(s.samples[1]) != 2 {
		t.Errorf("%v", s.samples)
	}
}
