// Package repository owns the rules that the repository as a whole keeps, as
// tests: which package may import which, where cgo is, that files say what they
// own, that documents name only what exists, and what the licences are.
//
// It has no code besides its tests.
package repository
