package mutation

import (
	"fmt"
	"path"
)

// This file owns the package that knows which mutation is chosen. It exists in
// overlays only.

const (
	// chosenFolder is the package's folder in the module, chosenName its name.
	chosenFolder = "internal/chosenmutation"
	chosenName   = "chosenmutation"
	binaryPrefix = "mutant-"
	// chosenCPP is the C++ function that returns the number.
	chosenCPP = "isogate_chosen_mutation"
)

// chosenGo is the text of the package. It imports nothing that has to be
// initialised later than the packages that use it.
const chosenGo = `// Package chosenmutation knows which mutation this process is.
package chosenmutation

import "syscall"

// Number is the number of the mutation, 0 for none.
var Number = read()

func read() int {
	var buffer [4096]byte
	n, err := syscall.Readlink("/proc/self/exe", buffer[:])
	if err != nil {
		return 0
	}
	name := string(buffer[:n])
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			name = name[i+1:]
			break
		}
	}
	const prefix = %q
	if len(name) <= len(prefix) || name[:len(prefix)] != prefix {
		return 0
	}
	number := 0
	for _, digit := range name[len(prefix):] {
		if digit < '0' || digit > '9' {
			return 0
		}
		number = number*10 + int(digit-'0')
	}
	return number
}

// Choose returns what a variable is initialised with.
func Choose[T any](number int, mutated, original T) T {
	if Number == number {
		return mutated
	}
	return original
}
`

// chosenSource is the same for C++. It is run before main, and so before Go's runtime.
const chosenSource = `#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int %[1]s();

static int Read() {
  char buffer[4096];
  ssize_t n = readlink("/proc/self/exe", buffer, sizeof buffer - 1);
  if (n < 0) return 0;
  buffer[n] = 0;
  const char* slash = strrchr(buffer, '/');
  const char* name = slash == nullptr ? buffer : slash + 1;
  const char prefix[] = %[2]q;
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return 0;
  const char* digits = name + sizeof prefix - 1;
  if (*digits == 0 || strspn(digits, "0123456789") != strlen(digits)) return 0;
  return atoi(digits);
}

static const int chosen = Read();

int %[1]s() { return chosen; }
`

// addChosen puts the package into the overlay.
func (m *module) addChosen(c *Combined) {
	c.files[path.Join(chosenFolder, "chosen.go")] = fmt.Appendf(nil, chosenGo, binaryPrefix)
}

// addChosenCPP puts the C++ function into the overlay, in the folder of a package.
func (m *module) addChosenCPP(c *Combined, folder string) {
	c.files[path.Join(folder, "chosen_mutation.cc")] = fmt.Appendf(nil, chosenSource, chosenCPP, binaryPrefix)
}

// chosenImport is the import declaration of the package.
func (m *module) chosenImport() string {
	return fmt.Sprintf("import %s %q", chosenName, path.Join(m.path, chosenFolder))
}
