package soak

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// This file owns what a load has seen, and what of it is wrong.

// LoadSummary is what a load has seen.
type LoadSummary struct {
	Options LoadOptions
	Begun   time.Time
	Took    time.Duration
	Tenants []LoadTenant
	// Lost are executions that were sent and have no answer.
	Lost   int
	Memory MemorySlope
	// The daemon's open descriptors, before the first client and after the last.
	FilesBefore, FilesAfter int
	// Child processes that ended by themselves, were killed, were replaced as planned.
	Crashes, Kills, Retired int
	// ExitStatus is that of the daemon when it was told to drain.
	ExitStatus int
	// Left are processes of the daemon that outlived it.
	Left []int
	// Problems are those of clients that could not do their part.
	Problems []string
}

// LoadTenant is what the clients of one tenant have seen.
type LoadTenant struct {
	Name        string
	Connections int
	// Sent is how many executions were sent, Accepted how many of them were not refused.
	Sent, Accepted int
	// Outcomes are the endings as the clients saw them: ok, or the code of the fault.
	// Those whose clients were gone are disconnected. Server is the daemon's count.
	Outcomes, Server map[string]int
	// Twice are answers to what had been answered, or never asked for.
	Twice int
	// Wrong is how many answers were not what they must be; WrongTexts tell some.
	Wrong      int
	WrongTexts []string
	// Calm and Flooded are the times from sending to the answer of what was accepted,
	// before the flood and in it.
	Calm, Flooded Times
}

// Times are what so many executions took.
type Times struct {
	Count              int
	P50, P95, P99, Max time.Duration
}

func timesOf(all []time.Duration) Times {
	if len(all) == 0 {
		return Times{}
	}
	sorted := make([]float64, len(all))
	for i, d := range all {
		sorted[i] = float64(d)
	}
	slices.Sort(sorted)
	at := func(p float64) time.Duration { return time.Duration(stat.Quantile(p, stat.Empirical, sorted, nil)) }
	return Times{Count: len(all), P50: at(0.5), P95: at(0.95), P99: at(0.99), Max: time.Duration(sorted[len(sorted)-1])}
}

// memorySample is the daemon's resident memory at a moment of the flood.
type memorySample struct {
	at    time.Duration
	bytes float64
}

// sample looks at the daemon's memory.
func (l *load) sample(at time.Duration) {
	bytes, err := l.daemon.memory()
	if err != nil {
		l.problem(fmt.Errorf("the daemon's memory: %w", err))
		return
	}
	l.samples = append(l.samples, memorySample{at, float64(bytes)})
}

// MemorySlope is how the resident memory of the daemon's own process went, without
// its children, in MiB.
type MemorySlope struct {
	// First and Last are means over the first and the last block of the second half
	// of the flood; the first half fills caches. Peak is the most that was seen at all.
	First, Last, Peak float64
	// PerMinute is the slope of the line through the means of Blocks blocks, by least
	// squares; it lies between Low and High with 95 % confidence. Neighbouring samples
	// are alike, so that they do not count as so many.
	PerMinute, Low, High float64
	Blocks               int
}

// blocks is how many means a slope is made of.
const blocks = 20

// slopeOf returns the slope of the second half of the samples.
func slopeOf(samples []memorySample) MemorySlope {
	const scale = 1 << 20
	var m MemorySlope
	for _, s := range samples {
		m.Peak = max(m.Peak, s.bytes/scale)
	}
	half := samples[len(samples)/2:]
	size := len(half) / blocks
	if size < 1 {
		return m
	}
	var at, mean []float64
	for block := range slices.Chunk(half[len(half)-size*blocks:], size) {
		var x, y float64
		for _, s := range block {
			x += s.at.Minutes() / float64(size)
			y += s.bytes / scale / float64(size)
		}
		at, mean = append(at, x), append(mean, y)
	}
	m.Blocks, m.First, m.Last = len(at), mean[0], mean[len(mean)-1]
	intercept, slope := stat.LinearRegression(at, mean, nil, false)
	m.PerMinute = slope
	var residuals float64
	for i := range at {
		r := mean[i] - intercept - slope*at[i]
		residuals += r * r
	}
	n := float64(len(at))
	spread := stat.Variance(at, nil) * (n - 1)
	// The standard error of the slope, and Student's t for what is left of n when the
	// line has been chosen.
	deviation := math.Sqrt(residuals / (n - 2) / spread)
	margin := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 2}.Quantile(0.975) * deviation
	m.Low, m.High = slope-margin, slope+margin
	return m
}

const (
	// judgedFrom is how long a flood must be for the daemon's memory to be judged: in
	// a shorter one its caches still fill.
	judgedFrom = 5 * time.Minute
	// mostGrowth is the growth that is no growth, in MiB a minute.
	mostGrowth = 1.0
)

