package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns controls: building each mutant, having it replay the attacks
// that ought to notice, and judging what it says.

// replayTimeout bounds the replay of one mutant.
const replayTimeout = 5 * time.Minute

// ControlOptions say which controls to run.
type ControlOptions struct {
	Model *threats.Model
	// Root is the module's root, Cache the folder that mutants are kept in.
	Root, Cache string
	// Run selects controls by "claim/control"; nil selects all.
	Run *regexp.Regexp
	// Seed is handed on to the mutants.
	Seed uint64
	// Parallel is how many mutants are built at once; 0 means 2. Replays take
	// turns, because they measure time.
	Parallel int
	Progress Progress
}

// controlJob is one control to be run.
type controlJob struct {
	claim   *threats.Claim
	control *threats.Control
	result  reports.Control
}

// Controls runs the selected controls and returns their outcomes by claim.
func Controls(ctx context.Context, o ControlOptions) (map[string][]reports.Control, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("controls need the go command: %w", err)
	}
	var jobs []*controlJob
	for _, c := range o.Model.Claims {
		for _, control := range c.Controls {
			if o.Run == nil || o.Run.MatchString(c.ID+"/"+control.Name) {
				jobs = append(jobs, &controlJob{claim: c, control: control})
			}
		}
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("no control matches %v", o.Run)
	}
	w, err := newWorkshop(o.Root, o.Cache)
	if err != nil {
		return nil, err
	}
	if o.Run == nil {
		if err := w.prune(o.Model); err != nil {
			return nil, err
		}
	}
	o.Progress.Begin("controls", len(jobs))
	var workers sync.WaitGroup
	var replaying sync.Mutex
	next := make(chan *controlJob)
	parallel := o.Parallel
	if parallel <= 0 {
		parallel = 2
	}
	for range parallel {
		workers.Go(func() {
			for job := range next {
				start := time.Now()
				job.run(ctx, w, &replaying, o.Seed)
				o.Progress.Step(Step{Name: job.claim.ID + "/" + job.control.Name, Outcome: string(job.result.Outcome),
					Good: job.result.Outcome == reports.Tripped, Details: nonEmpty(job.result.Reason), Took: time.Since(start)})
			}
		})
	}
	for _, job := range jobs {
		next <- job
	}
	close(next)
	workers.Wait()
	o.Progress.End()
	out := map[string][]reports.Control{}
	for _, job := range jobs {
		out[job.claim.ID] = append(out[job.claim.ID], job.result)
	}
	return out, ctx.Err()
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// run builds the control's mutant and judges it.
func (j *controlJob) run(ctx context.Context, w *workshop, replaying *sync.Mutex, seed uint64) {
	files := make([]string, len(j.control.Edits))
	for i, e := range j.control.Edits {
		files[i] = e.File
	}
	j.result = reports.Control{Name: j.control.Name, File: strings.Join(files, ", "), Place: place(j.control.At)}
	start := time.Now()
	binary, built, err := w.build(ctx, j.control)
	if built {
		j.result.BuildMS = time.Since(start).Milliseconds()
	}
	switch {
	case errors.Is(err, errNotApplicable):
		j.result.Outcome, j.result.Reason = reports.ControlVacuous, err.Error()
		return
	case err != nil:
		j.result.Outcome, j.result.Reason = reports.ControlFailed, err.Error()
		return
	}
	replaying.Lock()
	defer replaying.Unlock()
	start = time.Now()
	record, err := replay(ctx, w.root, binary, j.claim.ID, j.control.Trips, seed)
	j.result.RunMS = time.Since(start).Milliseconds()
	if err != nil {
		j.result.Outcome, j.result.Reason = reports.ControlFailed, err.Error()
		return
	}
	judgeControl(&j.result, record, j.claim.ID, j.control.Trips)
}

// judgeControl decides from the mutant's record whether an attack noticed.
func judgeControl(result *reports.Control, record *reports.Record, claim string, trips []string) {
	var seen []string
	for i := range record.Claims {
		if record.Claims[i].ID != claim {
			continue
		}
		for _, a := range record.Claims[i].Attacks {
			if a.Outcome == reports.AttackViolated && contains(trips, a.Name) {
				result.Tripped = append(result.Tripped, a.Name)
			}
			seen = append(seen, fmt.Sprintf("%s %s", a.Name, a.Outcome))
		}
	}
	if len(result.Tripped) > 0 {
		result.Outcome = reports.Tripped
		return
	}
	result.Outcome = reports.ControlVacuous
	result.Reason = "without the protection no attack that ought to notice does: " + strings.Join(seen, ", ")
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// replay has the mutant try the named attacks of a claim and returns its record.
func replay(ctx context.Context, root, binary, claim string, attacks []string, seed uint64) (*reports.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, replayTimeout)
	defer cancel()
	quoted := make([]string, len(attacks))
	for i, name := range attacks {
		quoted[i] = regexp.QuoteMeta(name)
	}
	run := fmt.Sprintf("^%s/(%s)$", regexp.QuoteMeta(claim), strings.Join(quoted, "|"))
	mutant := exec.CommandContext(ctx, binary, "verify", "--run", run, "--seed", fmt.Sprint(seed),
		"--json", "-", "--source-checks=false", "--stop-at-first")
	mutant.Dir = root
	// Whatever a mutant leaves running may hold its pipes open.
	mutant.WaitDelay = stopTimeout
	var stdout, stderr bytes.Buffer
	mutant.Stdout, mutant.Stderr = &stdout, &stderr
	err := mutant.Run()
	record := new(reports.Record)
	if decodeErr := json.Unmarshal(stdout.Bytes(), record); decodeErr != nil {
		return nil, fmt.Errorf("the mutant gave no record (%v): %s", errors.Join(err, decodeErr), tail(stderr.String()))
	}
	return record, nil
}

// applyControls puts the outcomes of controls into the claims: one that is not
// noticed makes its claim vacuous.
func applyControls(claims []reports.Claim, controls map[string][]reports.Control) {
	for i := range claims {
		c := &claims[i]
		c.Controls = controls[c.ID]
		for _, control := range c.Controls {
			if control.Outcome == reports.ControlVacuous && c.Verdict != reports.Violated {
				c.Verdict = reports.Vacuous
				c.Reason = fmt.Sprintf("control %s: %s", control.Name, control.Reason)
				break
			}
		}
	}
}

// ControlledClaims returns the claims whose controls were run, with nothing
// else of them tried.
func ControlledClaims(m *threats.Model, controls map[string][]reports.Control) []reports.Claim {
	var claims []reports.Claim
	for _, c := range m.Claims {
		if controls[c.ID] != nil {
			claims = append(claims, describeClaim(c))
		}
	}
	applyControls(claims, controls)
	return claims
}
