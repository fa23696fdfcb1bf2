//go:build race

package executor_test

// This file owns what the tests know of their own build: children are this binary
// too, and the race detector keeps several bytes for each byte that they use.
const raceDetector = true
