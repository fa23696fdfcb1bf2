//go:build !linux

package pool

// This file owns the platforms without system-call filters.

func refusedCall(int) string { return "" }
