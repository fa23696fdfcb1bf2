// Package native holds the attacks that no program can express: those on the
// process that runs programs, on the messages it exchanges, and on requests.
// Each drives the real executor or pool. The claims that they belong to are in
// package threats, by name.
//
// A hostile child is played by this same binary, see hostile.go: any binary
// that links the package can be executed as one.
package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns what an attack in Go is, and what it is given.

// Attack is one attack written in Go.
type Attack struct {
	// Name is unique among all attacks in Go; claims refer to it.
	Name string
	// Title says what is tried and what is safe, Source where the idea is from.
	Title, Source string
	Canary        bool
	// Network says that the attack starts a server, or a client, and is on the other
	// end of its connection.
	Network bool
	// Alone says that the attack looks at the whole machine: mutants that try it are not
	// replayed beside each other.
	Alone bool
	// Run carries the attack out. nil means that it ended safely, a [Violation]
	// that it did not, [ErrUnsupported] that this machine lacks what it needs,
	// any other error that it could not be carried out.
	Run func(ctx context.Context, h *Host) error
}

// All returns every attack in Go.
func All() []Attack {
	var all []Attack
	for _, group := range [][]Attack{isolation, crashes, memoryLimit, nesting, inheritance, orphans, overload, turns, requests, replies, lifecycle, outside, remains, failingClosed, lackingMachines, snapshots} {
		all = append(all, group...)
	}
	return slices.Concat(all, hostileAttacks(), probeAttacks(), layerAttacks(), networkAttacks())
}

// Names returns the names of all attacks.
func Names() []string {
	var names []string
	for _, a := range All() {
		names = append(names, a.Name)
	}
	return names
}

// Find returns the attack with the given name.
func Find(name string) (Attack, bool) {
	for _, a := range All() {
		if a.Name == name {
			return a, true
		}
	}
	return Attack{}, false
}

// Violation is an attack that did not end safely.
type Violation struct{ What string }

func (v *Violation) Error() string { return v.What }

func violated(format string, args ...any) error { return &Violation{fmt.Sprintf(format, args...)} }

// ErrUnsupported indicates that this machine lacks what an attack needs.
var ErrUnsupported = errors.New("this machine lacks what the attack needs")

// Host is what an attack works with. It is safe for concurrent use.
type Host struct {
	// Binary is the path of a binary that links this package.
	Binary string
	// CanaryName is a variable of this process's environment that no child may have.
	CanaryName string
	// Profile is the engine profile of the executors that attacks start; "" means the
	// executor's default.
	Profile string
	// Snapshot is what the executors that attacks start are started from where it fits.
	// It must be one of an open executor; nil means that each makes its own.
	Snapshot *pool.Snapshot
	// ThroughServer has requests to executors take the way through a server on a unix
	// socket and its client, see front.go.
	ThroughServer bool

	fronts fronts

	mu       sync.Mutex
	notes    []string           // guarded by mu
	observed []*protocol.Result // guarded by mu
	closers  []func() error     // guarded by mu
}

// Note records something seen, as evidence.
func (h *Host) Note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, fmt.Sprintf(format, args...))
}

// Notes returns what was recorded.
func (h *Host) Notes() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.notes...)
}

// Observed returns every result that the attack was given, to be searched for leaks.
func (h *Host) Observed() []*protocol.Result {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]*protocol.Result(nil), h.observed...)
}

// Close gives up what the attack left open.
func (h *Host) Close() error {
	h.mu.Lock()
	closers := h.closers
	h.closers = nil
	h.mu.Unlock()
	var errs []error
	for i := len(closers) - 1; i >= 0; i-- {
		errs = append(errs, closers[i]())
	}
	return errors.Join(errs...)
}

func (h *Host) onClose(f func() error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closers = append(h.closers, f)
}

// start makes an executor that is closed with the attack.
func (h *Host) start(ctx context.Context, c executor.Config) (*executor.IsolateExecutor, error) {
	e, err := executor.New(ctx, h.configured(c))
	if err != nil {
		return nil, fmt.Errorf("starting an executor: %w", err)
	}
	h.onClose(func() error { return closeWithin(e) })
	return e, nil
}

// configured returns the configuration with the profile that the attack is to use, and
// the snapshot.
func (h *Host) configured(c executor.Config) executor.Config {
	if c.Pool.Profile == "" {
		c.Pool.Profile = h.Profile
	}
	if h.Snapshot != nil && h.Snapshot.Fits(c.Pool) == nil {
		c.Pool.Snapshot = h.Snapshot
	}
	return c
}

