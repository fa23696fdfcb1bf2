//go:build !cgo && realms

package v8

// This file owns what stands for realms in builds without an engine.

// OfferRealms reports false: there is no engine.
func (*Isolate) OfferRealms(string) bool { return false }
