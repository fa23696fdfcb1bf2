// Package product is what the two sides of a test's comparison differ in.
package product

// Time is how long everything takes, as a multiple.
const Time = 1.0

// Count is how many of everything there are, as a multiple.
const Count = 1.0

// Broken names a benchmark that cannot be carried out.
const Broken = ""

// Seldom names a benchmark whose first sample fails.
const Seldom = ""

// Claims are the verdicts on claims.
var Claims = map[string]string{"first": "held", "second": "held", "third": "open", "fourth": "violated"}
