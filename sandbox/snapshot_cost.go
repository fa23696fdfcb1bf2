package sandbox

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/isogate/isogate/protocol"
	guest "github.com/isogate/isogate/runtime"
	"github.com/isogate/isogate/sandbox/v8"
)

// This file owns the measuring of what the guest library costs each execution.

// SnapshotCost is what the startup snapshot costs. Times are medians.
type SnapshotCost struct {
	// Bytes is the size of the snapshot.
	Bytes int `json:"bytes"`
	// Isolate and Context are the time of restoring each of the two, Whole that of a
	// trivial execution with the making and the disposal of its isolate.
	Isolate time.Duration `json:"isolateNs"`
	Context time.Duration `json:"contextNs"`
	Whole   time.Duration `json:"wholeNs"`
	// Plain is the same with V8's own default snapshot, without the library.
	Plain v8.PlainTimes `json:"plain"`
	// Ratio is the median of Whole to Plain.Whole over the pairs, which were measured in turns.
	Ratio float64 `json:"ratio"`
	// Pairs is how many pairs these were.
	Pairs int `json:"pairs"`
	// Parts are what the library is made of, and what each adds.
	Parts []PartCost `json:"parts"`
}

// PartCost is what one part of the library adds.
type PartCost struct {
	Name string `json:"name"`
	// Globals are the names that it defines on the global object.
	Globals []string `json:"globals,omitempty"`
	// Bytes is what it adds to the snapshot.
	Bytes int `json:"bytes"`
	// Restore is what it adds to the making of an isolate with its context; about zero
	// is measured as a little more or less.
	Restore time.Duration `json:"restoreNs"`
	// FirstUse is how long the first use takes, with the parts that it needs itself; zero
	// when it was not measured.
	FirstUse time.Duration `json:"firstUseNs"`
	// UsedBy says in words what uses the part, when its first use was not measured because no
	// expression does.
	UsedBy string `json:"usedBy,omitempty"`
}

// pairsOfRound is how many pairs of executions with and without the library a round has.
const pairsOfRound = 6

// trivialProgram is the program of [SnapshotCost.Whole].
const trivialProgram = "() => 1"

// MeasureSnapshot builds the snapshot of a profile, and one without each part, and
// measures executions of a trivial program, in turns, rounds times each, and some times as often
// the whole library against none. It runs V8 in this process, which must not run another sandbox:
// isolates of two snapshots cannot live at the same time ([v8.NewIsolate]). The progress function, when
// not nil, is told of every round. It takes about half a second a round.
func MeasureSnapshot(profile string, rounds int, progress func(done, of int)) (*SnapshotCost, error) {
	options, err := engineOptions(profile)
	if err != nil {
		return nil, err
	}
	if rounds < 1 {
		return nil, fmt.Errorf("sandbox: %d rounds measure nothing", rounds)
	}
	return onEngineThread(options, func() (*SnapshotCost, error) { return measureSnapshot(rounds, progress) })
}

// variant is a snapshot with all parts but one.
type variant struct {
	blob     []byte
	isolate  []time.Duration
	context  []time.Duration
	restore  []time.Duration
	firstUse []time.Duration
}

func measureSnapshot(rounds int, progress func(done, of int)) (*SnapshotCost, error) {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	build := func(without string) (*variant, error) {
		name, source := guest.SourceWithout(without)
		blob, err := v8.Snapshot(source, name)
		if err != nil {
			return nil, fmt.Errorf("sandbox: the snapshot without %q: %w", without, err)
		}
		pinner.Pin(&blob[0])
		return &variant{blob: blob}, nil
	}
	whole, err := build("")
	if err != nil {
		return nil, err
	}
	parts := guest.Parts()
	variants := make([]*variant, len(parts))
	for i, p := range parts {
		if variants[i], err = build(p.Name); err != nil {
			return nil, err
		}
	}
	cost := &SnapshotCost{Bytes: len(whole.blob)}
	var all []time.Duration
	var plain [3][]time.Duration
	var ratios []float64
	for round := range rounds {
		for pair := range pairsOfRound {
			with, without, err := trivialPair(whole, pair%2 == 1)
			if err != nil {
				return nil, err
			}
			if round+pair > 0 { // the first one warms up
				all = append(all, with)
				ratios = append(ratios, float64(with)/float64(without.Whole))
				plain[0], plain[1], plain[2] = append(plain[0], without.Isolate), append(plain[1], without.Context), append(plain[2], without.Whole)
			}
		}
		for i, p := range parts {
			if _, err := variants[i].run(trivialProgram); err != nil {
				return nil, fmt.Errorf("without %s: %w", p.Name, err)
			}
			trivial, err := whole.run(trivialProgram)
			if err != nil {
				return nil, err
			}
			variants[i].restore = append(variants[i].restore, last(whole.isolate)+last(whole.context)-last(variants[i].isolate)-last(variants[i].context))
			use := useOf(p)
			if use == "" {
				continue
			}
			using, err := whole.run("() => void (" + use + ")") // a function is no value of a run
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			variants[i].firstUse = append(variants[i].firstUse, using-trivial)
		}
		if progress != nil {
			progress(round+1, rounds)
		}
	}
	cost.Isolate, cost.Context, cost.Whole = median(whole.isolate), median(whole.context), median(all)
	cost.Plain = v8.PlainTimes{Isolate: median(plain[0]), Context: median(plain[1]), Whole: median(plain[2])}
	cost.Ratio, cost.Pairs = median(ratios), len(ratios)
	for i, p := range parts {
		cost.Parts = append(cost.Parts, PartCost{
			Name: p.Name, Globals: p.Globals, Bytes: len(whole.blob) - len(variants[i].blob),
			Restore: median(variants[i].restore), FirstUse: median(variants[i].firstUse), UsedBy: p.UsedBy,
		})
	}
	return cost, nil
}

