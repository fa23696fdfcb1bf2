package codemode

import _ "embed"

// This file owns the guest's side of the dialect, which is JavaScript.

//go:embed guest.js
var guest string

// The names of the scripts that run before a program, as stacks and faults have them.
const (
	guestScript = "codemode:guest"
	namesScript = "codemode:names"
)
