// Package mutation puts many changed states of a module's source into one build,
// in which one of them is chosen when the program starts. The method is known as
// mutant schemata (Untch, Offutt and Harrold 1993): compiling and linking are paid
// for once, not once for each mutant.
//
// # How
//
// A [Mutation] is a set of files with their changed texts. [Combine] compares each
// with the file as it is and finds the bodies of functions, the initialisers of
// package variables and the embedded files that differ; anything else that differs
// keeps a mutation apart, and it must be built alone. Every body that differs is
// given each of its other forms as a branch:
//
//	func (r *FrameReader) Read() ([]byte, error) {
//		if chosenmutation.Number == 17 {
//			… the whole body as mutation 17 has it
//		}
//		… the body as it is
//	}
//
// A branch is a scope of its own with the function's parameters, results, defers
// and type parameters, so that its text needs no translation but for labels. The
// same is done for C++. Of embedded files each mutation has a copy of its own, and
// the variable that holds them is set before anything reads it.
//
// # Which one is chosen
//
// The package chosenmutation and all branches exist in an overlay (go help build,
// -overlay) only: the source on disk is not touched, and no build without the
// overlay contains a choice. A process reads its number from the name of its
// executable before any other package is initialised. The caller makes a hard link
// of the one binary for each mutation, see [BinaryName]. A process that is
// executed again by /proc/self/exe, or by a path that [os.Executable] returned, has
// the same name, and needs no environment, no argument and no file for it. A binary
// with any other name is the source as it is.
package mutation
