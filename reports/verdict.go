package reports

// This file owns the verdicts.

// Verdict says how a claim or a measurement came out.
type Verdict string

// The verdicts on claims.
const (
	// Held: every attack ended in its safe outcome.
	Held Verdict = "held"
	// Violated: an attack ended otherwise, or could not be carried out.
	Violated Verdict = "violated"
	// Vacuous: a control did not trip the claim, or no longer applies. The
	// claim's attacks prove nothing.
	Vacuous Verdict = "vacuous"
	// Unsupported: this machine lacks what the claim needs.
	Unsupported Verdict = "unsupported"
	// Open: a known gap, stated with its reason. It is never counted as held.
	Open Verdict = "open"
	// NotRun: nothing of the claim was tried in this run.
	NotRun Verdict = "not run"
)

// The verdicts on measurements.
const (
	Better Verdict = "better"
	Same   Verdict = "same"
	Worse  Verdict = "worse"
	// Unknown: the evidence does not decide, or there is nothing to compare with.
	Unknown Verdict = "unknown"
	// Unfit: two halves of the same samples differ by more than the tolerance,
	// so that this machine cannot judge the measurement now.
	Unfit Verdict = "unfit"
)

// Outcome says how one attack of a claim came out.
type Outcome string

// The outcomes of attacks.
const (
	AttackHeld        Outcome = "held"
	AttackViolated    Outcome = "violated"
	AttackFailed      Outcome = "failed" // it could not be carried out
	AttackUnsupported Outcome = "unsupported"
)

// ControlOutcome says how a control came out.
type ControlOutcome string

// The outcomes of controls.
const (
	// Tripped: the mutated build was caught by an attack that ought to see it.
	Tripped ControlOutcome = "tripped"
	// ControlVacuous: the mutated build was not caught.
	ControlVacuous ControlOutcome = "vacuous"
	// ControlFailed: the mutated build could not be made or run.
	ControlFailed ControlOutcome = "failed"
)

// fails reports whether the verdict on a claim fails the gate.
func (v Verdict) fails() bool { return v == Violated || v == Vacuous }
