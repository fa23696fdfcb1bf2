package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/gate/probe"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns running probes in a victim and judging what came of them.

// only requires the given measures and turns all others off.
func only(measures ...string) map[string]child.Level {
	levels := child.Levels(child.Off)
	for _, name := range measures {
		levels[name] = child.Required
	}
	return levels
}

// victimSpec says how a victim is to be sealed.
type victimSpec struct {
	// what says it in a few words.
	what string
	// levels are laid over the product's own.
	levels map[string]child.Level
	// fresh gives each probe a process of its own, for probes that succeed and may
	// leave something behind in it.
	fresh bool
}

// victim is an executor whose only child runs probes.
type victim struct {
	victimSpec
	host     *Host
	executor *executor.IsolateExecutor
	scene    *probe.Scene
}

// startVictims starts two victims at once.
func (h *Host) startVictims(ctx context.Context, open, sealed victimSpec) (*victim, *victim, error) {
	var first *victim
	var firstErr error
	started := make(chan struct{})
	go func() {
		defer close(started)
		first, firstErr = h.startVictim(ctx, open)
	}()
	second, err := h.startVictim(ctx, sealed)
	<-started
	return first, second, errors.Join(firstErr, err)
}

// startVictim starts a victim. It is closed with the attack.
func (h *Host) startVictim(ctx context.Context, spec victimSpec) (*victim, error) {
	script, err := h.script(probedArgument)
	if err != nil {
		return nil, err
	}
	v := &victim{victimSpec: spec, host: h}
	if v.scene, err = probe.NewScene(filepath.Dir(script), h.Binary); err != nil {
		return nil, err
	}
	h.onClose(v.scene.Close)
	config := pool.Config{Size: 1, ChildPath: script, Sealing: spec.levels}
	if spec.fresh {
		config.MaxUses = 1
	}
	v.executor, err = h.start(ctx, executor.Config{Pool: config})
	var unavailable *protocol.Unavailable
	if errors.As(err, &unavailable) && slices.Contains(slices.Collect(maps.Values(spec.levels)), child.Required) {
		return nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return v, err
}

// trial is what came of one probe.
type trial struct {
	answer probe.Answer // of a victim that outlived it
	signal string       // that ended it
	status int          // with which it ended
	dumped bool         // it left a core dump
	ended  bool
}

// patience is how long a probe may take. The longest, that of many processes, takes
// a fraction of a second.
const patience = 15 * time.Second

// try runs one probe.
func (v *victim) try(ctx context.Context, p probe.Probe) (trial, error) {
	if err := v.scene.Prepare(); err != nil {
		return trial{}, err
	}
	target, err := json.Marshal(v.scene.Target)
	if err != nil {
		return trial{}, err
	}
	result := v.host.execute(ctx, v.executor, executor.Request{
		Source: probePrefix + p.Name, Input: string(target), Limits: protocol.Limits{Wall: patience, CPU: patience},
	})
	var t trial
	var crash *protocol.WorkerCrashed
	switch {
	case result.Fault == nil:
		if err := json.Unmarshal([]byte(result.Value), &t.answer); err != nil {
			return t, fmt.Errorf("the victim's answer is no answer: %w", err)
		}
		if t.answer.Broken != "" {
			return t, fmt.Errorf("%s in a victim that is %s: %s", p.Name, v.what, t.answer.Broken)
		}
	case errors.As(result.Fault, &crash):
		t.ended, t.signal, t.status = true, crash.Signal, crash.Status
		cores, err := filepath.Glob(filepath.Join(v.scene.Target.Directory, "core*"))
		if err != nil {
			return t, err
		}
		t.dumped = len(cores) > 0
	default:
		return t, fmt.Errorf("%s in a victim that is %s: %w", p.Name, v.what, result.Fault)
	}
	return t, nil
}

// succeeded reports that the probe got what it tried for.
func (t trial) succeeded(p probe.Probe) bool {
	switch {
	case p.Dumps:
		return t.dumped
	case t.ended:
		return p.Executes && t.status == probe.ExitExecuted
	}
	return t.answer.Reached()
}

// refused reports that the probe did not get it, because the kernel refused or
// ended the victim.
func (t trial) refused(p probe.Probe) bool {
	switch {
	case t.succeeded(p):
		return false
	case t.ended:
		return t.signal == "SIGSYS" || p.Dumps && t.signal == "SIGSEGV"
	}
	return t.answer.Refused()
}

// String describes it in a few words.
func (t trial) String() string {
	switch {
	case t.dumped:
		return "a core dump was left"
	case t.signal != "":
		return "killed by " + t.signal
	case t.ended:
		return fmt.Sprintf("ended with status %d", t.status)
	}
	return t.answer.String()
}

// mustSucceed demands that a probe gets what it tries for: its control. Where it
// does not for a reason that is no sealing, it shows nothing on this machine.
func (v *victim) mustSucceed(ctx context.Context, p probe.Probe) error {
	t, err := v.try(ctx, p)
	if err != nil {
		return err
	}
	v.host.Note("%s: %s: %s", p.Name, v.what, t)
	switch {
	case t.succeeded(p):
		return nil
	case t.answer.Lacking():
		return fmt.Errorf("%w: %s: this kernel has no such thing: %s", ErrUnsupported, p.Name, t)
	case p.Dumps && t.signal == "SIGSEGV" && !dumpsIntoFolder():
		return fmt.Errorf("%w: %s: this machine hands core dumps to a program or keeps them elsewhere", ErrUnsupported, p.Name)
	case (t.answer.Errno == "EPERM" || t.answer.Errno == "EACCES") && !mayDo(p):
		return fmt.Errorf("%w: %s: this user may not do it even without sealing: %s", ErrUnsupported, p.Name, t)
	}
	return violated("the control fails: %s in a victim that is %s: %s; it must succeed there", p.Name, v.what, t)
}

// mustBeRefused demands that a probe does not get what it tries for.
func (v *victim) mustBeRefused(ctx context.Context, p probe.Probe) error {
	t, err := v.try(ctx, p)
	if err != nil {
		return err
	}
	v.host.Note("%s: %s: %s", p.Name, v.what, t)
	switch missing := v.missing(); {
	case t.refused(p):
		return nil
	case t.succeeded(p) && len(missing) > 0:
		return fmt.Errorf("%w: %s in a victim that is %s: %s; not in force: %s", ErrUnsupported, p.Name, v.what, t, strings.Join(missing, "; "))
	}
	return violated("native code can %s: %s in a victim that is %s: %s", p.Title, p.Name, v.what, t)
}

// missing returns the measures that the victim was to take and could not.
func (v *victim) missing() []string {
	var missing []string
	for _, s := range v.executor.Stats().Sealing {
		if s.Level != child.Off && !s.InForce {
			missing = append(missing, s.Measure+": "+s.Reason)
		}
	}
	return missing
}

// dumpsIntoFolder reports whether the kernel writes a core dump into the folder of
// the process that ends. See core(5).
func dumpsIntoFolder() bool {
	pattern, err := os.ReadFile("/proc/sys/kernel/core_pattern")
	return err == nil && strings.HasPrefix(string(pattern), "core")
}

// mayDo reports whether this process may do what the probe tries, as far as its
// user, its capabilities and a filter of its own decide.
func mayDo(p probe.Probe) bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil || strings.TrimSpace(line(string(status), "Seccomp:")) != "0" {
		return false
	}
	if p.Needs != 0 {
		return probe.Capable(p.Needs)
	}
	return os.Geteuid() == 0
}
