package against_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/gate/against"
	"github.com/isogate/isogate/reports"
)

// This file tests whole comparisons, in git repositories that hold a small module of
// the same name: its product is a few constants, its sampler and its gate are real
// programs that are built and run as the real ones are.

// checkout is a git repository with a module.
type checkout struct {
	t    *testing.T
	root string
}

// newCheckout makes a repository whose first commit holds the module as it is in
// testdata. With folders the module is in that folder of the repository.
func newCheckout(t *testing.T, folders ...string) *checkout {
	t.Helper()
	repository := t.TempDir()
	c := &checkout{t, filepath.Join(append([]string{repository}, folders...)...)}
	if err := os.CopyFS(c.root, os.DirFS("testdata/module")); err != nil {
		t.Fatal(err)
	}
	thresholds, err := os.ReadFile("../../bench/thresholds.json")
	if err != nil {
		t.Fatal(err)
	}
	c.write("bench/thresholds.json", string(thresholds))
	c.write(".gitignore", "/build/\n")
	command(t, repository, "git", "init", "-q", "-b", "main")
	c.commit("first")
	return c
}

// command runs a command and returns what it prints.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c *checkout) write(name, text string) {
	c.t.Helper()
	name = filepath.Join(c.root, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		c.t.Fatal(err)
	}
}

// edit replaces text in a file, which must be there.
func (c *checkout) edit(name, from, to string) {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(name)))
	if err != nil {
		c.t.Fatal(err)
	}
	if !strings.Contains(string(text), from) {
		c.t.Fatalf("%s lacks %q", name, from)
	}
	c.write(name, strings.ReplaceAll(string(text), from, to))
}

func (c *checkout) commit(message string) {
	c.t.Helper()
	command(c.t, c.root, "git", "add", "-A")
	command(c.t, c.root, "git", "commit", "-q", "--allow-empty", "-m", message)
}

// folder is where comparisons of the checkout work.
func (c *checkout) folder() string { return filepath.Join(c.root, "build", "gate", "_ab") }

// compare compares the checkout with its first commit.
func (c *checkout) compare(ctx context.Context, change func(*against.Options)) (*reports.Record, *notes, error) {
	told := &notes{}
	o := against.Options{
		Root: c.root, Folder: c.folder(), Reference: "main^{/first}", Seed: 1, Seeded: true, Progress: told,
	}
	if change != nil {
		change(&o)
	}
	r, err := against.Run(ctx, o)
	return r, told, err
}

// left returns what comparisons left behind that they should not, and how many builds
// are kept.
func (c *checkout) left() (wrong []string, builds int) {
	c.t.Helper()
	entries, err := os.ReadDir(c.folder())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.t.Fatal(err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), "reference-") {
			builds++
		} else {
			wrong = append(wrong, entry.Name())
		}
	}
	if trees := strings.Split(command(c.t, c.root, "git", "worktree", "list"), "\n"); len(trees) > 1 {
		wrong = append(wrong, trees[1:]...)
	}
	return wrong, builds
}

// notes remembers what a comparison says.
type notes struct {
	gate.Progress
	mu    sync.Mutex
	lines []string
	// on, when not nil, is called with each line.
	on func(line string)
}

func (n *notes) Note(format string, args ...any) { n.add(fmt.Sprintf(format, args...)) }

func (n *notes) Begin(phase string, steps int) { n.add(fmt.Sprintf("begin %s: %d", phase, steps)) }

func (n *notes) End() {}

func (n *notes) Count(int) {}

func (n *notes) Step(gate.Step) {}

func (n *notes) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
	if n.on != nil {
		n.on(line)
	}
}

func (n *notes) contains(part string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.lines, func(line string) bool { return strings.Contains(line, part) })
}

// verdicts counts the verdicts on figures.
func verdicts(r *reports.Record) map[reports.Verdict]int {
	count := map[reports.Verdict]int{}
	for _, c := range r.Against.Changes {
		count[c.Verdict]++
	}
	return count
}

// registered returns how many figures are registered, and how many of them are counted.
func registered(t *testing.T) (all, exact int) {
	t.Helper()
	thresholds, err := bench.Registered()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range thresholds.Benchmarks {
		for _, u := range b.Units {
			all++
			if u.Exact {
				exact++
			}
		}
	}
	return all, exact
}

