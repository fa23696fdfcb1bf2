// Package statistics judges figures that were sampled in pairs: the ratio of two
// sides with its interval, which samples lie far from the others, and whether a
// figure is better, the same, worse, or not known. It measures nothing.
package statistics
