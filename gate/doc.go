// Package gate decides whether what is claimed about containing programs still
// holds. It replays every attack of the threat model (package threats, and
// gate/native for attacks in Go) against the real executor, shows by mutations
// of the source that the attacks can fail, takes the measurements of package
// bench, and puts all of it in one record (package reports).
//
// # Verify
//
// Attacks run one after the other, in an order drawn from a seed that is
// printed. Before each, another execution in the same child holds a secret.
// After each, a standing postcondition is demanded: the next execution gives
// the right answer, no process is left that is not the executor's, and nothing
// of the host (its environment, its paths, its stack traces) or of the other
// execution stands in anything that came out.
//
// An attack that ends right but late is tried twice more: the kind of its
// outcome must be right each time, and the median must be on time, because a
// loaded machine is no violation.
//
// # Controls
//
// A control is an edit of the source that removes one protection. The gate
// builds itself with that edit by means of go build -overlay, which leaves the
// tree untouched, and has that build replay the attacks that ought to notice.
// The overlay serves Go files, the C++ files and headers of package sandbox/v8,
// and JavaScript embedded by package runtime alike. A control that does not
// apply, or that no attack notices, makes its claim vacuous.
package gate