// close counts on both sides when nothing runs any more, and ends the daemon.
func (s *LoadSummary) close(ctx context.Context, l *load, names []string) error {
	f, err := l.awaitRest(ctx, s.FilesBefore)
	if err != nil {
		return err
	}
	if s.FilesAfter, err = l.daemon.files(); err != nil {
		return err
	}
	server := f.outcomes()
	share := l.options.Connections / len(names)
	for i, name := range names {
		b := l.books[name]
		b.mu.Lock()
		t := LoadTenant{
			Name: name, Connections: share, Sent: b.sent, Outcomes: maps.Clone(b.outcomes), Server: server[name],
			Twice: b.twice, Wrong: b.wrongs, WrongTexts: b.wrong, Calm: timesOf(b.calm), Flooded: timesOf(b.flooded),
		}
		b.mu.Unlock()
		if i == 0 {
			t.Connections = l.options.Connections - share*(len(names)-1)
		}
		for outcome, n := range t.Outcomes {
			if !refusal(outcome) {
				t.Accepted += n
			}
		}
		s.Tenants = append(s.Tenants, t)
	}
	s.Crashes, s.Kills, s.Retired = int(f["isogate_child_crashes_total"]), int(f["isogate_child_kills_total"]), int(f["isogate_child_retired_total"])
	s.Memory = slopeOf(l.samples)
	l.mu.Lock()
	for _, err := range l.problems {
		s.Problems = append(s.Problems, err.Error())
	}
	l.mu.Unlock()
	s.ExitStatus, s.Left, err = l.daemon.stop(ctx)
	return err
}

// awaitRest returns the daemon's figures when nothing runs and it holds no more
// files than before, or when there was time enough for that.
func (l *load) awaitRest(ctx context.Context, files int) (figures, error) {
	for begun := time.Now(); ; {
		f, err := l.daemon.metrics(ctx)
		if err != nil {
			return nil, err
		}
		open, err := l.daemon.files()
		if err != nil {
			return nil, err
		}
		if f.atRest() && open <= files || time.Since(begun) > 4*reapTime {
			return f, nil
		}
		if !sleep(ctx, 50*time.Millisecond) {
			return nil, context.Cause(ctx)
		}
	}
}

// Failures returns what is wrong with what was seen; nothing is when it is empty.
func (s *LoadSummary) Failures() []string {
	out := slices.Clone(s.Problems)
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if s.Lost > 0 {
		add("%d executions were sent and have no answer", s.Lost)
	}
	for _, t := range s.Tenants {
		if t.Twice > 0 {
			add("%s: %d answers that nothing waited for", t.Name, t.Twice)
		}
		if t.Wrong > 0 {
			add("%s: %d wrong answers, such as %s", t.Name, t.Wrong, strings.Join(t.WrongTexts[:min(len(t.WrongTexts), 5)], "; "))
		}
		if !maps.Equal(t.Outcomes, t.Server) {
			add("%s: its clients saw %v, the daemon counts %v", t.Name, t.Outcomes, t.Server)
		}
	}
	if s.FilesAfter > s.FilesBefore {
		add("the daemon had %d open files before its clients came, %d after they had gone", s.FilesBefore, s.FilesAfter)
	}
	if s.Options.Time >= judgedFrom && s.Memory.Low > mostGrowth {
		add("the daemon's memory grows by %.2f to %.2f MiB a minute, allowed are %.2f", s.Memory.Low, s.Memory.High, mostGrowth)
	}
	if s.ExitStatus != 0 {
		add("the daemon was told to drain and ended with the status %d", s.ExitStatus)
	}
	if len(s.Left) > 0 {
		add("the daemon left the processes %v behind", s.Left)
	}
	return out
}

// Print writes the summary as tables for people.
func (s *LoadSummary) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "tenant\tconnections\tsent\taccepted\toverloaded\tother refusals\tclients gone\tlost\ttwice\twrong\t")
	for _, x := range s.Tenants {
		overloaded, lost := x.Outcomes["overloaded"], x.Sent
		for _, n := range x.Outcomes {
			lost -= n
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", x.Name, x.Connections, x.Sent, x.Accepted, overloaded,
			x.Sent-lost-x.Accepted-overloaded, x.Outcomes["disconnected"], lost, x.Twice, x.Wrong)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nfrom sending to the answer, of what was accepted:")
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "tenant\twhen\tanswers\tp50\tp95\tp99\tlongest\t")
	row := func(name, when string, x Times) {
		round := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
		fmt.Fprintf(t, "%s\t%s\t%d\t%v\t%v\t%v\t%v\t\n", name, when, x.Count, round(x.P50), round(x.P95), round(x.P99), round(x.Max))
	}
	for _, x := range s.Tenants {
		if x.Name != flooding {
			row(x.Name, "before", x.Calm)
		}
		row(x.Name, "flood", x.Flooded)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	m := s.Memory
	fmt.Fprintf(w, "\nthe daemon's resident memory, without children: %.1f to %.1f MiB in the second half of the flood, %.1f at most; %+.3f MiB a minute (%+.3f to %+.3f with 95 %% confidence, %d blocks)\n",
		m.First, m.Last, m.Peak, m.PerMinute, m.Low, m.High, m.Blocks)
	fmt.Fprintf(w, "open files: %d before the clients, %d after; child processes: %d crashed, %d killed, %d replaced as planned; the daemon drained with the status %d and left %d processes\n",
		s.FilesBefore, s.FilesAfter, s.Crashes, s.Kills, s.Retired, s.ExitStatus, len(s.Left))
	o := s.Options
	fmt.Fprintf(w, "seed %d, %d connections, %d children; a flood of %v after %v without; %g executions a second asked for by the well-behaved, %g by the one that floods; %v in all\n",
		o.Seed, o.Connections, o.Children, o.Time, o.Time/10, o.Rate, o.Flood, s.Took.Round(time.Second))
	fmt.Fprintf(w, "%d answers lost\n", s.Lost)
	for _, what := range s.Failures() {
		fmt.Fprintln(w, "WRONG:", what)
	}
	return nil
}