func TestNothingChanged(t *testing.T) {
	defer goleak.VerifyNone(t)
	all, _ := registered(t)
	c := newCheckout(t)
	r, told, err := c.compare(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	a := r.Against
	if a.Harness != reports.HarnessOurs || !a.Identical || a.Revision != command(t, c.root, "git", "rev-parse", "HEAD") || r.Build.Revision != a.Revision || r.Build.Modified {
		t.Errorf("%+v, %+v", a, r.Build)
	}
	if len(a.Claims) != 0 || a.Compared != 4 || len(r.Claims) != 4 {
		t.Errorf("%d claims compared, %v differ", a.Compared, a.Claims)
	}
	if diff := cmp.Diff(map[reports.Verdict]int{reports.Same: all}, verdicts(r)); diff != "" {
		t.Error(diff)
	}
	for _, change := range a.Changes {
		pairs := 10
		if change.Exact {
			pairs = 1
		}
		if len(change.Old) != pairs || len(change.New) != pairs || change.Calibration != nil {
			t.Errorf("%s %s has %d and %d samples, calibration %v", change.Name, change.Unit, len(change.Old), len(change.New), change.Calibration)
		}
	}
	if a.Missing != nil || r.LeftOut != nil {
		t.Errorf("missing %v, left out %v", a.Missing, r.LeftOut)
	}
	if wrong, builds := c.left(); wrong != nil || builds != 1 {
		t.Errorf("left behind: %v, and %d builds", wrong, builds)
	}
	if !told.contains("building the gate of main") || !told.contains("the same to the byte") {
		t.Errorf("%q", told.lines)
	}

	// What was built and verified is used again, also with another seed unless one is given.
	_, told, err = c.compare(t.Context(), func(o *against.Options) { o.NoFigures, o.Seeded, o.Seed = true, false, 2 })
	if err != nil {
		t.Fatal(err)
	}
	if told.contains("of main") && told.contains("building the gate of main") || !told.contains("were checked before, with the seed 1") {
		t.Errorf("%q", told.lines)
	}
	_, told, err = c.compare(t.Context(), func(o *against.Options) { o.NoFigures, o.Seed = true, 2 })
	if err != nil || told.contains("were checked before") {
		t.Errorf("with another seed: %v, %q", err, told.lines)
	}
}

func TestChanges(t *testing.T) {
	all, exact := registered(t)
	tests := []struct {
		name, from, to string
		want           map[reports.Verdict]int
	}{
		// By more than the widest tolerance, which is 50 %.
		{"slower", "Time = 1.0", "Time = 1.6", map[reports.Verdict]int{reports.Worse: all - exact, reports.Same: exact}},
		{"faster", "Time = 1.0", "Time = 0.4", map[reports.Verdict]int{reports.Better: all - exact, reports.Same: exact}},
		{"more of what is counted", "Count = 1.0", "Count = 1.3", map[reports.Verdict]int{reports.Worse: exact, reports.Same: all - exact}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := newCheckout(t)
			c.edit("product/product.go", tc.from, tc.to) // not committed
			r, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoClaims = true })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, verdicts(r)); diff != "" {
				t.Errorf("%s\n%+v", diff, r.Against.Changes)
			}
			for _, change := range r.Against.Changes {
				pairs := 10
				if change.Exact {
					pairs = 1
					if change.Verdict != reports.Same {
						pairs = 3
					}
				}
				if len(change.Old) != pairs || len(change.New) != pairs || (change.Calibration == nil) != change.Exact {
					t.Errorf("%s %s, %s, has %d and %d samples, calibration %v", change.Name, change.Unit, change.Verdict, len(change.Old), len(change.New), change.Calibration)
				}
			}
			if r.Against.Identical || !r.Build.Modified {
				t.Errorf("identical %v, modified %v", r.Against.Identical, r.Build.Modified)
			}
			if diff := cmp.Diff([]string{"the claims were not compared"}, r.LeftOut); diff != "" {
				t.Error(diff)
			}
			if failed := r.State() == reports.Failed; failed != (tc.want[reports.Worse] > 0) {
				t.Errorf("the state is %s", r.State())
			}
		})
	}
}

