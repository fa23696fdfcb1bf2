package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/sandbox"
	"github.com/isogate/isogate/threats"
)

// This file owns what can be put under the attacks: the interface, and the targets
// by name.

// Target is an executor under attack. Anything that can be given programs and
// answers them in the terms of package protocol can be one: an executor in this
// process, a client of one elsewhere, an adapter around another engine.
//
// Attacks come one after the other, each between harmless executions, and all of a
// target's executions should run in the same place if it has places: what one leaves
// behind is looked for in the next. Methods are called by one goroutine at a time,
// but for Processes, which may be called while Execute runs.
type Target interface {
	// Execute and Close are as an executor's. A target that does not know a field of
	// the request must not pass over it in silence: see Lacks.
	executor.Interface
	// Processes returns the ids of the target's own processes that may be there now.
	// Any other process below this one that stays after an attack is a violation.
	// A target whose processes are not below this one returns none.
	Processes() []int
	// Lacks returns why the target cannot be given this request at all, such as that
	// it has no modules, or "". An attack that is such a request is unsupported: it is
	// shown, and its claim does not count as held.
	Lacks(r executor.Request) string
}

// TargetKind is a kind of target, of which each run of the gate starts its own.
type TargetKind struct {
	// Name is how command lines and the threat model name it, see
	// [threats.CheckName]; Title says what it is, in one line.
	Name, Title string
	// Start starts one. ctx bounds the start only.
	Start func(ctx context.Context) (Target, error)
	// Profile is for this repository's own executor: the engine profile that attacks
	// in Go start theirs with. Attacks in Go drive package executor and its child
	// processes from inside, so that they say nothing about any other executor: where
	// it is empty they are reported as unsupported.
	Profile string
	// ThroughServer has attacks in Go put a server in front of the executors that they
	// start. Those that give them no request say nothing about a server and are reported
	// as unsupported, but for those that start a server themselves.
	ThroughServer bool
}

// DefaultTarget is the name of the target of a run that names none.
const DefaultTarget = sandbox.ProfileHardened

var (
	kindsMu sync.Mutex
	// guarded by kindsMu; in order of registration
	kinds = []TargetKind{
		{
			Name: sandbox.ProfileHardened, Title: "the executor as it is configured by default: V8 without its compilers",
			Start: startIsolates(sandbox.ProfileHardened), Profile: sandbox.ProfileHardened,
		},
		{
			Name: sandbox.ProfileJIT, Title: "the same with V8's compilers, for compute-heavy programs",
			Start: startIsolates(sandbox.ProfileJIT), Profile: sandbox.ProfileJIT,
		},
		{
			Name: TargetServer, Title: "the default executor behind a server on a unix socket, asked through the Go client",
			Start: startServer, Profile: sandbox.ProfileHardened, ThroughServer: true,
		},
	}
)

// RegisterTarget makes a kind of target known by its name. It may be called from any
// goroutine. The error says that the name is taken or is none, or that Start is nil.
func RegisterTarget(k TargetKind) error {
	if err := threats.CheckName(k.Name); err != nil {
		return fmt.Errorf("registering a target: %w", err)
	}
	if k.Start == nil {
		return fmt.Errorf("registering the target %s: Start is nil", k.Name)
	}
	kindsMu.Lock()
	defer kindsMu.Unlock()
	if slices.ContainsFunc(kinds, func(other TargetKind) bool { return other.Name == k.Name }) {
		return fmt.Errorf("registering the target %s: there is one of this name", k.Name)
	}
	kinds = append(kinds, k)
	return nil
}

// Targets returns every kind of target, the default first, then in order of
// registration.
func Targets() []TargetKind {
	kindsMu.Lock()
	defer kindsMu.Unlock()
	return slices.Clone(kinds)
}

// TargetNames returns the names of all kinds of targets, in the order of [Targets].
func TargetNames() []string {
	var names []string
	for _, k := range Targets() {
		names = append(names, k.Name)
	}
	return names
}

// FindTarget returns the kind of target of this name, the default for "". The error
// names those there are.
func FindTarget(name string) (TargetKind, error) {
	if name == "" {
		name = DefaultTarget
	}
	for _, k := range Targets() {
		if k.Name == name {
			return k, nil
		}
	}
	return TargetKind{}, fmt.Errorf("there is no target %q; the targets are %s", name, strings.Join(TargetNames(), ", "))
}

// isolates is this repository's own executor as a target. It has one child, so that
// every execution follows the one before it in the same process unless that process
// had to die.
type isolates struct{ *executor.IsolateExecutor }

func startIsolates(profile string) func(context.Context) (Target, error) {
	return func(ctx context.Context) (Target, error) {
		e, err := executor.New(ctx, executor.Config{Pool: pool.Config{Size: 1, Profile: profile}})
		if err != nil {
			return nil, err
		}
		return isolates{e}, nil
	}
}

// Processes returns the executor's children.
func (t isolates) Processes() []int {
	var pids []int
	for _, child := range t.Stats().Children {
		pids = append(pids, child.PID)
	}
	return pids
}

// Lacks returns "": the executor was made for these requests, and what it refuses it
// refuses with a fault.
func (isolates) Lacks(executor.Request) string { return "" }
