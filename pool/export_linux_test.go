package pool

// This file owns what the tests see of finding a refused system call.

// RefusedCall returns the call that a process was killed for.
var RefusedCall = refusedCall

// RefusalIn finds a call in one record of the kernel's log.
var RefusalIn = refusalIn

// CallName returns the name of a call's number.
var CallName = callName

// LongestRecord is the most that is read of a record, in bytes.
const LongestRecord = longestRecord
