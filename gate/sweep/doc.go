// Package sweep finds the protections that are marked in the source and makes
// mutations of them mechanically: the check is never taken, a comparison is turned
// around, a call is left out.
//
// # Marks
//
// A mark is a comment on the line above what protects, with the claims that it serves:
//
//	//gate:protects frames-checked
//	if length > r.max {
//
// In Go it stands above a statement, a case of a switch, an element of a list or a
// function; in C++ and JavaScript above a statement that opens with "if (". A mark
// that stands above anything else, or names a claim that there is not, is an error.
//
// A mutation that changes nothing that can be observed is said to be so, with the
// reason, by a comment between the mark and what it marks:
//
//	//gate:protects frames-checked
//	//gate:equivalent flipped a length equal to the bound is refused by the reader before
//	if length > r.max {
//
// # Mutations
//
//   - removed: a condition is never true, a loop is left at once, a function does
//     nothing and returns zero values, an element of a list or a case is not there.
//   - dropped: the statement with the call is not there; of a condition, with what it
//     calls first; an error that is returned is nil.
//   - flipped: one comparison (< and >=, == and !=), one && or ||, or the whole
//     condition is turned around. Where there are several they are numbered.
//
// In C++ and JavaScript there is only removed.
package sweep
