//go:build realms

package sandbox

// This file owns further realms, for the conformance runner alone: an execution of the
// product has one. The build tag realms adds it, and cmd/isogate does not compile with it.

// HasRealms says that programs find a global function __isogate_create_realm, which
// returns the global object of a new realm.
const HasRealms = true

func (e *execution) offerRealms() { e.isolate.OfferRealms("__isogate_create_realm") }