func TestClaims(t *testing.T) {
	c := newCheckout(t)
	c.edit("product/product.go", `"first": "held", "second": "held", "third": "open", "fourth": "violated"`,
		`"second": "violated", "third": "held", "fourth": "violated", "fifth": "held"`)
	r, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoFigures = true })
	if err != nil {
		t.Fatal(err)
	}
	want := []reports.ClaimChange{
		{ID: "second", Title: "The second", Old: reports.Held, New: reports.Violated, Reason: "because of second"},
		{ID: "first", Title: "The first", Old: reports.Held, Reason: "no attack of it was tried on this state"},
		{ID: "fifth", Title: "The fifth", New: reports.Held, Reason: "because of fifth"},
		{ID: "third", Title: "The third", Old: reports.Open, New: reports.Held, Reason: "because of third"},
	}
	if diff := cmp.Diff(want, r.Against.Claims); diff != "" {
		t.Error(diff)
	}
	if broken := r.Against.Broken(); len(broken) != 2 || r.Against.Compared != 3 {
		t.Errorf("%v are broken, %d compared", broken, r.Against.Compared)
	}
	if why := r.Failures(); len(why) == 0 || !strings.HasPrefix(why[0], "second is violated; it was held at main") {
		t.Errorf("%q", why)
	}

	// What is not selected is not compared, in figures neither.
	r, _, err = c.compare(t.Context(), func(o *against.Options) { o.NoClaims, o.Figures = true, regexp.MustCompile("^Frames$") })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Against.Changes) != 2 || len(r.LeftOut) != 2 || !strings.Contains(r.LeftOut[1], "do not match ^Frames$") {
		t.Errorf("%+v, %q", r.Against.Changes, r.LeftOut)
	}
	r, _, err = c.compare(t.Context(), func(o *against.Options) { o.NoFigures, o.Claims = true, "^third/" })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[3:], r.Against.Claims); diff != "" || r.Against.Compared != 1 {
		t.Errorf("%d compared: %s", r.Against.Compared, diff)
	}
}

// A benchmark that only the new side fails to carry out is worse; one that only the
// reference does not carry out is missing, which fails a release.
func TestBenchmarksThatFail(t *testing.T) {
	c := newCheckout(t)
	c.edit("product/product.go", `Broken = ""`, `Broken = "ToolCall"`)
	r, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoClaims = true })
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range r.Against.Changes {
		broken := change.Name == "ToolCall"
		if broken != (change.Verdict == reports.Worse) || broken && !strings.Contains(change.Reason, "not any more: ToolCall: the product is broken") {
			t.Errorf("%s %s is %s: %s", change.Name, change.Unit, change.Verdict, change.Reason)
		}
	}
	c.commit("broken")
	c.edit("product/product.go", `Broken = "ToolCall"`, `Broken = ""`)
	for _, release := range []bool{false, true} {
		r, _, err = c.compare(t.Context(), func(o *against.Options) { o.NoClaims, o.Reference, o.Release = true, "main^{/broken}", release })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"ToolCall: ToolCall: the product is broken"}, r.Against.Missing); diff != "" {
			t.Error(diff)
		}
		if failed := r.State() == reports.Failed; failed != release {
			t.Errorf("release %v: %s: %q", release, r.State(), r.Failures())
		}
	}
}

// Between two sides that are the same to the byte every difference is the machine's.
func TestIdenticalSidesThatDiffer(t *testing.T) {
	c := newCheckout(t)
	// The two samplers are told apart by their paths alone.
	c.edit("bench/bench.go", `value = 100 * product.Count`, `value = 100
			if strings.Contains(os.Args[0], "/new/") {
				value = 200
			}`)
	c.edit("bench/bench.go", "\t\"sort\"\n", "\t\"sort\"\n\t\"strings\"\n")
	c.edit("product/product.go", "Count = 1.0", "Count = 1.0 // the same")
	r, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoClaims = true })
	if err != nil {
		t.Fatal(err)
	}
	if !r.Against.Identical || r.State() == reports.Failed {
		t.Errorf("identical %v, %s", r.Against.Identical, r.State())
	}
	for _, change := range r.Against.Changes {
		if change.Exact != (change.Verdict == reports.Unfit) || change.Exact && !strings.Contains(change.Reason, "counted 100 before and 200 now, the tolerance is ") {
			t.Errorf("%s %s is %s: %s", change.Name, change.Unit, change.Verdict, change.Reason)
		}
	}
}

// A sample that fails once is taken again, and told.
func TestSampleThatFailsOnce(t *testing.T) {
	c := newCheckout(t)
	c.edit("product/product.go", `Seldom = ""`, `Seldom = "ToolCall"`)
	r, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoClaims = true })
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range r.Against.Changes {
		again := strings.Contains(change.Reason, "samples were taken again") && strings.Contains(change.Reason, "this state: ToolCall: the product was broken once")
		if change.Verdict != reports.Same || again != (change.Name == "ToolCall") {
			t.Errorf("%s %s is %s: %s", change.Name, change.Unit, change.Verdict, change.Reason)
		}
	}
}

