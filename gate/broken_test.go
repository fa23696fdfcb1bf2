package gate

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file tests that the standing postcondition finds what an executor breaks: each
// target here is the real one with one promise less.

// broken is a target that does something else where the function says so.
type broken struct {
	Target
	execute func(context.Context, executor.Request, Target) *protocol.Result
	close   func(Target) error
}

func (b *broken) Execute(ctx context.Context, r executor.Request) (*protocol.Result, error) {
	if b.execute != nil {
		return b.execute(ctx, r, b.Target), nil
	}
	return b.Target.Execute(ctx, r)
}

func (b *broken) Close() error {
	if b.close != nil {
		return b.close(b.Target)
	}
	return b.Target.Close()
}

// attackSource marks the attack of these tests among the executions around it.
const attackSource = "/* the attack */"

func isAttack(r executor.Request) bool { return strings.Contains(r.Source, attackSource) }

// brokenKind returns a kind of target of which each is made broken.
func brokenKind(t *testing.T, make func() *broken) TargetKind {
	t.Helper()
	real, err := FindTarget(DefaultTarget)
	if err != nil {
		t.Fatal(err)
	}
	return TargetKind{Name: "broken", Start: func(ctx context.Context) (Target, error) {
		inner, err := real.Start(ctx)
		if err != nil {
			return nil, err
		}
		b := make()
		b.Target = inner
		return b, nil
	}}
}

func oneAttack(t *testing.T) *threats.Model {
	t.Helper()
	a, mistakes := threats.ReadAttack("t/c/a.js", "c", []byte("/*---\ntitle: a\nsource: own\ntools: [tools.echo]\nexpect: {value: 1}\n---*/\n"+attackSource+"\nasync () => { await tools.echo('x'); return 1 }\n"))
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	return &threats.Model{Claims: []*threats.Claim{{ID: "c", Attacks: []*threats.Attack{a}}}}
}

