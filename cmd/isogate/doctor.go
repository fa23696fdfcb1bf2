package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/internal/kernel"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
	"github.com/spf13/cobra"
)

// This file owns the command doctor: what this machine can do, found by doing it.

const doctorHelp = `Say what this machine can do, and try it.

doctor prints the engine's version, which features of the kernel can be used for
sealing, which sealing measures a real child process reached, how large the startup
snapshot is, and how long one program took. Its exit status is 0 only when that
program ran and gave the right value, else 4.

With --snapshot it also measures what the guest library costs every execution, against an
isolate that has none, and what each part of the library adds: bytes of the snapshot, time
to restore it, and time of its first use. That takes some seconds.`

// diagnosis is what doctor found. It is printed as text or as JSON.
type diagnosis struct {
	Version  string           `json:"version"`
	Platform string           `json:"platform"`
	Engine   string           `json:"engine"`
	Profile  string           `json:"profile"`
	Kernel   []kernel.Feature `json:"kernel"`
	// Sealing is the state of every sealing measure of a real child.
	Sealing       []measure `json:"sealing"`
	SnapshotBytes int64     `json:"snapshotBytes"`
	// StartMS is the time until the snapshot was made and a child was ready,
	// RunMS that of one execution, as its caller saw it.
	StartMS float64 `json:"startMs"`
	RunMS   float64 `json:"runMs"`
	// Library is what the guest library costs, when that was asked for.
	Library *sandbox.SnapshotCost `json:"library,omitempty"`
	// Problem says why no program ran; it is empty when one did.
	Problem string `json:"problem,omitempty"`
}

// measure is what became of one sealing measure.
type measure struct {
	Name    string      `json:"name"`
	Level   child.Level `json:"level"`
	InForce bool        `json:"inForce"`
	Reason  string      `json:"reason,omitempty"`
	Purpose string      `json:"purpose"`
	Remedy  string      `json:"remedy"`
}

