//go:build realms

package main

// This file owns the refusal of the build tag realms: with it this command does
// not compile. A program of the product has one realm.

var _ int = "the tag realms is for the conformance runner alone"