func TestThePostconditionFindsWhatIsBroken(t *testing.T) {
	run := func(ctx context.Context, r executor.Request, inner Target) *protocol.Result {
		result, _ := inner.Execute(ctx, r) // the error is the result's fault
		return result
	}
	// onAttack does something beside the attack.
	onAttack := func(do func(context.Context, executor.Request)) func() *broken {
		return func() *broken {
			return &broken{execute: func(ctx context.Context, r executor.Request, inner Target) *protocol.Result {
				if isAttack(r) {
					do(ctx, r)
				}
				return run(ctx, r, inner)
			}}
		}
	}
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	var kept []*os.File
	t.Cleanup(func() {
		for _, f := range kept {
			f.Close()
		}
	})
	tests := []struct {
		name string
		make func() *broken
		want string // "" for nothing wrong
	}{
		{"nothing", func() *broken { return new(broken) }, ""},
		{"a process is left", onAttack(func(context.Context, executor.Request) {
			if err := exec.Command("sleep", "600").Start(); err != nil {
				t.Error(err)
			}
		}), "is left and belongs to no target"},
		{"a process is not waited for", onAttack(func(context.Context, executor.Request) {
			if err := exec.Command("true").Start(); err != nil {
				t.Error(err)
			}
		}), "is a zombie"},
		{"a file is left open", onAttack(func(context.Context, executor.Request) {
			f, err := os.Create(filepath.Join(t.TempDir(), "open"))
			if err != nil {
				t.Error(err)
			}
			kept = append(kept, f)
		}), "files open, had"},
		{"goroutines are left", onAttack(func(context.Context, executor.Request) { leave(release) }), "goroutines, had"},
		{"a tool is given the host's environment", onAttack(func(ctx context.Context, r executor.Request) {
			if _, err := r.Tools["tools"]["echo"](ctx, []any{map[string]any{"deep": os.Getenv(canaryVariable)}}); err != nil {
				t.Error(err)
			}
		}), "what the caller's tools were given: the result contains the host's environment"},
		{"a tool runs after the outcome", func() *broken {
			var last executor.Request
			return &broken{execute: func(ctx context.Context, r executor.Request, inner Target) *protocol.Result {
				if isAttack(last) {
					if _, err := last.Tools["tools"]["echo"](ctx, nil); err != nil {
						t.Error(err)
					}
				}
				last = r
				return run(ctx, r, inner)
			}}
		}, "tools of the attack ran 1 times after its outcome"},
		{"the next execution's world is another", func() *broken {
			attacked := false
			return &broken{execute: func(ctx context.Context, r executor.Request, inner Target) *protocol.Result {
				if attacked {
					r.Source = "async (input) => { Array.prototype.flat = Array.prototype.flat.bind(null); return (" + r.Source + ")(input) }"
				}
				attacked = attacked || isAttack(r)
				return run(ctx, r, inner)
			}}
		}, "the next execution sees another world than before any attack: of"},
		{"the next execution is of another's secret", func() *broken {
			var secret any
			return &broken{execute: func(ctx context.Context, r executor.Request, inner Target) *protocol.Result {
				if s, ok := r.Input.(string); ok {
					secret = s
				}
				result := run(ctx, r, inner)
				if strings.HasPrefix(r.Source, probing) && secret != nil {
					result.Logs = append(result.Logs, protocol.LogEntry{Text: secret.(string)})
				}
				return result
			}}
		}, "after the attack: the result contains a secret of another execution"},
		{"the next execution's tool runs twice", func() *broken {
			return &broken{execute: func(ctx context.Context, r executor.Request, inner Target) *protocol.Result {
				if add := r.Tools["tools"]["add"]; add != nil {
					if _, err := add(ctx, []any{map[string]any{"a": 1.0, "b": 1.0}}); err != nil {
						t.Error(err)
					}
				}
				return run(ctx, r, inner)
			}}
		}, "the next execution called its tool once; it ran 2 times"},
		{"there is no result", func() *broken {
			return &broken{execute: func(ctx context.Context, r executor.Request, inner Target) *protocol.Result {
				if isAttack(r) {
					return nil
				}
				return run(ctx, r, inner)
			}}
		}, "the target returned no result"},
		{"it does not close", func() *broken {
			return &broken{close: func(inner Target) error { return errors.Join(errors.New("stuck"), inner.Close()) }}
		}, "closing the target after this attack, the last: stuck"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			claims, err := Verify(t.Context(), VerifyOptions{Model: oneAttack(t), Target: brokenKind(t, tc.make), Seed: 1, Progress: NoProgress()})
			if err != nil {
				t.Fatal(err)
			}
			a := claims[0].Attacks[0]
			got := strings.Join(a.Wrong, "; ")
			if (a.Outcome == reports.AttackHeld) != (tc.want == "") || !strings.Contains(got, tc.want) {
				t.Errorf("%s: %s; must say %q", a.Outcome, got, tc.want)
			}
		})
	}
}

