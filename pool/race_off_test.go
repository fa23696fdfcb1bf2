//go:build !race

package pool_test

// This file owns the same for a build without the race detector.
const raceDetector = false