// LibraryPairs executes a trivial program n times with the library and n times in an
// isolate of V8's own default snapshot, in turns, and returns how long each execution
// took, from the making of its isolate to its disposal. Like [MeasureSnapshot] it runs V8
// in this process.
func LibraryPairs(profile string, n int) (with, without []time.Duration, err error) {
	options, err := engineOptions(profile)
	if err != nil {
		return nil, nil, err
	}
	type pairs struct{ with, without []time.Duration }
	both, err := onEngineThread(options, func() (both pairs, err error) {
		name, source := guest.Source()
		blob, err := v8.Snapshot(source, name)
		if err != nil {
			return both, fmt.Errorf("sandbox: building the snapshot: %w", err)
		}
		var pinner runtime.Pinner
		pinner.Pin(&blob[0])
		defer pinner.Unpin()
		whole := &variant{blob: blob}
		for i := range n {
			ours, plain, err := trivialPair(whole, i%2 == 1)
			if err != nil {
				return both, err
			}
			both.with, both.without = append(both.with, ours), append(both.without, plain.Whole)
		}
		return both, nil
	})
	return both.with, both.without, err
}

// trivialPair runs the trivial program once with the library and once without, in the
// order that plainFirst says, and returns how long each took, from the making of its
// isolate to its disposal.
func trivialPair(whole *variant, plainFirst bool) (with time.Duration, without v8.PlainTimes, err error) {
	steps := []func() error{
		func() error { with, err = whole.run(trivialProgram); return err },
		func() error { without, err = v8.RunPlain(trivialProgram, protocol.DefaultLimits.Heap); return err },
	}
	if plainFirst {
		slices.Reverse(steps)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return 0, v8.PlainTimes{}, err
		}
	}
	return with, without, nil
}

// run executes one program in an isolate of its own and returns how long it took.
func (v *variant) run(source string) (time.Duration, error) {
	start := time.Now()
	concluded := false
	isolate, err := v8.NewIsolate(v.blob, protocol.DefaultLimits.Heap, func(c v8.HostCall) int64 {
		concluded = concluded || c.Op == v8.OpResult
		return 0
	})
	if err != nil {
		return 0, err
	}
	isolate.SetNative(answerNative)
	begun := isolate.Begin(protocol.DefaultLimits.External, v8.Allowed{}, `{"tools":[]}`)
	outcome := isolate.Run(source, programName, false, "")
	made, context := isolate.RestoreTimes()
	isolate.Dispose()
	took := time.Since(start)
	if begun.Status != v8.OK || outcome.Status != v8.OK || !concluded {
		return 0, errors.New("sandbox: the trivial program failed: " + begun.Message + outcome.Message)
	}
	v.isolate, v.context = append(v.isolate, made), append(v.context, context)
	return took, nil
}

// useOf returns an expression that uses a part, empty when there is none.
func useOf(p guest.Part) string {
	if globals := append(slices.Clone(p.Globals), p.Functions...); p.Use == "" && len(globals) > 0 {
		return "typeof " + globals[0]
	}
	return p.Use
}

// median returns the middle of the values, zero when there are none.
func median[T float64 | time.Duration](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}

func last[T any](list []T) T { return list[len(list)-1] }
