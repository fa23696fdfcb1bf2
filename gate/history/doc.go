// Package history keeps the records of runs in a folder, and shows how a measured
// figure went over them.
//
// What is compared here was measured at different times, perhaps on different
// machines: it shows where to look, and fails nothing.
package history
