// Package against compares the state of the source in a checkout, "new", with that of
// a reference such as the commit before, "old": what is claimed, and what is measured.
//
// The reference is checked out beside this state (git worktree), and of both the
// program that takes samples is built in the same way. So that the same code measures
// both, the reference is given this state's benchmarks; where they do not build
// against it, its own measure it, and the record says so.
//
// Samples are taken in rounds. In each, new processes of both sides take a sample of
// every benchmark one after the other, and so does a second process of the new side:
// what it differs by from the first is what this machine makes of no change. Who is
// first alternates. After ten rounds the figures are judged (package
// gate/statistics), and benchmarks of which a figure is not decided are sampled on, up
// to thirty rounds. Counted figures take one, and up to three where the two sides
// differ. Sides that are the same to the byte calibrate themselves: there is no second
// process of the new one, and what they differ by is never better or worse.
//
// Both sides replay the attacks of their own threat model with their own gate, in the
// same order. A claim that was held and is not any more is broken, also when it is
// no claim any more.
package against