func TestNoTime(t *testing.T) {
	all, _ := registered(t)
	c := newCheckout(t)
	r, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoClaims, o.Time = true, time.Nanosecond })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Against.Changes) != 0 || len(r.Against.Missing) == 0 || !strings.Contains(r.Against.Missing[0], "there was no time for it within 1ns") {
		t.Errorf("%d of %d figures, missing %q", len(r.Against.Changes), all, r.Against.Missing)
	}
}

// Where this state's benchmarks do not build against the reference, its own measure it.
func TestItsOwnHarness(t *testing.T) {
	c := newCheckout(t)
	c.edit("product/product.go", "Time = 1.0", "Pace = 1.0")
	c.edit("bench/bench.go", "product.Time", "product.Pace")
	r, told, err := c.compare(t.Context(), func(o *against.Options) { o.NoClaims = true })
	if err != nil {
		t.Fatal(err)
	}
	if r.Against.Harness != reports.HarnessIts || !told.contains("undefined: product.Pace") || verdicts(r)[reports.Worse] > 0 {
		t.Errorf("%s, %q, %v", r.Against.Harness, told.lines, verdicts(r))
	}
	if wrong, _ := c.left(); wrong != nil {
		t.Errorf("left behind: %v", wrong)
	}
}

// A module may be in a folder of its repository, and the gate be run from a hook, in
// whose environment git says where it is.
func TestModuleInAFolder(t *testing.T) {
	c := newCheckout(t, "go", "isogate")
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_INDEX_FILE", "/nowhere/index")
	r, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoFigures = true })
	if err != nil {
		t.Fatal(err)
	}
	if r.Against.Compared != 4 {
		t.Errorf("%d claims compared", r.Against.Compared)
	}
}

func TestErrors(t *testing.T) {
	broken := "package product\n\nfunc broken() { return 1 }\n"
	tests := []struct {
		name string
		// before changes the reference, now this state.
		before, now func(c *checkout)
		options     func(*against.Options)
		want        []string
	}{
		{"no such reference", nil, nil, func(o *against.Options) { o.Reference = "no-such-branch" }, []string{`the reference "no-such-branch" is no commit of this repository`}},
		{"an option for git", nil, nil, func(o *against.Options) { o.Reference = "--help" }, []string{`the reference "--help" is no commit`}},
		{"no such benchmark", nil, nil, func(o *against.Options) { o.Figures = regexp.MustCompile("^HotRun$") }, []string{"no benchmark matches ^HotRun$"}},
		{"neither", nil, nil, func(o *against.Options) { o.NoClaims, o.NoFigures = true, true }, []string{"neither claims nor figures"}},
		{
			"the reference does not build", func(c *checkout) { c.write("product/broken.go", broken) },
			func(c *checkout) { c.write("product/broken.go", "package product\n") }, nil,
			[]string{"the reference main^{/first} does not build", "product/broken.go:3:24: too many return values"},
		},
		{
			"the reference has no sampler, and ours does not build", func(c *checkout) {
				if err := os.RemoveAll(filepath.Join(c.root, "bench")); err != nil {
					c.t.Fatal(err)
				}
			}, func(c *checkout) {
				if err := os.CopyFS(filepath.Join(c.root, "bench"), os.DirFS("testdata/module/bench")); err != nil {
					c.t.Fatal(err)
				}
				thresholds, _ := os.ReadFile("../../bench/thresholds.json")
				c.write("bench/thresholds.json", string(thresholds))
				c.edit("bench/bench.go", "product.Time", "product.Pace")
				c.edit("product/product.go", "Time = 1.0", "Pace = 1.0")
			}, func(o *against.Options) { o.NoClaims = true },
			[]string{"does not build: with the benchmarks of this state, because it has no sampler of its own", "undefined: product.Pace"},
		},
		{"this state does not build", nil, func(c *checkout) { c.write("product/broken.go", broken) }, nil, []string{"this state of the source does not build", "product/broken.go:3:24"}},
		{"malformed thresholds", nil, func(c *checkout) { c.edit("bench/thresholds.json", `"tolerance"`, `"tolerates"`) }, nil, []string{"bench/thresholds.json", `"tolerates"`}},
		{"no thresholds", nil, func(c *checkout) { os.Remove(filepath.Join(c.root, "bench/thresholds.json")) }, nil, []string{"thresholds.json: no such file"}},
		{
			"the reference's gate cannot verify", func(c *checkout) { c.edit("product/product.go", `"first"`, `"no record"`) }, func(c *checkout) { c.edit("product/product.go", `"no record"`, `"first"`) }, nil,
			[]string{"the claims of the reference main^{/first} cannot be checked", "exit status 2", "no machine for this"},
		},
		{"this gate cannot verify", nil, func(c *checkout) { c.edit("product/product.go", `"first"`, `"no record"`) }, nil, []string{"the claims of this state cannot be checked", "no machine for this"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := newCheckout(t)
			if tc.before != nil {
				tc.before(c)
				c.commit("first again")
			}
			if tc.now != nil {
				tc.now(c)
			}
			r, _, err := c.compare(t.Context(), tc.options)
			if err == nil || r != nil {
				t.Fatalf("%v, %v", r, err)
			}
			for _, part := range tc.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error %q must contain %q", err, part)
				}
			}
			if wrong, _ := c.left(); wrong != nil {
				t.Errorf("left behind: %v", wrong)
			}
		})
	}
	t.Run("no repository", func(t *testing.T) {
		c := newCheckout(t)
		if err := os.RemoveAll(filepath.Join(c.root, ".git")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.compare(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "is in no git repository") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a shallow clone", func(t *testing.T) {
		c := newCheckout(t)
		c.commit("second")
		shallow := filepath.Join(t.TempDir(), "shallow")
		command(t, c.root, "git", "clone", "-q", "--depth", "1", "file://"+c.root, shallow)
		s := &checkout{t, shallow}
		if _, _, err := s.compare(t.Context(), func(o *against.Options) { o.Reference = "HEAD~1" }); err == nil || !strings.Contains(err.Error(), "a shallow clone") {
			t.Errorf("%v", err)
		}
	})
}

