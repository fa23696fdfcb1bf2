package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// This file owns the record: its types, and reading and writing it.

// Schema is the version of the record's form. A record of another version is
// refused, never guessed at.
const Schema = 2

// Record is everything that one run of the gate found.
type Record struct {
	Schema  int       `json:"schema"`
	Started time.Time `json:"started"`
	// DurationMS is the length of the run in milliseconds.
	DurationMS int64  `json:"durationMs"`
	Build      Build  `json:"build"`
	Host       Host   `json:"host"`
	Verify     Verify `json:"verify,omitzero"`
	// Claims are the claims that were looked at, in order of their ids.
	Claims []Claim `json:"claims,omitempty"`
	// NonClaims are what is not claimed.
	NonClaims []NonClaim `json:"nonClaims,omitempty"`
	// Problems are the ways in which the threat model is incomplete.
	Problems []string `json:"problems,omitempty"`
	Walk     *Walk    `json:"walk,omitempty"`
	Bench    *Bench   `json:"bench,omitempty"`
	// Against compares this state of the source with a reference, see gate ab.
	Against *Against `json:"against,omitempty"`
	// Sweep is what a sweep of the marked protections found.
	Sweep *Sweep `json:"sweep,omitempty"`
	// LeftOut says what the run did not do because its time was limited, or because
	// only what a change needs was asked for. A claim is judged by the rest.
	LeftOut []string `json:"leftOut,omitempty"`
	// Release says that the rule for releases holds: what was left out fails.
	Release bool `json:"release,omitempty"`
	// Phases are the parts of the run in their order, with how long each took.
	Phases []Phase `json:"phases,omitempty"`
}

// Phase is a part of a run.
type Phase struct {
	Name       string `json:"name"`
	DurationMS int64  `json:"durationMs"`
}

// Build says what was run.
type Build struct {
	Module   string `json:"module"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Engine   string `json:"engine"`
	Protocol int    `json:"protocol"`
	Profile  string `json:"profile,omitempty"`
}

// Host says where it ran.
type Host struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Kernel string `json:"kernel,omitempty"`
	CPU    string `json:"cpu,omitempty"`
	CPUs   int    `json:"cpus"`
	// Memory is the host's memory in bytes, 0 when not known.
	Memory int64 `json:"memory,omitempty"`
	// Load is the load average of the last minute at the start of the run.
	Load     float64 `json:"load"`
	Governor string  `json:"governor,omitempty"`
	// HugePages is the setting of transparent huge pages.
	HugePages string `json:"hugePages,omitempty"`
}

// Verify says how the attacks were run.
type Verify struct {
	Seed   uint64 `json:"seed"`
	Repeat int    `json:"repeat"`
	Run    string `json:"run,omitempty"`
	// Target names the executor that was attacked.
	Target string `json:"target,omitempty"`
	// Parallel is how many attacks ran at a time.
	Parallel int `json:"parallel,omitempty"`
}

// Claim is one claim with what was tried and what came of it.
type Claim struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Statement string   `json:"statement"`
	Boundary  string   `json:"boundary"`
	Severity  string   `json:"severity"`
	Owners    []string `json:"owners"`
	Verdict   Verdict  `json:"verdict"`
	// Reason says why, for every verdict but held.
	Reason string `json:"reason,omitempty"`
	// Place is where the claim is stated.
	Place    Place     `json:"place,omitzero"`
	Attacks  []Attack  `json:"attacks,omitempty"`
	Controls []Control `json:"controls,omitempty"`
}

// Place is a line of a file, relative to the module's root. Line counts from 1.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// NonClaim is something that somebody might expect and that is not claimed, with
// what an operator can do about it.
type NonClaim struct {
	ID         string `json:"id"`
	Title      string `json:"title"`
	Statement  string `json:"statement"`
	Mitigation string `json:"mitigation"`
}

// Attack is one attempt at an attack, with the evidence.
type Attack struct {
	Name    string  `json:"name"`
	Title   string  `json:"title"`
	Source  string  `json:"source"`
	Canary  bool    `json:"canary,omitempty"`
	Outcome Outcome `json:"outcome"`
	// Place is where the attack is written; of one in Go, where the claim names it.
	Place Place `json:"place,omitzero"`
	// Wrong is what was not as it must be.
	Wrong    []string `json:"wrong,omitempty"`
	Evidence Evidence `json:"evidence"`
}

// Evidence is what was seen of an attack.
type Evidence struct {
	// Value is the start of the value's codec text, Fault the fault's wire form.
	Value string          `json:"value,omitempty"`
	Fault json.RawMessage `json:"fault,omitempty"`
	Logs  []string        `json:"logs,omitempty"`
	// WallMS is the time to the result in milliseconds, the longest of all
	// attempts; WithinMS is the bound on it, 0 for none.
	WallMS   float64 `json:"wallMs"`
	WithinMS float64 `json:"withinMs,omitempty"`
	CPUMS    float64 `json:"cpuMs,omitempty"`
	// PeakHeap, PeakExternal and PeakResident are bytes.
	PeakHeap     int64 `json:"peakHeap,omitempty"`
	PeakExternal int64 `json:"peakExternal,omitempty"`
	PeakResident int64 `json:"peakResident,omitempty"`
	Attempts     int   `json:"attempts"`
	// Late counts the attempts that passed the bound on time.
	Late int `json:"late,omitempty"`
	// Notes are what an attack in Go saw, in order.
	Notes []string `json:"notes,omitempty"`
}

// Control is one mutation and whether it was noticed.
type Control struct {
	Name    string         `json:"name"`
	File    string         `json:"file"`
	Outcome ControlOutcome `json:"outcome"`
	// Place is where the claim states the control.
	Place Place `json:"place,omitzero"`
	// Tripped names the attacks that noticed.
	Tripped []string `json:"tripped,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	// Combined says that the mutation was one of several in one build, and chosen when
	// that started. Alone says why it was built alone, where it could not be combined.
	Combined bool   `json:"combined,omitempty"`
	Alone    string `json:"alone,omitempty"`
	// Cached is when the control tripped, where that is known from an earlier run with
	// the same source, kernel and Go. It is zero for a control that was run.
	Cached time.Time `json:"cached,omitzero"`
	// BuildMS and RunMS are milliseconds; a build taken from the cache is 0, and the
	// time of a build that holds several mutations counts for the first of them.
	BuildMS int64 `json:"buildMs"`
	RunMS   int64 `json:"runMs"`
}

