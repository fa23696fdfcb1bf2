package native

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the attacks by a machine that lacks what sealing needs. The machine
// is played by a process of its own that takes it from itself, as an old kernel or a
// container would, and then is a host.

var lackingMachines = []Attack{
	{Name: "machine-without-user-namespaces", Source: "K13", Title: "where user namespaces are forbidden an executor that requires them does not start, another reports it", Run: onMachine("user-namespaces")},
	{Name: "machine-without-namespaces", Source: "K13", Title: "where all namespaces are forbidden an executor that requires one does not start, another reports it", Run: onMachine("namespaces")},
	{Name: "machine-with-hidden-processes", Source: "K13", Title: "where parts of /proc are hidden, as in containers, an executor that requires a namespace of processes does not start, another reports it", Run: onMachine("processes")},
	{Name: "machine-without-landlock", Source: "K13", Title: "where the kernel has no Landlock an executor that requires it does not start, another reports it", Run: onMachine("landlock")},
	{Name: "machine-without-filters", Source: "K13", Title: "where filters are forbidden no executor starts by default, and one that only wants them reports it", Run: onMachine("filters")},
}

// machine is one that lacks measures.
type machine struct {
	measures []string
	// reason stands in what is said of each.
	reason string
}

// machines are those that can be played, by name.
var machines = map[string]machine{
	"user-namespaces": {[]string{child.UserNamespace}, "no space left on device"},
	"namespaces":      {[]string{child.UserNamespace, child.MountNamespace, child.PIDNamespace, child.NetworkNamespace, child.IPCNamespace}, "no space left on device"},
	"processes":       {[]string{child.PIDNamespace}, "parts of the host's are hidden"},
	"landlock":        {[]string{child.Landlock}, "no Landlock"},
	"filters":         {[]string{child.SystemCalls}, "operation not permitted"},
}

// confinedArgument is argument 1 of the process; 2 is the machine's name, 3 the
// levels as JSON.
const confinedArgument = "isogate-confined-host"

func init() {
	if len(os.Args) == 4 && os.Args[1] == confinedArgument {
		os.Exit(confinedMain(os.Args[2], os.Args[3]))
	}
}

// confinedReport is what the process prints, as JSON.
type confinedReport struct {
	// Failed says why nothing was tried.
	Failed string
	// Error is why the executor did not start, Unavailable the fault's reason.
	Error, Unavailable string
	// Left are the children that it left then.
	Left int
	// States are those of an executor that started, Wrong what its program did wrong.
	States []pool.SealingState
	Wrong  string
}

// confinedMain is the process.
func confinedMain(machine, levels string) int {
	report := tryConfined(machine, levels)
	text, err := json.Marshal(report)
	if err != nil {
		fmt.Fprintln(os.Stderr, "confined host:", err)
		return 1
	}
	fmt.Println(string(text))
	return 0
}

func tryConfined(machine, text string) (r confinedReport) {
	levels := map[string]child.Level{}
	if err := errors.Join(json.Unmarshal([]byte(text), &levels), confine(machine)); err != nil {
		return confinedReport{Failed: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.Background(), confinedPatience)
	defer cancel()
	e, err := executor.New(ctx, playedConfig(pool.Config{Size: 1, Sealing: levels}))
	if err != nil {
		r.Error = err.Error()
		var unavailable *protocol.Unavailable
		if errors.As(err, &unavailable) {
			r.Unavailable = unavailable.Reason
		}
		left, err := possessions()
		if err != nil {
			r.Failed = err.Error()
		}
		r.Left = left.Children + left.Snapshots
		return r
	}
	defer e.Close()
	r.States = e.Stats().Sealing
	var h Host
	if err := h.probe(ctx, "a program", e); err != nil {
		r.Wrong = err.Error()
	}
	return r
}

// confinedPatience is how long the process may take.
const confinedPatience = 10 * time.Second

// onConfined has an executor with these levels tried on the machine.
func (h *Host) onConfined(ctx context.Context, machine string, levels map[string]child.Level) (*confinedReport, error) {
	text, err := json.Marshal(levels)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*confinedPatience)
	defer cancel()
	c := exec.CommandContext(ctx, h.Binary, confinedArgument, machine, string(text))
	if err := confineCommand(c, machine); err != nil {
		return nil, err
	}
	c.Env = h.playing(os.Environ())
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%w: a machine without %s cannot be played: %w: %s", ErrUnsupported, machine, err, brief(stderr.String()))
	}
	r := new(confinedReport)
	if err := json.Unmarshal(stdout.Bytes(), r); err != nil {
		return nil, fmt.Errorf("the confined host wrote %q: %w", brief(stdout.String()), err)
	}
	if r.Failed != "" {
		return nil, fmt.Errorf("%w: a machine without %s cannot be played: %s", ErrUnsupported, machine, r.Failed)
	}
	return r, nil
}

// onMachine returns an attack with that machine.
func onMachine(name string) func(context.Context, *Host) error {
	return func(ctx context.Context, h *Host) error {
		m := machines[name]
		for _, measure := range m.measures {
			r, err := h.onConfined(ctx, name, map[string]child.Level{measure: child.Required})
			if err != nil {
				return err
			}
			if err := m.wantRefusal(h, r, measure); err != nil {
				return err
			}
		}
		// By default a measure is required, or its absence reported. So it is when all
		// that the machine lacks is only wanted.
		r, err := h.onConfined(ctx, name, nil)
		if err != nil {
			return err
		}
		wanted := map[string]child.Level{}
		for _, measure := range m.measures {
			if known, _ := child.FindMeasure(measure); known.Default == child.Required {
				if err := m.wantRefusal(h, r, measure); err != nil {
					return err
				}
			}
			wanted[measure] = child.Wanted
		}
		if r, err = h.onConfined(ctx, name, wanted); err != nil {
			return err
		}
		return m.wantReported(h, r)
	}
}

// wantRefusal demands that the executor did not start, for want of the measure.
func (m machine) wantRefusal(h *Host, r *confinedReport, measure string) error {
	what := "an executor that requires " + measure
	h.Note("%s: %s", what, brief(r.Error))
	if r.Error == "" {
		return violated("%s starts; its state: %+v", what, r.States)
	}
	if r.Unavailable == "" {
		return violated("%s: the error is %q, must be the fault unavailable", what, r.Error)
	}
	if r.Left > 0 {
		return violated("%s leaves %d children and snapshots", what, r.Left)
	}
	return saysWhy(what, r.Unavailable, refusal{measure, m.reason})
}

// wantReported demands that the executor works and says what its children lack.
func (m machine) wantReported(h *Host, r *confinedReport) error {
	if r.Error != "" {
		return violated("an executor that requires none of %v does not start: %s", m.measures, r.Error)
	}
	if r.Wrong != "" {
		return violated("an executor without %v: %s", m.measures, r.Wrong)
	}
	states := map[string]pool.SealingState{}
	var missing []string
	for _, state := range r.States {
		states[state.Measure] = state
		if !state.InForce {
			missing = append(missing, state.Measure+" ("+state.Reason+")")
		}
	}
	h.Note("not in force: %s", strings.Join(missing, ", "))
	for _, measure := range m.measures {
		if err := wantMissing(states, measure, child.Wanted, m.reason); err != nil {
			return err
		}
	}
	return nil
}