// A comparison that is interrupted leaves nothing but builds.
func TestInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, when := range []string{"building the gate of", "building the sampler of", "begin claims before", "begin warm-up", "begin pairs"} {
		t.Run(when, func(t *testing.T) {
			c := newCheckout(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			interrupted := errors.New("interrupted")
			told := &notes{on: func(line string) {
				if strings.HasPrefix(line, when) {
					cancel(interrupted)
				}
			}}
			r, _, err := c.compare(ctx, func(o *against.Options) { o.Progress = told })
			if !errors.Is(err, interrupted) || r != nil {
				t.Errorf("%v, %v", r, err)
			}
			if wrong, _ := c.left(); wrong != nil {
				t.Errorf("left behind: %v", wrong)
			}
		})
	}
}

// What a comparison left that was killed is removed by the next; what belongs to one
// that lives is not.
func TestStaleFoldersAreRemoved(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("flock(1) is on Linux")
	}
	flock, err := exec.LookPath("flock")
	if err != nil {
		t.Skipf("the other process needs flock(1): %v", err)
	}
	c := newCheckout(t)
	stale := filepath.Join(c.folder(), "tree-1")
	command(t, c.root, "git", "worktree", "add", "--quiet", "--detach", stale)
	for _, name := range []string{"tree-1.lock", "run-2/old/sampler", "run-2.lock", "run-3.lock", "tree-4/file", "run-5/file", "run-5.lock"} {
		c.write("build/gate/_ab/"+name, "")
	}
	// Another process holds the lock of the last until its standard input ends.
	holder := exec.Command(flock, filepath.Join(c.folder(), "run-5.lock"), "sh", "-c", "echo held; read wait")
	stdin, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(stdin.Close(), holder.Wait()) }()
	if _, err := stdout.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoFigures = true }); err != nil {
		t.Fatal(err)
	}
	wrong, _ := c.left()
	slices.Sort(wrong)
	if diff := cmp.Diff([]string{"run-5", "run-5.lock"}, wrong); diff != "" {
		t.Error(diff)
	}
}

// Of the builds of references only the last used are kept.
func TestOldBuildsAreRemoved(t *testing.T) {
	c := newCheckout(t)
	old := time.Now().Add(-time.Hour)
	for i := range 9 {
		name := fmt.Sprintf("build/gate/_ab/reference-%d/harness", i)
		c.write(name, "ours")
		if err := os.Chtimes(filepath.Dir(filepath.Join(c.root, name)), old, old.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := c.compare(t.Context(), func(o *against.Options) { o.NoFigures = true }); err != nil {
		t.Fatal(err)
	}
	if wrong, builds := c.left(); wrong != nil || builds != 6 {
		t.Errorf("%d builds are kept, left behind: %v", builds, wrong)
	}
	if _, err := os.Stat(filepath.Join(c.folder(), "reference-8")); err != nil {
		t.Error(err)
	}
}
