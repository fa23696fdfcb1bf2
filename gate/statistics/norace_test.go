//go:build !race

package statistics_test

// shorter divides the number of simulated runs.
const shorter = 1
