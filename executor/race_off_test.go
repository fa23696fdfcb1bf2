//go:build !race

package executor_test

// This file owns the same for a build without the race detector.
const raceDetector = false