// Bench is the measurements of a run.
type Bench struct {
	// Thresholds is the digest of the thresholds that were registered.
	Thresholds string `json:"thresholds"`
	// Short says that fewer samples than registered were taken.
	Short        bool          `json:"short,omitempty"`
	Measurements []Measurement `json:"measurements"`
	// Sealing compares sealed with unsealed children.
	Sealing *Sealing `json:"sealing,omitempty"`
	// Missing names the registered measurements and comparisons that were not taken.
	Missing []string `json:"missing,omitempty"`
}

// Measurement is one measured quantity.
type Measurement struct {
	// Name is the benchmark's name without "Benchmark", Unit as in Go
	// benchmark text ("ns/op").
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Better is "lower" or "higher".
	Better string `json:"better"`
	// Iterations is how many operations each sample is made of.
	Iterations int       `json:"iterations"`
	Samples    []float64 `json:"samples"`
	// Exact says that the quantity is counted, so that every sample should be equal.
	Exact bool `json:"exact,omitempty"`
	// Outliers are the indexes of the samples that lie far from the others (modified
	// z-score above 3.5). They are reported, and count like every other.
	Outliers []int `json:"outliers,omitempty"`
	// Calibration compares this build with itself, pair by pair.
	Calibration *Ratio  `json:"calibration,omitempty"`
	Tolerance   float64 `json:"tolerance,omitempty"`
	// Ceiling is the registered value that the median must not be worse than, 0 for none.
	Ceiling float64 `json:"ceiling,omitempty"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
}

// Read reads a record. A record that is no JSON, has unknown fields or is of
// another schema is an error that says so.
func Read(r io.Reader) (*Record, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	var head struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("record: not JSON: %w", err)
	}
	if head.Schema != Schema {
		return nil, fmt.Errorf("record: the schema is %d, this build reads %d", head.Schema, Schema)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	record := new(Record)
	if err := decoder.Decode(record); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return record, nil
}

// ReadFile reads the record in a file.
func ReadFile(name string) (*Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	defer f.Close()
	record, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return record, nil
}

// Write writes the record as indented JSON.
func (r *Record) Write(w io.Writer) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// WriteFile writes a form of the record to a file, whose folder is made when
// it is not there.
func (r *Record) WriteFile(name string, format Format) error {
	var b bytes.Buffer
	if err := format(r, &b); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
