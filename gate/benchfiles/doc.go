// Package benchfiles compares two files of Go benchmark text.
//
// It reads what benchstat reads, and gives for every row the delta and the p-value
// that benchstat gives, because both come from golang.org/x/perf. Beside them stands a
// verdict: by the registered tolerance where the benchmark is registered (package
// bench), otherwise by the level alpha.
//
// What benchstat only warns of is an error here: a line that cannot be read, a file
// without any result, and a file that looks cut. A benchmark that the old file has and
// the new one lacks is told, and counts as worse.
package benchfiles