// Side by side every attack has a target of its own, attacks in Go run alone, and what
// comes of them is in the order of the data.
func TestVerifySideBySide(t *testing.T) {
	m, err := LoadModel("")
	if err != nil {
		t.Fatal(err)
	}
	var started, open atomic.Int64
	real, err := FindTarget(DefaultTarget)
	if err != nil {
		t.Fatal(err)
	}
	kind := TargetKind{Name: DefaultTarget, Profile: real.Profile, Start: func(ctx context.Context) (Target, error) {
		started.Add(1)
		open.Add(1)
		inner, err := real.Start(ctx)
		return &broken{Target: inner, close: func(inner Target) error { open.Add(-1); return inner.Close() }}, err
	}}
	o := VerifyOptions{
		Model: m, Run: regexp.MustCompile("^(programs-work|bridge-pollution|timers-bounded)/|^crash-isolated/sigkill-while-running$"), Seed: 3, Target: kind, Progress: NoProgress(),
	}
	names := func(parallel int) []string {
		t.Helper()
		o.Parallel = parallel
		claims, err := Verify(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range claims {
			if c.Verdict != reports.Held {
				t.Errorf("%d side by side: %s is %s: %s", parallel, c.ID, c.Verdict, c.Reason)
			}
			for _, a := range c.Attacks {
				out = append(out, c.ID+"/"+a.Name)
			}
		}
		return out
	}
	alone := names(1)
	if started.Load() != 1 {
		t.Errorf("%d targets were started for attacks in turn", started.Load())
	}
	if together := names(2); strings.Join(together, " ") != strings.Join(alone, " ") {
		t.Errorf("side by side the record holds\n%v\nin turn\n%v", together, alone)
	}
	if started.Load() != 1+2+1 || open.Load() != 0 {
		t.Errorf("%d targets were started, %d are open", started.Load(), open.Load())
	}
}

// leave starts goroutines that end with the test: more than may be ending from before,
// when the host is looked at first.
func leave(release <-chan struct{}) {
	for range 50 {
		go func() { <-release }()
	}
}

// What one attack of many leaves in this process is found when all have ended.
func TestSideBySideFindsWhatIsLeft(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	kind := brokenKind(t, func() *broken {
		return &broken{execute: func(ctx context.Context, r executor.Request, inner Target) *protocol.Result {
			if isAttack(r) {
				leave(release)
			}
			result, _ := inner.Execute(ctx, r)
			return result
		}}
	})
	_, err := Verify(t.Context(), VerifyOptions{Model: oneAttack(t), Target: kind, Parallel: 2, Seed: 1, Progress: NoProgress()})
	if err == nil || !strings.Contains(err.Error(), "goroutines, had") {
		t.Errorf("the error is %v", err)
	}
}

// What an attack or a claim is not made for is unsupported, with the reason.
func TestVerifyOnAnotherTarget(t *testing.T) {
	only := []threats.TargetName{{Name: "hardened"}}
	m := oneAttack(t)
	other := *m.Claims[0].Attacks[0]
	other.Name, other.ID, other.Targets = "b", "c/b", only
	m.Claims[0].Attacks = append(m.Claims[0].Attacks, &other)
	d := *m.Claims[0]
	d.ID, d.Targets, d.Native = "d", only, []threats.NativeName{{Name: "cancel-while-running"}}
	e := threats.Claim{ID: "e", Native: []threats.NativeName{{Name: "cancel-while-waiting"}, {Name: "execute-after-close", Targets: only}}}
	m.Claims = append(m.Claims, &d, &e)
	kind := brokenKind(t, func() *broken { return new(broken) })
	claims, err := Verify(t.Context(), VerifyOptions{Model: m, Target: kind, Seed: 1, Progress: NoProgress()})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"c/a": "", "c/b": "the attack is not for the target broken, only for hardened",
		"d/a": "the claim is not made for the target broken, only for hardened", "d/b": "the claim is not made for", "d/cancel-while-running": "the claim is not made for",
		"e/cancel-while-waiting": "attacks in Go drive package executor from inside; the target broken is another",
		"e/execute-after-close":  "the attack is not for the target broken",
	}
	for _, c := range claims {
		if c.Verdict != reports.Unsupported {
			t.Errorf("%s is %s", c.ID, c.Verdict)
		}
		for _, a := range c.Attacks {
			wrong := want[c.ID+"/"+a.Name]
			delete(want, c.ID+"/"+a.Name)
			outcome := reports.AttackUnsupported
			if wrong == "" {
				outcome = reports.AttackHeld
			}
			if a.Outcome != outcome || !strings.Contains(strings.Join(a.Wrong, "; "), wrong) {
				t.Errorf("%s/%s is %s: %v, must say %q", c.ID, a.Name, a.Outcome, a.Wrong, wrong)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not tried: %v", want)
	}
}

func TestRegisterTarget(t *testing.T) {
	start := func(context.Context) (Target, error) { return nil, errors.New("no") }
	for name, k := range map[string]TargetKind{
		"there is one of this name": {Name: DefaultTarget, Start: start},
		"is no name":                {Name: "Two Words", Start: start},
		"Start is nil":              {Name: "nothing"},
	} {
		if err := RegisterTarget(k); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, must say %q", err, name)
		}
	}
	if k, err := FindTarget(""); err != nil || k.Name != DefaultTarget {
		t.Errorf("the default is %q, %v", k.Name, err)
	}
	if _, err := FindTarget("none"); err == nil || !strings.Contains(err.Error(), `there is no target "none"; the targets are hardened, jit`) {
		t.Error(err)
	}
}