// newDoctorCommand returns the command doctor.
func newDoctorCommand(s streams) *cobra.Command {
	var asJSON, snapshot bool
	var profile string
	var sealing []string
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Say what this machine can do, and try it",
		Long:    doctorHelp,
		Example: "  isogate doctor\n  isogate doctor --json\n  isogate doctor --snapshot",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkProfile(profile); err != nil {
				return err
			}
			levels, err := sealingLevels(sealing)
			if err != nil {
				return err
			}
			d, err := diagnose(cmd.Context(), profile, levels)
			if err == nil && snapshot {
				d.Library, err = sandbox.MeasureSnapshot(profile, snapshotRounds, nil)
			}
			if err != nil {
				d.Problem = err.Error()
			}
			if asJSON {
				text, err := json.Marshal(d)
				if err != nil {
					return &setupError{err}
				}
				fmt.Fprintf(s.out, "%s\n", text)
			} else {
				d.print(s.out)
			}
			if err != nil {
				return &setupError{fmt.Errorf("programs cannot be run here: %w", err)}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was found as JSON")
	cmd.Flags().BoolVar(&snapshot, "snapshot", false, "measure what the guest library costs, and each part of it")
	cmd.Flags().StringVar(&profile, "profile", sandbox.ProfileHardened, profileUsage)
	cmd.Flags().StringArrayVar(&sealing, "sealing", nil, sealingUsage)
	return cmd
}

// diagnose fills in what it can find; the error says why no program ran.
func diagnose(ctx context.Context, profile string, levels map[string]child.Level) (*diagnosis, error) {
	d := &diagnosis{
		Version:  buildVersion(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Engine:   sandbox.EngineVersion(),
		Profile:  profile,
		Kernel:   kernel.Features(),
		Sealing:  []measure{},
	}
	start := time.Now()
	e, err := executor.New(ctx, executor.Config{Pool: pool.Config{Size: 1, Profile: profile, Sealing: levels}})
	if err != nil {
		return d, err
	}
	defer e.Close()
	d.StartMS = protocol.Milliseconds(time.Since(start))
	stats := e.Stats()
	d.SnapshotBytes = stats.SnapshotSize
	for _, state := range stats.Sealing {
		m, _ := child.FindMeasure(state.Measure)
		d.Sealing = append(d.Sealing, measure{state.Measure, state.Level, state.InForce, state.Reason, m.Purpose, m.Remedy})
	}

	start = time.Now()
	result, err := e.Execute(ctx, executor.Request{Source: "({a, b}) => a * b", Input: map[string]int{"a": 6, "b": 7}})
	d.RunMS = protocol.Milliseconds(time.Since(start))
	if err != nil {
		return d, err
	}
	if string(result.Value) != "42" {
		return d, fmt.Errorf("6 * 7 gave %s", result.Value)
	}
	return d, nil
}

// printSealing writes the table of measures. What is not in force is followed by
// the reason and what can be done.
func (d *diagnosis) printSealing(w io.Writer) {
	fmt.Fprintf(w, "\n%-20s %-9s %-8s %s\n", "sealing measure", "level", "in force", "what a child has then")
	for _, m := range d.Sealing {
		state := "yes"
		if !m.InForce {
			state = "NO"
		}
		fmt.Fprintf(w, "%-20s %-9s %-8s %s\n", m.Name, m.Level, state, m.Purpose)
		if !m.InForce {
			fmt.Fprintf(w, "%-20s why: %s\n%-20s mend: %s\n", "", m.Reason, "", m.Remedy)
		}
	}
}

// print writes the diagnosis for people.
func (d *diagnosis) print(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-16s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("isogate", "%s, protocol %d", d.Version, protocol.Version)
	line("platform", "%s", d.Platform)
	line("engine", "V8 %s, profile %s", d.Engine, d.Profile)
	for _, f := range d.Kernel {
		state := "yes"
		if !f.Available {
			state = "no"
		}
		line(f.Name, "%s: %s (%s)", state, f.Detail, f.Purpose)
	}
	if d.Problem != "" {
		line("programs", "cannot be run: %s", d.Problem)
		return
	}
	line("snapshot", "%d KiB", d.SnapshotBytes>>10)
	line("start", "%.0f ms to a ready child", d.StartMS)
	line("programs", "run: the first took %.1f ms", d.RunMS)
	d.printSealing(w)
	if d.Library != nil {
		printLibrary(w, d.Library)
	}
}

// snapshotRounds is how often doctor measures each part of the library.
const snapshotRounds = 10

// printLibrary writes what the guest library costs.
func printLibrary(w io.Writer, c *sandbox.SnapshotCost) {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }
	fmt.Fprintf(w, "\n%-20s %12s %12s %12s\n", "trivial execution", "isolate", "context", "whole")
	fmt.Fprintf(w, "%-20s %12s %12s %12s\n", "with the library", ms(c.Isolate), ms(c.Context), ms(c.Whole))
	fmt.Fprintf(w, "%-20s %12s %12s %12s\n", "without it", ms(c.Plain.Isolate), ms(c.Plain.Context), ms(c.Plain.Whole))
	fmt.Fprintf(w, "%.2f times as long, in the median of %d pairs; the snapshot has %d KiB\n", c.Ratio, c.Pairs, c.Bytes>>10)
	fmt.Fprintf(w, "\n%-20s %12s %12s %12s  %s\n", "part", "snapshot", "restoring", "first use", "globals")
	for _, p := range c.Parts {
		first, globals := ms(p.FirstUse), strings.Join(p.Globals, ", ")
		if p.UsedBy != "" {
			first, globals = "", "first use not measured: only "+p.UsedBy+" uses it"
		}
		fmt.Fprintf(w, "%-20s %8.1f KiB %12s %12s  %s\n", p.Name, float64(p.Bytes)/1024, ms(p.Restore), first, globals)
	}
}