// profileVariable tells a process that plays a host which profile to use.
const profileVariable = "ISOGATE_GATE_PROFILE"

// playedConfig is the configuration of the executor in a process that plays a host.
func playedConfig(c pool.Config) executor.Config {
	c.Profile = os.Getenv(profileVariable)
	return executor.Config{Pool: c}
}

// playing returns the environment of a process that plays a host.
func (h *Host) playing(environment []string) []string {
	return append(environment, profileVariable+"="+h.Profile)
}

// closeTimeout is how long an executor may take to close.
const closeTimeout = 5 * time.Second

// closeWithin closes an executor; one that does not close in time is given up.
func closeWithin(e *executor.IsolateExecutor) error {
	closed := make(chan error, 1)
	go func() { closed <- e.Close() }()
	timeout := time.NewTimer(closeTimeout)
	defer timeout.Stop()
	select {
	case err := <-closed:
		return err
	case <-timeout.C:
		return fmt.Errorf("the executor did not close within %v", closeTimeout)
	}
}

// execute runs a request and records its result.
func (h *Host) execute(ctx context.Context, e executor.Interface, r executor.Request) *protocol.Result {
	if isolates, ok := e.(*executor.IsolateExecutor); ok && h.ThroughServer {
		e = h.front(ctx, isolates)
	}
	result, _ := e.Execute(ctx, r) // the error is the result's fault
	h.mu.Lock()
	h.observed = append(h.observed, result)
	h.mu.Unlock()
	return result
}

// tempDir makes a folder that is removed with the attack.
func (h *Host) tempDir() (string, error) {
	dir, err := os.MkdirTemp("", "isogate-gate-")
	if err != nil {
		return "", err
	}
	h.onClose(func() error { return os.RemoveAll(dir) })
	return dir, nil
}

// script makes a file that stands for a child: executed, it is this binary with one
// argument more, by which an init function of this package knows its part. It is
// removed with the attack.
func (h *Host) script(argument string) (string, error) {
	if runtime.GOOS != "linux" {
		return "", fmt.Errorf("%w: scripts as children are tried on Linux only", ErrUnsupported)
	}
	dir, err := h.tempDir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "child")
	// A process that is started meanwhile would keep the file open for writing until
	// it executes its own, and the kernel executes no file that is open for writing
	// (ETXTBSY). While this lock is held no process is started.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return path, os.WriteFile(path, []byte("#!"+h.Binary+" "+argument+"\n"), 0o700)
}

// wantValue returns a violation unless the result is the value with this codec text.
func wantValue(what string, result *protocol.Result, text string) error {
	if result.Fault != nil {
		return violated("%s: the outcome is the fault %s (%s), must be the value %s", what, result.Fault.Code(), brief(result.Fault.Error()), text)
	}
	if string(result.Value) != text {
		return violated("%s: the value is %s, must be %s", what, brief(string(result.Value)), text)
	}
	return nil
}

// wantFault returns a violation unless the result is a fault of one of the codes.
func wantFault(what string, result *protocol.Result, codes ...protocol.Code) error {
	if result.Fault == nil {
		return violated("%s: the outcome is the value %s, must be the fault %v", what, brief(string(result.Value)), codes)
	}
	for _, code := range codes {
		if result.Fault.Code() == code {
			return nil
		}
	}
	return violated("%s: the outcome is the fault %s (%s), must be %v", what, result.Fault.Code(), brief(result.Fault.Error()), codes)
}

func brief(text string) string {
	const most = 300
	if len(text) > most {
		return fmt.Sprintf("%s… (%d bytes)", text[:most], len(text))
	}
	return text
}

// probe runs a small program with a tool call and demands its value.
func (h *Host) probe(ctx context.Context, what string, e executor.Interface) error {
	r := executor.Request{
		Source: "async ({n}) => (await tools.twice(n)) + 1", Input: map[string]any{"n": 20},
		Tools: executor.Tools{"tools": {"twice": func(_ context.Context, args []any) (any, error) { return 2 * args[0].(float64), nil }}},
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	return wantValue(what, h.execute(ctx, e, r), "41")
}

// eventually polls until the condition holds; its error says what is still wrong.
func eventually(ctx context.Context, within time.Duration, condition func() error) error {
	deadline := time.Now().Add(within)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		err := condition()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}
