//go:build race

package statistics_test

// shorter divides the number of simulated runs: nothing here runs concurrently, and
// under the race detector arithmetic is many times slower.
const shorter = 10
